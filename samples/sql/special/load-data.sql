-- A file read by the server; it lies in the database's own folder.
CREATE TABLE loaded (id INT NOT NULL PRIMARY KEY, what VARCHAR(60));
SELECT 1, 'one' UNION ALL SELECT 2, 'tab\tand\nnewline' UNION ALL SELECT 3, NULL INTO OUTFILE 'loaded.txt';
LOAD DATA INFILE 'loaded.txt' INTO TABLE loaded (id, what);
LOAD DATA INFILE 'loaded.txt' REPLACE INTO TABLE loaded (id, @text) SET what = CONCAT('again ', @text);
