-- osheroff/mysql-binlog-connector-java#95, servers: mariadb
SET GLOBAL mysql56_temporal_format = OFF;
CREATE TABLE t (id INT PRIMARY KEY, a DATETIME(6), b TIME(3), c TIMESTAMP(2) NULL, d DATETIME, e TIME);
INSERT INTO t VALUES (1, '2016-12-21 17:57:16', '-01:02:03.456', '2016-12-21 17:57:16.99',
  '2016-12-21 17:57:16', '-838:59:59'), (2, '0001-01-01 00:00:00.000001', '0', NULL, NULL, NULL);
SET GLOBAL mysql56_temporal_format = DEFAULT;
