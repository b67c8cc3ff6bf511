-- PeerDB-io/peerdb#3950, servers: mysql mariadb
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY,
  status ENUM('active', 'inactive', 'pending') NOT NULL, days SET('mo', 'tu', 'we') NOT NULL);
INSERT INTO t (status, days) VALUES ('active', 'mo,we'), ('pending', ''), (2, 7);
UPDATE t SET status = 'inactive' WHERE id = 1;
