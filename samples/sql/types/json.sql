-- JSON of MySQL: every kind of node, in documents small enough to read.
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_BACKSLASH_ESCAPES';
CREATE TABLE json_documents (id INT NOT NULL PRIMARY KEY, doc JSON, other JSON, note VARCHAR(40));
INSERT INTO json_documents (id, note, doc) VALUES
  (1, 'no document', NULL), (2, 'null', 'null'), (3, 'true', 'true'), (4, 'false', 'false'),
  (5, 'empty object', '{}'), (6, 'empty array', '[]'), (7, 'empty string', '""'), (8, 'string', '"plain"'),
  (9, 'escapes', '"quote \" backslash \\ slash \/ \b\f\n\r\t \u0000 \u0001 \u001f \u007f"'),
  (10, 'unicode', '"žluťoučký 日本 😀 \u00e9 \ud83d\ude00 \u2028"'),
  (11, 'empty key', '{"": 1, "a": {"": {"": []}}}'),
  (12, 'key order', '{"bbb": 1, "aa": 2, "b": 3, "a": 4, "B": 5, "zz": 6, "é": 7, "日": 8, "key with space": 9, "a.b": 10}'),
  (13, 'odd keys', '{"quote\"": 1, "back\\slash": 2, "new\nline": 3, "tab\t": 4, "dollar$": 5, "[0]": 6}'),
  (14, 'all kinds', '{"n": null, "t": true, "f": false, "i": 1, "d": 1.5, "s": "x", "a": [1, "two", [3]], "o": {"k": {}}}'),
  (15, 'nested arrays', '[[], [[]], [[[1]]], [{"a": [{"b": [null, true, false]}]}]]'),
  (16, 'same value twice', '[1, 1, 1, "a", "a", {"a": 1}, {"a": 1}]'),
  (17, 'literals', '[null, true, false, null, true, false]'),
  (18, 'not text: /* ### */', '{"comment": "/* JSON meta=4 nullable=1 is_null=0 */", "row": "### INSERT INTO `a`.`b`", "quote": "it''s"}');
INSERT INTO json_documents (id, note, doc) VALUES
  (30, '16 bits', '[0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, -32768]'),
  (31, '32 bits', '[32768, -32769, 65535, 65536, 2147483647, -2147483648]'),
  (32, '64 bits', '[2147483648, -2147483649, 4294967295, 4294967296, 9223372036854775807, -9223372036854775808]'),
  (33, 'unsigned 64 bits', '[9223372036854775808, 18446744073709551614, 18446744073709551615]'),
  (34, 'past 64 bits', '[18446744073709551616, -9223372036854775809, 123456789012345678901234567890]'),
  (35, 'doubles', '[0.0, -0.0, 1.0, -1.0, 1.5, 0.1, 0.2, 0.30000000000000004, 3.141592653589793, 123456789.123456789]'),
  (36, 'large doubles', '[1e10, 1e14, 1e15, 1e16, 1e17, 1e20, 1e21, 1e22, 1e100, 1.7976931348623157e308, 123456789012345680000.0]'),
  (37, 'small doubles', '[0.01, 0.001, 0.0001, 0.00001, 1e-5, 1.5e-5, 1e-6, 1e-7, 1e-15, 2.2250738585072014e-308, 5e-324]'),
  (38, 'one 16', '-32768'), (39, 'one 32', '2147483647'), (40, 'one 64', '-9223372036854775808'),
  (41, 'one unsigned 64', '18446744073709551615'), (42, 'one double', '-1.25e-10'), (43, 'zero', '0'), (44, 'minus zero', '-0.0');
INSERT INTO json_documents (id, note, doc) VALUES
  (50, '127 byte string', JSON_QUOTE(REPEAT('a', 127))), (51, '128 byte string', JSON_QUOTE(REPEAT('b', 128))),
  (52, '16384 byte string', JSON_QUOTE(REPEAT('c', 16384))), (53, 'long key', JSON_OBJECT(REPEAT('k', 300), REPEAT('é', 200))),
  (54, 'depth 100', CONCAT(REPEAT('[', 100), REPEAT(']', 100))),
  (55, 'depth 50', CONCAT(REPEAT('{"a":', 50), '"deep"', REPEAT('}', 50)));
