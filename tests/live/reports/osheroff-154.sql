-- osheroff/mysql-binlog-connector-java#154, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, v TIME);
INSERT INTO t VALUES (1, '-00:00:01'), (2, '-838:59:59'), (3, '-24:00:00'), (4, '-00:01:00');
