-- github/gh-ost#920, servers: mysql mariadb
CREATE TABLE t (id INT PRIMARY KEY, grade ENUM('a', 'b', 'c'));
INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');
ALTER TABLE t MODIFY grade ENUM('z', 'c', 'a', 'b');
UPDATE t SET grade = IF(id = 1, 'z', IF(id = 2, 'c', 'a'));
