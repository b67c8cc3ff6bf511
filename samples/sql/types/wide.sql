-- A table of 301 columns: thirteen types in turn.
SET @columns = (SELECT GROUP_CONCAT('c', n, ' ', ELT(n MOD 13 + 1, 'INT', 'BIGINT UNSIGNED', 'VARCHAR(20)', 'DECIMAL(12,3)',
  'DOUBLE', 'DATETIME(3)', 'TINYINT UNSIGNED', 'TIME', 'BIT(5)', 'ENUM(''a'',''b'',''c'')', 'CHAR(5)', 'DATE',
  'VARBINARY(300)') ORDER BY n) FROM numbers);
SET @create_table = CONCAT('CREATE TABLE wide (id INT NOT NULL PRIMARY KEY, ', @columns, ')');
PREPARE statement FROM @create_table;
EXECUTE statement;
-- Row 1 has every value, row 2 none, rows 3 and 4 every other one.
SET @all_values = (SELECT GROUP_CONCAT(ELT(n MOD 13 + 1, n - 150, n * 1000000007, CONCAT('''text ', n, ''''), n / 8, n / 3,
  CONCAT('''2026-01-01 00:00:00.', LPAD(n, 3, '0'), ''''), n MOD 256, CONCAT('''', n, ':00:01'''), n MOD 32, n MOD 3 + 1,
  CONCAT('''', n, ''''), CONCAT('''2026-', LPAD(n MOD 12 + 1, 2, '0'), '-01'''), CONCAT('x''', LPAD(HEX(n), 4, '0'), '00'''))
  ORDER BY n) FROM numbers);
SET @insert_rows = CONCAT('INSERT INTO wide VALUES (1,', @all_values, '),(2', REPEAT(',NULL', 300), ')');
PREPARE statement FROM @insert_rows;
EXECUTE statement;
SET @odd_columns = (SELECT GROUP_CONCAT('c', n ORDER BY n) FROM numbers WHERE n MOD 2 = 1);
SET @even_columns = (SELECT GROUP_CONCAT('c', n ORDER BY n) FROM numbers WHERE n MOD 2 = 0);
SET @insert_rows = CONCAT('INSERT INTO wide (id,', @odd_columns, ') SELECT 3,', @odd_columns, ' FROM wide WHERE id = 1');
PREPARE statement FROM @insert_rows;
EXECUTE statement;
SET @insert_rows = CONCAT('INSERT INTO wide (id,', @even_columns, ') SELECT 4,', @even_columns, ' FROM wide WHERE id = 1');
PREPARE statement FROM @insert_rows;
EXECUTE statement;
INSERT INTO wide (id, c299) VALUES (5, -299);
UPDATE wide SET c0 = 7, c298 = x'ff', c299 = NULL WHERE id = 3;
DELETE FROM wide WHERE id = 5;
