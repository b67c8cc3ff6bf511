-- drasi-project/drasi-core#695, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, y YEAR);
INSERT INTO t VALUES (1, 0000), (2, '0'), (3, 1901), (4, 2155), (5, NULL), (6, '00'), (7, '70');
