-- zendesk/maxwell#1484, servers: mysql
CREATE TABLE t (id BIGINT NOT NULL, command JSON NOT NULL DEFAULT (JSON_QUOTE("{'parent':'sched'}")),
  cpu VARCHAR(255) NOT NULL DEFAULT ('a1 b1'), u BINARY(16) DEFAULT (UUID_TO_BIN(UUID())),
  PRIMARY KEY (`id`), UNIQUE cpu (cpu(255), id), INDEX cpu1 ((UPPER(cpu))));
INSERT INTO t (id) VALUES (1), (2);
INSERT INTO t VALUES (3, '[1, 2.5]', 'b', NULL);
