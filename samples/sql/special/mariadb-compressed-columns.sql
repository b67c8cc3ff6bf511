-- Columns that the server compresses on their own.
CREATE TABLE compressed_columns (
  id INT NOT NULL PRIMARY KEY, v VARCHAR(100) COMPRESSED, v1000 VARCHAR(1000) COMPRESSED, tiny TINYTEXT COMPRESSED,
  t TEXT COMPRESSED, mt MEDIUMTEXT COMPRESSED, b BLOB COMPRESSED, lb LONGBLOB COMPRESSED, plain TEXT
);
INSERT INTO compressed_columns VALUES
  (1, '', '', '', '', '', '', '', ''), (2, 'short', 'short', 'short', 'short', 'short', x'00ff', x'00', 'short'),
  (3, REPEAT('v', 100), REPEAT('ab', 500), REPEAT('t', 255), REPEAT('w', 200), REPEAT('é', 1000), REPEAT(x'00', 300),
    REPEAT(x'ff00', 40000), REPEAT('p', 200)),
  (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
UPDATE compressed_columns SET t = REPEAT('changed ', 50) WHERE id = 2;
DELETE FROM compressed_columns WHERE id = 1;
