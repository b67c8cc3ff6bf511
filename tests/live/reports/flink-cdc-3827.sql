-- apache/flink-cdc#3827, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, d DATETIME, e DATE);
INSERT INTO t VALUES (1, '0002-11-30 08:05:43', '0002-11-30'), (2, '0022-11-30 08:05:43', '0022-11-30'),
  (3, '0222-11-30 08:05:43', '0222-11-30'), (4, '1000-01-01 00:00:00', '9999-12-31');
