-- Images after an update that hold the changed columns only.
SET SESSION binlog_row_image = 'FULL_NODUP';
INSERT INTO keyed (id, name, note) VALUES (80, 'nodup', 'text');
UPDATE keyed SET name = 'nodup again' WHERE id = 80;
UPDATE keyed SET big = 1, note = NULL WHERE id = 80;
UPDATE without_key SET c = 'nodup' WHERE a = 100;
DELETE FROM keyed WHERE id = 80;
