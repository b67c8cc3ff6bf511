-- Columns that SELECT * does not show, or that the server fills in.
CREATE TABLE invisible (id INT NOT NULL PRIMARY KEY, a INT INVISIBLE, b VARCHAR(10), c INT DEFAULT 3 INVISIBLE);
INSERT INTO invisible VALUES (1, 'one');
INSERT INTO invisible (id, a, b, c) VALUES (2, 20, 'two', NULL);
UPDATE invisible SET a = 10 WHERE id = 1;
CREATE TABLE computed (
  id INT NOT NULL PRIMARY KEY, price DECIMAL(8,2), amount INT,
  total DECIMAL(12,2) GENERATED ALWAYS AS (price * amount) STORED,
  label VARCHAR(40) GENERATED ALWAYS AS (CONCAT(amount, ' x ', price)) VIRTUAL,
  doc JSON, name VARCHAR(20) GENERATED ALWAYS AS (doc ->> '$.name') VIRTUAL,
  KEY by_function ((LOWER(label))), KEY by_member ((CAST(doc -> '$.tags' AS UNSIGNED ARRAY)))
);
INSERT INTO computed (id, price, amount, doc) VALUES
  (1, 9.99, 3, '{"name": "cup", "tags": [1, 2]}'), (2, NULL, 1, NULL), (3, 0.5, 0, '{"tags": []}');
UPDATE computed SET amount = amount + 1, doc = '{"name": "pot"}' WHERE id = 1;
DELETE FROM computed WHERE id = 3;
-- The server adds a primary key of its own.
SET sql_generate_invisible_primary_key = ON;
CREATE TABLE keyless (a INT, b VARCHAR(10));
INSERT INTO keyless VALUES (1, 'one'), (NULL, NULL), (1, 'one');
UPDATE keyless SET b = 'zwei' WHERE a IS NULL;
DELETE FROM keyless WHERE my_row_id = 1;
SET sql_generate_invisible_primary_key = OFF;
CREATE TABLE prefix_key (a VARCHAR(50) NOT NULL, b TEXT NOT NULL, c INT, PRIMARY KEY (b(5), a));
INSERT INTO prefix_key VALUES ('a', 'prefix of this text', 1), ('b', '', NULL);
CREATE TABLE `odd ``name` (`select` INT NOT NULL PRIMARY KEY, `sloupeček č. 1` INT, `dotted.name` INT, `quote'd` INT);
INSERT INTO `odd ``name` VALUES (1, 2, 3, 4);
