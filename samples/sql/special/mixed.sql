-- Statements the server logs as SQL, and those whose rows it logs because SQL would be unsafe.
CREATE TABLE mixed (id INT NOT NULL PRIMARY KEY, what VARCHAR(60));
INSERT INTO mixed VALUES (1, 'as a statement');
INSERT INTO mixed VALUES (2, CONCAT('as a row ', LENGTH(UUID())));
UPDATE mixed SET what = 'as a statement too' WHERE id = 1;
DELETE FROM mixed WHERE id = 2 AND LENGTH(UUID()) = 36;
