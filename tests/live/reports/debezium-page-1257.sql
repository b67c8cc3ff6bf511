-- debezium/debezium.github.io#1257, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY);
ALTER TABLE t ADD COLUMN (created TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated TIME DEFAULT '08:00');
INSERT INTO t (id) VALUES (1);
