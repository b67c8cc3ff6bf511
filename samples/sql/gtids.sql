-- Transactions that come from elsewhere: given GTIDs, an empty one, other commit times and versions.
SET gtid_next = '11111111-2222-3333-4444-555555555555:7';
INSERT INTO ledger VALUES (40, 'given gtid');
SET gtid_next = '11111111-2222-3333-4444-555555555555:9';
BEGIN;
COMMIT;
SET original_commit_timestamp = 1234567890123456, original_server_version = 80036;
SET gtid_next = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee:9223372036854775000';
INSERT INTO ledger VALUES (41, 'other original time and version');
SET gtid_next = 'AUTOMATIC';
