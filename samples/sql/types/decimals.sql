-- Every precision from 1 to 65, with the scale that is half of it, at most 30.
SET @columns = (SELECT GROUP_CONCAT('d', n, ' DECIMAL(', n, ',', LEAST(n DIV 2, 30), ')' ORDER BY n)
  FROM numbers WHERE n BETWEEN 1 AND 65);
SET @create_table = CONCAT('CREATE TABLE decimal_precisions (id INT NOT NULL PRIMARY KEY, ', @columns, ')');
PREPARE statement FROM @create_table;
EXECUTE statement;
-- The largest value, the smallest, one unit of the last place in both signs, rising digits.
SET @nines = (SELECT GROUP_CONCAT(REPEAT('9', n - LEAST(n DIV 2, 30)), '.', REPEAT('9', LEAST(n DIV 2, 30))
  ORDER BY n) FROM numbers WHERE n BETWEEN 1 AND 65);
SET @units = (SELECT GROUP_CONCAT(IF(n = 1, '1', CONCAT('0.', REPEAT('0', LEAST(n DIV 2, 30) - 1), '1')) ORDER BY n)
  FROM numbers WHERE n BETWEEN 1 AND 65);
SET @digits = '12345678901234567890123456789012345678901234567890123456789012345';
SET @rising = (SELECT GROUP_CONCAT(LEFT(@digits, n - LEAST(n DIV 2, 30)), '.',
  SUBSTRING(@digits, n - LEAST(n DIV 2, 30) + 1, LEAST(n DIV 2, 30)) ORDER BY n)
  FROM numbers WHERE n BETWEEN 1 AND 65);
SET @insert_rows = CONCAT('INSERT INTO decimal_precisions VALUES (1,', @nines, '),(2,-', REPLACE(@nines, ',', ',-'),
  '),(3,', @units, '),(4,-', REPLACE(@units, ',', ',-'), '),(5,', @rising, '),(6,-', REPLACE(@rising, ',', ',-'), ')');
PREPARE statement FROM @insert_rows;
EXECUTE statement;
INSERT INTO decimal_precisions (id) VALUES (7);
INSERT INTO decimal_precisions (id, d1, d2, d9, d10, d38, d65) VALUES
  (8, 0, 0, 0, 0, 0, 0), (9, 1, -0.5, 1000, -1000, 0.1, 100000000000000000000000000000), (10, 1, 1, 1, 1, 1, 1);
UPDATE decimal_precisions SET d1 = NULL, d2 = 2.5, d65 = -1.5 WHERE id = 9;
UPDATE decimal_precisions SET d1 = -9, d18 = 123456789.123456789 WHERE id = 9;
DELETE FROM decimal_precisions WHERE id = 10;

-- Every combination of 0 to 9 digits before and after the point: each length of a digit group.
SET @columns = (SELECT GROUP_CONCAT('d', n DIV 10, '_', n MOD 10, ' DECIMAL(', n DIV 10 + n MOD 10, ',', n MOD 10, ')'
  ORDER BY n) FROM numbers WHERE n BETWEEN 1 AND 99);
SET @create_table = CONCAT('CREATE TABLE decimal_groups (id INT NOT NULL PRIMARY KEY, ', @columns, ')');
PREPARE statement FROM @create_table;
EXECUTE statement;
SET @nines = (SELECT GROUP_CONCAT('0', REPEAT('9', n DIV 10), '.', REPEAT('9', n MOD 10) ORDER BY n)
  FROM numbers WHERE n BETWEEN 1 AND 99);
SET @odd = (SELECT GROUP_CONCAT('0', LEFT('102030405', n DIV 10), '.', LEFT('010203040', n MOD 10) ORDER BY n)
  FROM numbers WHERE n BETWEEN 1 AND 99);
SET @insert_rows = CONCAT('INSERT INTO decimal_groups VALUES (1,', @nines, '),(2,-', REPLACE(@nines, ',', ',-'),
  '),(3,', @odd, '),(4,-', REPLACE(@odd, ',', ',-'), '),(5', REPEAT(',0', 99), ')');
PREPARE statement FROM @insert_rows;
EXECUTE statement;

CREATE TABLE decimal_edges (
  id INT NOT NULL PRIMARY KEY,
  widest DECIMAL(65,30), integral DECIMAL(65,0), fraction DECIMAL(30,30),
  spark_widest DECIMAL(38,18), past_spark DECIMAL(39,0), price DECIMAL(10,2) NOT NULL, amount DECIMAL(12,4) UNSIGNED
);
INSERT INTO decimal_edges VALUES
  (1, 99999999999999999999999999999999999.999999999999999999999999999999,
    99999999999999999999999999999999999999999999999999999999999999999,
    0.999999999999999999999999999999, 99999999999999999999.999999999999999999,
    999999999999999999999999999999999999999, 99999999.99, 99999999.9999),
  (2, -99999999999999999999999999999999999.999999999999999999999999999999,
    -99999999999999999999999999999999999999999999999999999999999999999,
    -0.999999999999999999999999999999, -99999999999999999999.999999999999999999,
    -999999999999999999999999999999999999999, -99999999.99, 0),
  (3, 0, 0, 0, 0, 0, 0, 0),
  (4, NULL, NULL, NULL, NULL, NULL, -0.01, NULL),
  (5, 0.000000000000000000000000000001, 1, 0.000000000000000000000000000001, 0.000000000000000001, 1, 0.01, 0.0001),
  (6, -0.000000000000000000000000000001, -1, -0.000000000000000000000000000001, -0.000000000000000001, -1, 0.10, 1),
  (7, 12345678901234567890123456789012345.123456789012345678901234567890, 1000000000, 0.5,
    1234567890.0000000005, 1000000000000000000, 1234567.89, 1234.5),
  (8, 1, 1, 0.1, 1, 1, 1, 1);
UPDATE decimal_edges SET widest = NULL, price = price + 0.01 WHERE id = 7;
UPDATE decimal_edges SET widest = -1000000000.000000001 WHERE id = 7;
DELETE FROM decimal_edges WHERE id = 8;
