-- The same with fractions. No metadata tells how many digits there are.
CREATE TABLE old_fractions (id INT NOT NULL PRIMARY KEY, t TIME(3), dt DATETIME(6), ts TIMESTAMP(2) NULL);
INSERT INTO old_fractions VALUES (1, '12:34:56.789', '2026-01-02 03:04:05.678901', '2026-01-02 03:04:05.67'), (2, '-12:34:56.789', NULL, NULL);
