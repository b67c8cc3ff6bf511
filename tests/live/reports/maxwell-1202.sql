-- zendesk/maxwell#1202, servers: mariadb
CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(9)) CHARSET latin1 COLLATE latin1_bin;
ALTER TABLE t
COLLATE = default;
ALTER TABLE t ADD w VARCHAR(9);
INSERT INTO t VALUES (1, 'Ä', 'é');
