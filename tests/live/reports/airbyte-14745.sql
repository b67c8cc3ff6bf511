-- airbytehq/airbyte#14745, servers: mariadb
CREATE TABLE t (`id` BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT, `value` INT(11) NOT NULL,
  `d` DATE NOT NULL DEFAULT curdate(), `e` DATETIME DEFAULT (now() + INTERVAL 1 DAY), PRIMARY KEY (`id`));
INSERT INTO t (value) VALUES (1), (2);
