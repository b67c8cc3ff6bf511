-- Dates and times in the storage form of servers before 5.6. The server runs with mysql56_temporal_format=OFF.
CREATE TABLE old_temporals (id INT NOT NULL PRIMARY KEY, d DATE, t TIME, dt DATETIME, ts TIMESTAMP NULL);
INSERT INTO old_temporals VALUES
  (1, '2026-01-02', '-12:34:56', '2026-01-02 03:04:05', '2026-01-02 03:04:05'), (2, NULL, NULL, NULL, NULL),
  (3, '9999-12-31', '838:59:59', '9999-12-31 23:59:59', '2038-01-19 03:14:07');
UPDATE old_temporals SET t = '00:00:01' WHERE id = 2;
