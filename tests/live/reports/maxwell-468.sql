-- zendesk/maxwell#468, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, bar INT, s SET('a', 'b'), baz INT, n VARCHAR(5));
ALTER TABLE t MODIFY bar BIGINT AFTER baz;
ALTER TABLE t MODIFY n VARCHAR(5) FIRST, MODIFY s SET('a', 'b') AFTER n;
INSERT INTO t VALUES ('n', 'a,b', 1, 2, 3);
