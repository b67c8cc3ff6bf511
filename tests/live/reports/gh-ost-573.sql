-- github/gh-ost#573, servers: mysql mariadb
SET SESSION binlog_row_image = NOBLOB;
CREATE TABLE t (id INT PRIMARY KEY, a TEXT, n INT, b BLOB, c VARCHAR(9));
INSERT INTO t VALUES (1, 'text', 1, 'blob', 'c'), (2, NULL, 2, 'blob', NULL);
UPDATE t SET n = n + 10;
UPDATE t SET a = NULL, c = 'd' WHERE id = 1;
