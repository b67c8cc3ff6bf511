-- Values of 64 KiB and more: four length bytes used in earnest, and JSON in its large form.
CREATE TABLE large_values (id INT NOT NULL PRIMARY KEY, t TEXT, mb MEDIUMBLOB, doc JSON) DEFAULT CHARACTER SET utf8mb4;
INSERT INTO large_values VALUES (1, REPEAT('0123456789abcde', 4369), NULL, NULL);
INSERT INTO large_values VALUES (2, NULL, REPEAT(x'00ff1020', 16384), NULL);
-- 300 keys with numbers that only the large form keeps in place, and small containers inside.
INSERT INTO large_values
  SELECT 3, NULL, NULL, JSON_OBJECT('filler', REPEAT('é', 33000), 'int32', 70000, 'int16', -5, 'null', NULL, 'double', 0.5e0,
    'members', JSON_OBJECTAGG(CONCAT('key', n), n * 1000000007), 'small', JSON_ARRAY(1, 100000, JSON_OBJECT('k', 'v')))
  FROM numbers;
