-- zendesk/maxwell#198, servers: mysql mariadb
SET SESSION binlog_row_image = MINIMAL;
CREATE TABLE t (id INT PRIMARY KEY, a1 INT, a2 INT, a3 INT, a4 INT, a5 INT, a6 INT, a7 INT, a8 INT,
  b1 INT, b2 INT, b3 INT, b4 INT, b5 INT, b6 INT, b7 INT, b8 INT, c1 INT, c2 INT);
INSERT INTO t VALUES (1, 1, NULL, 3, NULL, 5, NULL, 7, NULL, 1, NULL, 3, NULL, 5, NULL, 7, NULL, 1, NULL);
UPDATE t SET a2 = 2, a3 = NULL, b8 = 8, c1 = NULL, c2 = 2;
UPDATE t SET c2 = NULL;