-- Values that JSON text cannot hold: they keep the type of the SQL value.
INSERT INTO json_documents (id, note, doc) VALUES
  (60, 'decimals', JSON_ARRAY(CAST('1.23' AS DECIMAL(11,2)), -0.5, 0.10, CAST('100000000000000000000.5' AS DECIMAL(30,1)),
    CAST('-99999999999999999999999999999999999.999999999999999999999999999999' AS DECIMAL(65,30)), CAST('7' AS DECIMAL(5,0)))),
  (61, 'dates', JSON_ARRAY(DATE '2026-11-20', DATE '1000-01-01', DATE '9999-12-31')),
  (62, 'times', JSON_ARRAY(TIME '12:34:57', TIME '-12:34:57', TIME '838:59:59', TIME '-838:59:59', TIME '00:00:00.000001',
    TIME '-00:00:00.5')),
  (63, 'datetimes', JSON_ARRAY(TIMESTAMP '2026-11-20 12:34:56.25', TIMESTAMP '1000-01-01 00:00:00',
    TIMESTAMP '9999-12-31 23:59:59.999999')),
  (64, 'binary', JSON_ARRAY(x'00ff', CAST('' AS BINARY), CAST('abc' AS BINARY), UNHEX(REPEAT('ab', 200)))),
  (65, 'bits', JSON_ARRAY(b'101', b'1111111100000000')),
  (66, 'unsigned', JSON_ARRAY(CAST(1 AS UNSIGNED), CAST(65535 AS UNSIGNED), CAST(4294967295 AS UNSIGNED), CAST(-1 AS UNSIGNED))),
  (67, 'year', JSON_ARRAY(CAST('2024' AS YEAR))), (68, 'sql literals', JSON_ARRAY(TRUE, FALSE, NULL, 1, 1.0, 1e0, 'text')),
  (69, 'one decimal', CAST(CAST('3.14' AS DECIMAL(10,2)) AS JSON)), (70, 'one date', CAST(DATE '2026-11-20' AS JSON)),
  (71, 'one time', CAST(TIME '01:02:03.000004' AS JSON)), (72, 'one binary', CAST(x'0102' AS JSON));
CREATE TABLE json_sources (id INT NOT NULL PRIMARY KEY, b BLOB, t TIMESTAMP(6) NULL, bits BIT(12), e ENUM('x','y'), s SET('p','q'));
INSERT INTO json_sources VALUES (1, x'00ff10', '2026-11-20 12:34:56.123456', b'101010101010', 'y', 'p,q');
INSERT INTO json_documents (id, note, doc)
  SELECT 73, 'from columns', JSON_OBJECT('b', b, 't', t, 'bits', bits, 'e', e, 's', s) FROM json_sources;
-- Documents with holes, which the server leaves when it updates them in place.
INSERT INTO json_documents (id, note, doc, other) VALUES
  (80, 'shrunk', '{"n": 1, "s": "thirty characters of text here", "gone": [1, 2, 3], "after": "kept"}', '[1]'),
  (81, 'to and fro', '{"a": 1}', NULL), (82, 'deleted', '{"a": 1}', '{"b": 2}');
UPDATE json_documents SET doc = JSON_SET(doc, '$.s', 'short') WHERE id = 80;
UPDATE json_documents SET doc = JSON_REMOVE(doc, '$.gone') WHERE id = 80;
UPDATE json_documents SET doc = JSON_SET(doc, '$.n', 2, '$.s', 'x', '$.new', JSON_OBJECT('k', 'v')) WHERE id = 80;
UPDATE json_documents SET doc = NULL, other = '{"was": null}' WHERE id = 81;
UPDATE json_documents SET doc = '[true]', other = NULL WHERE id = 81;
DELETE FROM json_documents WHERE id = 82;
-- A document of length 0, which reads as null.
SET sql_mode = 'NO_ENGINE_SUBSTITUTION';
CREATE TABLE json_required (id INT NOT NULL PRIMARY KEY, doc JSON NOT NULL);
INSERT INTO json_required (id) VALUES (1);
INSERT INTO json_required VALUES (2, '{"given": true}');
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
