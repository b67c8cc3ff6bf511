-- zendesk/maxwell#626, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, a INT DEFAULT -1, b DECIMAL(5,2) DEFAULT -.5, c INT DEFAULT - 2);
INSERT INTO t (id) VALUES (1);
