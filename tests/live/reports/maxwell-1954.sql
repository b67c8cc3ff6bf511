-- zendesk/maxwell#1954, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, tenant_id VARCHAR(30));
ALTER TABLE t MODIFY tenant_id BIGINT;
INSERT INTO t VALUES (1, 1592874639366037573);
