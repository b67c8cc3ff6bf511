-- One table that changes its shape between the changes of its rows.
CREATE TABLE people (id INT NOT NULL PRIMARY KEY, name VARCHAR(20), born INT);
INSERT INTO people VALUES (1, 'Ana', 1987), (2, 'Bo', 1979);
ALTER TABLE people ADD COLUMN city VARCHAR(30) DEFAULT 'unknown';
INSERT INTO people VALUES (3, 'Chi', 1990, 'Brno');
UPDATE people SET city = 'Lima' WHERE id = 1;
ALTER TABLE people ADD COLUMN email VARCHAR(60) AFTER id, ADD COLUMN score DECIMAL(6,2) FIRST;
INSERT INTO people VALUES (1.25, 4, 'd@example.org', 'Dee', 2001, 'Oslo');
ALTER TABLE people MODIFY COLUMN born SMALLINT UNSIGNED NOT NULL DEFAULT 0;
INSERT INTO people VALUES (2.5, 5, NULL, 'Eve', 65535, NULL);
ALTER TABLE people RENAME COLUMN name TO full_name;
UPDATE people SET full_name = 'Anna' WHERE id = 1;
ALTER TABLE people MODIFY COLUMN full_name VARCHAR(300) CHARACTER SET latin1;
INSERT INTO people VALUES (NULL, 6, 'f@example.org', 'Frédéric', 1999, 'Nîmes');
ALTER TABLE people MODIFY COLUMN score DECIMAL(12,4), CHANGE COLUMN city town ENUM('unknown','Brno','Lima','Oslo','Nîmes');
INSERT INTO people VALUES (12345678.1234, 7, NULL, 'Grace', 1906, 'Oslo');
ALTER TABLE people DROP COLUMN email, DROP COLUMN born;
UPDATE people SET score = 0 WHERE id = 2;
DELETE FROM people WHERE id = 5;
ALTER TABLE people DROP PRIMARY KEY, ADD PRIMARY KEY (id, full_name);
INSERT INTO people VALUES (8, 8, 'Heidi', 'Lima');
RENAME TABLE people TO persons;
INSERT INTO persons VALUES (9, 9, 'Ivan', NULL);
-- Another table under the old name.
CREATE TABLE people (uid CHAR(4) NOT NULL PRIMARY KEY, active BOOL);
INSERT INTO people VALUES ('u001', TRUE);
DROP TABLE people;
CREATE TABLE people (uid INT NOT NULL PRIMARY KEY);
INSERT INTO people VALUES (1);
