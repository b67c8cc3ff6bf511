-- Every type that servers have had since 5.5, with few values.
CREATE TABLE few (
  id INT NOT NULL PRIMARY KEY, tiny TINYINT, small SMALLINT UNSIGNED, medium MEDIUMINT, big BIGINT UNSIGNED, price DECIMAL(12,3),
  ratio FLOAT, exact DOUBLE, flags BIT(12), born YEAR, day DATE, clock TIME, moment DATETIME, stamp TIMESTAMP NULL,
  code CHAR(5) CHARACTER SET latin1, word VARCHAR(20) CHARACTER SET utf8mb4, long_word VARCHAR(300) CHARACTER SET utf8,
  hash BINARY(4), bytes VARBINARY(300), note TINYTEXT, body TEXT CHARACTER SET utf8mb4, data BLOB, large LONGBLOB,
  color ENUM('red','green','blue'), tags SET('a','b','c','d','e','f','g','h','i')
) DEFAULT CHARACTER SET latin1;
INSERT INTO few VALUES
  (1, -128, 65535, -8388608, 18446744073709551615, -123456789.125, 0.5, -1.5e300, b'101010101010', 2026, '2026-03-01', '-12:34:56',
    '2026-03-01 12:34:56', '2026-03-01 12:34:56', 'café', 'žlutý 😀', REPEAT('č', 300), x'00ff0000', x'00', 'tiny', REPEAT('日', 100),
    x'0001ff', REPEAT(x'ff', 300), 'blue', 'a,i'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL),
  (3, 127, 0, 8388607, 0, 999999999.999, 0, 0, 0, 1901, '9999-12-31', '838:59:59', '1000-01-01 00:00:00', '1970-01-01 00:00:01', '',
    '', '', '', '', '', '', '', '', 'red', '');
UPDATE few SET tiny = 1, price = NULL, word = 'changed', color = 'green' WHERE id = 1;
UPDATE few SET body = 'no longer null', tags = 'b,c' WHERE id = 2;
DELETE FROM few WHERE id = 3;
BEGIN;
INSERT INTO few (id, word) VALUES (4, 'rolled into'), (5, 'one transaction');
UPDATE few SET id = id + 10 WHERE id IN (4, 5) ORDER BY id;
COMMIT;
