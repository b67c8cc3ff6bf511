-- alibaba/canal#4308, servers: mariadb
CREATE TABLE t (id INT PRIMARY KEY);
SET SESSION binlog_alter_two_phase = 1;
ALTER TABLE t ADD COLUMN c VARCHAR(9) CHARSET gbk;
SET SESSION binlog_alter_two_phase = DEFAULT;
INSERT INTO t VALUES (1, '好');
