-- zendesk/maxwell#757, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, `订单号` INT, `金额` DECIMAL(9,2), `é``'"` TEXT);
ALTER TABLE t DROP `订单号`, RENAME COLUMN `金额` TO `价格`;
INSERT INTO t VALUES (1, 2.5, '好');
