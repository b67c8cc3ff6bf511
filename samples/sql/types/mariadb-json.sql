-- JSON of MariaDB is text with a check.
CREATE TABLE json_texts (id INT NOT NULL PRIMARY KEY, doc JSON, required JSON NOT NULL);
INSERT INTO json_texts VALUES
  (1, NULL, 'null'), (2, '{}', '[]'), (3, '{"b": 1,  "a": [1.0, 1e5, "žluťoučký 😀"], "b": 2}', '"text"'),
  (4, '[1, 2]', '18446744073709551616');
UPDATE json_texts SET doc = JSON_SET(doc, '$.c', 3) WHERE id = 3;
DELETE FROM json_texts WHERE id = 4;
