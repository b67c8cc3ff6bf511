-- Shapes and vectors. One row in each statement, for mysqlbinlog prints nothing after a GEOMETRY.
CREATE TABLE shapes (
  id INT NOT NULL PRIMARY KEY, g GEOMETRY, p POINT SRID 4326, l LINESTRING, a POLYGON, c GEOMETRYCOLLECTION, note VARCHAR(20)
);
INSERT INTO shapes VALUES (1, ST_GeomFromText('POINT(1 2)'), ST_GeomFromText('POINT(48.5 16.25)', 4326),
  ST_GeomFromText('LINESTRING(0 0, 1 1, 2 0)'), ST_GeomFromText('POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))'),
  ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(0 0, 1 1))'), 'all');
INSERT INTO shapes (id, note) VALUES (2, 'none');
INSERT INTO shapes (id, g, note) VALUES (3, ST_GeomFromText('MULTIPOINT(0 0, 1 -1)'), 'multi');
UPDATE shapes SET g = NULL, p = ST_GeomFromText('POINT(-90 180)', 4326) WHERE id = 1;
DELETE FROM shapes WHERE id = 3;
CREATE TABLE vectors (id INT NOT NULL PRIMARY KEY, v3 VECTOR(3), v VECTOR, name VARCHAR(10));
INSERT INTO vectors VALUES (1, STRING_TO_VECTOR('[1, -2.5, 3]'), STRING_TO_VECTOR('[0.1, 1e38, -0.0, 1e-30]'), 'žlutý');
INSERT INTO vectors VALUES (2, NULL, NULL, NULL);
INSERT INTO vectors VALUES (3, STRING_TO_VECTOR('[7]'), STRING_TO_VECTOR('[0]'), 'short');
UPDATE vectors SET v3 = STRING_TO_VECTOR('[0, 0, 0]') WHERE id = 2;
DELETE FROM vectors WHERE id = 3;
