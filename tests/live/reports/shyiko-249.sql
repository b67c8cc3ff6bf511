-- shyiko/mysql-binlog-connector-java#249, servers: mysql mariadb
SET SESSION binlog_format = MIXED;
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(40), b TEXT, c INT);
INSERT INTO t VALUES (1, UUID(), 'x', 1), (2, UUID(), NULL, 2);
UPDATE t SET a = UUID() WHERE id = 1;
UPDATE t SET c = c + 1, a = UUID() WHERE id = 2;
SET SESSION binlog_format = ROW;
