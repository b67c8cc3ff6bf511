-- BIT of every width from 1 to 64.
SET @columns = (SELECT GROUP_CONCAT('b', n, ' BIT(', n, ')' ORDER BY n) FROM numbers WHERE n BETWEEN 1 AND 64);
SET @create_table = CONCAT('CREATE TABLE bits (id INT NOT NULL PRIMARY KEY, ', @columns, ')');
PREPARE statement FROM @create_table;
EXECUTE statement;
-- All ones, none, the lowest, the highest, alternating bits, and none set but NULL.
SET @ones = (SELECT GROUP_CONCAT('b''', REPEAT('1', n), '''' ORDER BY n) FROM numbers WHERE n BETWEEN 1 AND 64);
SET @highest = (SELECT GROUP_CONCAT('b''1', REPEAT('0', n - 1), '''' ORDER BY n) FROM numbers WHERE n BETWEEN 1 AND 64);
SET @mixed = (SELECT GROUP_CONCAT('b''', RIGHT(REPEAT('1101001011000101', 4), n), '''' ORDER BY n)
  FROM numbers WHERE n BETWEEN 1 AND 64);
SET @insert_rows = CONCAT('INSERT INTO bits VALUES (1,', @ones, '),(2', REPEAT(',0', 64), '),(3', REPEAT(',1', 64),
  '),(4,', @highest, '),(5,', @mixed, '),(6', REPEAT(',NULL', 64), '),(7', REPEAT(',1', 64), ')');
PREPARE statement FROM @insert_rows;
EXECUTE statement;
UPDATE bits SET b1 = NULL, b8 = NULL, b9 = b'101010101', b64 = NULL WHERE id = 3;
UPDATE bits SET b1 = b'0', b8 = b'10000001', b64 = 18446744073709551614 WHERE id = 3;
DELETE FROM bits WHERE id = 7;
