-- zendesk/maxwell#1438, servers: mysql
CREATE TABLE t (id VARCHAR(20), json_column JSON DEFAULT ('{"Name":"stdout"}'),
  derived VARCHAR(40) GENERATED ALWAYS AS (CONCAT('Name', `json_column` ->> '$.Name')), PRIMARY KEY (id));
INSERT INTO t (id) VALUES ('a'), ('b');
UPDATE t SET json_column = '{"Name": "x"}' WHERE id = 'b';
