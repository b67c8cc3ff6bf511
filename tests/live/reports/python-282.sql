-- julien-duponchelle/python-mysql-replication#282, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(9), kind VARCHAR(9));
INSERT INTO t VALUES (1, 'rex', 'dog');
