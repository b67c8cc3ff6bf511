-- Shapes of transactions of MariaDB.
CREATE TABLE ledger (id INT NOT NULL PRIMARY KEY, what VARCHAR(60)) ENGINE = InnoDB;
CREATE TABLE journal (id INT NOT NULL PRIMARY KEY, what VARCHAR(60)) ENGINE = MyISAM;
CREATE TABLE prepared_then_lost (id INT NOT NULL PRIMARY KEY, what VARCHAR(60)) ENGINE = InnoDB;
INSERT INTO ledger VALUES (1, 'autocommit');
INSERT INTO journal VALUES (1, 'no transaction');
BEGIN;
INSERT INTO ledger VALUES (2, 'both kinds');
INSERT INTO journal VALUES (2, 'both kinds');
UPDATE ledger SET what = 'both kinds, changed' WHERE id = 2;
COMMIT;
BEGIN;
INSERT INTO ledger VALUES (3, 'lost by the rollback');
INSERT INTO journal VALUES (3, 'stays after the rollback');
ROLLBACK;
BEGIN;
INSERT INTO ledger VALUES (4, 'kept');
SAVEPOINT here;
INSERT INTO ledger VALUES (5, 'taken back');
ROLLBACK TO SAVEPOINT here;
INSERT INTO ledger VALUES (6, 'kept too');
COMMIT;
-- Other sources of changes, as in replication from several servers.
SET SESSION gtid_domain_id = 7, server_id = 42;
INSERT INTO ledger VALUES (10, 'domain 7, server 42');
SET SESSION gtid_seq_no = 1000;
UPDATE ledger SET what = 'sequence number 1000' WHERE id = 10;
SET SESSION gtid_domain_id = 0, server_id = 1;
SET SESSION skip_replication = ON;
INSERT INTO ledger VALUES (11, 'marked to be skipped');
SET SESSION skip_replication = OFF;
XA START 'one phase';
INSERT INTO ledger VALUES (20, 'xa one phase');
XA END 'one phase';
XA COMMIT 'one phase' ONE PHASE;
XA START 'two', 'branch', 7;
INSERT INTO ledger VALUES (21, 'xa two phases');
XA END 'two', 'branch', 7;
XA PREPARE 'two', 'branch', 7;
XA COMMIT 'two', 'branch', 7;
XA START x'00ff27', x'0a', 1;
INSERT INTO prepared_then_lost VALUES (1, 'logged, then rolled back');
XA END x'00ff27', x'0a', 1;
XA PREPARE x'00ff27', x'0a', 1;
XA ROLLBACK x'00ff27', x'0a', 1;
CREATE TABLE made_by_select ENGINE = InnoDB AS SELECT id, what FROM ledger WHERE id < 3;
CREATE OR REPLACE TABLE replaced (id INT NOT NULL PRIMARY KEY) ENGINE = InnoDB;
SET SESSION binlog_alter_two_phase = ON;
ALTER TABLE ledger ADD INDEX by_text (what);
SET SESSION binlog_alter_two_phase = OFF;
CREATE TABLE by_year (id INT NOT NULL, made DATE NOT NULL, PRIMARY KEY (id, made)) ENGINE = InnoDB
  PARTITION BY RANGE (YEAR(made)) (PARTITION old VALUES LESS THAN (2020), PARTITION young VALUES LESS THAN MAXVALUE);
INSERT INTO by_year VALUES (1, '2019-05-05'), (2, '2026-01-01');
UPDATE by_year SET made = '2026-06-06' WHERE id = 1;
INSERT INTO ledger VALUES (30, 'returning') RETURNING id;
INSERT INTO ledger VALUES (31, 'line one
#Q> ### INSERT INTO `a`.`b`
line three');
