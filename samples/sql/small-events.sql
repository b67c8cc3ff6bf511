-- Statements whose rows fill many events, and statements that change several tables.
CREATE TABLE customers (id INT NOT NULL PRIMARY KEY, name VARCHAR(100), score INT);
CREATE TABLE parcels (
  id INT NOT NULL PRIMARY KEY, customer_id INT, content VARCHAR(400),
  FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE TABLE visits (
  id INT NOT NULL PRIMARY KEY, customer_id INT, page VARCHAR(20),
  FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE TABLE audit (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, what VARCHAR(200));
DELIMITER //
CREATE TRIGGER parcels_after_insert AFTER INSERT ON parcels FOR EACH ROW
BEGIN
  INSERT INTO audit (what) VALUES (CONCAT('parcel ', NEW.id, ' for ', COALESCE(NEW.customer_id, 'nobody')));
  UPDATE customers SET score = score + 1 WHERE id = NEW.customer_id;
END //
CREATE TRIGGER customers_before_update BEFORE UPDATE ON customers FOR EACH ROW
  SET NEW.name = CONCAT(NEW.name, IF(NEW.score > OLD.score, '+', ''))//
DELIMITER ;
INSERT INTO customers
  WITH RECURSIVE list (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM list WHERE n < 100)
  SELECT n, CONCAT('customer number ', n), 0 FROM list ORDER BY n;
UPDATE customers SET score = id * 10 WHERE id <= 60;
INSERT INTO parcels VALUES (1, 1, 'small'), (2, 1, REPEAT('a large one ', 33)), (3, 2, REPEAT('x', 230)), (4, 3, NULL),
  (5, NULL, 'lost'), (6, 60, REPEAT('y', 400)), (7, 61, REPEAT('z', 200)), (8, 61, REPEAT('z', 210));
INSERT INTO visits
  WITH RECURSIVE list (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM list WHERE n < 40)
  SELECT n, n MOD 8 + 1, CONCAT('page', n) FROM list ORDER BY n;
-- Two tables in one statement.
UPDATE customers JOIN parcels ON parcels.customer_id = customers.id
  SET customers.name = UPPER(customers.name), parcels.content = CONCAT('for ', customers.id);
DELETE parcels, visits FROM parcels JOIN visits USING (customer_id) WHERE customer_id = 3;
-- The parent goes, or gets another number, and its children with it.
DELETE FROM customers WHERE id = 1;
UPDATE customers SET id = 1001 WHERE id = 2;
DELETE FROM customers WHERE id > 61 AND id <= 100;
-- A statement text of several lines, with what could be taken for a row.
INSERT INTO audit (what) VALUES ('line one
### INSERT INTO `events97`.`audit`
### SET
###   @1=1
line five');
