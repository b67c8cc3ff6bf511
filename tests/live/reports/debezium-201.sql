-- debezium/debezium#201, servers: mysql mariadb
SET SESSION sql_mode = '';
CREATE TABLE t (id INT PRIMARY KEY, e ENUM('a', 'b'), s SET('x', 'y'));
INSERT IGNORE INTO t VALUES (1, 'zzz', 'zzz'), (2, 'a', 'x,zzz'), (3, NULL, NULL);
SET SESSION sql_mode = DEFAULT;
