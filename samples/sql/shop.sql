-- A small shop and what happens in it on one day: the sample to look at first.
SET timestamp = UNIX_TIMESTAMP('2026-03-02 08:00:00');
CREATE TABLE customers (
  customer_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email VARCHAR(120) NOT NULL UNIQUE,
  full_name VARCHAR(80) NOT NULL,
  city VARCHAR(60),
  born DATE,
  newsletter BOOL NOT NULL DEFAULT FALSE,
  preferences JSON,
  created_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
);
CREATE TABLE products (
  product_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sku CHAR(8) CHARACTER SET ascii NOT NULL UNIQUE,
  title VARCHAR(120) NOT NULL,
  price DECIMAL(10,2) NOT NULL,
  stock INT UNSIGNED NOT NULL DEFAULT 0,
  weight_kg FLOAT,
  tags SET('new','sale','fragile','gift') NOT NULL DEFAULT '',
  description TEXT,
  attributes JSON
);
CREATE TABLE orders (
  order_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id BIGINT UNSIGNED NOT NULL,
  status ENUM('new','paid','shipped','delivered','cancelled') NOT NULL DEFAULT 'new',
  total DECIMAL(12,2) NOT NULL DEFAULT 0,
  placed_at DATETIME(6) NOT NULL,
  shipped_at DATETIME(6),
  note VARCHAR(200),
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id)
);
CREATE TABLE order_items (
  order_id BIGINT UNSIGNED NOT NULL,
  line_number SMALLINT UNSIGNED NOT NULL,
  product_id BIGINT UNSIGNED NOT NULL,
  quantity SMALLINT UNSIGNED NOT NULL,
  unit_price DECIMAL(10,2) NOT NULL,
  PRIMARY KEY (order_id, line_number),
  FOREIGN KEY (order_id) REFERENCES orders (order_id),
  FOREIGN KEY (product_id) REFERENCES products (product_id)
);

SET timestamp = UNIX_TIMESTAMP('2026-03-02 08:15:00.000001');
INSERT INTO customers (email, full_name, city, born, newsletter, preferences) VALUES
  ('ana@example.org', 'Ana García', 'Málaga', '1987-04-12', TRUE, '{"language": "es", "sizes": [38, 39]}'),
  ('bohumil@example.org', 'Bohumil Šťastný', 'Plzeň', '1990-12-01', FALSE, '{"language": "cs"}'),
  ('chiyo@example.org', '佐藤 千代', '大阪', NULL, TRUE, NULL),
  ('dmitri@example.org', 'Дмитрий Орлов', 'Тбилиси', '1979-02-28', FALSE, '{"language": "ru", "gift_wrap": true}'),
  ('eve@example.org', 'Eve O''Brien', NULL, '2001-07-30', TRUE, '{}'),
  ('farid@example.org', 'Farid الشامي', 'Beyrouth', '1995-11-11', FALSE, NULL);
SET timestamp = UNIX_TIMESTAMP('2026-03-02 08:20:00.5');
INSERT INTO products (sku, title, price, stock, weight_kg, tags, description, attributes) VALUES
  ('CUP-0001', 'Cup with cat', 9.90, 120, 0.35, 'fragile,gift', 'Holds 0.3 l. The cat looks left.', '{"color": "white", "volume_l": 0.3}'),
  ('CUP-0002', 'Cup with dog 🐕', 10.90, 80, 0.35, 'new,fragile,gift', 'Holds 0.3 l.', '{"color": "blue", "volume_l": 0.3}'),
  ('TEA-0100', 'Grüner Tee, 100 g', 6.45, 300, 0.11, '', NULL, '{"origin": "静岡", "organic": true}'),
  ('TEA-0250', 'Thé noir, 250 g', 13.20, 150, 0.26, 'sale', NULL, '{"origin": "Assam", "organic": false}'),
  ('POT-0007', 'Teapot', 48.00, 15, 1.2, 'fragile', 'Cast iron.\nHand wash only.', '{"parts": ["pot", "lid", "sieve"]}'),
  ('BOX-0001', 'Gift box', 3.50, 500, NULL, 'gift', '', NULL),
  ('OLD-0001', 'Last year''s calendar', 0.99, 3, 0.2, 'sale', NULL, NULL);

SET timestamp = UNIX_TIMESTAMP('2026-03-02 09:00:01');
BEGIN;
INSERT INTO orders (customer_id, total, placed_at, note) VALUES (1, 29.70, '2026-03-02 09:00:01.250000', NULL);
INSERT INTO order_items VALUES (1, 1, 1, 2, 9.90), (1, 2, 1, 1, 9.90);
UPDATE products SET stock = stock - 3 WHERE product_id = 1;
COMMIT;
SET timestamp = UNIX_TIMESTAMP('2026-03-02 09:12:30');
BEGIN;
INSERT INTO orders (customer_id, total, placed_at, note)
  VALUES (3, 61.20, '2026-03-02 09:12:30.000001', 'のしをお願いします');
