-- krowinski/php-mysql-replication#14, servers: mysql
CREATE TABLE t (id INT PRIMARY KEY, v INT);
INSERT INTO t VALUES (1, 1), (2, 2);
ALTER TABLE t ADD j JSON NOT NULL;
UPDATE t SET v = v + 1;
