-- go-mysql-org/go-mysql#69, servers: mysql mariadb
CREATE TABLE t (id INT, a INT, b VARCHAR(5));
INSERT INTO t VALUES (1, 1, 'x'), (NULL, NULL, NULL);
