-- Updates that log the difference of two documents. The server runs with PARTIAL_JSON.
CREATE TABLE documents (id INT NOT NULL PRIMARY KEY, a JSON, b JSON, note VARCHAR(20), big JSON);
INSERT INTO documents VALUES
  (1, '{"x": 1, "y": [1, 2, 3], "s": "some text that is long enough"}', '{"k": "v"}', 'one', NULL),
  (2, '{"x": 2}', NULL, 'two', '[]'), (3, NULL, '[1, 2]', 'three', '{}'), (4, '[{"p": 1}, {"q": 2}]', '"text"', NULL, 'null');
UPDATE documents SET a = JSON_SET(a, '$.x', 100) WHERE id = 1;
UPDATE documents SET a = JSON_SET(a, '$.x', 2, '$.new', JSON_ARRAY(1, '"')) WHERE id = 1;
UPDATE documents SET a = JSON_REMOVE(a, '$.y[1]') WHERE id = 1;
UPDATE documents SET a = JSON_REPLACE(a, '$.s', 'short'), b = JSON_SET(b, '$."odd key"', TRUE) WHERE id = 1;
UPDATE documents SET a = JSON_SET(a, '$[1].q', NULL), b = '{"plain": "assignment"}' WHERE id = 4;
-- No document changes; only one of two does; one event with differences, NULL and whole values.
UPDATE documents SET note = 'changed' WHERE id = 2;
UPDATE documents SET b = JSON_SET(b, '$[5]', 6) WHERE id = 3;
UPDATE documents SET a = JSON_SET(a, '$.z', 'žlutý 😀') WHERE id IN (1, 2, 3);
UPDATE documents SET a = JSON_SET(COALESCE(a, '{}'), '$.w', 0) WHERE id IN (1, 2, 3);
UPDATE documents SET a = JSON_SET(a, '$', JSON_OBJECT('whole', 'document')) WHERE id = 2;
UPDATE documents SET a = NULL WHERE id = 4;
CREATE TABLE without_documents (id INT NOT NULL PRIMARY KEY, note VARCHAR(20));
INSERT INTO without_documents VALUES (1, 'one');
UPDATE without_documents SET note = 'uno' WHERE id = 1;
SET SESSION binlog_row_image = 'MINIMAL';
UPDATE documents SET a = JSON_SET(a, '$.x', 3) WHERE id = 1;
UPDATE documents SET note = 'minimal' WHERE id = 1;
DELETE FROM documents WHERE id = 4;
