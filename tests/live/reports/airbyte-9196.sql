-- airbytehq/airbyte#9196, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY);
FLUSH TABLES;
flush table t;
ANALYZE TABLE t;
OPTIMIZE TABLE t;
FLUSH STATUS;
GRANT SELECT ON airbyte_9196.* TO root@localhost;
INSERT INTO t VALUES (1);
