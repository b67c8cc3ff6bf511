-- zendesk/maxwell#1442, servers: mariadb
CREATE TABLE t (id INT PRIMARY KEY, foo INT, bar TEXT);
ALTER TABLE t DROP t.foo;
INSERT INTO t VALUES (1, 'x');
