-- Dates that are zero, or zero in part, as servers keep them without the strict modes.
SET sql_mode = 'NO_ENGINE_SUBSTITUTION';
CREATE TABLE zero_dates (
  id INT NOT NULL PRIMARY KEY, d DATE, dt DATETIME, dt3 DATETIME(3), ts TIMESTAMP NULL, ts6 TIMESTAMP(6) NULL
);
INSERT INTO zero_dates VALUES
  (1, '0000-00-00', '0000-00-00', '0000-00-00', '0000-00-00', '0000-00-00'),
  (2, '2026-00-00', '2026-00-00 01:02:03', '2026-00-00 01:02:03.5', NULL, NULL),
  (3, '2026-11-00', '2026-11-00 23:59:59', '2026-11-00 23:59:59.999', NULL, NULL),
  (4, '0000-11-20', '0000-11-20 12:00:00', '0000-11-20 12:00:00.001', NULL, NULL),
  (5, '2026-11-20', '2026-11-20', '2026-11-20', '2026-11-20', '2026-11-20'),
  (6, '0000-00-00', NULL, '0000-00-00', NULL, '0000-00-00');
UPDATE zero_dates SET d = '0000-00-00', dt = '0000-00-00', ts = '0000-00-00' WHERE id = 5;
DELETE FROM zero_dates WHERE id = 6;
-- Days that no calendar has.
SET sql_mode = 'NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES';
CREATE TABLE invalid_dates (id INT NOT NULL PRIMARY KEY, d DATE, dt DATETIME);
INSERT INTO invalid_dates VALUES (1, '2026-02-31', '2026-02-31 10:00:00'), (2, '2025-02-29', '2025-02-29 00:00:00');
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
