-- A few JSON documents.
CREATE TABLE documents (id INT NOT NULL PRIMARY KEY, j JSON);
INSERT INTO documents VALUES
  (1, '{"a": [1, -2.5, "žlutý", null, true], "deep": {"er": {}}}'), (2, NULL), (3, '[18446744073709551615, 0.1, 1e300]'), (4, '"text"');
UPDATE documents SET j = JSON_SET(j, '$.a[0]', 'one') WHERE id = 1;
UPDATE documents SET j = JSON_ARRAY(CAST(1.50 AS DECIMAL(5,2)), DATE'2026-02-28') WHERE id = 2;
DELETE FROM documents WHERE id = 4;
