CREATE TABLE vectors (id INT NOT NULL PRIMARY KEY, v VECTOR(3) NOT NULL, name VARCHAR(10));
INSERT INTO vectors VALUES (1, VEC_FromText('[1, -2.5, 3]'), 'one'), (2, VEC_FromText('[0, 0, 0]'), NULL);
UPDATE vectors SET v = VEC_FromText('[0.1, 0.2, 0.3]') WHERE id = 2;
