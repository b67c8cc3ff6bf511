-- zendesk/maxwell#1123, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT);
ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a;
INSERT INTO t VALUES (1, 2, 3);
