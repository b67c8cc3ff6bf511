-- Text in every character set of the server but the four of the other samples.
CREATE TABLE western (
  id INT NOT NULL PRIMARY KEY, dec8 VARCHAR(20) CHARACTER SET dec8, cp850 CHAR(20) CHARACTER SET cp850,
  hp8 VARCHAR(20) CHARACTER SET hp8, swe7 VARCHAR(20) CHARACTER SET swe7, macroman TEXT CHARACTER SET macroman,
  latin5 VARCHAR(20) CHARACTER SET latin5, latin7 VARCHAR(20) CHARACTER SET latin7, cp1257 VARCHAR(20) CHARACTER SET cp1257
);
INSERT INTO western VALUES
  (1, 'señor é', 'señor é', 'señor é', 'ÅÄÖ åäö', 'señor é', 'ığüşöç', 'ąčęėįš', 'ąčęėįš'),
  (2, '', '', '', '', '', '', '', ''), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE eastern (
  id INT NOT NULL PRIMARY KEY, latin2 VARCHAR(20) CHARACTER SET latin2, cp1250 VARCHAR(20) CHARACTER SET cp1250,
  cp852 VARCHAR(20) CHARACTER SET cp852, keybcs2 VARCHAR(20) CHARACTER SET keybcs2, macce VARCHAR(20) CHARACTER SET macce,
  koi8r VARCHAR(20) CHARACTER SET koi8r, koi8u VARCHAR(20) CHARACTER SET koi8u, cp1251 CHAR(64) CHARACTER SET cp1251,
  cp866 VARCHAR(20) CHARACTER SET cp866, greek VARCHAR(20) CHARACTER SET greek, hebrew VARCHAR(20) CHARACTER SET hebrew,
  cp1256 VARCHAR(20) CHARACTER SET cp1256, armscii8 VARCHAR(20) CHARACTER SET armscii8,
  geostd8 VARCHAR(20) CHARACTER SET geostd8, tis620 VARCHAR(20) CHARACTER SET tis620
);
INSERT INTO eastern VALUES
  (1, 'Příliš žluť', 'Příliš žluť', 'Příliš žluť', 'Příliš žluť', 'Příliš žluť', 'Привет', 'Їжак', 'Привет', 'Привет',
    'Ελλάδα', 'שלום', 'سلام', 'Հայաստան', 'საქართველო', 'ประเทศไทย'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE asian (
  id INT NOT NULL PRIMARY KEY, big5 VARCHAR(20) CHARACTER SET big5, gb2312 VARCHAR(20) CHARACTER SET gb2312,
  gbk VARCHAR(200) CHARACTER SET gbk, sjis CHAR(20) CHARACTER SET sjis, cp932 VARCHAR(20) CHARACTER SET cp932,
  ujis VARCHAR(20) CHARACTER SET ujis, eucjpms VARCHAR(20) CHARACTER SET eucjpms, euckr VARCHAR(20) CHARACTER SET euckr
);
INSERT INTO asian VALUES
  (1, '中文許功蓋', '中文', '中文許功', '日本語表示', '日本語①髙', '日本語', '日本語①', '한국어'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, 'a', 'b', 'c', 'ｱｲｳ', 'ｱｲｳ', 'ｱｲｳ', 'ｱｲｳ', 'd');
CREATE TABLE unicode (
  id INT NOT NULL PRIMARY KEY, ucs2 VARCHAR(20) CHARACTER SET ucs2, utf16 VARCHAR(20) CHARACTER SET utf16,
  utf16le CHAR(20) CHARACTER SET utf16le, utf32 TEXT CHARACTER SET utf32, e ENUM('é','日') CHARACTER SET utf16,
  s SET('č','я') CHARACTER SET ucs2
);
INSERT INTO unicode VALUES (1, 'aé日', 'aé日😀', 'aé日😀', 'aé日😀', '日', 'č,я'), (2, NULL, NULL, NULL, NULL, NULL, NULL),
  (3, '', '', '', '', 'é', '');
UPDATE unicode SET utf16 = 'b', e = 'é' WHERE id = 1;
