-- zendesk/maxwell#1972, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(5), c VARCHAR(5));
INSERT INTO t VALUES (1, 'a', 'c');
ALTER TABLE t ADD b VARCHAR(5) DEFAULT 'b' AFTER a;
UPDATE t SET a = 'A';
INSERT INTO t VALUES (2, 'a2', 'b2', 'c2');
