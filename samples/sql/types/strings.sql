-- Text in four character sets; lengths around the border of one and two length bytes.
CREATE TABLE strings_utf8mb4 (
  id INT NOT NULL PRIMARY KEY, c1 CHAR(1), c10 CHAR(10), c63 CHAR(63), c64 CHAR(64), c255 CHAR(255),
  v1 VARCHAR(1), v63 VARCHAR(63), v64 VARCHAR(64), v1000 VARCHAR(1000), tiny TINYTEXT, plain TEXT, medium MEDIUMTEXT,
  long_text LONGTEXT, required VARCHAR(20) NOT NULL
) DEFAULT CHARACTER SET utf8mb4;
INSERT INTO strings_utf8mb4 VALUES
  (1, '', '', '', '', '', '', '', '', '', '', '', '', '', ''),
  (2, 'a', 'abc', 'abc', 'abc', 'abc', 'a', 'abc', 'abc', 'abc', 'abc', 'abc', 'abc', 'abc', 'abc'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'only one'),
  (4, '😀', '日本語テキスト', 'žluťoučký kůň', 'Ελληνικά', 'русский текст', 'é', 'ñandú', 'Ünïcödé', '🎉🎊', '中文', 'עברית',
    'العربية', '한국어', 'ß'),
  (5, 'z', REPEAT('😀', 10), REPEAT('é', 63), REPEAT('€', 64), REPEAT('x', 255), '𝄞', REPEAT('😀', 63), REPEAT('😀', 64),
    REPEAT('ab', 500), REPEAT('t', 255), REPEAT('u', 300), REPEAT('v', 300), REPEAT('w', 300), REPEAT('€', 20)),
  (6, ' ', 'pad   ', ' lead', 'trail ', '   ', ' ', 'keep  ', 'keep  ', '  both  ', ' ', ' x ', '\t', '\n', '  '),
  (7, '''', 'a''b', 'a"b', 'a\\b', 'a`b', '\\', '*/', '/* INT meta=0 nullable=1 is_null=0 */',
    'line one\nline two\r\nline three', '\0', 'nul \0 inside', '### INSERT INTO `a`.`b`', '\Z\b\t', '@1=2'),
  (8, 'q', 'é é', REPEAT('q', 62), REPEAT('q', 63), REPEAT('é', 127), 'w', REPEAT('q', 62), REPEAT('q', 63),
    REPEAT('q', 255), REPEAT('é', 127), REPEAT('q', 256), REPEAT('q', 255), 'last', 'r'),
  (9, 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd', 'd');
UPDATE strings_utf8mb4 SET c10 = NULL, v64 = NULL, plain = NULL WHERE id = 8;
UPDATE strings_utf8mb4 SET c10 = 'wieder', v64 = 'zurück', plain = 'テキスト' WHERE id = 8;
DELETE FROM strings_utf8mb4 WHERE id = 9;

CREATE TABLE strings_utf8 (
  id INT NOT NULL PRIMARY KEY, c85 CHAR(85), c86 CHAR(86), v85 VARCHAR(85), v86 VARCHAR(86), plain TEXT
) DEFAULT CHARACTER SET utf8;
INSERT INTO strings_utf8 VALUES
  (1, '', '', '', '', ''), (2, 'abc', 'abc', 'abc', 'abc', 'abc'), (3, NULL, NULL, NULL, NULL, NULL),
  (4, REPEAT('€', 85), REPEAT('€', 86), REPEAT('€', 85), REPEAT('€', 86), 'žluťoučký'), (5, 'č', 'ř', '日', '本', '語');
UPDATE strings_utf8 SET c85 = 'Příliš', c86 = NULL WHERE id = 5;

CREATE TABLE strings_latin1 (
  id INT NOT NULL PRIMARY KEY, c10 CHAR(10), c255 CHAR(255), v255 VARCHAR(255), v256 VARCHAR(256), tiny TINYTEXT, plain TEXT
) DEFAULT CHARACTER SET latin1;
INSERT INTO strings_latin1 VALUES
  (1, '', '', '', '', '', ''), (2, 'Grüße', 'señor', 'façade', 'naïve', '€ 5', 'ÿ'), (3, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, 'Ÿ', REPEAT('é', 255), REPEAT('ü', 255), REPEAT('ö', 256), REPEAT('ß', 255), '“quoted” – dash…'),
  (5, _latin1 x'81', _latin1 x'8d8f909d', _latin1 x'80a0ff', _latin1 x'00017f', _latin1 x'1f', _latin1 x'c3a9');
UPDATE strings_latin1 SET v256 = 'ÄÖÜ', plain = NULL WHERE id = 2;

CREATE TABLE strings_ascii (
  id INT NOT NULL PRIMARY KEY, c10 CHAR(10), v255 VARCHAR(255), v256 VARCHAR(256), plain TEXT
) DEFAULT CHARACTER SET ascii;
INSERT INTO strings_ascii VALUES
  (1, '', '', '', ''), (2, 'plain', 'text ', '~', 'a\tb'), (3, NULL, NULL, NULL, NULL),
  (4, 'ten chars.', REPEAT('a', 255), REPEAT('b', 256), REPEAT('c', 257));
DELETE FROM strings_ascii WHERE id = 2;

CREATE TABLE strings_mixed (
  id INT NOT NULL PRIMARY KEY, a VARCHAR(10) CHARACTER SET utf8mb4, b VARBINARY(10),
  c CHAR(10) CHARACTER SET latin1, d TEXT CHARACTER SET ascii, e TEXT CHARACTER SET utf8, f BLOB,
  g ENUM('ä','b') CHARACTER SET latin1, h VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
) DEFAULT CHARACTER SET utf8mb4;
INSERT INTO strings_mixed VALUES
  (1, 'ä', 'ä', 'ä', 'a', 'ä', 'ä', 'ä', 'ä'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (3, '', '', '', '', '', '', 'b', '');
