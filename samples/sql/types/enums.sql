-- ENUM and SET with few and many members, names that are not ASCII, the empty error value.
SET @members = (SELECT GROUP_CONCAT('''e', n, '''' ORDER BY n) FROM numbers WHERE n < 255);
SET @more_members = (SELECT GROUP_CONCAT('''e', n, '''' ORDER BY n) FROM numbers WHERE n < 300);
SET @create_table = CONCAT('CREATE TABLE enums (id INT NOT NULL PRIMARY KEY, e1 ENUM(''only''), ',
  'e3 ENUM(''small'',''medium'',''large''), e255 ENUM(', @members, '), e300 ENUM(', @more_members, '), ',
  'named ENUM(''žlutá'',''赤'',''🟢'','''',''it''''s'',''a,b'') CHARACTER SET utf8mb4, ',
  'western ENUM(''grün'',''weiß'') CHARACTER SET latin1, required ENUM(''yes'',''no'') NOT NULL)');
PREPARE statement FROM @create_table;
EXECUTE statement;
INSERT INTO enums VALUES
  (1, 'only', 'small', 'e0', 'e0', 'žlutá', 'grün', 'yes'),
  (2, 'only', 'large', 'e254', 'e299', '🟢', 'weiß', 'no'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, 'no'),
  (4, 'only', 'medium', 'e127', 'e254', '赤', 'grün', 'yes'),
  (5, 'only', 'medium', 'e128', 'e255', '', 'weiß', 'yes'),
  (6, 'only', 'medium', 'e200', 'e256', 'it''s', 'grün', 'yes'),
  (7, 'only', 'medium', 'e1', 'e1', 'a,b', 'grün', 'yes'),
  (8, 'only', 'small', 'e2', 'e2', '赤', 'grün', 'no');
UPDATE enums SET e3 = NULL, e300 = NULL WHERE id = 7;
UPDATE enums SET e3 = 'large', e300 = 'e298' WHERE id = 7;
DELETE FROM enums WHERE id = 8;
SET sql_mode = 'NO_ENGINE_SUBSTITUTION';
INSERT INTO enums VALUES (9, 'none', 'none', 'none', 'none', 'none', 'none', 'none');
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';

SET @columns = (SELECT GROUP_CONCAT('s', widths.n, ' SET(',
    (SELECT GROUP_CONCAT('''m', members.n, '''' ORDER BY members.n) FROM numbers AS members
      WHERE members.n BETWEEN 1 AND widths.n), ')' ORDER BY widths.n)
  FROM numbers AS widths WHERE widths.n IN (1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 63, 64));
SET @create_table = CONCAT('CREATE TABLE sets (id INT NOT NULL PRIMARY KEY, ', @columns, ', ',
  'named SET(''žlutá'',''赤'',''🟢'') CHARACTER SET utf8mb4, western SET(''grün'',''weiß'') CHARACTER SET latin1, ',
  'required SET(''a'',''b'') NOT NULL)');
PREPARE statement FROM @create_table;
EXECUTE statement;
-- None, all, the last one only, the first and the last, NULL.
INSERT INTO sets VALUES
  (1, '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', ''),
  (2, 1, 255, 511, 65535, 131071, 16777215, 33554431, 4294967295, 8589934591, 1099511627775, 2199023255551,
    9223372036854775807, 18446744073709551615, 7, 3, 3),
  (3, 1, 128, 256, 32768, 65536, 8388608, 16777216, 2147483648, 4294967296, 549755813888, 1099511627776,
    4611686018427387904, 9223372036854775808, 4, 2, 2),
  (4, 'm1', 'm1,m8', 'm1,m9', 'm1,m16', 'm1,m17', 'm1,m24', 'm1,m25', 'm1,m32', 'm1,m33', 'm1,m40', 'm1,m41', 'm1,m63',
    'm1,m64', 'žlutá,🟢', 'grün,weiß', 'a,b'),
  (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, ''),
  (6, 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10', 'm11', 'm12', 'm13', '赤', 'weiß', 'b'),
  (7, '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', 'a');
UPDATE sets SET s1 = NULL, s64 = NULL WHERE id = 6;
UPDATE sets SET s1 = '', s64 = 'm1,m2,m63,m64' WHERE id = 6;
DELETE FROM sets WHERE id = 7;
