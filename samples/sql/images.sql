-- Row images that hold some columns only. The server runs with binlog_row_image=MINIMAL.
CREATE TABLE keyed (
  id INT NOT NULL PRIMARY KEY, name VARCHAR(40), amount DECIMAL(10,2), note TEXT, doc JSON,
  changed DATETIME(3), bits BIT(9), kind ENUM('a','b','c'), big BIGINT UNSIGNED NOT NULL DEFAULT 7
);
CREATE TABLE key_at_the_end (a INT, b VARCHAR(10) NOT NULL, c INT, k1 INT NOT NULL, k2 CHAR(3) NOT NULL, PRIMARY KEY (k2, k1));
CREATE TABLE unique_only (a INT NOT NULL, b VARCHAR(10), c TEXT, UNIQUE KEY (a));
CREATE TABLE without_key (a INT, b VARCHAR(10), c TEXT);
CREATE TABLE all_defaults (a INT DEFAULT 5, b VARCHAR(10) DEFAULT 'given', c INT);
CREATE TABLE counted (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT);
-- Nine columns and more: the bitmaps of columns take a second byte that few columns fill.
INSERT INTO keyed VALUES
  (1, 'one', 1.10, 'note one', '{"n": 1}', '2026-03-01 00:00:00.001', b'1', 'a', 1),
  (2, 'two', 2.20, 'note two', '{"n": 2}', '2026-03-01 00:00:00.002', b'10', 'b', 2);
INSERT INTO keyed (id) VALUES (3);
INSERT INTO keyed (id, kind) VALUES (4, NULL);
INSERT INTO keyed (big, id, note) VALUES (18446744073709551615, 5, NULL), (0, 6, 'six'), (1, 7, '');
UPDATE keyed SET name = 'uno' WHERE id = 1;
UPDATE keyed SET name = NULL, amount = amount + 1, bits = NULL WHERE id = 2;
UPDATE keyed SET big = big WHERE id = 1;
UPDATE keyed SET big = 9, name = name WHERE id = 1;
UPDATE keyed SET id = 30, doc = '[3]' WHERE id = 3;
UPDATE keyed SET kind = 'c' WHERE id > 3 AND id < 10;
UPDATE keyed SET note = NULL WHERE id = 6;
DELETE FROM keyed WHERE id IN (4, 7);
INSERT INTO key_at_the_end VALUES (1, 'b', NULL, 10, 'xyz'), (NULL, '', 3, -1, '');
INSERT INTO key_at_the_end (k1, k2, b) VALUES (5, 'k', 'only');
UPDATE key_at_the_end SET c = 4 WHERE k1 = 10;
UPDATE key_at_the_end SET k1 = 6 WHERE k1 = 5;
DELETE FROM key_at_the_end WHERE k1 = -1;
INSERT INTO unique_only VALUES (1, 'one', 'first'), (2, NULL, NULL), (3, 'three', '');
UPDATE unique_only SET b = 'eins' WHERE a = 1;
UPDATE unique_only SET b = 'zwei', c = 'second' WHERE a = 2;
DELETE FROM unique_only WHERE a = 3;
-- Without a key every column stays in the image before.
INSERT INTO without_key VALUES (1, 'one', 'first'), (NULL, NULL, NULL), (3, 'three', '');
INSERT INTO without_key (b) VALUES ('only b');
UPDATE without_key SET b = 'eins' WHERE a = 1;
UPDATE without_key SET c = 'filled' WHERE b = 'only b';
DELETE FROM without_key WHERE a IS NULL AND b IS NULL;
-- No column at all in the image, and the row is there all the same.
INSERT INTO all_defaults () VALUES ();
INSERT INTO all_defaults (c) VALUES (1);
INSERT INTO all_defaults VALUES (DEFAULT, DEFAULT, 2);
INSERT INTO counted () VALUES ();
INSERT INTO counted (a) VALUES (1), (2);
UPDATE counted SET a = 10 WHERE id = 1;

SET SESSION binlog_row_image = 'NOBLOB';
INSERT INTO keyed (id, name) VALUES (50, 'no blob named');
INSERT INTO keyed (id, name, note, doc) VALUES (51, 'blob named', 'text', '{"k": true}');
UPDATE keyed SET name = 'blob not touched' WHERE id IN (50, 51);
UPDATE keyed SET note = 'blob touched' WHERE id = 50;
UPDATE keyed SET doc = '{"k": false}' WHERE id = 51;
DELETE FROM keyed WHERE id = 51;
UPDATE without_key SET a = 100 WHERE a = 3;
INSERT INTO unique_only VALUES (60, 'sixty', NULL);
UPDATE unique_only SET b = 'LX' WHERE a = 60;

SET SESSION binlog_row_image = 'FULL';
INSERT INTO keyed (id, name) VALUES (70, 'full');
UPDATE keyed SET name = 'full again' WHERE id = 70;
DELETE FROM keyed WHERE id = 70;
