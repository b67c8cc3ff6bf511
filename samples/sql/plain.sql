-- A few changes of a few types, for samples that show something else.
CREATE TABLE notes (id INT NOT NULL PRIMARY KEY, title VARCHAR(50) NOT NULL, score DECIMAL(5,1), changed DATETIME(3), body TEXT);
INSERT INTO notes VALUES
  (1, 'first', 1.5, '2026-03-01 12:00:00.125', 'short'), (2, 'žlutý', NULL, NULL, NULL),
  (3, 'third', -0.1, '2026-03-01 12:00:00', REPEAT('long ', 100));
UPDATE notes SET score = 2.5, body = NULL WHERE id = 1;
BEGIN;
INSERT INTO notes VALUES (4, 'fourth', 4, NULL, '');
DELETE FROM notes WHERE id = 3;
COMMIT;
