-- Shapes of transactions with GTIDs.
CREATE TABLE ledger (id INT NOT NULL PRIMARY KEY, what VARCHAR(60));
CREATE TABLE copies (id INT NOT NULL PRIMARY KEY, what VARCHAR(60));
CREATE TABLE prepared_then_lost (id INT NOT NULL PRIMARY KEY, what VARCHAR(60));
INSERT INTO ledger VALUES (1, 'autocommit');
BEGIN;
INSERT INTO ledger VALUES (2, 'two statements');
INSERT INTO ledger VALUES (3, 'in one transaction');
COMMIT;
BEGIN;
INSERT INTO ledger VALUES (4, 'before the savepoint');
SAVEPOINT here;
INSERT INTO ledger VALUES (5, 'taken back');
ROLLBACK TO SAVEPOINT here;
INSERT INTO ledger VALUES (6, 'after the savepoint');
RELEASE SAVEPOINT here;
COMMIT;
BEGIN;
INSERT INTO ledger VALUES (7, 'rolled back, not in the log');
ROLLBACK;
-- Nothing happens, nothing is logged.
BEGIN;
COMMIT;
UPDATE ledger SET what = 'autocommit' WHERE id = 1;
DELETE FROM ledger WHERE id = 99;
-- A transaction with two tables, both kinds of ending spaces in it.
START TRANSACTION WITH CONSISTENT SNAPSHOT;
UPDATE ledger SET what = 'changed twice' WHERE id = 2;
INSERT INTO copies SELECT * FROM ledger;
UPDATE ledger SET what = 'changed twice indeed' WHERE id = 2;
DELETE FROM copies WHERE id = 6;
COMMIT AND NO CHAIN;
-- Implicit commit by DDL.
BEGIN;
INSERT INTO ledger VALUES (8, 'committed by the next statement');
CREATE TABLE made_by_select AS SELECT id, what FROM ledger WHERE id < 4;
CREATE INDEX made_by_select_id ON made_by_select (id);
-- Temporary tables leave no rows in the log.
CREATE TEMPORARY TABLE scratch (id INT);
INSERT INTO scratch VALUES (1), (2);
BEGIN;
INSERT INTO scratch VALUES (3);
INSERT INTO ledger SELECT 100 + COUNT(*), 'from a temporary table' FROM scratch;
COMMIT;
DROP TEMPORARY TABLE scratch;
-- Two-phase transactions: committed at once, committed later, rolled back after their rows were logged.
XA START 'one phase';
INSERT INTO ledger VALUES (20, 'xa one phase');
XA END 'one phase';
XA COMMIT 'one phase' ONE PHASE;
XA START 'two', 'branch', 7;
INSERT INTO ledger VALUES (21, 'xa two phases');
UPDATE copies SET what = 'in xa' WHERE id = 1;
XA END 'two', 'branch', 7;
XA PREPARE 'two', 'branch', 7;
INSERT INTO ledger VALUES (22, 'between prepare and commit');
XA COMMIT 'two', 'branch', 7;
XA START x'00ff27', x'0a', 1;
INSERT INTO prepared_then_lost VALUES (1, 'logged, then rolled back');
XA END x'00ff27', x'0a', 1;
XA PREPARE x'00ff27', x'0a', 1;
XA ROLLBACK x'00ff27', x'0a', 1;
-- Rows of partitions: the events say which.
CREATE TABLE by_year (id INT NOT NULL, made DATE NOT NULL, what VARCHAR(20), PRIMARY KEY (id, made))
  PARTITION BY RANGE (YEAR(made)) (PARTITION old VALUES LESS THAN (2020), PARTITION mid VALUES LESS THAN (2025),
    PARTITION young VALUES LESS THAN MAXVALUE);
INSERT INTO by_year VALUES (1, '2019-05-05', 'old'), (2, '2020-01-01', 'mid'), (3, '2026-01-01', 'young'), (4, '2018-12-31', 'old');
UPDATE by_year SET made = '2026-06-06', what = 'moved' WHERE id = 1;
UPDATE by_year SET what = UPPER(what);
DELETE FROM by_year WHERE made < '2020-01-01';
ALTER TABLE by_year TRUNCATE PARTITION mid;
-- Administration that is logged as text.
FLUSH TABLES;
ANALYZE TABLE ledger;
CREATE VIEW ledger_view AS SELECT * FROM ledger;
INSERT INTO ledger_view VALUES (30, 'through a view');
CREATE TABLE emptied LIKE ledger;
INSERT INTO emptied VALUES (1, 'gone by truncate'), (2, 'gone too');
TRUNCATE TABLE emptied;
CREATE DATABASE transactions97_second;
CREATE TABLE transactions97_second.other (id INT NOT NULL PRIMARY KEY);
BEGIN;
INSERT INTO transactions97_second.other VALUES (1);
INSERT INTO ledger VALUES (31, 'two databases');
COMMIT;
