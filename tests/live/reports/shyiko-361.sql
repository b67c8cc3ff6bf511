-- shyiko/mysql-binlog-connector-java#361, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, tm TIME(6));
INSERT INTO t VALUES (1, '-838:59:59'), (2, '838:59:59'), (3, '-838:59:58.999999'), (4, '0');
