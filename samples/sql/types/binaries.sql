-- Bytes that are no text. BINARY loses its trailing zero bytes in the log, not in the table.
CREATE TABLE binaries (
  id INT NOT NULL PRIMARY KEY, b1 BINARY(1), b16 BINARY(16), b255 BINARY(255), v10 VARBINARY(10), v255 VARBINARY(255),
  v256 VARBINARY(256), tiny TINYBLOB, plain BLOB, medium MEDIUMBLOB, long_blob LONGBLOB, required VARBINARY(16) NOT NULL
);
INSERT INTO binaries VALUES
  (1, '', '', '', '', '', '', '', '', '', '', ''),
  (2, x'00', x'00112233445566778899aabbccddeeff', x'ab00cd0000', x'0000', x'00', x'00', x'00', x'00', x'00', x'00', x'00'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, x'ff'),
  (4, x'ff', REPEAT(x'ff', 16), REPEAT(x'fe', 255), REPEAT(x'80', 10), REPEAT(x'01', 255), REPEAT(x'02', 256),
    REPEAT(x'03', 255), REPEAT(x'04', 256), REPEAT(x'05', 257), REPEAT(x'06', 300), REPEAT(x'07', 16)),
  (5, 'a', 'text', 'padded ', 'text ', 'é', '日本', x'c3', x'e697', x'efbfbd', x'27225c2a2f', x'0a0d00'),
  (6, 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd');
-- Each byte once.
INSERT INTO binaries (id, v256, plain, required)
  SELECT 7, UNHEX(GROUP_CONCAT(LPAD(HEX(n), 2, '0') ORDER BY n SEPARATOR '')),
    UNHEX(GROUP_CONCAT(LPAD(HEX(n), 2, '0') ORDER BY n DESC SEPARATOR '')), '' FROM numbers WHERE n < 256;
UPDATE binaries SET b16 = NULL, plain = NULL WHERE id = 5;
UPDATE binaries SET b16 = x'0102', plain = x'030400' WHERE id = 5;
DELETE FROM binaries WHERE id = 6;