INSERT INTO order_items VALUES (2, 1, 5, 1, 48.00), (2, 2, 4, 1, 13.20);
UPDATE products SET stock = stock - 1 WHERE product_id IN (4, 5);
COMMIT;
-- A line is taken back before the order is placed.
SET timestamp = UNIX_TIMESTAMP('2026-03-02 09:30:00');
BEGIN;
INSERT INTO orders (customer_id, total, placed_at) VALUES (5, 10.90, '2026-03-02 09:30:00.999999');
INSERT INTO order_items VALUES (3, 1, 2, 1, 10.90);
SAVEPOINT second_line;
INSERT INTO order_items VALUES (3, 2, 6, 4, 3.50);
UPDATE orders SET total = 24.90 WHERE order_id = 3;
ROLLBACK TO SAVEPOINT second_line;
UPDATE products SET stock = stock - 1 WHERE product_id = 2;
COMMIT;
-- An order that never was: nothing of it is logged.
BEGIN;
INSERT INTO orders (customer_id, total, placed_at) VALUES (6, 1000.00, '2026-03-02 09:31:00');
ROLLBACK;

SET timestamp = UNIX_TIMESTAMP('2026-03-02 10:00:00');
UPDATE orders SET status = 'paid' WHERE order_id IN (1, 2);
SET timestamp = UNIX_TIMESTAMP('2026-03-02 10:05:00');
CREATE INDEX orders_by_status ON orders (status, placed_at);
CREATE TABLE price_history (
  product_id BIGINT UNSIGNED NOT NULL,
  changed_at DATETIME(6) NOT NULL,
  old_price DECIMAL(10,2) NOT NULL,
  new_price DECIMAL(10,2) NOT NULL,
  factor DOUBLE,
  PRIMARY KEY (product_id, changed_at)
);
SET timestamp = UNIX_TIMESTAMP('2026-03-02 10:10:00.125');
BEGIN;
INSERT INTO price_history
  SELECT product_id, NOW(6), price, ROUND(price * 0.9, 2), 0.9 FROM products WHERE FIND_IN_SET('sale', tags) ORDER BY product_id;
UPDATE products SET price = ROUND(price * 0.9, 2), tags = CONCAT_WS(',', tags, 'new') WHERE FIND_IN_SET('sale', tags);
COMMIT;

-- The rush: fifty orders in one statement.
SET timestamp = UNIX_TIMESTAMP('2026-03-02 11:00:00');
INSERT INTO orders (customer_id, status, total, placed_at)
  WITH RECURSIVE rush (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rush WHERE n < 50)
  SELECT n MOD 6 + 1, 'new', 3.50 * (n MOD 4 + 1), TIMESTAMP('2026-03-02 11:00:00') + INTERVAL n * 1700000 MICROSECOND
  FROM rush ORDER BY n;
INSERT INTO order_items SELECT order_id, 1, 6, total DIV 3.50, 3.50 FROM orders WHERE order_id > 4 ORDER BY order_id;
SET timestamp = UNIX_TIMESTAMP('2026-03-02 11:05:00');
UPDATE orders SET status = 'paid' WHERE order_id > 4 AND order_id MOD 2 = 0;
SET timestamp = UNIX_TIMESTAMP('2026-03-02 11:10:00');
UPDATE products SET stock = stock - (SELECT SUM(quantity) FROM order_items WHERE product_id = 6) WHERE product_id = 6;

SET timestamp = UNIX_TIMESTAMP('2026-03-02 12:00:00');
BEGIN;
UPDATE orders SET status = 'shipped', shipped_at = '2026-03-02 12:00:00.5' WHERE status = 'paid' AND order_id < 20;
UPDATE customers SET preferences = JSON_SET(COALESCE(preferences, '{}'), '$.last_parcel', '2026-03-02') WHERE customer_id IN (1, 3, 5);
COMMIT;
-- Two tables in one statement.
SET timestamp = UNIX_TIMESTAMP('2026-03-02 13:00:00');
UPDATE orders JOIN order_items USING (order_id)
  SET orders.note = 'one box free', order_items.unit_price = 2.50
  WHERE order_items.product_id = 6 AND order_items.quantity = 4 AND orders.status = 'new';
SET timestamp = UNIX_TIMESTAMP('2026-03-02 14:00:00');
BEGIN;
DELETE order_items FROM order_items JOIN orders USING (order_id) WHERE orders.status = 'new' AND orders.customer_id = 6;
UPDATE orders SET status = 'cancelled', total = 0 WHERE status = 'new' AND customer_id = 6;
COMMIT;
SET timestamp = UNIX_TIMESTAMP('2026-03-02 15:00:00');
UPDATE customers SET city = 'Paraná', born = NULL WHERE email = 'ana@example.org';
UPDATE products SET description = REPEAT('Very good tea. ', 20) WHERE sku = 'TEA-0100';
UPDATE products SET weight_kg = NULL, attributes = NULL WHERE sku = 'POT-0007';
SET timestamp = UNIX_TIMESTAMP('2026-03-02 16:30:00');
DELETE FROM products WHERE sku = 'OLD-0001';
INSERT INTO customers (email, full_name) VALUES ('grace@example.org', 'Grace Ōta');
SET timestamp = UNIX_TIMESTAMP('2026-03-02 17:45:00');
UPDATE orders SET status = 'delivered' WHERE status = 'shipped' AND order_id <= 10;
DELETE FROM order_items WHERE order_id IN (SELECT order_id FROM orders WHERE status = 'cancelled');
DELETE FROM orders WHERE status = 'cancelled' AND order_id > 40;
