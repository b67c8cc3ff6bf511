-- Fractions of seconds, in the form that servers have had since MySQL 5.6.
CREATE TABLE fractions (id INT NOT NULL PRIMARY KEY, t TIME(6), dt DATETIME(3), ts TIMESTAMP(1) NULL, short TIME(2));
INSERT INTO fractions VALUES
  (1, '-00:00:00.000001', '2026-03-01 12:34:56.789', '2026-03-01 12:34:56.7', '-838:59:58.99'), (2, NULL, NULL, NULL, NULL),
  (3, '838:59:58.999999', '9999-12-31 23:59:59.999', '1970-01-01 00:00:01.0', '00:00:00.5');
UPDATE fractions SET t = '-00:00:01.5', short = NULL WHERE id = 1;
DELETE FROM fractions WHERE id = 3;
