-- GTIDs with tags.
CREATE TABLE tagged (id INT NOT NULL PRIMARY KEY, what VARCHAR(40));
INSERT INTO tagged VALUES (1, 'without a tag');
SET gtid_next = 'AUTOMATIC:import';
INSERT INTO tagged VALUES (2, 'tag import');
SET gtid_next = 'AUTOMATIC:import';
UPDATE tagged SET what = 'tag import again' WHERE id = 2;
SET gtid_next = 'AUTOMATIC:a_tag_of_thirty_two_characters_x';
INSERT INTO tagged VALUES (3, 'the longest tag');
SET gtid_next = 'ffffffff-8080-0000-00ff-7f80ff000102:given_tag:9223372036854775000';
INSERT INTO tagged VALUES (4, 'given gtid');
SET original_commit_timestamp = 1234567890123456, original_server_version = 80036;
SET gtid_next = 'ffffffff-8080-0000-00ff-7f80ff000102:given_tag:1';
INSERT INTO tagged VALUES (5, 'other original time and version');
SET gtid_next = 'AUTOMATIC';
DELETE FROM tagged WHERE id = 1;
