-- Types and tables of MariaDB alone.
CREATE TABLE addresses (id INT NOT NULL PRIMARY KEY, u UUID, i4 INET4, i6 INET6, b16 BINARY(16), b4 BINARY(4));
INSERT INTO addresses VALUES
  (1, '123e4567-e89b-12d3-a456-426655440000', '1.2.3.4', '2001:db8::ff00:42:8329', x'00', x'01020304'),
  (2, NULL, NULL, NULL, NULL, NULL),
  (3, '00000000-0000-0000-0000-000000000000', '0.0.0.0', '::', REPEAT(x'00', 16), x'00000000'),
  (4, 'ffffffff-ffff-ffff-ffff-ffffffffff00', '255.255.255.0', '::ffff:1.2.3.0', REPEAT(x'ff', 16), x'ffffffff');
UPDATE addresses SET u = '00112233-4455-6677-8899-aabbccddeeff', i4 = '10.0.0.0' WHERE id = 4;
DELETE FROM addresses WHERE id = 3;
-- Each change leaves the old row in the table, with the time it ended.
SET timestamp = 1772366401.5;
CREATE TABLE versioned (id INT NOT NULL PRIMARY KEY, what VARCHAR(20)) WITH SYSTEM VERSIONING;
INSERT INTO versioned VALUES (1, 'one'), (2, 'two');
SET timestamp = 1772366402.25;
UPDATE versioned SET what = 'uno' WHERE id = 1;
SET timestamp = 1772366403.000001;
DELETE FROM versioned WHERE id = 2;
CREATE SEQUENCE numbers_in_turn START WITH 10 INCREMENT BY 5 CACHE 2;
CREATE TABLE numbered (id BIGINT NOT NULL DEFAULT NEXTVAL(numbers_in_turn) PRIMARY KEY, what VARCHAR(20));
INSERT INTO numbered (what) VALUES ('ten'), ('fifteen'), ('twenty');
CREATE TABLE invisible (id INT NOT NULL PRIMARY KEY, a INT INVISIBLE DEFAULT 3, b VARCHAR(10));
INSERT INTO invisible VALUES (1, 'one');
CREATE TABLE shapes (id INT NOT NULL PRIMARY KEY, g GEOMETRY, p POINT, note VARCHAR(20));
INSERT INTO shapes VALUES (1, ST_GeomFromText('POINT(1 2)'), ST_GeomFromText('POINT(3 4)', 4326), 'all');
INSERT INTO shapes VALUES (2, NULL, NULL, NULL);
