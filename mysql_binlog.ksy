meta:
  id: mysql_binlog
  title: MySQL and MariaDB binary log
  application:
    - MariaDB
    - MySQL
    - Percona Server
  file-extension: binlog
  xref:
    wikidata: Q850
  license: CC0-1.0
  ks-version: '0.11'
  encoding: UTF-8
  endian: le
  bit-endian: be
doc: |
  The binary log is the journal in which MySQL and MariaDB write every change of their data.
  Replicas replay it, backups are rolled forward with it, and change-data-capture tools read it. A
  log file is a magic number followed by events; each event has a header that gives its type and its
  length. The first event, the format description, says how the others are laid out.

  Changes of rows are logged as rows events. A rows event holds the bytes of the rows only. The
  names, types and widths of the columns are in the table map event before it. This schema finds the
  table map of each rows event, and shows its rows as named, typed cells.

  One transaction of MySQL 8 and later reads `GTID`, `QUERY BEGIN`, `TABLE_MAP`, `WRITE_ROWS`,
  `XID`; in MariaDB the `GTID` replaces the `BEGIN`.

  The schema covers every event that any server has written: binlog versions 1 (MySQL 3.23), 3 (4.0
  and 4.1) and 4 (5.0 and later, every MariaDB), and relay logs. An event of an unknown type keeps
  its body as raw bytes. A file that ends inside an event (in use, or cut by a crash) parses up
  to the cut: the last event then has `frame.is_truncated` set and an untyped body.

  Headers are read with the log; the `body` of an event is parsed when it is asked for. So damage in
  a body costs that event alone, except in a format description, which governs the events after it.

  Lengths and offsets are in bytes, unless a field says otherwise; integers are little-endian and
  unsigned, unless their type says otherwise.

  Two ways of use. A whole file: parse the root. One event at a time (a stream, a parallel job):
  parse a root from the magic and the format description alone, then make one `event` with the
  parameters `ofs_event` = its offset in the stream, `format_index` = 0, `table_map_index` = -1 for
  each event.
doc-ref:
  - https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_replication_binlog_event.html
  - https://mariadb.com/kb/en/replication-protocol/
  - https://github.com/mysql/mysql-server/tree/mysql-8.4.6/libs/mysql/binlog/event
  - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L1071
seq:
  - id: magic
    -orig-id: BINLOG_MAGIC
    contents: [0xfe, 'bin']
    doc: |
      An encrypted log of MySQL 8.0.14 and later begins with `fd 62 69 6e` instead, and no part of
      it can be read without its key.
  - id: cut_first_header
    size-eos: true
    if: len_file < 23
    doc: |
      What is left of the first event, if the file ends inside its header; see `trailing`.
  - id: events
    # An event without a type is encrypted. The end of a statement releases its table maps: that is
    # bit 0 of the flags of a rows event, which is read here from its bytes, since bodies are parsed
    # on demand.
    type: >-
      event((_index == 0) ? 4 : events[_index - 1].ofs_event + ((events[_index - 1].table_map_index
      == -2) ? 13 : len_header) + events[_index - 1].data.size, (_index == 0) ? -1 : ((events[_index
      - 1].table_map_index == -2) ? events[_index - 1].format_index : ((events[_index -
      1].event_type == event_type::format_description or events[_index - 1].event_type ==
      event_type::start_v3) ? _index - 1 : events[_index - 1].format_index)), (_index == 0) ? -1 :
      ((events[_index - 1].table_map_index == -2 or events[_index - 1].event_type ==
      event_type::start_encryption) ? -2 : (((events[_index - 1].event_type == event_type::table_map
      or events[_index - 1].event_type == event_type::xid) and (events[_index - 1].event_type ==
      event_type::xid) == events[events[_index -
      1].format_index].body.as<format_description_event>.has_old_type_codes) ? _index - 1 :
      ((events[_index - 1].table_map_index < 0 or events[_index - 1].event_type ==
      event_type::format_description or (((events[_index - 1].event_type.to_i >= 20 and
      events[_index - 1].event_type.to_i <= 25) or (events[_index - 1].event_type.to_i >= 30 and
      events[_index - 1].event_type.to_i <= 32) or events[_index - 1].event_type.to_i == 39 or
      (events[_index - 1].event_type.to_i >= 166 and events[_index - 1].event_type.to_i <= 171) or
      (events[_index - 1].event_type.to_i >= 17 and events[_index - 1].event_type.to_i <= 19)) and
      events[events[_index - 1].format_index].body.as<format_description_event>.ofs_rows_flags <
      events[_index - 1].data.size and (events[_index - 1].data[events[events[_index -
      1].format_index].body.as<format_description_event>.ofs_rows_flags] & 1) != 0)) ? -1 :
      events[_index - 1].table_map_index))))
    repeat: eos
instances:
  len_file:
    value: _io.size
  first_type_code:
    pos: 8
    type: u1
    if: len_file >= 23
  len_first_event:
    pos: 13
    type: u4
    if: len_file >= 23
  len_header:
    value: '(len_file >= 23 and first_type_code == 1 and len_first_event < 75) ? 13 : 19'
    doc: |
      Bytes of an event header up to `event.data`. 13 in MySQL 3.23, whose first event is shorter
      than any later one.
  ofs_trailing:
    value: >-
      ((events.size == 0) ? 4 : events.last.ofs_event
      + ((events.last.table_map_index == -2) ? 13 : len_header) + events.last.data.size).as<s8>
    doc: Offset of the byte after the last event.
  trailing:
    pos: ofs_trailing
    size-eos: true
    doc: The start of an event header that the end of the file cuts. Empty in a whole file.
types:

  # The frame of every event

  event:
    -webide-representation: '{event_type}{encrypted_start}'
    doc: |
      An event: the common header of 19 bytes (13 in MySQL 3.23), the body, and its checksum. Only
      the header is read with the log; `body` and `frame` are parsed on demand, so that damage in
      one event stays there.
    doc-ref:
      - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L626
      - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L518
    params:
      - id: ofs_event
        type: s8
        doc: Offset of this event in the file or stream, in bytes.
      - id: format_index
        type: s4
        doc: |
          Index in `_root.events` of the format description that governs this event; -1 for the
          first event, which is one.
      - id: table_map_index
        type: s4
        doc: |
          Index in `_root.events` of the newest table map of the open statement; -1 if there is
          none. -2 after the START_ENCRYPTION of MariaDB: the event is encrypted.
    seq:
      - id: timestamp
        -orig-id: when
        type: u4
        if: table_map_index > -2
        doc: |
          When the statement began, in seconds since 1970-01-01 UTC; not when it was committed. 0 in
          artificial events of a replication stream. As text in `frame.time`.
      - id: event_type
        -orig-id: type_code
        type: u1
        enum: event_type
        if: table_map_index > -2
        valid:
          # Not `expr`, which the compiler cannot translate for Nim.
          any-of:
            - '(format_index < 0) ? event_type::format_description : event_type'
            - event_type::start_v3
        doc: |
          What the event is. The first event of a file is its format description. As a number in
          `frame.type_code`.
      - id: server_id
        type: u4
        if: table_map_index > -2
        doc: The server on which the change was first made.
      - id: encrypted_start
        size: 9
        type: encrypted_start
        if: table_map_index == -2
        doc: Replaces the fields above. Only the length of an encrypted event can be read.
      - id: len_event
        -orig-id: data_written
        type: u4
        doc: |
          Bytes of the whole event, header and checksum included. The only safe way to the next
          event.
      - id: end_log_pos
        -orig-id: log_pos
        type: u4
        if: table_map_index > -2 and _root.len_header > 13
        doc: |
          Offset of the byte after this event in the file of the server that wrote it, modulo 2^32;
          in binlog version 3 the offset of the event itself, or of its transaction. 0 in artificial
          events, inside compressed transactions, and inside the event groups of MariaDB 11.4
          and later; in a relay log it refers to the source's file. No reader should steer by it.
      - id: flags
        type: u2
        if: table_map_index > -2 and _root.len_header > 13
        doc: Bits; see `frame.flag_bits`.
      - id: data
        size: >-
          (len_event >= _io.pos - ofs_event and len_event <= _io.size - ofs_event)
          ? len_event - (_io.pos - ofs_event) : _io.size - _io.pos
        doc: |
          The rest of the event as bytes: what `body` and `frame.checksum` are parsed from. The rest
          of the file if that ends inside the event, or if the length is damaged.
      - id: cut_header
        size-eos: true
        if: _io.size - _io.pos < _root.len_header and not _io.eof
        doc: The start of a header that the end of the file cuts; see `trailing`.
    instances:
      body:
        pos: ofs_event + frame.len_header
        size: frame.len_body
        type:
          switch-on: frame.body_type
          cases:
            # The integers are those of the enum `event_type`: Python compares integers twice as
            # fast. 256 is no type's code.
            1: format_description_event
            2: query_event(false, false)
            3: stop_event
            4: rotate_event
            5: intvar_event
            6: load_event
            7: slave_event
            8: load_event
            9: load_block_event
            10: load_end_event
            11: load_end_event
            12: load_event
            13: rand_event
            14: user_var_event
            15: format_description_event
            16: xid_event
            17: load_block_event
            18: query_event(true, false)
            19: table_map_event
            20: rows_event(0)
            21: rows_event(1)
            22: rows_event(2)
            23: rows_event(4)
            24: rows_event(5)
            25: rows_event(6)
            26: incident_event
            27: heartbeat_event
            28: ignorable_event
            29: rows_query_event
            30: rows_event(8)
            31: rows_event(9)
            32: rows_event(10)
            33: gtid_event
            34: gtid_event
            35: previous_gtids_event
            36: transaction_context_event
            37: view_change_event
            38: xa_prepare_event
            39: rows_event(11)
            40: transaction_payload_event
            41: heartbeat_v2_event
            42: gtid_tagged_event
            160: annotate_rows_event
            161: binlog_checkpoint_event
            162: mariadb_gtid_event
            163: gtid_list_event
            164: start_encryption_event
            165: query_event(false, true)
            166: rows_event(20)
            167: rows_event(21)
            168: rows_event(22)
            169: rows_event(24)
            170: rows_event(25)
            171: rows_event(26)
            172: partial_row_data_event
            256: encrypted_event
        doc: |
          Post-header and body. Its size follows from the header alone, so that a field which a
          newer server appends can never shift the next event. The body of a type that has no case
          here stays raw, and so does one that the end of the file cuts.
      frame:
        pos: ofs_event + 4
        type: event_frame
        doc: The time as text, the flags bit by bit, the checksum, and how the event is laid out.
  event_frame:
    -webide-representation: '{time.text}'
    doc: What follows from the header of an event and from the format description.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L518
    seq:
      - id: type_code
        type: u1
        if: _parent.table_map_index > -2
        doc: The code of the type as logged.
    instances:
      time:
        -webide-parse-mode: eager
        pos: 0
        type: utc_time(_parent.timestamp.as<u4>)
        if: not is_encrypted
        doc: The timestamp as a date and a time, in UTC.
      extra:
        pos: _parent.ofs_event + 19
        size: len_header - 19
        if: len_header > 19
        doc: The rest of a header that is longer than others; see `len_header`.
      flag_bits:
        pos: _parent.ofs_event + 17
        type: event_flags
        if: not is_encrypted and len_header > 13
      checksum:
        pos: _parent.ofs_event + _parent.len_event - 4
        type: u4
        if: len_checksum != 0
        doc: |
          CRC32 (IEEE 802.3, as in zlib) of all bytes of the event before it, the header included.
        doc-ref: https://dev.mysql.com/doc/refman/8.4/en/replication-options-binary-log.html#sysvar_binlog_checksum
      event_type:
        value: '(body_type != 0) ? body_type : type_code.as<s4>'
        enum: event_type
        if: not is_encrypted
        doc: |
          What the type is; another than the code says in logs of the development trees of
          `has_old_type_codes`.
      is_encrypted:
        value: _parent.table_map_index == -2
        doc: |
          By MariaDB, which says so in the event after the format description. Only `len_event` can
          be read then; the checksum, too, is encrypted.
      is_truncated:
        value: >-
          (_parent.len_event.as<s8>
          > _parent.data.size.as<s8> + ((_parent.table_map_index == -2) ? 13 : _root.len_header)
          or _parent.len_event < len_header).as<bool>
        doc: |
          The file ends inside this event, or its length is damaged; `body` is then the rest of
          the file.
      len_header:
        value: >-
          ((_parent.table_map_index == -2) ? 13 : ((type_code == 15) ? 19 : ((_parent.format_index <
          0) ? _root.len_header : ((type_code == 4) ?
          _root.events[_parent.format_index].body.as<format_description_event>.len_own_header :
          _root.events[_parent.format_index].body.as<format_description_event>.len_header)))).as<s4>
        doc: |
          In bytes. Format descriptions and ROTATE have 19, whatever the others have, since they are
          read before that is known; and 13 in MySQL 3.23, whose first event is shorter than any
          later one. The logs of one fork, the Google patches of MySQL 5.1, have more than 19. Of an
          encrypted event, up to the byte after its length.
      len_checksum:
        value: >-
          ((body_type <= 1 or body_type == 256 or type_code == 15) ? 0 :
          _root.events[_parent.format_index].body.as<format_description_event>.len_checksum).as<s4>
        doc: In bytes. A format description keeps its checksum inside its own body.
      len_body:
        value: >-
          ((not is_truncated) ? _parent.len_event.as<s8> - len_header - len_checksum
          : ((((is_encrypted) ? 13 : _root.len_header) + _parent.data.size.as<s8> > len_header)
          ? ((is_encrypted) ? 13 : _root.len_header) + _parent.data.size.as<s8> - len_header
          : 0)).as<s8>
        doc: In bytes; of a truncated event, what is left of it.
      body_type:
        value: >-
          ((is_truncated) ? 0 : ((_parent.table_map_index == -2) ? 256 : ((type_code <= 22 and
          type_code >= 16 and
          _root.events[_parent.format_index].body.as<format_description_event>.has_old_type_codes) ?
          ((type_code == 16) ? 19 : ((type_code == 20) ? 16 : ((type_code >= 21) ? type_code - 4 :
          type_code + 3))) : type_code.as<s4>))).as<s4>
        doc: |
          Code of the type whose layout the body has; 0 if the layout is unknown, 256 if it is
          encrypted. The types 16 to 22 mean others in the development trees of
          `has_old_type_codes`.
  encrypted_start:
    -webide-representation: 'ENCRYPTED'
    doc: Encrypted; see `encrypted_event`.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event_server.cc#L831
    seq:
      - id: bytes
        size-eos: true
  encrypted_event:
    -webide-representation: '{ciphertext:hex}'
    doc: |
      An event that MariaDB has encrypted: the bytes before and behind its length, which is clear.
      To decrypt it, replace the length by the first four bytes of the event, and decrypt
      from the fifth byte on, by AES in the mode that the server was configured with. The
      initialisation vector is the nonce of START_ENCRYPTION, and the offset of the event in four
      bytes. Then the timestamp stands where the length was.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event_server.cc#L847
    seq:
      - id: ciphertext
        size-eos: true
        doc: From the byte behind the length to the end of the event.
    instances:
      start:
        value: _parent.encrypted_start.bytes
        doc: The ciphertext before the length.
      ofs_event:
        value: _parent.ofs_event
        doc: Offset of the event, the last part of the initialisation vector.
      len_event:
        value: _parent.len_event
        doc: Bytes of the whole event.

  event_flags:
    doc: The flags of an event header.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L440
    seq:
      - id: is_in_use
        -orig-id: LOG_EVENT_BINLOG_IN_USE_F
        type: b1le
        doc: |
          Only in a format description: the file is open for writing, or its server crashed. The
          server clears it on close and leaves the checksum, which is that of the event without the
          flag.
      - id: is_forced_rotate
        -orig-id: LOG_EVENT_FORCED_ROTATE_F
        type: b1le
        doc: MySQL 4.x set it in ROTATE; without a use since.
      - id: is_thread_specific
        -orig-id: LOG_EVENT_THREAD_SPECIFIC_F
        type: b1le
        doc: The statement depends on its connection, for example on a temporary table.
      - id: is_use_suppressed
        -orig-id: LOG_EVENT_SUPPRESS_USE_F
        type: b1le
        doc: The statement does not depend on the default database.
      - id: is_table_map_version_updated
        -orig-id: LOG_EVENT_UPDATE_TABLE_MAP_VERSION_F
        type: b1le
        doc: In rows events of version 0; without a use since.
      - id: is_artificial
        -orig-id: LOG_EVENT_ARTIFICIAL_F
        type: b1le
        doc: Generated for a stream or a relay log; not in any log of the source.
      - id: is_relay_log
        -orig-id: LOG_EVENT_RELAY_LOG_F
        type: b1le
        doc: A replica wrote this event into its relay log; it is not from the source.
      - id: is_ignorable
        -orig-id: LOG_EVENT_IGNORABLE_F
        type: b1le
        doc: A reader that does not know this type may skip it.
      - id: is_no_filter
        -orig-id: LOG_EVENT_NO_FILTER_F
        type: b1le
        doc: Replication filters do not apply.
      - id: is_mts_isolated
        -orig-id: LOG_EVENT_MTS_ISOLATE_F
        type: b1le
        doc: A parallel replica runs no other transaction at the same time.
      - id: reserved
        type: b4le
      - id: is_own_accepted
        -orig-id: LOG_EVENT_ACCEPT_OWN_F
        type: b1le
        doc: |
          MariaDB: a semi-synchronous replica accepts the event although it carries the replica's
          own server id.
      - id: is_replication_skipped
        -orig-id: LOG_EVENT_SKIP_REPLICATION_F
        type: b1le
        doc: "MariaDB: written under `@@skip_replication = 1`."

  # Opening and closing of a file

  format_description_event:
    -webide-representation: 'v{binlog_version:dec} {server_version:str}'
    doc: |
      Says who wrote the file and how long the parts of its events are. It replaces an earlier one
      for all events after it (relay logs have several) and releases all table maps. MySQL 5.0 and
      later; files of older servers begin with START_EVENT_V3, which has the first three fields
      only.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L182
    seq:
      - id: binlog_version
        type: u2
        valid:
          min: 1
          max: 4
        doc: |
          1 of MySQL 3.23, 3 of 4.0.2 to 4.1, 4 of 5.0 and later. 2 is in files of 4.0.0 and 4.0.1
          only.
      - id: server_version
        -orig-id: server_version
        size: 50
        terminator: 0
        doc: As `SELECT VERSION()` gives it, such as `8.4.3` or `11.8.2-MariaDB-log`.
      - id: created
        type: u4
        doc: |
          Seconds since 1970-01-01 UTC at which the server started; 0 if the file was begun by a
          rotation.
      - id: len_common_header
        -orig-id: common_header_len
        type: u1
        if: not is_start_v3
        valid:
          min: 19
        doc: In bytes; 19 except in one fork.
      - id: post_header_lengths
        -orig-id: post_header_len
        size: len_post_header_lengths
        if: not is_start_v3
        doc: |
          One byte for each event type from 1 on, the length of its post-header in bytes. Wrong by
          mistake of the servers for TRANSACTION_PAYLOAD, and without meaning for MySQL's types 33
          to 41 in files of MariaDB.
      - id: checksum_algorithm
        type: u1
        enum: checksum_algorithm
        if: has_checksum_algorithm
        valid:
          in-enum: true
        doc: Of all other events of the file.
      - id: checksum
        type: u4
        if: has_checksum_algorithm
        doc: CRC32 of this event. Written even where the other events have no checksum.
    instances:
      is_start_v3:
        -orig-id: START_EVENT_V3
        value: _parent.event_type == event_type::start_v3
        doc: It has no table of post-header lengths.
      len_own_header:
        value: _parent.frame.len_header
      len_header:
        value: '(is_start_v3) ? len_own_header : len_common_header.as<s4>'
        doc: Bytes of the header of each other event.
      len_own_post_header:
        pos: 71
        type: u1
        valid:
          min: 72
        if: not is_start_v3
        doc: |
          The entry of this very event type (15) in `post_header_lengths`: 57 bytes of fixed fields
          and one byte for each type. All servers write it right.
      has_old_type_codes:
        value: '(len_post_header_lengths >= 16) ? post_header_lengths[15] != 0 : false'
        doc: |
          Development trees of MySQL 5.1 and 5.2 gave the types 16 to 22 to TABLE_MAP, three rows
          events, XID and two of LOAD DATA, in this order. There type 16 has a post-header;
          everywhere else it is XID, which has none.
      has_status_vars:
        value: '(len_post_header_lengths >= 2) ? post_header_lengths[1] >= 13 : false'
        doc: |
          The post-header of QUERY has 13 bytes, the last two of them `len_status_vars`; 11 before
          MySQL 5.0.
      len_table_id:
        value: >-
          (((len_post_header_lengths >= 19)
          ? post_header_lengths[(has_old_type_codes) ? 15 : 18] == 6 : false) ? 4 : 6).as<s4>
        doc: |
          Bytes of a table id in table maps and rows events. 4 before MySQL 5.1.4, where the
          post-header of a table map has 6.
      ofs_rows_flags:
        value: len_header - 19 + len_table_id
        doc: Offset of the flags of a rows event in `event.data`.
      len_post_header_lengths:
        value: '(is_start_v3) ? 0 : len_own_post_header.as<s4> - 57'
        doc: One for each type known to the server that wrote the file; 0 if it does not say.
      has_checksum_algorithm:
        value: not is_start_v3 and _io.size >= 57 + len_post_header_lengths + 5
        doc: |
          The server knows of checksums: MySQL 5.6.1, MariaDB 5.3 and later. Servers decide this by
          the version text; the length of the event says the same, and holds for forks and test
          builds as well.
      len_checksum:
        value: >-
          (has_checksum_algorithm and checksum_algorithm == checksum_algorithm::crc32) ? 4 : 0
        doc: Bytes of checksum at the end of each other event.
      is_mariadb:
        value: len_post_header_lengths >= 160
        doc: |
          MariaDB 5.3 and later number their own events from 160 on; no other server lists as many
          types.

  rotate_event:
    -webide-representation: '{next_log_file:str}:{position:dec}'
    doc: |
      The log goes on in another file. With `is_artificial` set it names the file of the events that
      follow.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L75
    seq:
      - id: position
        type: u8
        if: _root.len_header > 13
        doc: Offset of the first event there, normally 4. Not in MySQL 3.23.
      - id: next_log_file
        -orig-id: new_log_ident
        size-eos: true
        doc: Name of the file, without a folder.

  stop_event:
    doc: The server was shut down.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L373

  previous_gtids_event:
    -webide-representation: '{num_sources:dec} sources'
    doc: The GTIDs of all earlier files, as a set. MySQL 5.6 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_gtid_set.cc#L1237
    seq:
      - id: format_low
        type: u1
        doc: Low byte of the number of sources in the first form; otherwise 1.
      - id: num_sources_low
        type: u4
        doc: Part of the number of sources, see `num_sources`.
      - id: num_sources_high
        type: u2
        doc: Part of the number of sources, see `num_sources`.
      - id: format
        type: u1
        doc: |
          0 in the first form, in which the seven bytes before are the number of sources. 1 if the
          set has tags (MySQL 8.3 and later): the first byte is then 1 too, and the six bytes
          between are the number.
      - id: sources
        type: gtid_source
        repeat: expr
        repeat-expr: num_sources.as<s4>
        if: format <= 1
        doc: Sorted by UUID, then by tag.
      - id: unknown
        size-eos: true
        if: format > 1
        doc: A set in a form that no server writes yet.
    instances:
      is_tagged:
        value: format == 1
        doc: Sources may have tags.
      num_sources:
        value: >-
          ((is_tagged) ? num_sources_low.as<u8> + num_sources_high.as<u8> * 4294967296 :
          format_low.as<u8> + num_sources_low.as<u8> * 256 + num_sources_high.as<u8> *
          1099511627776).as<u8>
        doc: Number of `sources`.
  gtid_source:
    -webide-representation: '{source_uuid:uuid} {intervals}'
    doc: All GTIDs of one server and one tag.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_gtid_set.cc#L1285
    seq:
      - id: source_uuid
        -orig-id: sid
        size: 16
        doc: UUID of the server, in the order of its text.
      - id: tag
        type: vlint_str
        if: _parent.is_tagged
        doc: Lower-case letters, digits and underscores; empty for none.
      - id: num_intervals
        type: u8
        doc: Number of `intervals`.
      - id: intervals
        type: gno_interval
        repeat: expr
        repeat-expr: num_intervals.as<s4>
        doc: Ranges of numbers of transactions, in ascending order.
  gno_interval:
    -webide-representation: '{start:dec}-{last:dec}'
    doc: Numbers of transactions that follow each other.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_gtid_set.cc#L1332
    seq:
      - id: start
        type: s8
        doc: The first number.
      - id: end_gno
        type: s8
        doc: The number after the last one.
    instances:
      last:
        value: end_gno - 1
        doc: The last number.

  gtid_list_event:
    -webide-representation: '{gtids}'
    doc: The last GTID of each domain and server in all earlier files. MariaDB 10.0.2 and later.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3794
    seq:
      - id: count_and_flags
        type: u4
        doc: Number of GTIDs in the low 28 bits, flags in the high four.
      - id: gtids
        type: mariadb_gtid
        repeat: expr
        repeat-expr: num_gtids
        doc: One for each domain and server.
      - id: padding
        size-eos: true
        doc: Two zero bytes if the list is empty.
    instances:
      num_gtids:
        value: count_and_flags & 0x0fffffff
        doc: Number of `gtids`.
      is_until_reached:
        -orig-id: FLAG_UNTIL_REACHED
        value: (count_and_flags & 0x10000000) != 0
        doc: Only in streams.
      is_ignorable_gtids:
        -orig-id: FLAG_IGN_GTIDS
        value: (count_and_flags & 0x20000000) != 0
        doc: Only in streams.
  mariadb_gtid:
    -webide-representation: '{domain_id:dec}-{server_id:dec}-{seq_no:dec}'
    doc: A GTID of MariaDB.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3794
    seq:
      - id: domain_id
        type: u4
        doc: Replication domain, `gtid_domain_id`.
      - id: server_id
        type: u4
        doc: The server on which the transaction was first committed.
      - id: seq_no
        type: u8
        doc: Number of the transaction in its domain.

  binlog_checkpoint_event:
    -webide-representation: '{log_file:str}'
    doc: Recovery from a crash has to begin in this file. MariaDB 10.0 and later.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3573
    seq:
      - id: len_log_file
        type: u4
        doc: In bytes.
      - id: log_file
        -orig-id: binlog_file_name
        size: len_log_file
        doc: Name of the file, without a folder.

  start_encryption_event:
    -webide-representation: 'key version {key_version:dec}'
    doc: |
      Every event after this one is encrypted, each on its own. MariaDB 10.1.7 and later. Neither
      the key nor the cipher's mode is in the file. (MySQL encrypts the whole file, its magic
      included.)
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L2763
    seq:
      - id: scheme
        -orig-id: crypto_scheme
        type: u1
        doc: 1, the only one.
      - id: key_version
        type: u4
        doc: Version of the encryption plugin's key with the number 1.
      - id: nonce
        size: 12
        doc: With the offset of an event after it, the initialisation vector of that event.

  partial_row_data_event:
    -webide-representation: '{first_number:dec}, {second_number:dec}'
    doc: |
      A part of a rows event that is too large for one event. MariaDB 12.3 and later. The parts
      follow each other, and together are the rows event with its header. Public descriptions give
      the first two fields in different orders: in the first part, the number of the part is 1, and
      that of all parts is 2 or more.
    doc-ref: https://mariadb.com/docs/server/reference/clientserver-protocol/replication-protocol/partial_row_data_event the manual; the source of 12.3 was not read
    seq:
      - id: first_number
        type: u4
        doc: Number of this part, from 1, or number of all parts.
      - id: second_number
        type: u4
        doc: The other of the two.
      - id: flags
        type: u1
        doc: Bit 0, that the length follows, is set in the first part alone.
      - id: len_rows_event
        type: u8
        if: flags & 1 != 0
        doc: Bytes of the whole rows event, its header included.
      - id: part
        size-eos: true
        doc: The next bytes of the rows event.

  # Opening and closing of a transaction

  gtid_event:
    -webide-representation: '{source_uuid:uuid}:{gno:dec}'
    doc: |
      Opens a transaction of MySQL and names it. ANONYMOUS_GTID has the same layout with zeros in
      place of the name. Fields were appended from version to version; each is there if bytes are
      left for it.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L940
    seq:
      - id: flags
        type: u1
        doc: Bits; bit 0 has an instance of its own below.
      - id: source_uuid
        -orig-id: sid
        size: 16
        doc: |
          UUID of the server on which the transaction was first committed, in the order of its text.
      - id: gno
        type: s8
        doc: Number of the transaction on that server, from 1; 0 in ANONYMOUS_GTID.
      - id: logical_timestamp_type
        -orig-id: lt_type
        type: u1
        if: _io.size > 25
        doc: 2 from MySQL 5.7.6 on.
      - id: last_committed
        type: s8
        if: has_logical_timestamps
        doc: Sequence number of the newest transaction that this one has to wait for.
      - id: sequence_number
        type: s8
        if: has_logical_timestamps
        doc: Number of this transaction in its file, from 1.
      - id: details
        size-eos: true
        doc: Times, length and versions, which are parsed on demand.
    instances:
      may_have_statements:
        -webide-parse-mode: lazy
        -orig-id: FLAG_MAY_HAVE_SBR
        value: (flags & 1) != 0
        doc: The transaction may hold changes that were logged as statements.
      has_logical_timestamps:
        value: '(_io.size > 25) ? (logical_timestamp_type == 2) : false'
        doc: The numbers for parallel replicas are logged.
      has_commit_timestamps:
        -webide-parse-mode: lazy
        value: has_logical_timestamps and details.size >= 7
        doc: The times of the commit are logged.
      immediate_commit_timestamp:
        pos: 42
        type: commit_timestamp
        if: has_commit_timestamps
        doc: Commit on the server that wrote this log. MySQL 8.0.1 and later.
      original_commit_timestamp:
        pos: 49
        type: commit_timestamp
        if: has_commit_timestamps and immediate_commit_timestamp.is_followed
        doc: Commit on the server of `source_uuid`; absent if it is the same.
      len_timestamps:
        -webide-parse-mode: lazy
        value: '(has_commit_timestamps) ? ((immediate_commit_timestamp.is_followed) ? 14 : 7) : 0'
        doc: In bytes.
      transaction_length:
        pos: 42 + len_timestamps
        type: packed_int
        if: has_commit_timestamps and details.size > len_timestamps
        doc: |
          Bytes of the whole transaction in this file, this event included. MySQL 8.0.2 and later.
      len_before_versions:
        -webide-parse-mode: lazy
        value: >-
          (has_commit_timestamps and details.size > len_timestamps) ? len_timestamps +
          transaction_length.len : details.size.as<s4>
        doc: In bytes.
      immediate_server_version:
        pos: 42 + len_before_versions
        type: commit_server_version
        if: has_logical_timestamps and details.size > len_before_versions
        doc: Version of the server that wrote this log. MySQL 8.0.14 and later.
      original_server_version:
        pos: 46 + len_before_versions
        type: commit_server_version
        if: >-
          (has_logical_timestamps and details.size > len_before_versions)
          ? immediate_server_version.is_followed : false
        doc: Version of the server of `source_uuid`; absent if it is the same.
      len_before_ticket:
        -webide-parse-mode: lazy
        value: >-
          (has_logical_timestamps and details.size > len_before_versions) ?
          len_before_versions + ((immediate_server_version.is_followed) ? 8 : 4) :
          details.size.as<s4>
        doc: In bytes.
      commit_group_ticket:
        pos: 42 + len_before_ticket
        type: u8
        if: details.size > len_before_ticket
        doc: Group Replication only. MySQL 8.0.27 and later.
  commit_timestamp:
    -webide-representation: '{micros:dec}'
    doc: Seven bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L988
    seq:
      - id: low
        type: u4
      - id: middle
        type: u2
      - id: high
        type: u1
    instances:
      is_followed:
        value: high >= 0x80
        doc: A second timestamp follows, since the two differ.
      micros:
        value: >-
          (low.as<u8> + middle.as<u8> * 0x100000000 + (high & 0x7f).as<u8> * 0x1000000000000).as<u8>
        doc: Microseconds since 1970-01-01 UTC.
  commit_server_version:
    -webide-representation: '{version:dec}'
    doc: The version of a server.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1003
    seq:
      - id: raw
        type: u4
    instances:
      is_followed:
        value: raw >= 0x80000000
        doc: A second version follows, since the two differ.
      version:
        value: (raw & 0x7fffffff).as<u4>
        doc: As a number, such as 80036 for 8.0.36; 999999 if unknown.

  gtid_tagged_event:
    -webide-representation: 'message {len_message}'
    doc: |
      Opens a transaction whose GTID has a tag. MySQL 8.3 and later. Its fields are numbered; those
      that are not needed are left out, and all integers are of variable length.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1107
    seq:
      - id: version
        type: vlint
        doc: Of the serialisation; 1.
      - id: len_message
        type: vlint
        doc: Bytes of the message, from `version` on.
      - id: last_non_ignorable_field
        type: vlint
        doc: |
          Number of the last field that a reader must know, plus one; 0 if it may ignore all of
          them.
      - id: fields
        type: gtid_field
        repeat: eos
        doc: In ascending order of their numbers.
  gtid_field:
    -webide-representation: '{name} {value}'
    doc: A field of the message, with its number before it.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L113
    seq:
      - id: id
        type: vlint
        doc: Number of the field; see `gtid_field_name`.
      - id: value
        type:
          switch-on: name
          cases:
            gtid_field_name::source_uuid: vlint_uuid
            gtid_field_name::tag: vlint_str
            gtid_field_name::flags: vlint
            gtid_field_name::gno: vlint
            gtid_field_name::last_committed: vlint
            gtid_field_name::sequence_number: vlint
            gtid_field_name::immediate_commit_timestamp: vlint
            gtid_field_name::original_commit_timestamp: vlint
            gtid_field_name::transaction_length: vlint
            gtid_field_name::immediate_server_version: vlint
            gtid_field_name::original_server_version: vlint
            gtid_field_name::commit_group_ticket: vlint
            _: raw_bytes
        doc: A field that is unknown has no length; the rest of the message then stays raw.
    instances:
      name:
        value: id.value.as<s4>
        enum: gtid_field_name
  vlint_uuid:
    doc: A UUID, each of its bytes as an integer of its own.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L185
    seq:
      - id: bytes
        type: vlint
        repeat: expr
        repeat-expr: 16

  mariadb_gtid_event:
    -webide-representation: '{domain_id:dec}-{_parent.server_id:dec}-{seq_no:dec}'
    doc: |
      Opens a transaction of MariaDB 10.0.2 and later, instead of a `BEGIN`. The text of the
      GTID is domain, server and sequence number; the server is that of the event header.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3614
    seq:
      - id: seq_no
        type: u8
        doc: Number of the transaction in its domain.
      - id: domain_id
        type: u4
        doc: Replication domain, `gtid_domain_id`.
      - id: flags
        -orig-id: flags2
        type: u1
        doc: Bits; each has an instance of its own below.
      - id: commit_id
        type: u8
        if: has_commit_id
        doc: The same in all transactions of one group commit.
      - id: xid
        type: xa_id
        if: is_prepared_xa or is_completed_xa
        doc: Name of the distributed transaction that is prepared or completed.
      - id: flags_extra
        type: u1
        if: not _io.eof
        doc: |
          Bits; 1 several engines, 2 begin, 4 commit and 8 rollback of an ALTER TABLE in two steps,
          16 thread id.
      - id: num_extra_engines
        -orig-id: extra_engines
        type: u1
        if: has_flags_extra and (flags_extra & 0x01) != 0
        doc: Storage engines that take part, less one.
      - id: start_alter_seq_no
        -orig-id: sa_seq_no
        type: u8
        if: has_flags_extra and (flags_extra & 0x0c) != 0
        doc: |
          Sequence number of the event that began the ALTER TABLE which this one commits or rolls
          back.
      - id: thread_id
        type: u4
        if: has_flags_extra and (flags_extra & 0x10) != 0
        doc: MariaDB 11.5 and later.
      - id: padding
        size-eos: true
        doc: Zeros.
    instances:
      is_standalone:
        -orig-id: FL_STANDALONE
        value: (flags & 0x01) != 0
        doc: One event follows, and no COMMIT or XID.
      has_commit_id:
        -orig-id: FL_GROUP_COMMIT_ID
        value: (flags & 0x02) != 0
        doc: The transaction was committed in a group.
      is_transactional:
        -orig-id: FL_TRANSACTIONAL
        value: (flags & 0x04) != 0
        doc: All changes can be rolled back.
      allows_parallel:
        -orig-id: FL_ALLOW_PARALLEL
        value: (flags & 0x08) != 0
        doc: The session ran without `skip_parallel_replication`.
      was_waiting:
        -orig-id: FL_WAITED
        value: (flags & 0x10) != 0
        doc: A wait for a lock was seen as it ran.
      is_ddl:
        -orig-id: FL_DDL
        value: (flags & 0x20) != 0
        doc: It is a DDL statement.
      is_prepared_xa:
        -orig-id: FL_PREPARED_XA
        value: (flags & 0x40) != 0
        doc: It is the prepared part of a distributed transaction.
      is_completed_xa:
        -orig-id: FL_COMPLETED_XA
        value: (flags & 0x80) != 0
        doc: It is the end of a distributed transaction.
      has_flags_extra:
        value: >-
          _io.size > 13 + ((has_commit_id) ? 8 : 0) + ((is_prepared_xa or is_completed_xa) ? 6 +
          xid.len_gtrid + xid.len_bqual : 0)
        doc: More flags follow.
  xa_id:
    doc: Name of a distributed transaction.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.cc#L2687
    seq:
      - id: format_id
        type: s4
        doc: As the client gave it.
      - id: len_gtrid
        type: u1
        doc: In bytes.
      - id: len_bqual
        type: u1
        doc: In bytes.
      - id: gtrid
        size: len_gtrid
        doc: Global transaction identifier.
      - id: bqual
        size: len_bqual
        doc: Branch qualifier.

  query_event:
    -webide-representation: '[{database_name:str}] {text}'
    doc: |
      A statement as text: DDL, the `BEGIN` and `COMMIT` around a transaction, and in
      statement-based logging every change.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L57
    params:
      - id: is_load
        type: bool
        doc: EXECUTE_LOAD_QUERY; the statement is a LOAD DATA.
      - id: is_compressed
        type: bool
        doc: QUERY_COMPRESSED of MariaDB.
    seq:
      - id: thread_id
        -orig-id: slave_proxy_id
        type: u4
        doc: The connection that ran the statement.
      - id: exec_time
        type: u4
        doc: Run time in seconds.
      - id: len_database_name
        -orig-id: db_len
        type: u1
        doc: In bytes.
      - id: error_code
        type: u2
        doc: |
          The error that the statement ended with on its server, and that a replica must meet too; 0
          for none.
      - id: len_status_vars
        type: u2
        if: has_status_vars
        doc: In bytes.
      - id: file_id
        type: u4
        if: is_load
        doc: The file of the statement, which came in BEGIN_LOAD_QUERY and APPEND_BLOCK events.
      - id: ofs_file_name
        -orig-id: fn_pos_start
        type: u4
        if: is_load
        doc: Offset in the statement, in bytes, at which a replica puts in the name of its own file.
      - id: ofs_file_name_end
        -orig-id: fn_pos_end
        type: u4
        if: is_load
        doc: Offset in the statement of the byte after the part that is replaced.
      - id: duplicate_handling
        -orig-id: dup_handling
        type: u1
        enum: duplicate_handling
        if: is_load
        doc: What becomes of rows whose key is there already.
      - id: status_vars
        size: len_status_vars.as<s4>
        if: has_status_vars
        doc: |
          See `session`, which is parsed on demand, so that a reader of events does not pay for it.
      - id: database_name
        -orig-id: db
        size: len_database_name
        doc: The default database, in UTF-8 (3 bytes at most).
      - id: database_name_end
        type: u1
        valid: 0
        doc: The terminator.
      - id: query
        size-eos: true
        if: not is_compressed
        doc: |
          In the character set of the client (see `query_charset`), without a terminator. It may
          hold any bytes, since it contains binary values as they are; so its type is not a string.
      - id: compressed_query
        size-eos: true
        type: compressed_record
        if: is_compressed
        doc: MariaDB, under `log_bin_compress`.
    instances:
      has_status_vars:
        value: _root.events[_parent.format_index].body.as<format_description_event>.has_status_vars
        doc: Servers before MySQL 5.0 log no `status_vars`.
      text:
        value: >-
          (is_compressed) ? "(compressed)"
          : ((not has_status_vars) ? query.to_s("windows-1252")
          : ((session.is_utf8) ? query.to_s("UTF-8") : query.to_s("windows-1252")))
        doc: |
          The statement for people: as UTF-8 if that is the client's character set, otherwise as
          latin1, whatever it is. Some languages refuse it if it contains binary values.
      session:
        pos: '(is_load) ? 26 : 13'
        size: len_status_vars.as<s4>
        type: status_vars
        if: has_status_vars
        doc: The state of the session that the statement depends on.
  status_vars:
    doc: The state of the session that a statement depends on.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L124
    seq:
      - id: vars
        type: 'status_var((_index == 0) ? 0 : vars[_index - 1].next_client_collation)'
        repeat: eos
        doc: In the order in which the server writes them.
    instances:
      client_collation:
        value: '(vars.size > 0) ? vars.last.next_client_collation : 0'
        doc: Id of the collation of the client's character set; 0 if it is not logged.
      is_utf8:
        value: >-
          client_collation == 0 or client.is_utf8
      client:
        pos: 0
        type: character_set(client_collation)
        doc: Of the character set of the client.
  status_var:
    -webide-representation: '{key} {value}'
    doc: |
      A part of the session's state that the statement depends on. The values have no length: the
      part after an unknown key stays raw.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L157
    params:
      - id: client_collation
        type: s4
        doc: Id of the collation of the client's character set, if it came before; otherwise 0.
    seq:
      - id: key
        type: u1
        enum: status_var_key
        doc: Which part of the state it is; see `status_var_key`.
      - id: value
        type:
          switch-on: key
          cases:
            status_var_key::flags2: query_flags2
            status_var_key::sql_mode: query_sql_mode
            status_var_key::catalog: query_catalog_z
            status_var_key::auto_increment: query_auto_increment
            status_var_key::charset: query_charset
            status_var_key::time_zone: query_text
            status_var_key::catalog_nz: query_text
            status_var_key::lc_time_names: query_u2
            status_var_key::charset_database: query_u2
            status_var_key::table_map_for_update: query_u8
            status_var_key::master_data_written: query_u4
            status_var_key::invoker: query_invoker
            status_var_key::updated_db_names: query_updated_db_names
            status_var_key::microseconds: query_u3
            status_var_key::explicit_defaults_for_timestamp: query_u1
            status_var_key::ddl_logged_with_xid: query_u8
            status_var_key::default_collation_for_utf8mb4: query_u2
            status_var_key::sql_require_primary_key: query_u1
            status_var_key::default_table_encryption: query_u1
            status_var_key::enable_cascade_triggers: query_u1
            status_var_key::hrnow: query_u3
            status_var_key::xid: query_u8
            status_var_key::gtid_flags3: query_gtid_flags3
            status_var_key::character_set_collations: query_character_set_collations
            _: raw_bytes
    instances:
      next_client_collation:
        value: >-
          ((key == status_var_key::charset) ? value.as<query_charset>.character_set_client.as<s4> :
          client_collation).as<s4>
  query_flags2:
    -webide-representation: '{bits:hex}'
    doc: Options of the session.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L170
    seq:
      - id: flag_bits
        size: 4
        type: session_flags
    instances:
      bits:
        value: flag_bits.value
        doc: The same as one integer.
  session_flags:
    doc: Options of the session. The other bits are not logged.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql/query_options.h#L69
    seq:
      - id: reserved
        type: b14le
      - id: is_auto_is_null
        -orig-id: OPTION_AUTO_IS_NULL
        type: b1le
        doc: "`sql_auto_is_null`: `WHERE id IS NULL` finds the row that was inserted last."
      - id: reserved2
        type: b4le
      - id: is_not_autocommit
        -orig-id: OPTION_NOT_AUTOCOMMIT
        type: b1le
        doc: '`autocommit = 0`.'
      - id: reserved3
        type: b4le
      - id: is_explicit_timestamp
        -orig-id: OPTION_EXPLICIT_DEF_TIMESTAMP
        type: b1le
        doc: "MariaDB: `explicit_defaults_for_timestamp`."
      - id: reserved4
        type: b1le
      - id: is_no_foreign_key_checks
        -orig-id: OPTION_NO_FOREIGN_KEY_CHECKS
        type: b1le
        doc: '`foreign_key_checks = 0`.'
      - id: is_relaxed_unique_checks
        -orig-id: OPTION_RELAXED_UNIQUE_CHECKS
        type: b1le
        doc: '`unique_checks = 0`.'
      - id: is_if_exists
        -orig-id: OPTION_IF_EXISTS
        type: b1le
        doc: "MariaDB: `sql_if_exists`; DDL behaves as with IF EXISTS."
      - id: reserved5
        type: b1le
      - id: is_insert_history
        -orig-id: OPTION_INSERT_HISTORY
        type: b1le
        doc: "MariaDB: `system_versioning_insert_history`."
      - id: reserved6
        type: b1le
    instances:
      value:
        pos: 0
        type: u4
        doc: All bits as one integer.
  query_sql_mode:
    -webide-representation: '{sql_mode:hex}'
    doc: The SQL mode.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L191
    seq:
      - id: modes
        size: 8
        type: sql_modes
        doc: The modes, each by its name.
    instances:
      sql_mode:
        value: modes.value
        doc: The same as one integer; 0x45a00020 is the default of MySQL 8.
  sql_modes:
    doc: |
      One bit for each mode of `sql_mode`. The header comment of the server lists MODE_ANSI to
      MODE_HIGH_NOT_PRECEDENCE one bit too high.
    doc-ref:
      - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/system_variables.h#L129
      - https://mariadb.com/kb/en/sql-mode/
    seq:
      - id: is_real_as_float
        -orig-id: MODE_REAL_AS_FLOAT
        type: b1le
        doc: REAL means FLOAT, not DOUBLE.
      - id: is_pipes_as_concat
        -orig-id: MODE_PIPES_AS_CONCAT
        type: b1le
        doc: '`||` concatenates texts.'
      - id: is_ansi_quotes
        -orig-id: MODE_ANSI_QUOTES
        type: b1le
        doc: Double quotes enclose names, not texts.
      - id: is_ignore_space
        -orig-id: MODE_IGNORE_SPACE
        type: b1le
        doc: Spaces are allowed between the name of a function and its parenthesis.
      - id: is_ignore_bad_table_options
        -orig-id: MODE_IGNORE_BAD_TABLE_OPTIONS
        type: b1le
        doc: "MariaDB: table options that the engine does not know are allowed."
      - id: is_only_full_group_by
        -orig-id: MODE_ONLY_FULL_GROUP_BY
        type: b1le
        doc: Columns that are not grouped are refused.
      - id: is_no_unsigned_subtraction
        -orig-id: MODE_NO_UNSIGNED_SUBTRACTION
        type: b1le
        doc: A difference of unsigned integers is signed.
      - id: is_no_dir_in_create
        -orig-id: MODE_NO_DIR_IN_CREATE
        type: b1le
        doc: DATA DIRECTORY and INDEX DIRECTORY are ignored.
      - id: is_postgresql
        -orig-id: MODE_POSTGRESQL
        type: b1le
        doc: Combination for PostgreSQL; not in MySQL 8.
      - id: is_oracle
        -orig-id: MODE_ORACLE
        type: b1le
        doc: Combination for Oracle; not in MySQL 8. In MariaDB also the PL/SQL dialect.
      - id: is_mssql
        -orig-id: MODE_MSSQL
        type: b1le
        doc: Combination for SQL Server; not in MySQL 8.
      - id: is_db2
        -orig-id: MODE_DB2
        type: b1le
        doc: Combination for DB2; not in MySQL 8.
      - id: is_maxdb
        -orig-id: MODE_MAXDB
        type: b1le
        doc: Combination for MaxDB; not in MySQL 8.
      - id: is_no_key_options
        -orig-id: MODE_NO_KEY_OPTIONS
        type: b1le
        doc: SHOW CREATE TABLE omits options of keys; not in MySQL 8.
      - id: is_no_table_options
        -orig-id: MODE_NO_TABLE_OPTIONS
        type: b1le
        doc: SHOW CREATE TABLE omits options of the table; not in MySQL 8.
      - id: is_no_field_options
        -orig-id: MODE_NO_FIELD_OPTIONS
        type: b1le
        doc: SHOW CREATE TABLE omits options of columns; not in MySQL 8.
      - id: is_mysql323
        -orig-id: MODE_MYSQL323
        type: b1le
        doc: Combination for MySQL 3.23; not in MySQL 8.
      - id: is_mysql40
        -orig-id: MODE_MYSQL40
        type: b1le
        doc: Combination for MySQL 4.0; not in MySQL 8.
      - id: is_ansi
        -orig-id: MODE_ANSI
        type: b1le
        doc: Combination for standard SQL.
      - id: is_no_auto_value_on_zero
        -orig-id: MODE_NO_AUTO_VALUE_ON_ZERO
        type: b1le
        doc: 0 in an AUTO_INCREMENT column is stored as it is.
      - id: is_no_backslash_escapes
        -orig-id: MODE_NO_BACKSLASH_ESCAPES
        type: b1le
        doc: A backslash in a text is an ordinary character.
      - id: is_strict_trans_tables
        -orig-id: MODE_STRICT_TRANS_TABLES
        type: b1le
        doc: Invalid values are errors in transactional tables.
      - id: is_strict_all_tables
        -orig-id: MODE_STRICT_ALL_TABLES
        type: b1le
        doc: Invalid values are errors in all tables.
      - id: is_no_zero_in_date
        -orig-id: MODE_NO_ZERO_IN_DATE
        type: b1le
        doc: Dates with month 0 or day 0 are refused.
      - id: is_no_zero_date
        -orig-id: MODE_NO_ZERO_DATE
        type: b1le
        doc: The date 0000-00-00 is refused.
      - id: is_invalid_dates
        -orig-id: MODE_INVALID_DATES
        type: b1le
        doc: ALLOW_INVALID_DATES; each month may have 31 days.
      - id: is_error_for_division_by_zero
        -orig-id: MODE_ERROR_FOR_DIVISION_BY_ZERO
        type: b1le
        doc: Division by zero is an error in strict mode.
      - id: is_traditional
        -orig-id: MODE_TRADITIONAL
        type: b1le
        doc: Combination of the strict modes.
      - id: is_no_auto_create_user
        -orig-id: MODE_NO_AUTO_CREATE_USER
        type: b1le
        doc: GRANT creates no account without a password; not in MySQL 8.
      - id: is_high_not_precedence
        -orig-id: MODE_HIGH_NOT_PRECEDENCE
        type: b1le
        doc: NOT binds more tightly than BETWEEN.
      - id: is_no_engine_substitution
        -orig-id: MODE_NO_ENGINE_SUBSTITUTION
        type: b1le
        doc: CREATE TABLE fails if the engine is not available.
      - id: is_pad_char_to_full_length
        -orig-id: MODE_PAD_CHAR_TO_FULL_LENGTH
        type: b1le
        doc: CHAR values are read with their trailing spaces.
      - id: mode_32
        -orig-id: [MODE_TIME_TRUNCATE_FRACTIONAL, MODE_EMPTY_STRING_IS_NULL]
        type: b1le
        doc: In MySQL fractions of seconds are cut, not rounded. In MariaDB an empty text is NULL.
      - id: mode_33
        -orig-id: [MODE_INTERPRET_UTF8_AS_UTF8MB4, MODE_SIMULTANEOUS_ASSIGNMENT]
        type: b1le
        doc: |
          In MySQL `utf8` means utf8mb4. In MariaDB the assignments of an UPDATE see the old values.
      - id: is_time_round_fractional
        -orig-id: MODE_TIME_ROUND_FRACTIONAL
        type: b1le
        doc: "MariaDB: fractions of seconds are rounded, not cut."
      - id: reserved
        type: b29le
    instances:
      value:
        pos: 0
        type: u8
        doc: All bits as one integer.
  query_catalog_z:
    doc: MySQL 5.0.0 to 5.0.3.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L437
    seq:
      - id: len_text
        type: u1
      - id: text
        size: len_text
      - id: text_end
        contents: [0]
  query_auto_increment:
    -webide-representation: '{increment:dec} from {offset:dec}'
    doc: How AUTO_INCREMENT values are made.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L245
    seq:
      - id: increment
        type: u2
        doc: '`auto_increment_increment`.'
      - id: offset
        type: u2
        doc: '`auto_increment_offset`.'
  query_charset:
    -webide-representation: '{character_set_client:dec} {collation_connection:dec} {collation_server:dec}'
    doc: Collation ids.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L259
    seq:
      - id: character_set_client
        type: u2
        doc: Gives the character set of the statement's text.
      - id: collation_connection
        type: u2
        doc: Of literals in the statement.
      - id: collation_server
        type: u2
        doc: Of the server.
  query_text:
    -webide-representation: '{text}'
    doc: A text with its length before it.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L230
    seq:
      - id: len_bytes
        type: u1
      - id: bytes
        size: len_bytes
    instances:
      text:
        value: bytes.to_s("UTF-8")
  query_invoker:
    -webide-representation: '{user.text}@{host.text}'
    doc: The account under whose rights a stored program ran.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L371
    seq:
      - id: user
        type: query_text
        doc: Name of the account.
      - id: host
        type: query_text
        doc: Host of the account.
  query_updated_db_names:
    -webide-representation: '{names}'
    doc: The databases that a statement changes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L388
    seq:
      - id: num_names
        type: u1
        doc: Number of `names`, or 254.
      - id: names
        type: query_name
        repeat: expr
        repeat-expr: num_names
        if: num_names != 254
        doc: |
          The databases that the statement changes. 254 means too many to name, and no names follow.
  query_name:
    -webide-representation: '{text}'
    doc: A name with a terminator.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L388
    seq:
      - id: bytes
        terminator: 0
    instances:
      text:
        value: bytes.to_s("UTF-8")
  query_gtid_flags3:
    doc: MariaDB.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L334
    seq:
      - id: flags_extra
        type: u1
        doc: As in the GTID event of MariaDB.
      - id: start_alter_seq_no
        -orig-id: sa_seq_no
        type: u8
        if: (flags_extra & 0x0c) != 0
        doc: As in the GTID event of MariaDB.
  query_character_set_collations:
    doc: MariaDB 11.3 and later.
    doc-ref: https://github.com/MariaDB/server/blob/46cfe8c2ab7e77228dadb3974bc7e3446f3f7f7d/sql/charset_collations.h#L203
    seq:
      - id: num_items
        type: u1
        doc: Number of `items`.
      - id: items
        type: query_character_set_collation
        repeat: expr
        repeat-expr: num_items
  query_character_set_collation:
    -webide-representation: '{character_set:dec} {collation:dec}'
    doc: A character set and the collation that is its default in the session.
    doc-ref: https://github.com/MariaDB/server/blob/46cfe8c2ab7e77228dadb3974bc7e3446f3f7f7d/sql/charset_collations.h#L203
    seq:
      - id: character_set
        type: u2
        doc: Id of the default collation of the character set.
      - id: collation
        type: u2
        doc: Id of the collation that is taken for it instead.
  query_u1:
    -webide-representation: '{value:dec}'
    doc: An integer of one byte.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L397
    seq:
      - id: value
        type: u1
  query_u2:
    -webide-representation: '{value:dec}'
    doc: An integer of two bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L302
    seq:
      - id: value
        type: u2
  query_u3:
    -webide-representation: '{value:dec}'
    doc: An integer of three bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L497
    seq:
      - id: value
        type: b24le
  query_u4:
    -webide-representation: '{value:dec}'
    doc: An integer of four bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L356
    seq:
      - id: value
        type: u4
  query_u8:
    -webide-representation: '{value:dec}'
    doc: An integer of eight bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L340
    seq:
      - id: value
        type: u8

  xid_event:
    -webide-representation: '{xid:dec}'
    doc: Commits a transaction.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L501
    seq:
      - id: xid
        type: u8
        doc: Number of the transaction in the storage engine. No part of a GTID.

  xa_prepare_event:
    -webide-representation: '{xid}'
    doc: |
      Ends the prepared part of a distributed transaction, which another one commits or rolls back
      later. MySQL 5.7.7, MariaDB 10.5 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L553
    seq:
      - id: is_one_phase
        -orig-id: one_phase
        type: u1
        doc: 1 for XA COMMIT ... ONE PHASE, which commits at once.
      - id: xid
        type: xa_prepare_id
        doc: Name of the distributed transaction.
  xa_prepare_id:
    -webide-representation: '{gtrid:str},{bqual:str},{format_id:dec}'
    doc: Name of a distributed transaction.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L596
    seq:
      - id: format_id
        type: s4
        doc: -1 for none.
      - id: len_gtrid
        type: u4
        valid:
          max: 64
        doc: In bytes.
      - id: len_bqual
        type: u4
        valid:
          max: 64
        doc: In bytes.
      - id: gtrid
        size: len_gtrid
        doc: Global transaction identifier.
      - id: bqual
        size: len_bqual
        doc: Branch qualifier.

  transaction_payload_event:
    -webide-representation: '{fields}'
    doc: |
      A whole transaction except its GTID, compressed: its events, one after the other, each with a
      header of 19 bytes and without checksum. MySQL 8.0.20 and later, under
      `binlog_transaction_compression`. The format description announces a post-header for it that
      is not there.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L735
    seq:
      - id: fields
        type: payload_field
        repeat: until
        repeat-until: _.is_end
        doc: In any order; the last one is the end mark.
      - id: payload
        size-eos: true
        doc: A stream of zstd, of one or more frames.
  payload_field:
    -webide-representation: '{field_type} {value}'
    doc: A field of the header of a compressed transaction.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L764
    seq:
      - id: field_type_code
        type: packed_int
        doc: See `payload_field_type`.
      - id: len_value
        type: packed_int
        if: not is_end
        doc: In bytes.
      - id: value
        size: len_value.value
        type: packed_int
        if: not is_end
        doc: Sizes in bytes; the compression as one of the enum `payload_compression`.
    instances:
      is_end:
        value: field_type_code.value == 0
      field_type:
        value: field_type_code.value.as<s4>
        enum: payload_field_type
        doc: What the field is.

  # Statements and what they depend on

  intvar_event:
    -webide-representation: '{variable} = {value:dec}'
    doc: |
      A number that the next statement takes for LAST_INSERT_ID() or for its first AUTO_INCREMENT
      value.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L890
    seq:
      - id: variable
        -orig-id: type
        type: u1
        enum: intvar
        doc: What the number is for.
      - id: value
        -orig-id: val
        type: u8
        doc: The number.

  rand_event:
    -webide-representation: '{seed1:dec} {seed2:dec}'
    doc: Seeds of RAND() for the next statement. MySQL 4.1.1 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L1006
    seq:
      - id: seed1
        type: u8
        doc: First seed.
      - id: seed2
        type: u8
        doc: Second seed.

  user_var_event:
    -webide-representation: '@{name:str} = {value}'
    doc: Value of a user variable for the next statement. MySQL 4.1 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
    seq:
      - id: len_name
        type: u4
        doc: In bytes.
      - id: name
        size: len_name
        doc: In UTF-8, without the `@`.
      - id: is_null
        type: u1
        doc: 1 for NULL, which has no further fields.
      - id: value_type
        -orig-id: type
        type: u1
        enum: user_var_type
        if: is_null == 0
        doc: How the value is written.
      - id: collation
        -orig-id: charset_number
        type: u4
        if: is_null == 0
        doc: Id of the collation; of text that of its character set.
      - id: len_value
        type: u4
        if: is_null == 0
        doc: In bytes.
      - id: value
        size: len_value.as<s4>
        if: is_null == 0
        type:
          switch-on: value_type
          cases:
            user_var_type::string: user_var_string
            user_var_type::real: double_value
            user_var_type::int: signed_longlong
            user_var_type::decimal: user_var_decimal
            _: raw_bytes
        doc: In a form that depends on its type.
      - id: attributes
        size-eos: true
        if: is_null == 0
        doc: |
          MySQL 5.6 and later: one byte, 1 if an integer is unsigned; one of 2^63 or more shows as
          negative here. MariaDB: a list of 0 (signed), 1 (unsigned), or 2 with the name of a type,
          its length before it.
    instances:
      is_unsigned:
        -orig-id: UNSIGNED_F
        value: '(is_null == 0 and attributes.size > 0) ? attributes[0] == 1 : false'
  user_var_string:
    -webide-representation: '{value:str}'
    doc: A user variable that is text.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
    seq:
      - id: value
        size-eos: true
        doc: In the character set of the collation.
  user_var_decimal:
    -webide-representation: '{value}'
    doc: A user variable that is a DECIMAL.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
    seq:
      - id: precision
        type: u1
        doc: Number of digits.
      - id: scale
        type: u1
        valid:
          max: precision
        doc: Number of digits after the point.
      - id: value
        type: decimal_value(precision, scale)
        doc: As a column of this precision and scale has it.

  load_event:
    -webide-representation: '{database_name:str}.{table_name:str} from {file_name:str}{created_file_name:str}'
    doc: |
      A LOAD DATA of old servers, taken apart: LOAD of MySQL 3.23, NEW_LOAD of 4.0 to 5.0.2, and
      CREATE_FILE, which brings the first part of the file along.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L345
    seq:
      - id: thread_id
        -orig-id: slave_proxy_id
        type: u4
        doc: The connection that ran the statement.
      - id: exec_time
        type: u4
        doc: Run time in seconds.
      - id: num_skipped_lines
        -orig-id: skip_lines
        type: u4
        doc: Lines at the start of the file that are left out.
      - id: len_table_name
        type: u1
        doc: In bytes.
      - id: len_database_name
        type: u1
        doc: In bytes.
      - id: num_field_names
        type: u4
        doc: Columns that the statement lists.
      - id: file_id
        type: u4
        if: is_create_file
        doc: Number of the file, by which later events name it.
      - id: old_format
        type: load_format_old
        if: _parent.event_type == event_type::load
        doc: In LOAD.
      - id: format
        type: load_format
        if: _parent.event_type != event_type::load
        doc: In NEW_LOAD and CREATE_FILE.
      - id: len_field_names
        type: u1
        repeat: expr
        repeat-expr: num_field_names.as<s4>
        doc: In bytes, without the terminators.
      - id: field_names
        type: load_field_name(len_field_names[_index])
        repeat: expr
        repeat-expr: num_field_names
        doc: Columns that the statement lists.
      - id: table_name
        size: len_table_name
        doc: The table that is loaded.
      - id: table_name_end
        type: u1
        valid: 0
        doc: The terminator.
      - id: database_name
        size: len_database_name
        doc: Its database.
      - id: database_name_end
        type: u1
        valid: 0
        doc: The terminator.
      - id: file_name
        size-eos: true
        if: not is_create_file
        doc: Of the file that the client named.
      - id: created_file_name
        terminator: 0
        if: is_create_file
        doc: The same.
      - id: block
        size-eos: true
        if: is_create_file
        doc: The first bytes of the file.
    instances:
      is_create_file:
        -orig-id: CREATE_FILE_EVENT
        value: _parent.event_type == event_type::create_file
        doc: The first part of the file is in the event.
  load_field_name:
    -webide-representation: '{name:str}'
    doc: The name of a column, with a terminator.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L468
    params:
      - id: len_name
        type: u1
    seq:
      - id: name
        size: len_name
      - id: name_end
        contents: [0]
  load_format_old:
    doc: How the file is written. MySQL 3.23.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L448
    seq:
      - id: field_terminator
        -orig-id: field_term
        size: 1
        doc: FIELDS TERMINATED BY.
      - id: field_enclosure
        -orig-id: enclosed
        size: 1
        doc: FIELDS ENCLOSED BY.
      - id: line_terminator
        -orig-id: line_term
        size: 1
        doc: LINES TERMINATED BY.
      - id: line_start
        size: 1
        doc: LINES STARTING BY.
      - id: escape
        -orig-id: escaped
        size: 1
        doc: FIELDS ESCAPED BY.
      - id: options
        -orig-id: opt_flags
        type: u1
        doc: As in `load_format`.
      - id: empty_flags
        type: u1
        doc: A bit for each of the five before, in their order from 1 on; set if it is empty.
  load_format:
    doc: How the file is written. MySQL 4.0 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L439
    seq:
      - id: field_terminator
        -orig-id: field_term
        type: short_bytes
        doc: FIELDS TERMINATED BY.
      - id: field_enclosure
        -orig-id: enclosed
        type: short_bytes
        doc: FIELDS ENCLOSED BY.
      - id: line_terminator
        -orig-id: line_term
        type: short_bytes
        doc: LINES TERMINATED BY.
      - id: line_start
        type: short_bytes
        doc: LINES STARTING BY.
      - id: escape
        -orig-id: escaped
        type: short_bytes
        doc: FIELDS ESCAPED BY.
      - id: options
        -orig-id: opt_flags
        type: u1
        doc: Bits; each has an instance of its own below.
    instances:
      is_dumpfile:
        -orig-id: DUMPFILE_FLAG
        value: (options & 0x01) != 0
        doc: SELECT ... INTO DUMPFILE.
      is_optionally_enclosed:
        -orig-id: OPT_ENCLOSED_FLAG
        value: (options & 0x02) != 0
        doc: FIELDS OPTIONALLY ENCLOSED BY.
      is_replace:
        -orig-id: REPLACE_FLAG
        value: (options & 0x04) != 0
        doc: 'REPLACE: rows whose key is there already take their place.'
      is_ignore:
        -orig-id: IGNORE_FLAG
        value: (options & 0x08) != 0
        doc: 'IGNORE: rows whose key is there already are left out.'
  load_block_event:
    -webide-representation: 'file {file_id:dec}'
    doc: |
      Bytes of the file of a LOAD DATA: the first ones in BEGIN_LOAD_QUERY (MySQL 5.0.3 and later),
      further ones in APPEND_BLOCK.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L894
    seq:
      - id: file_id
        type: u4
        doc: Number of the file.
      - id: block
        size-eos: true
        doc: Bytes of the file.
  load_end_event:
    -webide-representation: 'file {file_id:dec}'
    doc: |
      The file of a LOAD DATA is complete, and the statement runs (EXEC_LOAD, MySQL 4.0 to 5.0.2);
      or it is thrown away, since the statement failed (DELETE_FILE).
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L818
    seq:
      - id: file_id
        type: u4
        doc: Number of the file.

  # Statements and their tables

  rows_query_event:
    -webide-representation: '{text}'
    doc: The statement that made the rows which follow, for people. MySQL 5.6 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L1149
    seq:
      - id: len_query
        type: u1
        doc: Without meaning, since one byte cannot hold the length.
      - id: query
        size-eos: true
        doc: In the character set of the client, mostly UTF-8.
    instances:
      text:
        value: query.to_s("UTF-8")
        doc: The statement for people.
  annotate_rows_event:
    -webide-representation: '{text}'
    doc: The statement that made the rows which follow, for people. MariaDB 5.3 and later.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L4254
    seq:
      - id: query
        size-eos: true
        doc: In the character set of the client, mostly UTF-8; without a terminator.
    instances:
      text:
        value: query.to_s("UTF-8")
        doc: The statement for people.

  table_map_event:
    -webide-representation: '{database}.{table}'
    doc: |
      Gives a number to a table and the types of its columns. The rows events of the same statement
      refer to it. A table gets a new number when its definition changes; after a restart, a number
      can belong to another table.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L75
    seq:
      - id: head
        type: table_map_head
        doc: The number, the flags and the name of the table.
      - id: num_columns
        -orig-id: colcnt
        type: packed_int
        doc: From 1 to 4096. Virtual and invisible columns count.
      - id: column_types
        -orig-id: coltype
        size: num_columns.value
        doc: Codes of the enum `column_type`, one byte for each column.
      - id: details
        size-eos: true
        doc: |
          Metadata of the columns, which is parsed on demand, so that a reader of events does not
          pay for it. Missing in MySQL 5.1.17 and older.
    instances:
      database:
        value: head.database_name.to_s("UTF-8")
        doc: Name of the database.
      table:
        value: head.table_name.to_s("UTF-8")
        doc: Name of the table.
      table_id:
        -webide-parse-mode: lazy
        value: >-
          ((_root.events[_parent.format_index].body.as<format_description_event>.len_table_id == 6)
          ? head.table_id_low.as<u8> + head.table_id_high.as<u8> * 4294967296 :
          head.table_id_low.as<u8>).as<u8>
        doc: The number by which rows events name the table.
      nullable_bitmap:
        -orig-id: null_bits
        pos: layout.ofs_nullable_bitmap
        size: (num_columns.value + 7) / 8
        if: layout.has_column_metadata
        doc: One bit for each column, from the lowest bit of the first byte on; 1 if it may be NULL.
      columns:
        pos: layout.ofs_details + layout.len_column_metadata.len
        type: column(_index)
        repeat: expr
        repeat-expr: column_layouts.size
        if: layout.has_column_metadata
        doc: The columns of the table, in its order.
      column_layouts:
        -orig-id: field_metadata
        pos: layout.ofs_details + layout.len_column_metadata.len
        type: >-
          column_layout(_index, column_types[_index],
          (_index == 0) ? 0 : column_layouts[_index - 1].next_numeric_index,
          (_index == 0) ? 0 : column_layouts[_index - 1].next_character_index,
          (_index == 0) ? 0 : column_layouts[_index - 1].next_enum_index,
          (_index == 0) ? 0 : column_layouts[_index - 1].next_set_index)
        repeat: expr
        repeat-expr: num_columns.value
        if: layout.has_column_metadata
        doc: |
          How `columns` are worked out: the metadata of each, and its place in the optional fields.
          Rows are read by these, since a column that is shown is a step further.
      optional_fields:
        pos: >-
          (layout.has_column_metadata) ? layout.ofs_nullable_bitmap + nullable_bitmap.size :
          _io.size
        type: >-
          optional_metadata_field(_index,
          (_index == 0) ? -1 : optional_fields[_index - 1].next_signedness_index,
          (_index == 0) ? -1 : optional_fields[_index - 1].next_default_charset_index,
          (_index == 0) ? -1 : optional_fields[_index - 1].next_column_charset_index,
          (_index == 0) ? -1 : optional_fields[_index - 1].next_column_names_index,
          (_index == 0) ? -1 : optional_fields[_index - 1].next_enum_members_index,
          (_index == 0) ? -1 : optional_fields[_index - 1].next_set_members_index)
        repeat: eos
        doc: |
          A list of fields in any order. Bits of their bitmaps go from the highest bit of the first
          byte on. MySQL 8.0.1, MariaDB 10.5 and later. What is there depends on
          `binlog_row_metadata`: MINIMAL or FULL in MySQL; NO_LOG (the default: nothing), MINIMAL or
          FULL in MariaDB.
      layout:
        pos: 0
        type: table_map_layout
        doc: Offsets of the metadata of the columns, and which optional fields there are.
  table_map_head:
    -webide-representation: '{database_name:str}.{table_name:str}'
    doc: The first fields of a table map.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L80
    seq:
      - id: table_id_low
        type: u4
        doc: Low 32 bits of the table id.
      - id: table_id_high
        type: u2
        if: >-
          _root.events[_parent._parent.format_index].body.as<format_description_event>.len_table_id
          == 6
        doc: Its high 16 bits.
      - id: flags
        type: u2
        doc: Bits; see `flag_bits`.
      - id: len_database_name
        type: u1
        doc: In bytes; a packed integer, which for a name has always one byte.
      - id: database_name
        -orig-id: dbnam
        size: len_database_name
        doc: In UTF-8 (3 bytes at most); see `table_map_event.database`.
      - id: database_name_end
        type: u1
        valid: 0
        doc: The terminator.
      - id: len_table_name
        type: u1
        doc: In bytes.
      - id: table_name
        -orig-id: tblnam
        size: len_table_name
        doc: In UTF-8 (3 bytes at most); see `table_map_event.table`.
      - id: table_name_end
        type: u1
        valid: 0
        doc: The terminator.
    instances:
      flag_bits:
        pos: >-
          _root.events[_parent._parent.format_index].body.as<format_description_event>.len_table_id
        type: table_map_flags
  table_map_layout:
    doc: Offsets of the metadata of the columns, and which optional fields there are.
    instances:
      has_column_metadata:
        value: _parent.details.size > 0
        doc: The table map has metadata of its columns, not only their types.
      ofs_details:
        value: (_io.size - _parent.details.size).as<s4>
        doc: Offset of `details` in the body.
      len_column_metadata:
        pos: ofs_details
        type: packed_int
        if: has_column_metadata
      ofs_nullable_bitmap:
        value: >-
          (((has_column_metadata) ? len_column_metadata.value <= _parent.details.size : false)
          ? ofs_details + len_column_metadata.len + len_column_metadata.value : _io.size).as<s4>
        doc: Offset of `nullable_bitmap` in the body.
      signedness_index:
        value: >-
          (_parent.optional_fields.size > 0) ?
          _parent.optional_fields.last.next_signedness_index : -1
        doc: |
          Index of that field in `optional_fields`; -1 if it is not logged. The same holds for the
          next five.
      default_charset_index:
        value: >-
          (_parent.optional_fields.size > 0) ?
          _parent.optional_fields.last.next_default_charset_index : -1
        doc: As `signedness_index`, of DEFAULT_CHARSET.
      column_charset_index:
        value: >-
          (_parent.optional_fields.size > 0) ?
          _parent.optional_fields.last.next_column_charset_index : -1
        doc: As `signedness_index`, of COLUMN_CHARSET.
      column_names_index:
        value: >-
          (_parent.optional_fields.size > 0) ?
          _parent.optional_fields.last.next_column_names_index : -1
        doc: As `signedness_index`, of COLUMN_NAME.
      enum_members_index:
        value: >-
          (_parent.optional_fields.size > 0) ?
          _parent.optional_fields.last.next_enum_members_index : -1
        doc: As `signedness_index`, of ENUM_STR_VALUE.
      set_members_index:
        value: >-
          (_parent.optional_fields.size > 0) ?
          _parent.optional_fields.last.next_set_members_index : -1
        doc: As `signedness_index`, of SET_STR_VALUE.
  table_map_flags:
    doc: The flags of a table map.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L4901
    seq:
      - id: is_bit_len_exact
        -orig-id: TM_BIT_LEN_EXACT_F
        type: b1le
        doc: BIT columns take (bits + 7) / 8 bytes; set since MySQL 5.1.
      - id: is_referred_fk_db
        -orig-id: TM_REFERRED_FK_DB_F
        type: b1le
        doc: |
          Through a foreign key the statement may change a table in any database, so a parallel
          replica runs it alone. MySQL 5.6 and later.
      - id: has_generated_invisible_primary_key
        -orig-id: TM_GENERATED_INVISIBLE_PK_F
        type: b1le
        doc: The first column is `my_row_id`, which the server added. MySQL 8.0.30 and later.
      - id: reserved
        type: b11le
      - id: has_triggers
        -orig-id: TM_BIT_HAS_TRIGGERS_F
        type: b1le
        doc: "MariaDB: the table has triggers."
      - id: reserved2
        type: b1le
  column:
    -webide-representation: '{name} {column_type}'
    doc: A column of a table.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L196
    params:
      - id: column_index
        type: s4
        doc: From 0.
    seq:
      - id: metadata
        size: _parent.column_layouts[column_index].len_metadata
        doc: As bytes; see `column_layout.metadata`.
    instances:
      wire_type:
        value: _parent.column_layouts[column_index].wire_type_code
        enum: column_type
        doc: The type as logged; ENUM and SET are logged as STRING.
      type_code:
        value: _parent.column_layouts[column_index].type_code
        doc: What the column really is, as a number.
      column_type:
        value: type_code
        enum: column_type
        doc: What the column really is.
      max_length:
        value: _parent.column_layouts[column_index].max_length
        doc: |
          For STRING the greatest length in bytes (ENUM and SET: bytes of a value), otherwise the
          metadata as logged.
      name:
        value: _parent.column_layouts[column_index].name
        doc: |
          As logged under `binlog_row_metadata=FULL`, otherwise `@` and the number of the column
          from 1.
      has_signedness:
        value: _parent.column_layouts[column_index].has_signedness
        doc: |
          Without it (MySQL before 8.0.1, MariaDB by default) the sign of an integer is unknown, and
          shown as signed.
      is_unsigned:
        value: _parent.column_layouts[column_index].is_unsigned
      is_character:
        value: _parent.column_layouts[column_index].is_character
        doc: Has an entry in the lists of character sets.
      collation:
        value: _parent.column_layouts[column_index].collation
        doc: |
          Id of the collation, which gives the character set; 63 is binary; 0 if it is not logged.
      is_utf8:
        value: _parent.column_layouts[column_index].is_utf8
  column_layout:
    -webide-representation: '{name} {column_type}'
    doc: How a column of a table is worked out from its metadata and the optional fields.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L196
    params:
      - id: column_index
        type: s4
        doc: From 0.
      - id: wire_type_code
        type: u1
        doc: The type code as logged; ENUM and SET are logged as STRING.
      - id: numeric_index
        type: s4
        doc: Number of numeric columns before this one.
      - id: character_index
        type: s4
        doc: Number of columns with a character set before this one, ENUM and SET not counted.
      - id: enum_index
        type: s4
        doc: Number of ENUM columns before this one.
      - id: set_index
        type: s4
        doc: Number of SET columns before this one.
    seq:
      - id: metadata
        if: has_metadata
        type:
          switch-on: wire_type
          cases:
            column_type::float: u1
            column_type::double: u1
            column_type::varchar: u2
            column_type::bit: u2
            column_type::timestamp2: u1
            column_type::datetime2: u1
            column_type::time2: u1
            column_type::blob_compressed: u1
            column_type::varchar_compressed: u2
            column_type::vector: u1
            column_type::json: u1
            column_type::newdecimal: u2
            column_type::enum: u2be
            column_type::set: u2be
            column_type::tiny_blob: u1
            column_type::medium_blob: u1
            column_type::long_blob: u1
            column_type::blob: u1
            column_type::var_string: u2be
            column_type::string: u2be
            column_type::geometry: u1
        doc: |
          FLOAT, DOUBLE: bytes of a value. VARCHAR: greatest length in bytes. BIT: 256 times the
          whole bytes, plus the bits beyond them. TIMESTAMP2, DATETIME2, TIME2: digits of the
          fraction. BLOB, JSON, GEOMETRY, VECTOR: bytes of the length before each value. NEWDECIMAL:
          precision, plus 256 times the scale. STRING: high byte first, see `max_length`.
    instances:
      wire_type:
        value: wire_type_code
        enum: column_type
        doc: The type as logged.
      has_metadata:
        value: >-
          wire_type_code == 4 or wire_type_code == 5 or (wire_type_code >= 15 and wire_type_code <=
          19) or wire_type_code == 140 or wire_type_code == 141 or wire_type_code == 242 or
          wire_type_code >= 245
        doc: Columns of this type have metadata.
      len_metadata:
        value: >-
          ((not has_metadata) ? 0 : (wire_type_code == 15 or wire_type_code == 16 or wire_type_code
          == 141 or (wire_type_code >= 246 and wire_type_code <= 248) or wire_type_code == 253 or
          wire_type_code == 254) ? 2 : 1).as<s4>
        doc: In bytes.
      has_string_metadata:
        value: wire_type == column_type::string or wire_type == column_type::var_string
        doc: The metadata also has the real type.
      metadata_high:
        value: '(has_string_metadata) ? metadata.as<s4> / 256 : 0'
        doc: The high byte of the metadata.
      type_code:
        value: >-
          ((has_string_metadata) ? (((metadata_high & 0x30) == 0x30) ? metadata_high :
          (metadata_high | 0x30)) : wire_type_code).as<s4>
        doc: |
          What the column really is: 247 ENUM, 248 SET or 254 CHAR for STRING. A CHAR of more than
          255 bytes takes two bits of the type byte for its length, inverted.
      column_type:
        value: type_code
        enum: column_type
        doc: What the column really is.
      max_length:
        value: >-
          ((not has_metadata) ? 0 : (has_string_metadata) ? (metadata.as<s4> % 256 + ((type_code ==
          247 or type_code == 248) ? 0 : (0x30 - (metadata_high & 0x30)) * 16)) :
          metadata.as<s4>).as<s4>
        doc: |
          For STRING the greatest length in bytes (ENUM and SET: bytes of a value), otherwise the
          metadata as logged.
      is_numeric:
        value: >-
          (wire_type_code >= 1 and wire_type_code <= 5) or wire_type_code == 8 or wire_type_code ==
          9 or wire_type_code == 246 or wire_type_code == 0 or (wire_type_code == 13 and
          _root.events[_parent._parent.format_index].body.as<format_description_event>.len_post_header_lengths
          >= 40)
        doc: |
          Has a bit in SIGNEDNESS. BIT does not. YEAR has none in MySQL 8.0.15, and one, which is
          set, in MySQL 8.0.31 and MariaDB 10.5; TRANSACTION_PAYLOAD, type 40, came in between.
      is_character:
        value: >-
          type_code == 15 or type_code == 253 or type_code == 254 or (type_code >= 249 and type_code
          <= 252) or type_code == 140 or type_code == 141 or type_code == 242 or (type_code == 255
          and
          _root.events[_parent._parent.format_index].body.as<format_description_event>.is_mariadb)
        doc: |
          Has an entry in the lists of character sets. BLOB and BINARY count, with the collation
          `binary` (63); JSON does not, and GEOMETRY does in MariaDB alone.
      next_numeric_index:
        value: '(is_numeric) ? numeric_index + 1 : numeric_index'
      next_character_index:
        value: '(is_character) ? character_index + 1 : character_index'
      next_enum_index:
        value: '(type_code == 247) ? enum_index + 1 : enum_index'
      next_set_index:
        value: '(type_code == 248) ? set_index + 1 : set_index'
      members_index:
        value: >-
          ((type_code == 247) ? _parent.layout.enum_members_index : ((type_code == 248) ?
          _parent.layout.set_members_index : -1)).as<s4>
        doc: |
          Index in `optional_fields` of the members of this ENUM or SET; -1 if they are not logged,
          or for other types.
      member_list_index:
        value: '(type_code == 247) ? enum_index : set_index'
        doc: Index of its members there.
      has_signedness:
        value: is_numeric and _parent.layout.signedness_index >= 0
        doc: |
          Without it (MySQL before 8.0.1, MariaDB by default) the sign of an integer is unknown, and
          shown as signed.
      is_unsigned:
        value: >-
          (has_signedness and numeric_index / 8 <
          _parent.optional_fields[_parent.layout.signedness_index].data.as<raw_bytes>.bytes.size) ?
          ((_parent.optional_fields[_parent.layout.signedness_index].data.as<raw_bytes>.bytes[numeric_index
          / 8] >> (7 - numeric_index % 8)) & 1) != 0 : false
      name:
        value: >-
          (_parent.layout.column_names_index >= 0 and column_index <
          _parent.optional_fields[_parent.layout.column_names_index].data.as<packed_strs>.items.size)
          ?
          _parent.optional_fields[_parent.layout.column_names_index].data.as<packed_strs>.items[column_index].text
          : "@" + (column_index + 1).to_s
        doc: |
          As logged under `binlog_row_metadata=FULL`, otherwise `@` and the number of the column
          from 1.
      collation:
        value: >-
          ((not is_character) ? 0 : ((_parent.layout.column_charset_index >= 0 and character_index <
          _parent.optional_fields[_parent.layout.column_charset_index].data.as<packed_ints>.items.size)
          ?
          _parent.optional_fields[_parent.layout.column_charset_index].data.as<packed_ints>.items[character_index].value.as<s4>
          : ((_parent.layout.default_charset_index >= 0) ? ((charset_probes.size > 0) ?
          charset_probes.last.collation : 0) : 0))).as<s4>
        doc: |
          Id of the collation, which gives the character set; 63 is binary; 0 if it is not logged.
      is_utf8:
        value: character_set.is_utf8
      character_set:
        pos: 0
        type: character_set(collation)
        doc: The character set of the collation.
      charset_probes:
        pos: 0
        type: >-
          charset_probe(_index, _parent.layout.default_charset_index, character_index)
        repeat: until
        repeat-until: _.is_done
        if: is_character and _parent.layout.default_charset_index >= 0
        doc: The search for this column in the exceptions from the default character set.
  charset_probe:
    doc: One step of the search for a column in the exceptions from the default character set.
    params:
      - id: exception_index
        type: s4
        doc: Of the exception to look at, from 0.
      - id: field_index
        type: s4
        doc: Index of DEFAULT_CHARSET in `optional_fields`.
      - id: character_index
        type: s4
        doc: Number of columns with a character set before the wanted one.
    instances:
      is_last:
        value: >-
          exception_index >=
          _parent._parent.optional_fields[field_index].data.as<default_charset>.exceptions.size
        doc: There is no such exception.
      is_match:
        value: >-
          (is_last) ? false :
          _parent._parent.optional_fields[field_index].data.as<default_charset>.exceptions[exception_index].position.value
          == character_index
        doc: The exception is for the wanted column.
      is_done:
        value: is_last or is_match
        doc: The search ends here.
      collation:
        value: >-
          ((is_match) ?
          _parent._parent.optional_fields[field_index].data.as<default_charset>.exceptions[exception_index].collation.value
          :
          _parent._parent.optional_fields[field_index].data.as<default_charset>.collation.value).as<s4>
        doc: Id of the collation, if the search ends here.

  optional_metadata_field:
    -webide-representation: '{field_type}'
    doc: A field of the optional metadata of a table map.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L411
    params:
      - id: field_index
        type: s4
        doc: Index of this field in `optional_fields`.
      - id: signedness_index
        type: s4
        doc: Index of that field, if it came before; otherwise -1. The same holds for the next five.
      - id: default_charset_index
        type: s4
        doc: As `signedness_index`, of DEFAULT_CHARSET.
      - id: column_charset_index
        type: s4
        doc: As `signedness_index`, of COLUMN_CHARSET.
      - id: column_names_index
        type: s4
        doc: As `signedness_index`, of COLUMN_NAME.
      - id: enum_members_index
        type: s4
        doc: As `signedness_index`, of ENUM_STR_VALUE.
      - id: set_members_index
        type: s4
        doc: As `signedness_index`, of SET_STR_VALUE.
    seq:
      - id: field_type
        -orig-id: Optional_metadata_field_type
        type: u1
        enum: optional_metadata_type
        doc: See `optional_metadata_type`.
      - id: len_data
        type: packed_int
        doc: In bytes.
      - id: data
        size: len_data.value
        type:
          switch-on: field_type
          cases:
            optional_metadata_type::default_charset: default_charset
            optional_metadata_type::column_charset: packed_ints
            optional_metadata_type::column_name: packed_strs
            optional_metadata_type::set_str_value: member_lists
            optional_metadata_type::enum_str_value: member_lists
            optional_metadata_type::geometry_type: packed_ints
            optional_metadata_type::simple_primary_key: packed_ints
            optional_metadata_type::primary_key_with_prefix: key_parts
            optional_metadata_type::enum_and_set_default_charset: default_charset
            optional_metadata_type::enum_and_set_column_charset: packed_ints
            optional_metadata_type::vector_dimensionality: packed_ints
            _: raw_bytes
        doc: By the type of the field.
    instances:
      next_signedness_index:
        value: '(field_type == optional_metadata_type::signedness) ? field_index : signedness_index'
      next_default_charset_index:
        value: >-
          (field_type == optional_metadata_type::default_charset) ? field_index :
          default_charset_index
      next_column_charset_index:
        value: >-
          (field_type == optional_metadata_type::column_charset) ? field_index :
          column_charset_index
      next_column_names_index:
        value: >-
          (field_type == optional_metadata_type::column_name) ? field_index : column_names_index
      next_enum_members_index:
        value: >-
          (field_type == optional_metadata_type::enum_str_value) ? field_index : enum_members_index
      next_set_members_index:
        value: >-
          (field_type == optional_metadata_type::set_str_value) ? field_index : set_members_index
  default_charset:
    doc: One collation for all columns that the field is about, and the columns that differ.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L431
    seq:
      - id: collation
        type: packed_int
        doc: Id of the collation of most columns.
      - id: exceptions
        type: charset_exception
        repeat: eos
        doc: Columns with another one.
  charset_exception:
    doc: A column whose collation is not that of most columns.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L431
    seq:
      - id: position
        type: packed_int
        doc: Counted from 0 within the columns that the field is about, not within the table.
      - id: collation
        type: packed_int
        doc: Id of the collation.
  member_lists:
    doc: The members of all SET columns or of all ENUM columns, in the order of the columns.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
    seq:
      - id: lists
        type: member_list
        repeat: eos
        doc: One for each ENUM column of the table, or each SET column, in their order.
  member_list:
    -webide-representation: '{members}'
    doc: The members of one ENUM or SET column.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
    seq:
      - id: num_members
        type: packed_int
        doc: Number of members.
      - id: members
        type: packed_bytes
        repeat: expr
        repeat-expr: num_members.value
        doc: |
          In the character set of the column, see ENUM_AND_SET_DEFAULT_CHARSET and
          ENUM_AND_SET_COLUMN_CHARSET.
  key_parts:
    doc: The columns of a primary key.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L484
    seq:
      - id: parts
        type: key_part
        repeat: eos
        doc: In the order of the key.
  key_part:
    doc: A column of a primary key.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L492
    seq:
      - id: column_index
        type: packed_int
        doc: From 0 within the table.
      - id: len_prefix
        type: packed_int
        doc: In characters; 0 if the key takes the whole column.

  # Rows

  rows_event:
    -webide-representation: '{title}'
    doc: |
      Rows that were inserted, updated or deleted in one table. Version 0 (types 20 to 22) is of
      MySQL 5.1.0 to 5.1.17; what its null bitmaps hold depends on the table's storage, so its rows
      stay raw. Version 1 (23 to 25) and version 2 (30 to 32) differ in the extra row info only.
      PARTIAL_UPDATE_ROWS (39) may have JSON documents as lists of differences. In MariaDB's
      compressed forms (166 to 171) the rows, and only these, are compressed.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L723
    params:
      - id: form
        type: u1
        doc: The operation, plus 4 times the version, plus 16 if the rows are compressed.
    seq:
      - id: head
        type: rows_head((form & 3).as<u1>, (form / 4 % 4).as<u1>, form >= 16)
        doc: The fields before the rows.
      - id: row_data
        size-eos: true
        if: not head.is_compressed
        doc: The rows as bytes; see `rows`.
      - id: compressed_row_data
        size-eos: true
        type: compressed_record
        if: head.is_compressed
        doc: MariaDB, under `log_bin_compress`.
    instances:
      rows:
        pos: _io.size - row_data.size
        type: row
        repeat: eos
        if: layout.is_row_sized
        doc: |
          Parsed on demand. Absent if the table map is not in the file, or does not give the width
          of each column. A row without a present column has no bytes, and is not shown: an insert
          of defaults only, under `binlog_row_image=MINIMAL`.
      table_id:
        -webide-parse-mode: lazy
        value: >-
          ((_root.events[_parent.format_index].body.as<format_description_event>.len_table_id == 6)
          ? head.table_id_low.as<u8> + head.table_id_high.as<u8> * 4294967296 :
          head.table_id_low.as<u8>).as<u8>
        doc: The number of the table in the table map.
      operation:
        -webide-parse-mode: lazy
        value: head.operation_code
        enum: row_operation
        doc: What was done with the rows.
      database:
        -webide-parse-mode: lazy
        value: _root.events[layout.table_map_event_index].body.as<table_map_event>.database
        if: layout.has_table_map
        doc: Name of the database of the table.
      table:
        -webide-parse-mode: lazy
        value: _root.events[layout.table_map_event_index].body.as<table_map_event>.table
        if: layout.has_table_map
        doc: Name of the table.
      columns:
        pos: 0
        type: row_column(_index)
        repeat: expr
        repeat-expr: column_layouts.size
        if: layout.has_wide_table_map
        doc: The columns of the table, as the rows of this event hold them.
      column_layouts:
        pos: 0
        type: >-
          row_column_layout(_index,
          (_index == 0) ? 0 : column_layouts[_index - 1].next_present_index,
          (_index == 0) ? 0 : column_layouts[_index - 1].next_present_index_after,
          (_index == 0) ? 0 : column_layouts[_index - 1].next_json_index,
          (_index == 0) ? true : column_layouts[_index - 1].is_row_sized)
        repeat: expr
        repeat-expr: head.num_columns.value
        if: layout.has_wide_table_map
        doc: How the cells of each column are read.
      layout:
        pos: 0
        type: rows_layout
        doc: How the rows are laid out, and the table map that says so.
      title:
        value: >-
          ((layout.has_table_map) ? database + "." + table : "table " + table_id.to_s) + ": " +
          layout.num_rows.to_s + " rows"
        doc: |
          For the label. The Web IDE visits instances in the order of their names, and exports those
          that are evaluated by then. This one comes last, so the table map and the rows that it
          needs stay closed nodes.
  rows_head:
    doc: 'The first fields of a rows event: its table, flags and present columns.'
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L728
    params:
      - id: operation_code
        type: u1
        doc: See `rows_event.operation`.
      - id: version
        type: u1
        doc: 0, 1 or 2; see `rows_event`.
      - id: is_compressed
        type: bool
        doc: The rows are compressed, by MariaDB.
    seq:
      - id: table_id_low
        type: u4
        doc: Low 32 bits of the table id.
      - id: table_id_high
        type: u2
        if: >-
          version == 2 or
          _root.events[_parent._parent.format_index].body.as<format_description_event>.len_table_id
          == 6
        doc: Its high 16 bits.
      - id: flags
        type: u2
        doc: Bits; see `flag_bits`.
      - id: len_extra_row_info
        -orig-id: var_header_len
        type: u2
        if: version == 2
        valid:
          min: 2
        doc: In bytes, these two included.
      - id: extra_row_info
        size: len_extra_row_info.as<s4> - 2
        type: extra_row_infos
        if: version == 2 and len_extra_row_info > 2
        doc: MySQL Cluster and partitions.
      - id: num_columns
        -orig-id: width
        type: packed_int
        doc: As in the table map.
      - id: columns_present_bitmap
        size: (num_columns.value + 7) / 8
        doc: |
          The columns that the row images of this event hold; of an update, the before images. One
          bit for each column, from the lowest bit of the first byte on. The bits beyond the last
          column are undefined.
      - id: columns_present_bitmap_after
        size: (num_columns.value + 7) / 8
        if: (operation_code & 1) != 0 and version > 0
        doc: The columns that the after images of an update hold.
    instances:
      flag_bits:
        pos: >-
          _root.events[_parent._parent.format_index].body.as<format_description_event>.len_table_id
        type: rows_flags
        doc: The flags, each by its name.
  rows_layout:
    doc: How the rows of an event are laid out.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L763
    instances:
      table_map_probes:
        pos: 0
        type: >-
          table_map_probe(
          (_index == 0) ? _parent._parent.table_map_index : table_map_probes[_index -
          1].prev_index.as<s4>, _parent.table_id)
        repeat: until
        repeat-until: _.is_done
        doc: The search for the newest table map of the statement that has this table id.
      has_table_map:
        value: table_map_probes.last.is_match
        doc: The table map is in the file, in the same statement.
      table_map_event_index:
        value: table_map_probes.last.event_index
        doc: Index of the table map in `_root.events`.
      has_wide_table_map:
        value: >-
          (has_table_map) ?
          _root.events[table_map_event_index].body.as<table_map_event>.num_columns.value -
          _parent.head.num_columns.value == 0 and
          _root.events[table_map_event_index].body.as<table_map_event>.details.size > 0 : false
        doc: |
          There is a table map, it has as many columns as the event says, and holds more than their
          types.
      is_row_sized:
        value: >-
          (_parent.head.version > 0 and not _parent.head.is_compressed and has_wide_table_map and
          _parent.head.num_columns.value > 0) ?
          _parent.column_layouts.size.as<s8> == _parent.head.num_columns.value.as<s8> and
          _parent.column_layouts.last.is_row_sized and
          (_parent.column_layouts.last.next_present_index > 0 or
          ((_parent.head.operation_code & 1) != 0 and
          _parent.column_layouts.last.next_present_index_after > 0)) : false
        doc: The width of each column is known, so the end of each row is too.
      num_json_columns:
        value: >-
          (has_wide_table_map and _parent.head.num_columns.value > 0) ?
          _parent.column_layouts.last.next_json_index : 0
        doc: Of the table, whether present in the row images or not.
      num_rows:
        value: '(is_row_sized) ? _parent.rows.size : 0'
        doc: Number of `rows_event.rows`.
  rows_flags:
    doc: The flags of a rows event.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L889
    seq:
      - id: is_statement_end
        -orig-id: STMT_END_F
        type: b1le
        doc: The last rows event of the statement; its table maps are released.
      - id: is_no_foreign_key_checks
        -orig-id: NO_FOREIGN_KEY_CHECKS_F
        type: b1le
        doc: The session ran with `foreign_key_checks = 0`.
      - id: is_relaxed_unique_checks
        -orig-id: RELAXED_UNIQUE_CHECKS_F
        type: b1le
        doc: The session ran with `unique_checks = 0`.
      - id: has_complete_rows
        -orig-id: COMPLETE_ROWS_F
        type: b1le
        doc: The row images hold all columns.
      - id: is_sql_foreign_key
        -orig-id: USE_SQL_FOREIGN_KEY_F
        type: b1le
        doc: "The SQL layer, not the storage engine, checks foreign keys. MySQL 9.7."
      - id: reserved
        type: b2le
      - id: is_no_check_constraints
        -orig-id: NO_CHECK_CONSTRAINT_CHECKS_F
        type: b1le
        doc: "MariaDB: the session ran with `check_constraint_checks = 0`."
      - id: reserved2
        type: b8le
  table_map_probe:
    doc: One step of the search for a table map, from the newest one back.
    params:
      - id: event_index
        type: s4
        doc: Index in `_root.events` of the table map to look at; -1 if there is none left.
      - id: wanted_table_id
        type: u8
        doc: The number of the table.
    instances:
      is_match:
        value: >-
          (event_index < 0) ? false
          : _root.events[event_index].body.as<table_map_event>.table_id == wanted_table_id
        doc: This is the wanted table map.
      is_done:
        value: event_index < 0 or is_match
        doc: The search ends here.
      prev_index:
        value: _root.events[event_index].table_map_index
        if: event_index >= 0
        doc: The table map to look at next, or -1.
  extra_row_infos:
    doc: What a storage engine or the partitioning adds to a rows event.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L777
    seq:
      - id: infos
        type: extra_row_info
        repeat: eos
        doc: One after the other.
  extra_row_info:
    -webide-representation: '{info_type} {info}'
    doc: An item of the extra row info, after its type.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L64
    seq:
      - id: info_type
        type: u1
        enum: extra_row_info_type
        doc: See `extra_row_info_type`.
      - id: info
        type:
          switch-on: info_type
          cases:
            extra_row_info_type::ndb: ndb_row_info
            extra_row_info_type::partition: partition_row_info
            _: raw_bytes
        doc: Has no length of its own; what follows an unknown type stays raw.
  ndb_row_info:
    doc: What MySQL Cluster adds.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L790
    seq:
      - id: len_info
        type: u1
        valid:
          min: 2
        doc: In bytes, this one and the next included.
      - id: format
        type: u1
        doc: Of the data.
      - id: data
        size: len_info - 2
        doc: Written by MySQL Cluster for itself.
  partition_row_info:
    -webide-representation: '{partition_id:dec}'
    doc: MySQL 8.0.16 and later. Rows of different partitions are in different events.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L804
    seq:
      - id: partition_id
        type: u2
        doc: The partition of the rows, from 0.
      - id: source_partition_id
        type: u2
        if: (_parent._parent._parent.operation_code & 1) != 0
        doc: The partition that an updated row came from.

  row_column:
    -webide-representation: '{name} {column_type}'
    doc: A column of the table map, as the images of one rows event hold it.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L769
    params:
      - id: column_index
        type: s4
        doc: Of the column in the table, from 0.
    instances:
      is_present:
        value: _parent.column_layouts[column_index].is_present
        doc: The first (or only) image of a row holds the column.
      is_present_after:
        value: _parent.column_layouts[column_index].is_present_after
        doc: The after image of a row holds the column.
      name:
        value: _parent.column_layouts[column_index].name
      type_code:
        value: _parent.column_layouts[column_index].type_code
        doc: As in the table map.
      column_type:
        value: type_code
        enum: column_type
        doc: What the column is.
      max_length:
        value: _parent.column_layouts[column_index].max_length
        doc: As in the table map.
      is_unsigned:
        value: _parent.column_layouts[column_index].is_unsigned
      collation:
        value: _parent.column_layouts[column_index].collation
        doc: As in the table map.
  row_column_layout:
    -webide-representation: '{name} {column_type}'
    doc: How the cells of a column are read in the images of one rows event.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L769
    # The instances repeat single values of the table map's column. A value instance that returned
    # the column itself would be exported whole by the Web IDE, once for each column of each rows
    # event and once for each cell.
    params:
      - id: column_index
        type: s4
        doc: Of the column in the table, from 0.
      - id: present_index
        type: s4
        doc: Number of present columns before this one in the first (or only) image.
      - id: present_index_after
        type: s4
        doc: Number of present columns before this one in the after image of an update.
      - id: json_index
        type: s4
        doc: Number of JSON columns before this one.
      - id: is_row_sized_before
        type: bool
        doc: The widths of all columns before this one are known.
    instances:
      is_present:
        value: >-
          ((_parent.head.columns_present_bitmap[column_index / 8] >> (column_index % 8)) & 1) != 0
        doc: The first (or only) image of a row holds the column.
      is_present_after:
        value: >-
          ((_parent.head.operation_code & 1) != 0 and _parent.head.version > 0) ?
          ((_parent.head.columns_present_bitmap_after[column_index / 8] >> (column_index % 8)) & 1)
          != 0 : is_present
        doc: The after image of a row holds the column.
      next_present_index:
        value: '(is_present) ? present_index + 1 : present_index'
      next_present_index_after:
        value: '(is_present_after) ? present_index_after + 1 : present_index_after'
      next_json_index:
        value: '(type_code == 245) ? json_index + 1 : json_index'
      name:
        value: >-
          _root.events[_parent.layout.table_map_event_index].body.as<table_map_event>.column_layouts[column_index].name
      type_code:
        value: >-
          _root.events[_parent.layout.table_map_event_index].body.as<table_map_event>.column_layouts[column_index].type_code
        doc: As in the table map.
      column_type:
        value: type_code
        enum: column_type
        doc: What the column is.
      max_length:
        value: >-
          _root.events[_parent.layout.table_map_event_index].body.as<table_map_event>.column_layouts[column_index].max_length
        doc: As in the table map.
      is_unsigned:
        value: >-
          _root.events[_parent.layout.table_map_event_index].body.as<table_map_event>.column_layouts[column_index].is_unsigned
      collation:
        value: >-
          _root.events[_parent.layout.table_map_event_index].body.as<table_map_event>.column_layouts[column_index].collation
        doc: As in the table map.
      is_utf8:
        value: >-
          _root.events[_parent.layout.table_map_event_index].body.as<table_map_event>.column_layouts[column_index].is_utf8
      value_kind:
        value: >-
          ((is_utf8 and (type_code == 15 or (type_code >= 249 and type_code <= 254))) ? 1000 :
          type_code).as<s4>
        doc: 1000 for text that is known to be UTF-8; otherwise the type code.
      len_len_value:
        value: >-
          ((type_code == 15 or type_code == 141 or type_code == 253 or type_code == 254) ?
          ((max_length > 255) ? 2 : 1) : (((max_length < 1 or max_length > 4) and (type_code == 140
          or type_code == 242 or type_code == 245 or (type_code >= 249 and type_code <= 252) or
          type_code == 255)) ? -1 : max_length)).as<s4>
        doc: |
          Bytes of the length before each value, for the types that have one. -1, which is no valid
          size, if the metadata is not a number from 1 to 4.
      is_row_sized:
        value: >-
          is_row_sized_before and type_code != 0 and type_code != 20 and type_code != 243 and
          type_code != 244
        doc: The widths of this column and of all before it are known.
  row:
    -webide-representation: '{before_image} -> {after_image}'
    doc: |
      A row that was inserted, updated or deleted. An image has a cell for each column of the table,
      present or not.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L851
    seq:
      - id: before_null_bitmap
        size: (_parent.column_layouts.last.next_present_index + 7) / 8
        if: _parent.head.operation_code != 0
        doc: |
          One bit for each present column, from the lowest bit of the first byte on; 1 for NULL. The
          bits beyond the last one are undefined.
      - id: before_image
        type: cell(_index, false, false)
        repeat: expr
        repeat-expr: _parent.head.num_columns.value
        if: _parent.head.operation_code != 0
        doc: The row as it was; of updates and deletes.
      - id: value_options
        type: packed_int
        if: _parent.head.operation_code == 3
        doc: 1 if some JSON documents of the after image are lists of differences; otherwise 0.
      - id: partial_bitmap
        -orig-id: partial_bits
        size: (_parent.layout.num_json_columns + 7) / 8
        if: '(_parent.head.operation_code == 3) ? value_options.value == 1 : false'
        doc: |
          One bit for each JSON column of the table, from the lowest bit of the first byte on; 1 for
          differences.
      - id: after_null_bitmap
        size: (_parent.column_layouts.last.next_present_index_after + 7) / 8
        if: _parent.head.operation_code != 2
        doc: As the other bitmap, for the columns that are present in the after image.
      - id: after_image
        type: >-
          cell(_index, true, (_parent.head.operation_code == 3) ? value_options.value == 1 : false)
        repeat: expr
        repeat-expr: _parent.head.num_columns.value
        if: _parent.head.operation_code != 2
        doc: The row as it is now; of inserts and updates.
  cell:
    -webide-representation: '{name} = {note}{value}'
    doc: |
      One column of one row. Without a `value` if the column is absent or NULL. `value.plain` is the
      value as a number, text, bytes or an array, whatever the type: dates, times and DECIMAL are
      text; ENUM and SET their numbers; CHAR, VARCHAR and TEXT text if the log says that they are in
      UTF-8, else bytes; JSON and GEOMETRY trees. What holds for all cells of a column is in
      `columns` of the event.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_record.cc#L270
    params:
      - id: column_index
        type: s4
        doc: Of the column in the table, from 0.
      - id: is_after
        type: bool
        doc: The cell is in the after image.
      - id: is_partial
        type: bool
        doc: Some JSON documents of the image are lists of differences.
    seq:
      - id: value
        if: is_present and not is_null
        type:
          switch-on: _parent._parent.column_layouts[column_index].value_kind
          cases:
            # The integers are those of the enum `column_type`.
            1: tiny_value(_parent._parent.column_layouts[column_index].is_unsigned)
            2: short_value(_parent._parent.column_layouts[column_index].is_unsigned)
            3: long_value(_parent._parent.column_layouts[column_index].is_unsigned)
            4: float_value
            5: double_value
            7: timestamp_value
            8: longlong_value(_parent._parent.column_layouts[column_index].is_unsigned)
            9: int24_value(_parent._parent.column_layouts[column_index].is_unsigned)
            10: date_value
            11: time_value
            12: datetime_value
            13: year_value
            14: date_value
            15: >-
              string_value(_parent._parent.column_layouts[column_index].len_len_value,
              _parent._parent.column_layouts[column_index].collation)
            16: >-
              bit_value(_parent._parent.column_layouts[column_index].max_length / 256 +
              (_parent._parent.column_layouts[column_index].max_length % 256 + 7) / 8)
            17: timestamp2_value(_parent._parent.column_layouts[column_index].max_length)
            18: datetime2_value(_parent._parent.column_layouts[column_index].max_length)
            19: time2_value(_parent._parent.column_layouts[column_index].max_length)
            140: compressed_value(_parent._parent.column_layouts[column_index].len_len_value)
            141: compressed_value(_parent._parent.column_layouts[column_index].len_len_value)
            242: vector_value(_parent._parent.column_layouts[column_index].len_len_value)
            245: >-
              json_value(_parent._parent.column_layouts[column_index].len_len_value,
              is_difference)
            246: >-
              decimal_value(_parent._parent.column_layouts[column_index].max_length % 256,
              _parent._parent.column_layouts[column_index].max_length / 256)
            247: enum_value(_parent._parent.column_layouts[column_index].max_length, column_index)
            248: set_value(_parent._parent.column_layouts[column_index].max_length, column_index)
            249: >-
              string_value(_parent._parent.column_layouts[column_index].len_len_value,
              _parent._parent.column_layouts[column_index].collation)
            250: >-
              string_value(_parent._parent.column_layouts[column_index].len_len_value,
              _parent._parent.column_layouts[column_index].collation)
            251: >-
              string_value(_parent._parent.column_layouts[column_index].len_len_value,
              _parent._parent.column_layouts[column_index].collation)
            252: >-
              string_value(_parent._parent.column_layouts[column_index].len_len_value,
              _parent._parent.column_layouts[column_index].collation)
            253: >-
              string_value(_parent._parent.column_layouts[column_index].len_len_value,
              _parent._parent.column_layouts[column_index].collation)
            254: >-
              string_value(_parent._parent.column_layouts[column_index].len_len_value,
              _parent._parent.column_layouts[column_index].collation)
            255: geometry_value(_parent._parent.column_layouts[column_index].len_len_value)
            1000: text_value(_parent._parent.column_layouts[column_index].len_len_value)
        doc: By the type of the column.
    instances:
      name:
        value: _parent._parent.column_layouts[column_index].name
      note:
        value: '(is_null) ? "NULL" : ((is_present) ? "" : "(not logged)")'
        doc: For the label, why there is no value.
      is_present:
        value: >-
          (is_after) ? _parent._parent.column_layouts[column_index].is_present_after
          : _parent._parent.column_layouts[column_index].is_present
        doc: The row image holds the column.
      is_null:
        value: >-
          (not is_present) ? false : ((is_after) ?
          ((_parent.after_null_bitmap[
          _parent._parent.column_layouts[column_index].present_index_after / 8] >>
          (_parent._parent.column_layouts[column_index].present_index_after % 8)) & 1) != 0 :
          ((_parent.before_null_bitmap[
          _parent._parent.column_layouts[column_index].present_index / 8] >>
          (_parent._parent.column_layouts[column_index].present_index % 8)) & 1) != 0)
        doc: The cell is there, and NULL.
      is_difference:
        -webide-parse-mode: lazy
        value: >-
          (is_partial and _parent._parent.column_layouts[column_index].type_code == 245 and
          is_present) ?
          ((_parent.partial_bitmap[_parent._parent.column_layouts[column_index].json_index / 8]
          >> (_parent._parent.column_layouts[column_index].json_index % 8)) & 1) != 0 : false
        doc: The value is a list of differences from the document in the before image.

  # Rare events

  incident_event:
    -webide-representation: '{incident} {message:str}'
    doc: |
      Something happened on the server that may have cost changes; a replica stops here. MySQL 5.1
      and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L413
    seq:
      - id: incident
        type: u2
        enum: incident
        doc: What happened.
      - id: len_message
        type: u1
        doc: In bytes.
      - id: message
        size: len_message
        doc: For people.

  ignorable_event:
    doc: Has no fields. MySQL 5.6 and later; not seen in files.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L669
    seq:
      - id: data
        size-eos: true
        doc: Not defined.

  heartbeat_event:
    -webide-representation: '{log_file:str}:{position:dec}'
    doc: |
      The source is alive, and its log has reached this position. Only in streams. MySQL 5.5 and
      later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1722
    seq:
      - id: long_position
        type: u8
        if: has_long_position
        doc: Offset in the file, in bytes.
      - id: log_file
        -orig-id: log_ident
        size-eos: true
        doc: Name of the file, without a folder.
    instances:
      has_long_position:
        value: >-
          _parent.end_log_pos == 0
          and _root.events[_parent.format_index].body.as<format_description_event>.is_mariadb
        doc: MariaDB, beyond 4 GiB.
      position:
        value: '((has_long_position) ? long_position : _parent.end_log_pos.as<u8>).as<u8>'
        doc: Offset in the file, in bytes.

  heartbeat_v2_event:
    -webide-representation: '{fields}'
    doc: A heartbeat as a list of fields, which can grow. MySQL 8.0.26 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1643
    seq:
      - id: fields
        type: heartbeat_field
        repeat: until
        repeat-until: _.is_end
        doc: In any order; the last one is the end mark.
  heartbeat_field:
    -webide-representation: '{field_type} {value}'
    doc: A field of a heartbeat.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1643
    seq:
      - id: field_type_code
        type: packed_int
        doc: See `heartbeat_field_type`.
      - id: len_value
        type: packed_int
        if: not is_end
        doc: In bytes.
      - id: value
        size: len_value.value
        if: not is_end
        type:
          switch-on: field_type
          cases:
            heartbeat_field_type::log_file: heartbeat_log_file
            heartbeat_field_type::position: packed_int
            _: raw_bytes
    instances:
      is_end:
        value: field_type_code.value == 0
      field_type:
        value: field_type_code.value.as<s4>
        enum: heartbeat_field_type
        doc: What the field is.
  heartbeat_log_file:
    -webide-representation: '{name:str}'
    doc: The name of a log file.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1722
    seq:
      - id: name
        size-eos: true

  slave_event:
    -webide-representation: '{host:str}:{port:dec}'
    doc: Was meant to name the source of a replica; never written.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/sql/log_event.h#L178
    seq:
      - id: position
        -orig-id: master_pos
        type: u8
        doc: Offset in the source's file.
      - id: port
        -orig-id: master_port
        type: u2
        doc: TCP port of the source.
      - id: host
        -orig-id: master_host
        terminator: 0
        doc: Host of the source.
      - id: log_file
        -orig-id: master_log
        size-eos: true
        doc: File of the source.

  transaction_context_event:
    -webide-representation: '{server_uuid:str}'
    doc: |
      What Group Replication certifies a transaction by. MySQL 5.7 and later; in relay logs of its
      applier.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1413
    seq:
      - id: len_server_uuid
        type: u1
        doc: In bytes.
      - id: thread_id
        type: u4
        doc: The connection that ran the transaction.
      - id: is_gtid_specified
        -orig-id: gtid_specified
        type: u1
        doc: 1 if the transaction came with a GTID.
      - id: len_snapshot
        -orig-id: encoded_snapshot_version_length
        type: u4
        doc: In bytes. Four bytes, although the constant of the server says two.
      - id: num_writes
        -orig-id: write_set.size
        type: u4
        doc: Number of `writes`.
      - id: num_reads
        -orig-id: read_set.size
        type: u4
        doc: Number of `reads`.
      - id: server_uuid
        size: len_server_uuid
        doc: UUID of the member, as text.
      - id: snapshot
        -orig-id: encoded_snapshot_version
        size: len_snapshot
        type: previous_gtids_event
        doc: The GTIDs that the transaction has seen.
      - id: writes
        -orig-id: write_set
        type: long_bytes
        repeat: expr
        repeat-expr: num_writes
        doc: Hashes of the keys that it has written.
      - id: reads
        -orig-id: read_set
        type: long_bytes
        repeat: expr
        repeat-expr: num_reads
        doc: Hashes of the keys that it has read.

  view_change_event:
    -webide-representation: '{view_id:str}'
    doc: Members have joined or left the group. MySQL 5.7 and later, until 8.3.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1533
    seq:
      - id: view_id
        size: 40
        terminator: 0
        doc: Name of the view; the rest of the 40 bytes is zero.
      - id: sequence_number
        -orig-id: seq_number
        type: u8
        doc: Number of the next transaction to be certified.
      - id: num_certification_infos
        type: u4
        doc: Number of `certification_infos`.
      - id: certification_infos
        type: certification_info
        repeat: expr
        repeat-expr: num_certification_infos
        doc: What a member that joins needs to certify transactions.
  certification_info:
    -webide-representation: '{key.bytes:hex}'
    doc: What the certification of transactions needs of a key.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1533
    seq:
      - id: key
        type: long_bytes
        doc: Hash of a key, or the name of another part.
      - id: len_value
        type: u4
        doc: In bytes.
      - id: value
        size: len_value
        doc: GTIDs that have written the key.

  # Values

  tiny_value:
    -webide-representation: '{value:dec}'
    doc: TINYINT.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L3254
    params:
      - id: is_unsigned
        type: bool
    seq:
      - id: raw
        type: u1
    instances:
      value:
        value: '(is_unsigned or raw < 0x80) ? raw : raw - 0x100'
      plain:
        value: value
  short_value:
    -webide-representation: '{value:dec}'
    doc: SMALLINT.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10299
    params:
      - id: is_unsigned
        type: bool
    seq:
      - id: raw
        type: u2
    instances:
      value:
        value: '(is_unsigned or raw < 0x8000) ? raw : raw - 0x10000'
      plain:
        value: value
  int24_value:
    -webide-representation: '{value:dec}'
    doc: MEDIUMINT.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10310
    params:
      - id: is_unsigned
        type: bool
    seq:
      - id: raw
        type: b24le
    instances:
      value:
        value: '(is_unsigned or raw < 0x800000) ? raw : raw - 0x1000000'
      plain:
        value: value
  long_value:
    -webide-representation: '{value:dec}'
    doc: INT.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10321
    params:
      - id: is_unsigned
        type: bool
    seq:
      - id: unsigned_value
        type: u4
        if: is_unsigned
        doc: If the column is UNSIGNED.
      - id: signed_value
        type: s4
        if: not is_unsigned
        doc: If the column is not UNSIGNED, or the log does not say.
    instances:
      value:
        value: '(is_unsigned) ? unsigned_value.as<s8> : signed_value.as<s8>'
      plain:
        value: value
  longlong_value:
    -webide-representation: '{unsigned_value:dec}{signed_value}'
    doc: BIGINT; one of the two values is there.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10332
    params:
      - id: is_unsigned
        type: bool
    seq:
      - id: unsigned_value
        type: u8
        if: is_unsigned
        doc: If the column is UNSIGNED.
      - id: signed_value
        type: signed_longlong
        if: not is_unsigned
        doc: If the column is not UNSIGNED, or the log does not say.
    instances:
      plain:
        value: '(is_unsigned) ? unsigned_value.as<s8> : signed_value.value'
  signed_longlong:
    -webide-representation: '{value:dec}'
    doc: |
      In two parts, since the JavaScript runtime reads some negative integers of eight bytes wrong.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10332
    seq:
      - id: low
        type: u4
      - id: high
        type: s4
    instances:
      value:
        value: (high.as<s8> * 4294967296 + low.as<s8>).as<s8>
  float_value:
    -webide-representation: '{value:dec}'
    doc: FLOAT.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L4091
    seq:
      - id: value
        type: f4
    instances:
      plain:
        value: value
  double_value:
    -webide-representation: '{value:dec}'
    doc: DOUBLE.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L4318
    seq:
      - id: value
        type: f8
    instances:
      plain:
        value: value
  year_value:
    -webide-representation: '{value:dec}'
    doc: YEAR.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5617
    seq:
      - id: raw
        type: u1
        doc: Years after 1900; 0 for the year 0000.
    instances:
      value:
        value: '(raw == 0) ? 0 : 1900 + raw'
        doc: From 1901 to 2155, or 0.
      plain:
        value: value
  bit_value:
    -webide-representation: '{value:dec}'
    doc: BIT, up to 64 of them.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L8968
    params:
      - id: len_value
        type: s4
    seq:
      - id: bits
        type: uint_be(len_value)
        doc: The bits as a big-endian integer.
    instances:
      value:
        value: bits.value
      plain:
        value: value
  enum_value:
    -webide-representation: '{value:dec} {member:str}'
    doc: ENUM.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L8532
    params:
      - id: len_value
        type: s4
      - id: column_index
        type: s4
        doc: Of the column in the table, from 0.
    seq:
      - id: number
        type: uint_le(len_value)
    instances:
      value:
        value: number.value.as<s4>
        doc: Number of the member, from 1; 0 for the empty string that marks an error.
      table_map_event_index:
        value: _parent._parent._parent.layout.table_map_event_index
        doc: Index of the table map in `_root.events`.
      members_index:
        value: >-
          _root.events[table_map_event_index].body.as<table_map_event>.column_layouts[column_index].members_index
        doc: As in the table map.
      member_list_index:
        value: >-
          _root.events[table_map_event_index].body.as<table_map_event>.column_layouts[column_index].member_list_index
        doc: As in the table map.
      num_members:
        value: >-
          ((members_index < 0) ? 0 : (member_list_index >=
          _root.events[table_map_event_index].body.as<table_map_event>.optional_fields[members_index].data.as<member_lists>.lists.size)
          ? 0 :
          _root.events[table_map_event_index].body.as<table_map_event>.optional_fields[members_index].data.as<member_lists>.lists[member_list_index].num_members.value.as<s4>).as<s4>
        doc: 0 if they are not logged.
      member:
        value: >-
          _root.events[table_map_event_index].body.as<table_map_event>.optional_fields[members_index].data.as<member_lists>.lists[member_list_index].members[value
          - 1].bytes
        if: value > 0 and value <= num_members
        doc: In the character set of the column.
      plain:
        value: value
  set_value:
    -webide-representation: '{value:dec} {members}'
    doc: SET.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L8379
    params:
      - id: len_value
        type: s4
      - id: column_index
        type: s4
        doc: Of the column in the table, from 0.
    seq:
      - id: bits
        type: uint_le(len_value)
        doc: One bit for each member, from the lowest bit of the first byte on.
    instances:
      value:
        value: bits.value
      table_map_event_index:
        value: _parent._parent._parent.layout.table_map_event_index
        doc: Index of the table map in `_root.events`.
      members_index:
        value: >-
          _root.events[table_map_event_index].body.as<table_map_event>.column_layouts[column_index].members_index
        doc: As in the table map.
      member_list_index:
        value: >-
          _root.events[table_map_event_index].body.as<table_map_event>.column_layouts[column_index].member_list_index
        doc: As in the table map.
      members:
        pos: 0
        type: set_member(_index)
        repeat: expr
        repeat-expr: >-
          _root.events[table_map_event_index].body.as<table_map_event>.optional_fields[members_index].data.as<member_lists>.lists[member_list_index].num_members.value
        if: >-
          (members_index >= 0) ? member_list_index <
          _root.events[table_map_event_index].body.as<table_map_event>.optional_fields[members_index].data.as<member_lists>.lists.size
          : false
        doc: All members of the column, those that are not in the value without a name.
      plain:
        value: value
  set_member:
    -webide-representation: '{name:str}'
    doc: A member of a SET column.
    params:
      - id: index
        type: s4
        doc: Number of the member, from 0.
    instances:
      is_in_value:
        value: >-
          (index < _parent.len_value * 8) ? ((_parent.bits.bytes[index / 8] >> (index % 8)) & 1) !=
          0 : false
        doc: The value has the member.
      name:
        value: >-
          _root.events[_parent.table_map_event_index].body.as<table_map_event>.optional_fields[_parent.members_index].data.as<member_lists>.lists[_parent.member_list_index].members[index].bytes
        if: is_in_value
        doc: In the character set of the column.
  string_value:
    -webide-representation: '{value:str}'
    doc: |
      CHAR, VARCHAR, TEXT and the binary types like them, in the character set of the column.
      Trailing spaces of a CHAR and trailing zero bytes of a BINARY are not logged.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L6769
    params:
      - id: len_len_value
        type: s4
      - id: collation
        type: s4
        doc: Id of the collation; 63 is binary, 0 unknown.
    seq:
      - id: len_value
        type: uint_le(len_len_value)
      - id: value
        size: len_value.value
    instances:
      is_binary:
        value: collation == 63
        doc: BINARY, VARBINARY, BLOB; also VECTOR, UUID, INET4 and INET6 of MariaDB.
      plain:
        value: value
  text_value:
    -webide-representation: '"{text}"'
    doc: CHAR, VARCHAR and TEXT in UTF-8.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L7354
    params:
      - id: len_len_value
        type: s4
    seq:
      - id: len_value
        type: uint_le(len_len_value)
      - id: value
        size: len_value.value
    instances:
      text:
        value: value.to_s("UTF-8")
      plain:
        value: text
  compressed_value:
    -webide-representation: '{value:hex}'
    doc: VARCHAR and BLOB COMPRESSED of MariaDB.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/field.cc#L8546
    params:
      - id: len_len_value
        type: s4
    seq:
      - id: len_value
        type: uint_le(len_len_value)
      - id: value
        size: len_value.value
        type: compressed_content
        if: len_value.value > 0
    instances:
      plain:
        value: value.data
        if: len_value.value > 0
  compressed_content:
    -webide-representation: '{data:hex}'
    doc: The content of a compressed column, behind its length.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/field.cc#L8546
    seq:
      - id: algorithm
        type: b4
        enum: column_compression
        doc: How the data is compressed.
      - id: is_raw_deflate
        type: b1
        doc: The data comes without the header of zlib.
      - id: len_len_data
        type: b3
        valid:
          max: 4
        doc: Bytes of the field after this one; 0 where the algorithm is `none`.
      - id: len_data
        type: uint_be(len_len_data.as<s4>)
        doc: Length of the value when inflated, in bytes.
      - id: data
        size-eos: true
        doc: The value itself where the algorithm is `none`.
  vector_value:
    -webide-representation: '{elements}'
    doc: VECTOR of MySQL 9.0 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-9.7.2/sql/field.h#L3791
    params:
      - id: len_len_value
        type: s4
    seq:
      - id: len_value
        type: uint_le(len_len_value)
      - id: elements
        type: f4
        repeat: expr
        repeat-expr: (len_value.value / 4).as<s4>
        doc: Numbers of four bytes.
    instances:
      plain:
        value: elements
  geometry_value:
    -webide-representation: '{value}'
    doc: GEOMETRY, POINT and the other spatial types.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L7528
    params:
      - id: len_len_value
        type: s4
    seq:
      - id: len_value
        type: uint_le(len_len_value)
      - id: value
        size: len_value.value
        type: geometry
        if: len_value.value > 0
    instances:
      plain:
        value: value
        if: len_value.value > 0
  geometry:
    -webide-representation: 'SRID {srid:dec} {wkb_type}'
    doc: A shape, in the well-known binary form of the Open Geospatial Consortium.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-9.7.2/sql/spatial.h#L55
    seq:
      - id: srid
        type: u4
        doc: |
          Number of the spatial reference system. Coordinates come with the longitude first,
          whatever it says.
      - id: byte_order
        type: u1
        doc: 1, little-endian, always.
      - id: wkb_type
        type: u4
        enum: wkb_type
        doc: What the geometry is.
      - id: data
        size-eos: true
        doc: The rest of the well-known binary form.

  json_value:
    -webide-representation: '{document}{differences}'
    doc: JSON of MySQL in its binary form; in MariaDB the type is a LONGTEXT.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L60
    params:
      - id: len_len_value
        type: s4
      - id: is_difference
        type: bool
        doc: The value is a list of differences.
    seq:
      - id: len_value
        type: uint_le(len_len_value)
        doc: 0 for a JSON null, or, where differences are expected, for no change.
      - id: document
        size: len_value.value
        type: json_document
        if: not is_difference and len_value.value > 0
        doc: The whole document.
      - id: differences
        size: len_value.value
        type: json_differences
        if: is_difference
        doc: The changes of the document in the before image.
    instances:
      plain:
        value: document
        if: not is_difference and len_value.value > 0
  json_differences:
    -webide-representation: '{items}'
    doc: |
      Changes of a document, in the order in which they are made. MySQL 8.0.3 and later, under
      `binlog_row_value_options`.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_diff.h#L199
    seq:
      - id: items
        type: json_difference
        repeat: eos
  json_difference:
    -webide-representation: '{operation} {path.text} {document}'
    doc: One change of a document.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_diff.h#L52
    seq:
      - id: operation
        -orig-id: enum_json_diff_operation
        type: u1
        enum: json_operation
        doc: What is done at the path.
      - id: path
        type: packed_str
        doc: Such as `$.a[1]`; `$` is the document.
      - id: len_document
        type: packed_int
        if: operation != json_operation::remove
        doc: In bytes.
      - id: document
        size: len_document.value
        type: json_document
        if: operation != json_operation::remove
        doc: The new value.
  json_document:
    -webide-representation: '{value}'
    doc: |
      A value with its type before it. Objects and arrays are tables of offsets, in any order and
      with unused gaps between the values; so every offset is followed, and nothing is read in
      sequence.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L60
    seq:
      - id: value_type
        type: u1
        enum: json_type
        doc: The type of the value.
      - id: value
        type:
          switch-on: value_type
          cases:
            json_type::small_object: json_container(1, false, true, _io.size - 1, 1)
            json_type::large_object: json_container(1, true, true, _io.size - 1, 1)
            json_type::small_array: json_container(1, false, false, _io.size - 1, 1)
            json_type::large_array: json_container(1, true, false, _io.size - 1, 1)
            json_type::literal: json_literal
            json_type::int16: json_int16
            json_type::uint16: json_uint16
            json_type::int32: json_int32
            json_type::uint32: json_uint32
            json_type::int64: signed_longlong
            json_type::uint64: json_uint64
            json_type::double: double_value
            json_type::string: json_string(_io.size)
            json_type::opaque: json_opaque(_io.size)
  json_container:
    -webide-representation: '{opening}{items}{closing}'
    doc: An object or an array.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L86
    params:
      - id: base
        type: s8
        doc: Position of the container in the document, in bytes; its offsets count from there.
      - id: is_large
        type: bool
        doc: Counts and offsets have four bytes; otherwise two.
      - id: is_object
        type: bool
        doc: An object; otherwise an array.
      - id: len_max
        type: s8
        doc: Bytes of the container around it that no key or value has taken.
      - id: depth
        type: s4
        doc: From 1.
    seq:
      - id: num_items
        type: json_offset(is_large, 0, 4294967295)
        doc: Elements or members.
      - id: len_container
        type: 'json_offset(is_large, len_tables, (depth <= 100) ? len_max : -1)'
        doc: |
          In bytes, from `num_items` on. Servers nest at most 100 levels, and keys and values never
          share bytes. Without both rules a few bytes could describe a tree without end.
      - id: keys
        type: >-
          json_key(base, is_large, (_index == 0) ? len_container.value - len_tables : keys[_index -
          1].len_left)
        repeat: expr
        repeat-expr: 'is_object ? num_items.value : 0'
        doc: Ordered by length, then by bytes.
      - id: items
        type: >-
          json_item(_index, base, is_large, (_index == 0) ? len_values : items[_index - 1].len_left)
        repeat: expr
        repeat-expr: num_items.value
        doc: In the order of the keys, or of the array.
    instances:
      len_tables:
        value: >-
          ((is_large) ? 8 + num_items.value * ((is_object) ? 11 : 5)
          : 4 + num_items.value * ((is_object) ? 7 : 3)).as<s8>
        doc: Bytes of all but the texts of the keys, and the values.
      len_values:
        value: >-
          ((is_object and num_items.value > 0) ? keys.last.len_left : len_container.value -
          len_tables).as<s8>
        doc: Bytes left for the values.
      opening:
        value: 'is_object ? "{" : "["'
        doc: For the label.
      closing:
        value: 'is_object ? "}" : "]"'
        doc: For the label.
  json_key:
    -webide-representation: '{text}'
    doc: 'The key of a member: where its text is, and how long it is.'
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L100
    params:
      - id: base
        type: s8
        doc: Position of the container in the document.
      - id: is_large
        type: bool
        doc: As in the container.
      - id: len_max
        type: s8
        doc: Bytes of the container that are left for this key and what follows it.
    seq:
      - id: ofs_text
        type: json_offset(is_large, 0, 4294967295)
        doc: Of the text, in bytes.
      - id: len_bytes
        type: u2
        valid:
          max: len_max
        doc: In bytes.
    instances:
      len_left:
        value: (len_max - len_bytes).as<s8>
      bytes:
        pos: base + ofs_text.value
        size: len_bytes
      text:
        value: bytes.to_s("UTF-8")
  json_item:
    -webide-representation: '{key}{value}'
    doc: An element of an array, or a member of an object.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L108
    params:
      - id: index
        type: s4
        doc: From 0.
      - id: base
        type: s8
        doc: Position of the container in the document.
      - id: is_large
        type: bool
        doc: As in the container.
      - id: len_max
        type: s8
        doc: Bytes of the container that are left for this value and those after it.
    seq:
      - id: value_type
        type: u1
        enum: json_type
        doc: The type of the value.
      - id: ofs_or_value
        type: json_offset(is_large, 0, 4294967295)
        doc: Offset of the value; or the value itself, if it is no longer than an offset.
    instances:
      is_container:
        value: >-
          value_type == json_type::small_object or value_type == json_type::large_object
          or value_type == json_type::small_array or value_type == json_type::large_array
        doc: The value is an object or an array.
      is_large_container:
        value: value_type == json_type::large_object or value_type == json_type::large_array
        doc: The value is a container whose offsets have four bytes.
      len_nested:
        pos: 'base + ofs_or_value.value + ((is_large_container) ? 4 : 2)'
        type: json_offset(is_large_container, 0, 4294967295)
        if: is_container
        doc: The `len_container` of a container.
      len_text:
        pos: 'base + ofs_or_value.value + ((value_type == json_type::opaque) ? 1 : 0)'
        type: json_length
        if: value_type == json_type::string or value_type == json_type::opaque
        doc: The `len_value` of a text or an opaque value.
      len_value:
        value: >-
          ((is_inline) ? 0 : ((is_container) ? len_nested.value : ((value_type == json_type::string
          or value_type == json_type::opaque) ? len_text.value + 1 : ((value_type ==
          json_type::int32 or value_type == json_type::uint32) ? 4 : 8)))).as<s8>
        doc: Bytes that the value takes at least, where its offset points.
      len_left:
        value: (len_max - len_value).as<s8>
      is_inline:
        value: >-
          value_type == json_type::literal or value_type == json_type::int16 or value_type ==
          json_type::uint16 or (is_large and (value_type == json_type::int32 or value_type ==
          json_type::uint32))
        doc: The entry holds the value itself, not its offset.
      key:
        value: '(_parent.is_object) ? _parent.keys[index].text + ": " : ""'
        doc: 'For the label: the key of a member.'
      ofs_inline:
        value: >-
          (is_large)
          ? base + 8 + ((_parent.is_object) ? _parent.num_items.value * 6 : 0) + index * 5 + 1
          : base + 4 + ((_parent.is_object) ? _parent.num_items.value * 4 : 0) + index * 3 + 1
        doc: Position of `ofs_or_value` in the document.
      ofs_value:
        value: 'is_inline ? ofs_inline : base + ofs_or_value.value'
        doc: Position of the value in the document.
      value:
        -webide-parse-mode: eager
        pos: ofs_value
        type:
          switch-on: value_type
          cases:
            json_type::small_object: >-
              json_container(ofs_value, false, true, len_max, _parent.depth + 1)
            json_type::large_object: >-
              json_container(ofs_value, true, true, len_max, _parent.depth + 1)
            json_type::small_array: >-
              json_container(ofs_value, false, false, len_max, _parent.depth + 1)
            json_type::large_array: >-
              json_container(ofs_value, true, false, len_max, _parent.depth + 1)
            json_type::literal: json_literal
            json_type::int16: json_int16
            json_type::uint16: json_uint16
            json_type::int32: json_int32
            json_type::uint32: json_uint32
            json_type::int64: signed_longlong
            json_type::uint64: json_uint64
            json_type::double: double_value
            json_type::string: json_string(len_max)
            json_type::opaque: json_opaque(len_max)
  json_offset:
    -webide-representation: '{value:dec}'
    doc: An offset, a length or a count of a container, which has two or four bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L113
    params:
      - id: is_large
        type: bool
        doc: It has four bytes; otherwise two.
      - id: min_value
        type: s8
        doc: The least that is valid.
      - id: max_value
        type: s8
        doc: The greatest that is valid.
    seq:
      - id: small
        type: u2
        valid:
          min: min_value
          max: max_value
        if: not is_large
        doc: If it has two bytes.
      - id: large
        type: u4
        valid:
          min: min_value
          max: max_value
        if: is_large
        doc: If it has four bytes.
    instances:
      value:
        value: '((is_large) ? large.as<s8> : small.as<s8>).as<s8>'
  json_literal:
    -webide-representation: '{text}'
    doc: null, true or false.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L119
    seq:
      - id: value
        type: u1
        enum: json_literal_value
        valid:
          in-enum: true
    instances:
      text:
        value: >-
          (value == json_literal_value::null_literal) ? "null"
          : ((value == json_literal_value::true_literal) ? "true" : "false")
  json_int16:
    -webide-representation: '{value:dec}'
    doc: A signed integer of two bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
    seq:
      - id: value
        type: s2
  json_uint16:
    -webide-representation: '{value:dec}'
    doc: An unsigned integer of two bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
    seq:
      - id: value
        type: u2
  json_int32:
    -webide-representation: '{value:dec}'
    doc: A signed integer of four bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
    seq:
      - id: value
        type: s4
  json_uint32:
    -webide-representation: '{value:dec}'
    doc: An unsigned integer of four bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
    seq:
      - id: value
        type: u4
  json_uint64:
    -webide-representation: '{value:dec}'
    doc: An unsigned integer of eight bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
    seq:
      - id: value
        type: u8
  json_string:
    -webide-representation: '"{value}"'
    doc: Text in UTF-8.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L128
    params:
      - id: len_max
        type: s8
        doc: Bytes of the container that no other value has taken.
    seq:
      - id: len_value
        type: json_length
      - id: bytes
        size: '(len_value.value < len_max) ? len_value.value : -1'
        doc: A size of -1 is invalid; the text would share bytes with another value.
    instances:
      value:
        value: bytes.to_s("UTF-8")
  json_opaque:
    -webide-representation: '{field_type} {value}'
    doc: A value of SQL that JSON has no type for.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L130
    params:
      - id: len_max
        type: s8
        doc: Bytes of the container that no other value has taken.
    seq:
      - id: field_type
        type: u1
        enum: column_type
        doc: Type of SQL.
      - id: len_value
        type: json_length
        doc: In bytes.
      - id: value
        size: '(len_value.value < len_max) ? len_value.value : -1'
        type:
          switch-on: field_type
          cases:
            column_type::newdecimal: json_decimal
            column_type::date: json_datetime
            column_type::datetime: json_datetime
            column_type::timestamp: json_datetime
            column_type::time: json_time
            _: raw_bytes
        doc: Printed by the server as base64, if it is none of these.
  json_decimal:
    -webide-representation: '{value}'
    doc: A DECIMAL in a document, with its precision and scale.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L132
    seq:
      - id: precision
        type: u1
        doc: Number of all digits.
      - id: scale
        type: u1
        valid:
          max: precision
        doc: Number of digits after the point.
      - id: decimal
        type: decimal_value(precision, scale)
        doc: As in a DECIMAL column.
    instances:
      value:
        value: decimal.value
  json_datetime:
    -webide-representation: '{value}'
    doc: DATE, DATETIME or TIMESTAMP as one number; a DATE has no time of day.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1863
    seq:
      - id: micros
        type: b24le
      - id: second
        type: b6le
      - id: minute
        type: b6le
      - id: hour
        type: b5le
      - id: day
        type: b5le
      - id: year_month
        type: b18le
        doc: Year times 13, plus the month.
    instances:
      date_part:
        pos: 0
        type: calendar_date(year_month.as<s4> / 13, year_month.as<s4> % 13, day.as<s4>)
      time_part:
        pos: 0
        type: clock(hour.as<s4>, minute.as<s4>, second.as<s4>)
      value:
        value: date_part.text + " " + time_part.text + "." + (micros + 1000000).to_s.substring(1, 7)
  json_time:
    -webide-representation: '{value}'
    doc: TIME as one number, negative as a whole.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1691
    seq:
      - id: low
        type: u4
      - id: high
        type: s4
    instances:
      time_part:
        pos: 0
        type: clock((packed / 4096 % 1024).as<s4>, (packed / 64 % 64).as<s4>, (packed % 64).as<s4>)
      is_negative:
        value: high < 0
        doc: The time is negative.
      magnitude_low:
        value: '((is_negative and low != 0) ? 4294967296 - low.as<s8> : low.as<s8>).as<s8>'
        doc: The low bits without the sign.
      magnitude_high:
        value: >-
          ((is_negative) ? ((low != 0) ? -1 - high.as<s8> : 0 - high.as<s8>) : high.as<s8>).as<s8>
        doc: The high bits without the sign.
      micros:
        value: magnitude_low % 0x1000000
      packed:
        value: magnitude_high * 0x100 + magnitude_low / 0x1000000
        doc: Hours times 4096, plus minutes times 64, plus seconds.
      value:
        value: >-
          ((is_negative) ? "-" : "") + time_part.text + "." + (micros + 1000000).to_s.substring(1,
          7)
  json_length:
    -webide-representation: '{value:dec}'
    doc: Seven bits a byte, the lowest ones first; the highest bit says that another byte follows.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L135
    seq:
      - id: groups
        type: >-
          json_length_group((_index == 0) ? 1 : groups[_index - 1].factor * 128, (_index == 0) ? 0 :
          groups[_index - 1].value)
        repeat: until
        repeat-until: not _.has_next or groups.size == 5
        doc: The lowest bits first.
    instances:
      value:
        value: groups.last.value
  json_length_group:
    doc: Seven bits of a length, and whether more follow.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L135
    params:
      - id: factor
        type: s8
        doc: What the bits count for.
      - id: value_before
        type: s8
        doc: The sum of the groups before.
    seq:
      - id: has_next
        type: b1
        doc: Another group follows.
      - id: bits
        type: b7
        doc: Seven bits of the length.
    instances:
      value:
        value: (value_before + bits.as<s8> * factor).as<s8>

  date_value:
    -webide-representation: '{value}'
    doc: DATE. Year, month or day may be zero.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5664
    seq:
      - id: day
        type: b5le
        doc: From 1; 0 in partial dates.
      - id: month
        type: b4le
        doc: From 1; 0 in partial dates.
      - id: year
        type: b15le
        doc: 0 in zero dates.
    instances:
      date_part:
        pos: 0
        type: calendar_date(year.as<s4>, month.as<s4>, day.as<s4>)
      value:
        value: date_part.text
      plain:
        value: value
  fraction:
    doc: Digits after the point, stored as hundredths, ten-thousandths or millionths.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L2050
    params:
      - id: num_digits
        -orig-id: fsp
        type: s4
        doc: From 0 to 6.
    seq:
      - id: digits
        type: uint_be((num_digits + 1) / 2)
    instances:
      micros:
        value: >-
          (digits.value.as<s4> * ((num_digits <= 2) ? 10000 : ((num_digits <= 4) ? 100 : 1))).as<s4>
      text:
        value: '(num_digits == 0) ? "" : "." + (micros + 1000000).to_s.substring(1, num_digits + 1)'
  timestamp2_value:
    -webide-representation: '{value}'
    doc: TIMESTAMP of MySQL 5.6.4, MariaDB 10.1 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L2050
    params:
      - id: num_digits
        type: s4
        doc: Digits of the fraction.
    seq:
      - id: seconds
        type: u4be
        doc: |
          Since 1970-01-01 UTC; 0 without a fraction means 0000-00-00 00:00:00. MariaDB 11.5 and
          later use the range up to 2106.
      - id: fraction
        type: fraction(num_digits)
        doc: The bytes of the fraction of the second.
      - id: utc
        type: utc_time(seconds)
        doc: The time without its fraction.
    instances:
      value:
        value: >-
          ((seconds == 0 and fraction.micros != 0) ? "1970-01-01 00:00:00" : utc.text)
          + fraction.text
        doc: In UTC.
      plain:
        value: value
  datetime2_value:
    -webide-representation: '{value}'
    doc: DATETIME of MySQL 5.6.4, MariaDB 10.1 and later. A local time without a zone.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1986
    params:
      - id: num_digits
        type: s4
        doc: Digits of the fraction.
    seq:
      - id: sign
        type: b1
        doc: Always 1.
      - id: year_month
        type: b17
        doc: Year times 13, plus the month.
      - id: day
        type: b5
      - id: hour
        type: b5
      - id: minute
        type: b6
      - id: second
        type: b6
      - id: fraction
        type: fraction(num_digits)
        doc: The bytes of the fraction of the second.
    instances:
      date_part:
        pos: 0
        type: calendar_date(year, month, day.as<s4>)
      time_part:
        pos: 0
        type: clock(hour.as<s4>, minute.as<s4>, second.as<s4>)
      year:
        value: year_month.as<s4> / 13
      month:
        value: year_month.as<s4> % 13
      value:
        value: date_part.text + " " + time_part.text + fraction.text
      plain:
        value: value
  time2_value:
    -webide-representation: '{value}'
    doc: |
      TIME of MySQL 5.6.4, MariaDB 10.1 and later, from -838:59:59 to 838:59:59. Whole and fraction
      are one big-endian number with a bias; a negative time has to be negated as a whole.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1737
    params:
      - id: num_digits
        type: s4
        doc: Digits of the fraction.
    seq:
      - id: whole
        type: b24
        doc: Hours times 4096, plus minutes times 64, plus seconds, plus 0x800000.
      - id: fraction
        type: uint_be((num_digits + 1) / 2)
        doc: The bytes of the fraction of the second.
    instances:
      time_part:
        pos: 0
        type: clock((packed / 4096).as<s4>, packed / 64 % 64, packed % 64)
      span:
        value: >-
          ((num_digits == 0) ? 1 : ((num_digits <= 2) ? 0x100 : ((num_digits <= 4) ? 0x10000 :
          0x1000000))).as<s8>
        doc: Number of values that the bytes of the fraction can have.
      is_negative:
        value: whole < 0x800000
        doc: The time is negative.
      magnitude:
        value: >-
          ((is_negative) ? (0x800000 - whole.as<s8>) * span - fraction.value.as<s8>
          : (whole.as<s8> - 0x800000) * span + fraction.value.as<s8>).as<s8>
        doc: The time without its sign, in units of the fraction.
      packed:
        value: (magnitude / span).as<s4>
        doc: Hours times 4096, plus minutes times 64, plus seconds.
      micros:
        value: >-
          ((magnitude % span) * ((num_digits <= 2) ? 10000 : ((num_digits <= 4) ? 100 : 1))).as<s4>
      value:
        value: >-
          ((is_negative) ? "-" : "") + time_part.text
          + ((num_digits == 0) ? "" : "." + (micros + 1000000).to_s.substring(1, num_digits + 1))
      plain:
        value: value
  timestamp_value:
    -webide-representation: '{value}'
    doc: TIMESTAMP of older servers; see `timestamp2_value`.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5020
    seq:
      - id: seconds
        type: u4
        doc: Since 1970-01-01 UTC; 0 means 0000-00-00 00:00:00.
      - id: utc
        type: utc_time(seconds)
        doc: As a date and a time.
    instances:
      value:
        value: utc.text
        doc: In UTC.
      plain:
        value: value
  utc_time:
    -webide-representation: '{text}'
    doc: |
      Seconds as date and time. Years begin with March here, so that the leap day is the last one of
      a year.
    params:
      - id: seconds
        type: u4
        doc: Since 1970-01-01 UTC.
    instances:
      date_part:
        pos: 0
        type: calendar_date(year, month, day)
      time_part:
        pos: 0
        type: clock(second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60)
      days:
        value: (seconds.as<s8> / 86400 + 719468).as<s4>
        doc: Since 0000-03-01.
      era:
        value: days / 146097
        doc: Number of 400 years.
      day_of_era:
        value: days % 146097
        doc: Days in a period of 400 years.
      year_of_era:
        value: (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365
        doc: Years in that period.
      day_of_year:
        value: day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100)
        doc: From the first of March, from 0.
      month_of_year:
        value: (5 * day_of_year + 2) / 153
        doc: 0 for March.
      day:
        value: day_of_year - (153 * month_of_year + 2) / 5 + 1
      month:
        value: '(month_of_year < 10) ? month_of_year + 3 : month_of_year - 9'
      year:
        value: 'year_of_era + era * 400 + ((month <= 2) ? 1 : 0)'
      second_of_day:
        value: (seconds.as<s8> - (seconds.as<s8> / 86400) * 86400).as<s4>
        doc: Without a remainder, which C++ takes of 32 bits only.
      text:
        value: >-
          (seconds == 0) ? "0000-00-00 00:00:00"
          : date_part.text + " " + time_part.text
  time_value:
    -webide-representation: '{value}'
    doc: TIME of older servers; see `time2_value`.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5372
    seq:
      - id: raw
        type: b24le
        doc: Decimal digits HHHMMSS, in two's complement.
    instances:
      time_part:
        pos: 0
        type: clock(digits / 10000, digits / 100 % 100, digits % 100)
      digits:
        value: '((raw < 0x800000) ? raw.as<s4> : 0x1000000 - raw.as<s4>).as<s4>'
      value:
        value: '((raw < 0x800000) ? "" : "-") + time_part.text'
      plain:
        value: value
  datetime_value:
    -webide-representation: '{value}'
    doc: DATETIME of older servers; see `datetime2_value`.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5826
    seq:
      - id: digits
        type: u8
        doc: Decimal digits YYYYMMDDhhmmss.
    instances:
      date_part:
        pos: 0
        type: calendar_date(date / 10000, date / 100 % 100, date % 100)
      time_part:
        pos: 0
        type: clock(time / 10000, time / 100 % 100, time % 100)
      date:
        value: (digits.as<s8> / 1000000).as<s4>
      time:
        value: (digits.as<s8> - date.as<s8> * 1000000).as<s4>
      value:
        value: date_part.text + " " + time_part.text
      plain:
        value: value
  decimal_value:
    -webide-representation: '{value}'
    doc: |
      DECIMAL. Digits in groups of nine to both sides of the point, each group a big-endian number;
      the outermost groups are shorter. The highest bit is set in positive values; all bits are
      inverted in negative ones.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/decimal.cc#L1301
    params:
      - id: precision
        type: s4
        doc: Number of digits.
      - id: scale
        type: s4
        doc: Number of digits after the point.
    seq:
      - id: groups
        type: >-
          decimal_group(
          (_index == 0 and num_lead_digits > 0) ? num_lead_digits
          : ((_index == num_whole_groups + scale / 9) ? scale % 9 : 9),
          _index == 0,
          (_index == 0) ? false : groups[0].is_negative,
          _index >= num_whole_groups,
          (_index == 0) ? "" : groups[_index - 1].text)
        repeat: expr
        repeat-expr: 'num_whole_groups + scale / 9 + ((scale % 9 > 0) ? 1 : 0)'
        doc: From the highest digits on.
    instances:
      num_lead_digits:
        value: (precision - scale) % 9
        doc: Digits of the first group, 0 to 8.
      num_whole_groups:
        value: '(precision - scale) / 9 + ((num_lead_digits > 0) ? 1 : 0)'
        doc: Groups before the point.
      whole_text:
        value: '(num_whole_groups > 0) ? groups[num_whole_groups - 1].text : ""'
        doc: The digits before the point.
      value:
        value: >-
          (groups.size == 0) ? "" : ((groups[0].is_negative) ? "-" : "") + ((whole_text == "") ? "0"
          : whole_text) + ((scale > 0) ? "." + groups.last.text.substring(whole_text.length,
          groups.last.text.length) : "")
      plain:
        value: value
  decimal_group:
    doc: Digits of a DECIMAL that are stored together, nine at most.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/decimal.cc#L1301
    params:
      - id: num_digits
        type: s4
        doc: From 1 to 9.
      - id: is_first
        type: bool
        doc: The first group of the value, whose highest bit is the sign.
      - id: is_rest_negative
        type: bool
        doc: Sign of the number, where this is not the first group.
      - id: is_fraction
        type: bool
        doc: The group is behind the point.
      - id: text_before
        type: str
        doc: Digits of the groups before this one, without leading zeros and without the point.
    seq:
      - id: number
        type: 'uint_be((num_digits > 6) ? 4 : (num_digits + 1) / 2)'
    instances:
      raw:
        value: number.value.as<s8>
      span:
        value: >-
          ((num_digits <= 2) ? 0x100.as<s8> : ((num_digits <= 4) ? 0x10000.as<s8>
          : ((num_digits <= 6) ? 0x1000000.as<s8> : 0x100000000.as<s8>))).as<s8>
        doc: Number of values that the bytes can have.
      is_negative:
        value: '(is_first) ? raw < span / 2 : is_rest_negative'
        doc: The value is negative, so all bits are inverted.
      magnitude:
        value: >-
          ((is_first) ? ((is_negative) ? span / 2 - 1 - raw : raw - span / 2)
          : ((is_negative) ? span - 1 - raw : raw)).as<s8>
        doc: The digits as a number.
      text:
        value: >-
          (text_before == "" and not is_fraction)
          ? ((magnitude == 0) ? "" : magnitude.to_s)
          : text_before + (magnitude + 1000000000).to_s.substring(10 - num_digits, 10)

  # Shared types

  uint_le:
    -webide-representation: '{value:dec}'
    doc: An unsigned integer, lowest byte first.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L6947
    params:
      - id: len_bytes
        type: s4
        doc: From 0 to 8.
    seq:
      - id: bytes
        size: len_bytes
    instances:
      value:
        value: >-
          (((len_bytes > 0) ? (bytes[0] & 0xff).as<u8> : 0) + ((len_bytes > 1) ? (bytes[1] &
          0xff).as<u8> * 0x100 : 0) + ((len_bytes > 2) ? (bytes[2] & 0xff).as<u8> * 0x10000 : 0) +
          ((len_bytes > 3) ? (bytes[3] & 0xff).as<u8> * 0x1000000 : 0) + (((len_bytes > 4) ?
          (bytes[4] & 0xff).as<u8> : 0) + ((len_bytes > 5) ? (bytes[5] & 0xff).as<u8> * 0x100 : 0) +
          ((len_bytes > 6) ? (bytes[6] & 0xff).as<u8> * 0x10000 : 0) + ((len_bytes > 7) ? (bytes[7]
          & 0xff).as<u8> * 0x1000000 : 0)) * 0x100000000).as<u8>
        doc: Each half is exact in a double, so JavaScript rounds once.
  uint_be:
    -webide-representation: '{value:dec}'
    doc: An unsigned integer, highest byte first.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1986
    params:
      - id: len_bytes
        type: s4
        doc: From 0 to 8.
    seq:
      - id: bytes
        size: len_bytes
    instances:
      value:
        value: >-
          (((len_bytes > 0) ? (bytes[len_bytes - 1] & 0xff).as<u8> : 0) + ((len_bytes > 1) ?
          (bytes[len_bytes - 2] & 0xff).as<u8> * 0x100 : 0) + ((len_bytes > 2) ? (bytes[len_bytes -
          3] & 0xff).as<u8> * 0x10000 : 0) + ((len_bytes > 3) ? (bytes[len_bytes - 4] & 0xff).as<u8>
          * 0x1000000 : 0) + (((len_bytes > 4) ? (bytes[len_bytes - 5] & 0xff).as<u8> : 0) +
          ((len_bytes > 5) ? (bytes[len_bytes - 6] & 0xff).as<u8> * 0x100 : 0) + ((len_bytes > 6) ?
          (bytes[len_bytes - 7] & 0xff).as<u8> * 0x10000 : 0) + ((len_bytes > 7) ? (bytes[len_bytes
          - 8] & 0xff).as<u8> * 0x1000000 : 0)) * 0x100000000).as<u8>
  clock:
    -webide-representation: '{text}'
    doc: A time of day, or a span of time.
    params:
      - id: hours
        type: s4
        doc: From 0.
      - id: minutes
        type: s4
        doc: 0 to 59.
      - id: seconds
        type: s4
        doc: 0 to 59.
    instances:
      text:
        value: >-
          ((hours < 100) ? (hours + 100).to_s.substring(1, 3) : hours.to_s)
          + ":" + (minutes + 100).to_s.substring(1, 3) + ":" + (seconds + 100).to_s.substring(1, 3)
        doc: As `hh:mm:ss`, with more digits if there are 100 hours or more.
  calendar_date:
    -webide-representation: '{text}'
    doc: A date as bits of an integer.
    params:
      - id: year
        type: s4
      - id: month
        type: s4
        doc: 0 in partial dates.
      - id: day
        type: s4
        doc: 0 in partial dates.
    instances:
      text:
        value: >-
          (year + 10000).to_s.substring(1, 5) + "-" + (month + 100).to_s.substring(1, 3)
          + "-" + (day + 100).to_s.substring(1, 3)
        doc: As `yyyy-mm-dd`.
  character_set:
    doc: That of a collation.
    doc-ref: https://dev.mysql.com/doc/refman/8.4/en/information-schema-collations-table.html
    params:
      - id: collation
        type: s4
        doc: Its id; those from 2048 on are of MariaDB.
    instances:
      is_utf8:
        value: >-
          (collation >= 192 and collation <= 215) or (collation >= 223 and collation <= 247) or
          (collation >= 255 and collation <= 323) or (collation >= 2048 and collation <= 2559) or
          collation == 33 or collation == 45 or collation == 46 or collation == 11 or collation ==
          65 or collation == 76 or collation == 83 or (collation >= 576 and collation <= 579) or
          (collation >= 608 and collation <= 611) or collation == 1035 or collation == 1057 or
          collation == 1069 or collation == 1070 or collation == 1089 or collation == 1107 or
          collation == 1216 or collation == 1238 or collation == 1248 or collation == 1270
        doc: utf8mb4, utf8mb3 or ascii.
  packed_int:
    -webide-representation: '{value:dec}'
    -orig-id: net_store_length
    doc: An integer of one, three, four or nine bytes. Writers need not choose the shortest form.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L814
    seq:
      - id: first
        type: u1
        valid:
          any-of: ['(first == 0xfb or first == 0xff) ? 0 : first']
        doc: The value itself below 251; otherwise a code for the number of bytes that follow.
      - id: tail
        type: uint_le(len - 1)
        if: first >= 0xfb
    instances:
      value:
        value: '((first < 0xfb) ? first.as<s8> : tail.value.as<s8>).as<s8>'
      len:
        value: '((first < 0xfb) ? 1 : ((first == 0xfc) ? 3 : ((first == 0xfd) ? 4 : 9))).as<s4>'
        doc: Bytes that the integer itself takes.
  packed_ints:
    -webide-representation: '{items}'
    doc: Integers to the end.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L477
    seq:
      - id: items
        type: packed_int
        repeat: eos
  short_bytes:
    -webide-representation: '{bytes:str}'
    doc: Bytes with a length of one byte before them.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L439
    seq:
      - id: len_bytes
        type: u1
      - id: bytes
        size: len_bytes
  long_bytes:
    -webide-representation: '{bytes:hex}'
    doc: Bytes with a length of four bytes before them.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1413
    seq:
      - id: len_bytes
        type: u2
      - id: bytes
        size: len_bytes
  compressed_record:
    -webide-representation: '{len_data} bytes'
    doc: Compressed text or rows of MariaDB 10.2.3 and later.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.cc#L280
    seq:
      - id: is_header
        type: b1
        doc: Always 1.
      - id: algorithm
        type: b3
        enum: record_compression
        doc: How the data is compressed.
      - id: reserved
        type: b1
        doc: Zero.
      - id: len_len_data
        type: b3
        valid:
          min: 1
          max: 4
        doc: Bytes of the field after this one, from 1 to 4.
      - id: len_data
        type: uint_be(len_len_data.as<s4>)
        doc: Length of the data when inflated, in bytes.
      - id: data
        size-eos: true
        doc: With the header of zlib.
  packed_str:
    -webide-representation: '{text}'
    doc: Text with a packed integer before it, its length.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L454
    seq:
      - id: len_bytes
        type: packed_int
      - id: bytes
        size: len_bytes.value
    instances:
      text:
        value: bytes.to_s("UTF-8")
  packed_strs:
    -webide-representation: '{items}'
    doc: Texts to the end.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L454
    seq:
      - id: items
        type: packed_str
        repeat: eos
  packed_bytes:
    -webide-representation: '{bytes:str}'
    doc: Bytes with a packed integer before them, their length.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
    seq:
      - id: len_bytes
        type: packed_int
      - id: bytes
        size: len_bytes.value
  vlint:
    -webide-representation: '{value:dec}'
    doc: |
      An integer of one to nine bytes. The number of 1 bits at the low end of the first byte is the
      number of bytes that follow; the other bits, little-endian, are the value.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L198
    seq:
      - id: first
        type: u1
        doc: Low bits of the value above the mark of the length.
      - id: tail
        type: u1
        repeat: expr
        repeat-expr: num_tail
        doc: The other bytes, the lowest one first.
    instances:
      num_tail:
        value: >-
          (((first & 0x01) == 0) ? 0 : (((first & 0x03) == 0x01) ? 1 : (((first & 0x07) == 0x03) ? 2
          : (((first & 0x0f) == 0x07) ? 3 : (((first & 0x1f) == 0x0f) ? 4 : (((first & 0x3f) ==
          0x1f) ? 5 : (((first & 0x7f) == 0x3f) ? 6 : ((first == 0x7f) ? 7 : 8)))))))).as<s4>
        doc: Bytes behind the first one.
      tail_low:
        value: >-
          (((num_tail > 0) ? tail[0].as<s8> : 0) + ((num_tail > 1) ? tail[1].as<s8> * 0x100 : 0) +
          ((num_tail > 2) ? tail[2].as<s8> * 0x10000 : 0) + ((num_tail > 3) ? tail[3].as<s8> *
          0x1000000 : 0) + ((num_tail > 4) ? tail[4].as<s8> * 0x100000000 : 0) + ((num_tail > 5) ?
          tail[5].as<s8> * 0x10000000000 : 0) + ((num_tail > 6) ? tail[6].as<s8> * 0x1000000000000 :
          0)).as<s8>
        doc: All but the eighth byte, since many languages have no integer for all of them.
      tail_value:
        value: >-
          (tail_low.as<u8> + ((num_tail > 7) ? tail[7].as<u8> * 0x100000000000000 : 0)).as<u8>
        doc: The bytes behind the first one as a number.
      half:
        value: >-
          ((num_tail == 8) ? tail_low / 2 + tail[7].as<s8> * 0x80000000000000 : (value /
          2).as<s8>).as<s8>
        doc: Of `value`.
      is_odd:
        value: '((num_tail == 8) ? tail_low % 2 : value.as<s8> % 2) != 0'
        doc: '`value` is odd, which marks a negative number.'
      value:
        value: >-
          ((num_tail == 0) ? (first / 2).as<u8>
          : ((num_tail == 1) ? (first / 4).as<u8> + tail_value * 64
          : ((num_tail == 2) ? (first / 8).as<u8> + tail_value * 32
          : ((num_tail == 3) ? (first / 16).as<u8> + tail_value * 16
          : ((num_tail == 4) ? (first / 32).as<u8> + tail_value * 8
          : ((num_tail == 5) ? (first / 64).as<u8> + tail_value * 4
          : ((num_tail == 6) ? (first / 128).as<u8> + tail_value * 2 : tail_value))))))).as<u8>
        doc: As an unsigned integer.
      signed_value:
        value: '((is_odd) ? -1 - half : half).as<s8>'
        doc: For the fields that are signed.
  vlint_str:
    -webide-representation: '{text}'
    doc: Text with an integer of variable length before it, its length.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L190
    seq:
      - id: len_text
        type: vlint
      - id: bytes
        size: len_text.value
    instances:
      text:
        value: bytes.to_s("UTF-8")
  raw_bytes:
    -webide-representation: '{bytes:hex}'
    doc: Bytes without a layout.
    seq:
      - id: bytes
        size-eos: true
enums:
  checksum_algorithm:
    0:
      id: none
      -orig-id: BINLOG_CHECKSUM_ALG_OFF
      doc: No event but the format description has a checksum.
    1:
      id: crc32
      -orig-id: BINLOG_CHECKSUM_ALG_CRC32
      doc: The algorithm of zlib.
  column_compression:
    0:
      id: none
      doc: The value is as it was.
    8:
      id: zlib
      doc: A stream of deflate.
  column_type:
    0:
      id: decimal
      -orig-id: MYSQL_TYPE_DECIMAL
      doc: Before MySQL 5.0; its width is not logged.
    1:
      id: tiny
      -orig-id: MYSQL_TYPE_TINY
      doc: TINYINT, BOOL
    2:
      id: short
      -orig-id: MYSQL_TYPE_SHORT
      doc: SMALLINT
    3:
      id: long
      -orig-id: MYSQL_TYPE_LONG
      doc: INT
    4:
      id: float
      -orig-id: MYSQL_TYPE_FLOAT
      doc: FLOAT
    5:
      id: double
      -orig-id: MYSQL_TYPE_DOUBLE
      doc: DOUBLE
    6:
      id: null_type
      -orig-id: MYSQL_TYPE_NULL
      doc: Takes no bytes; not in tables.
    7:
      id: timestamp
      -orig-id: MYSQL_TYPE_TIMESTAMP
      doc: Before MySQL 5.6.4 and MariaDB 10.1.
    8:
      id: longlong
      -orig-id: MYSQL_TYPE_LONGLONG
      doc: BIGINT
    9:
      id: int24
      -orig-id: MYSQL_TYPE_INT24
      doc: MEDIUMINT
    10:
      id: date
      -orig-id: MYSQL_TYPE_DATE
      doc: DATE
    11:
      id: time
      -orig-id: MYSQL_TYPE_TIME
      doc: Before MySQL 5.6.4 and MariaDB 10.1.
    12:
      id: datetime
      -orig-id: MYSQL_TYPE_DATETIME
      doc: Before MySQL 5.6.4 and MariaDB 10.1.
    13:
      id: year
      -orig-id: MYSQL_TYPE_YEAR
      doc: YEAR
    14:
      id: newdate
      -orig-id: MYSQL_TYPE_NEWDATE
      doc: DATE; internal.
    15:
      id: varchar
      -orig-id: MYSQL_TYPE_VARCHAR
      doc: VARCHAR, VARBINARY; VECTOR of MariaDB
    16:
      id: bit
      -orig-id: MYSQL_TYPE_BIT
      doc: BIT
    17:
      id: timestamp2
      -orig-id: MYSQL_TYPE_TIMESTAMP2
      doc: TIMESTAMP
    18:
      id: datetime2
      -orig-id: MYSQL_TYPE_DATETIME2
      doc: DATETIME
    19:
      id: time2
      -orig-id: MYSQL_TYPE_TIME2
      doc: TIME
    20:
      id: typed_array
      -orig-id: MYSQL_TYPE_TYPED_ARRAY
      doc: Multi-valued index; not in logs of MySQL 8.0.18 and later.
    140:
      id: blob_compressed
      -orig-id: MYSQL_TYPE_BLOB_COMPRESSED
      doc: MariaDB
    141:
      id: varchar_compressed
      -orig-id: MYSQL_TYPE_VARCHAR_COMPRESSED
      doc: MariaDB
    242:
      id: vector
      -orig-id: MYSQL_TYPE_VECTOR
      doc: MySQL 9.0 and later.
    245:
      id: json
      -orig-id: MYSQL_TYPE_JSON
      doc: MySQL 5.7.8 and later; JSON of MariaDB is a LONGTEXT.
    246:
      id: newdecimal
      -orig-id: MYSQL_TYPE_NEWDECIMAL
      doc: DECIMAL
    247:
      id: enum
      -orig-id: MYSQL_TYPE_ENUM
      doc: Only within the metadata of a STRING.
    248:
      id: set
      -orig-id: MYSQL_TYPE_SET
      doc: Only within the metadata of a STRING.
    249:
      id: tiny_blob
      -orig-id: MYSQL_TYPE_TINY_BLOB
      doc: Written as BLOB.
    250:
      id: medium_blob
      -orig-id: MYSQL_TYPE_MEDIUM_BLOB
      doc: Written as BLOB.
    251:
      id: long_blob
      -orig-id: MYSQL_TYPE_LONG_BLOB
      doc: Written as BLOB.
    252:
      id: blob
      -orig-id: MYSQL_TYPE_BLOB
      doc: The BLOB and TEXT types of all sizes.
    253:
      id: var_string
      -orig-id: MYSQL_TYPE_VAR_STRING
      doc: VARCHAR before MySQL 5.0.
    254:
      id: string
      -orig-id: MYSQL_TYPE_STRING
      doc: CHAR, BINARY, ENUM, SET; UUID, INET4 and INET6 of MariaDB
    255:
      id: geometry
      -orig-id: MYSQL_TYPE_GEOMETRY
      doc: GEOMETRY, POINT and the other spatial types.
  duplicate_handling:
    0:
      id: error
      -orig-id: LOAD_DUP_ERROR
      doc: The statement fails.
    1:
      id: ignore
      -orig-id: LOAD_DUP_IGNORE
      doc: The new row is left out; IGNORE.
    2:
      id: replace
      -orig-id: LOAD_DUP_REPLACE
      doc: The new row takes the place of the old one; REPLACE.
  event_type:
    0:
      id: unknown
      -orig-id: UNKNOWN_EVENT
      doc: Never written.
    1:
      id: start_v3
      -orig-id: START_EVENT_V3
      doc: Opens a file of MySQL 3.23 to 4.1.
    2:
      id: query
      -orig-id: QUERY_EVENT
      doc: A statement as text; also BEGIN and COMMIT.
    3:
      id: stop
      -orig-id: STOP_EVENT
      doc: The server was shut down.
    4:
      id: rotate
      -orig-id: ROTATE_EVENT
      doc: The log goes on in another file.
    5:
      id: intvar
      -orig-id: INTVAR_EVENT
      doc: Value of LAST_INSERT_ID() or of an AUTO_INCREMENT column for the next statement.
    6:
      id: load
      -orig-id: LOAD_EVENT
      doc: LOAD DATA of MySQL 3.23.
    7:
      id: slave
      -orig-id: SLAVE_EVENT
      doc: Never written.
    8:
      id: create_file
      -orig-id: CREATE_FILE_EVENT
      doc: LOAD DATA of MySQL 4.0 and 4.1.
    9:
      id: append_block
      -orig-id: APPEND_BLOCK_EVENT
      doc: A further part of the file of a LOAD DATA.
    10:
      id: exec_load
      -orig-id: EXEC_LOAD_EVENT
      doc: LOAD DATA of MySQL 4.0 and 4.1.
    11:
      id: delete_file
      -orig-id: DELETE_FILE_EVENT
      doc: LOAD DATA that failed.
    12:
      id: new_load
      -orig-id: NEW_LOAD_EVENT
      doc: LOAD DATA of MySQL 4.0 and 4.1.
    13:
      id: rand
      -orig-id: RAND_EVENT
      doc: Seeds of RAND() for the next statement.
    14:
      id: user_var
      -orig-id: USER_VAR_EVENT
      doc: Value of a user variable for the next statement.
    15:
      id: format_description
      -orig-id: FORMAT_DESCRIPTION_EVENT
      doc: Opens a file of MySQL 5.0 and later, and of MariaDB.
    16:
      id: xid
      -orig-id: XID_EVENT
      doc: Commits a transaction.
    17:
      id: begin_load_query
      -orig-id: BEGIN_LOAD_QUERY_EVENT
      doc: First part of the file of a LOAD DATA.
    18:
      id: execute_load_query
      -orig-id: EXECUTE_LOAD_QUERY_EVENT
      doc: The statement of a LOAD DATA.
    19:
      id: table_map
      -orig-id: TABLE_MAP_EVENT
      doc: Names a table and the types of its columns for the rows events after it.
    20:
      id: write_rows_v0
      -orig-id: PRE_GA_WRITE_ROWS_EVENT
      doc: MySQL 5.1.0 to 5.1.17.
    21:
      id: update_rows_v0
      -orig-id: PRE_GA_UPDATE_ROWS_EVENT
      doc: MySQL 5.1.0 to 5.1.17.
    22:
      id: delete_rows_v0
      -orig-id: PRE_GA_DELETE_ROWS_EVENT
      doc: MySQL 5.1.0 to 5.1.17.
    23:
      id: write_rows_v1
      -orig-id: WRITE_ROWS_EVENT_V1
      doc: MySQL 5.1.18 to 5.5, later under `log_bin_use_v1_row_events`; MariaDB always.
    24:
      id: update_rows_v1
      -orig-id: UPDATE_ROWS_EVENT_V1
      doc: MySQL 5.1.18 to 5.5, later under `log_bin_use_v1_row_events`; MariaDB always.
    25:
      id: delete_rows_v1
      -orig-id: DELETE_ROWS_EVENT_V1
      doc: MySQL 5.1.18 to 5.5, later under `log_bin_use_v1_row_events`; MariaDB always.
    26:
      id: incident
      -orig-id: INCIDENT_EVENT
      doc: Changes may have been lost.
    27:
      id: heartbeat
      -orig-id: HEARTBEAT_LOG_EVENT
      doc: Only in streams.
    28:
      id: ignorable
      -orig-id: IGNORABLE_LOG_EVENT
      doc: Says nothing.
    29:
      id: rows_query
      -orig-id: ROWS_QUERY_LOG_EVENT
      doc: The statement that made the rows which follow.
    30:
      id: write_rows
      -orig-id: WRITE_ROWS_EVENT
      doc: MySQL 5.6 and later.
    31:
      id: update_rows
      -orig-id: UPDATE_ROWS_EVENT
      doc: MySQL 5.6 and later.
    32:
      id: delete_rows
      -orig-id: DELETE_ROWS_EVENT
      doc: MySQL 5.6 and later.
    33:
      id: gtid
      -orig-id: GTID_LOG_EVENT
      doc: Opens a transaction of MySQL and names it. MySQL 5.6 and later.
    34:
      id: anonymous_gtid
      -orig-id: ANONYMOUS_GTID_LOG_EVENT
      doc: Opens a transaction without a name. MySQL 5.7 and later.
    35:
      id: previous_gtids
      -orig-id: PREVIOUS_GTIDS_LOG_EVENT
      doc: The GTIDs of all earlier files. MySQL 5.6 and later.
    36:
      id: transaction_context
      -orig-id: TRANSACTION_CONTEXT_EVENT
      doc: Group Replication.
    37:
      id: view_change
      -orig-id: VIEW_CHANGE_EVENT
      doc: Group Replication.
    38:
      id: xa_prepare
      -orig-id: XA_PREPARE_LOG_EVENT
      doc: Ends the prepared part of a distributed transaction.
    39:
      id: partial_update_rows
      -orig-id: PARTIAL_UPDATE_ROWS_EVENT
      doc: Updates with JSON documents as differences. MySQL 8.0.3 and later.
    40:
      id: transaction_payload
      -orig-id: TRANSACTION_PAYLOAD_EVENT
      doc: A whole transaction, compressed. MySQL 8.0.20 and later.
    41:
      id: heartbeat_v2
      -orig-id: HEARTBEAT_LOG_EVENT_V2
      doc: Only in streams.
    42:
      id: gtid_tagged
      -orig-id: GTID_TAGGED_LOG_EVENT
      doc: Opens a transaction whose GTID has a tag. MySQL 8.3 and later.
    160:
      id: annotate_rows
      -orig-id: ANNOTATE_ROWS_EVENT
      doc: MariaDB, as all types from here on.
    161:
      id: binlog_checkpoint
      -orig-id: BINLOG_CHECKPOINT_EVENT
      doc: The oldest file that crash recovery needs.
    162:
      id: mariadb_gtid
      -orig-id: GTID_EVENT
      doc: Opens a transaction, instead of a BEGIN.
    163:
      id: gtid_list
      -orig-id: GTID_LIST_EVENT
      doc: The last GTID of each domain and server in all earlier files.
    164:
      id: start_encryption
      -orig-id: START_ENCRYPTION_EVENT
      doc: All events after this one are encrypted.
    165:
      id: query_compressed
      -orig-id: QUERY_COMPRESSED_EVENT
      doc: QUERY with its statement compressed.
    166:
      id: write_rows_compressed_v1
      -orig-id: WRITE_ROWS_COMPRESSED_EVENT_V1
      doc: WRITE_ROWS_V1 with its rows compressed.
    167:
      id: update_rows_compressed_v1
      -orig-id: UPDATE_ROWS_COMPRESSED_EVENT_V1
      doc: UPDATE_ROWS_V1 with its rows compressed.
    168:
      id: delete_rows_compressed_v1
      -orig-id: DELETE_ROWS_COMPRESSED_EVENT_V1
      doc: DELETE_ROWS_V1 with its rows compressed.
    169:
      id: write_rows_compressed
      -orig-id: WRITE_ROWS_COMPRESSED_EVENT
      doc: WRITE_ROWS with its rows compressed; not written by servers.
    170:
      id: update_rows_compressed
      -orig-id: UPDATE_ROWS_COMPRESSED_EVENT
      doc: UPDATE_ROWS with its rows compressed; not written by servers.
    171:
      id: delete_rows_compressed
      -orig-id: DELETE_ROWS_COMPRESSED_EVENT
      doc: DELETE_ROWS with its rows compressed; not written by servers.
    172:
      id: partial_row_data
      -orig-id: PARTIAL_ROW_DATA_EVENT
      doc: |
        A part of a rows event that is too large for one. MariaDB 12.3 and later.
  extra_row_info_type:
    0:
      id: ndb
      -orig-id: NDB
      doc: MySQL Cluster.
    1:
      id: partition
      -orig-id: PART
      doc: Partitions of the rows.
  gtid_field_name:
    0:
      id: flags
      doc: Bits, as in the GTID event.
    1:
      id: source_uuid
      doc: UUID of the server on which the transaction was first committed.
    2:
      id: gno
      doc: Signed.
    3:
      id: tag
      doc: The tag; empty for none.
    4:
      id: last_committed
      doc: Signed.
    5:
      id: sequence_number
      doc: Signed.
    6:
      id: immediate_commit_timestamp
      doc: Microseconds since 1970-01-01 UTC.
    7:
      id: original_commit_timestamp
      doc: Absent if it is the same.
    8:
      id: transaction_length
      doc: Bytes of the whole transaction in this file.
    9:
      id: immediate_server_version
      doc: Version of the server that wrote this log.
    10:
      id: original_server_version
      doc: Absent if it is the same.
    11:
      id: commit_group_ticket
      doc: Absent if it is 0.
  heartbeat_field_type:
    0:
      id: end_mark
      -orig-id: OT_HB_HEADER_END_MARK
      doc: Ends the list; has no length and no value.
    1:
      id: log_file
      -orig-id: OT_HB_LOG_FILENAME_FIELD
      doc: Name of the file.
    2:
      id: position
      -orig-id: OT_HB_LOG_POSITION_FIELD
      doc: Offset in the file.
  incident:
    0:
      id: none
      -orig-id: INCIDENT_NONE
      doc: Nothing happened.
    1:
      id: lost_events
      -orig-id: INCIDENT_LOST_EVENTS
      doc: Changes are missing from the log.
  intvar:
    0:
      id: invalid
      -orig-id: INVALID_INT_EVENT
      doc: Never written.
    1:
      id: last_insert_id
      -orig-id: LAST_INSERT_ID_EVENT
      doc: What LAST_INSERT_ID() returns.
    2:
      id: insert_id
      -orig-id: INSERT_ID_EVENT
      doc: The first AUTO_INCREMENT value.
  json_literal_value:
    0:
      id: null_literal
      -orig-id: JSONB_NULL_LITERAL
      doc: "null"
    1:
      id: true_literal
      -orig-id: JSONB_TRUE_LITERAL
      doc: "true"
    2:
      id: false_literal
      -orig-id: JSONB_FALSE_LITERAL
      doc: "false"
  json_operation:
    0:
      id: replace
      -orig-id: REPLACE
      doc: The value at the path becomes another one.
    1:
      id: insert
      -orig-id: INSERT
      doc: A member of an object, or an element of an array before that with the index.
    2:
      id: remove
      -orig-id: REMOVE
      doc: The value at the path is taken out.
  json_type:
    0x00:
      id: small_object
      -orig-id: JSONB_TYPE_SMALL_OBJECT
      doc: Object of less than 64 KiB, with offsets of two bytes.
    0x01:
      id: large_object
      -orig-id: JSONB_TYPE_LARGE_OBJECT
      doc: Object with offsets of four bytes.
    0x02:
      id: small_array
      -orig-id: JSONB_TYPE_SMALL_ARRAY
      doc: Array of less than 64 KiB, with offsets of two bytes.
    0x03:
      id: large_array
      -orig-id: JSONB_TYPE_LARGE_ARRAY
      doc: Array with offsets of four bytes.
    0x04:
      id: literal
      -orig-id: JSONB_TYPE_LITERAL
      doc: null, true or false.
    0x05:
      id: int16
      -orig-id: JSONB_TYPE_INT16
      doc: Signed integer of two bytes.
    0x06:
      id: uint16
      -orig-id: JSONB_TYPE_UINT16
      doc: Unsigned integer of two bytes.
    0x07:
      id: int32
      -orig-id: JSONB_TYPE_INT32
      doc: Signed integer of four bytes.
    0x08:
      id: uint32
      -orig-id: JSONB_TYPE_UINT32
      doc: Unsigned integer of four bytes.
    0x09:
      id: int64
      -orig-id: JSONB_TYPE_INT64
      doc: Signed integer of eight bytes.
    0x0a:
      id: uint64
      -orig-id: JSONB_TYPE_UINT64
      doc: Unsigned integer of eight bytes.
    0x0b:
      id: double
      -orig-id: JSONB_TYPE_DOUBLE
      doc: Floating-point number of eight bytes.
    0x0c:
      id: string
      -orig-id: JSONB_TYPE_STRING
      doc: Text in UTF-8.
    0x0f:
      id: opaque
      -orig-id: JSONB_TYPE_OPAQUE
      doc: A value of an SQL type that JSON does not have.
  optional_metadata_type:
    1:
      id: signedness
      -orig-id: SIGNEDNESS
      doc: Bitmap of the numeric columns; 1 for UNSIGNED.
    2:
      id: default_charset
      -orig-id: DEFAULT_CHARSET
      doc: Collation of most columns with a character set, and the exceptions.
    3:
      id: column_charset
      -orig-id: COLUMN_CHARSET
      doc: Collation of each column with a character set.
    4:
      id: column_name
      -orig-id: COLUMN_NAME
      doc: Name of each column, in UTF-8.
    5:
      id: set_str_value
      -orig-id: SET_STR_VALUE
      doc: Members of each SET column.
    6:
      id: enum_str_value
      -orig-id: ENUM_STR_VALUE
      doc: Members of each ENUM column.
    7:
      id: geometry_type
      -orig-id: GEOMETRY_TYPE
      doc: WKB type of each GEOMETRY column; 0 for any.
    8:
      id: simple_primary_key
      -orig-id: SIMPLE_PRIMARY_KEY
      doc: |
        Indexes of the columns of the primary key, or else of the first unique key of NOT NULL
        columns; from 0.
    9:
      id: primary_key_with_prefix
      -orig-id: PRIMARY_KEY_WITH_PREFIX
      doc: Columns of the primary key, with the length of the prefix that it takes of each.
    10:
      id: enum_and_set_default_charset
      -orig-id: ENUM_AND_SET_DEFAULT_CHARSET
      doc: As DEFAULT_CHARSET, for ENUM and SET columns.
    11:
      id: enum_and_set_column_charset
      -orig-id: ENUM_AND_SET_COLUMN_CHARSET
      doc: As COLUMN_CHARSET, for ENUM and SET columns.
    12:
      id: column_visibility
      -orig-id: COLUMN_VISIBILITY
      doc: Bitmap of all columns; 1 for visible. MySQL 8.0.23 and later.
    13:
      id: vector_dimensionality
      -orig-id: VECTOR_DIMENSIONALITY
      doc: Greatest number of elements of each VECTOR column.
  payload_compression:
    0:
      id: zstd
      -orig-id: ZSTD
      doc: Zstandard.
    255:
      id: none
      -orig-id: NONE
      doc: The events are as they are.
  payload_field_type:
    0:
      id: end_mark
      -orig-id: OTW_PAYLOAD_HEADER_END_MARK
      doc: Ends the list; has no length and no value.
    1:
      id: payload_size
      -orig-id: OTW_PAYLOAD_SIZE_FIELD
      doc: Bytes of the payload.
    2:
      id: compression
      -orig-id: OTW_PAYLOAD_COMPRESSION_TYPE_FIELD
      doc: How the payload is compressed; see `payload_compression`.
    3:
      id: uncompressed_size
      -orig-id: OTW_PAYLOAD_UNCOMPRESSED_SIZE_FIELD
      doc: Bytes of the events within. May be missing.
  record_compression:
    0:
      id: zlib
      doc: A stream of zlib.
  row_operation:
    0:
      id: write
      doc: INSERT
    1:
      id: update
      doc: UPDATE
    2:
      id: delete
      doc: DELETE
    3:
      id: partial_update
      doc: UPDATE with JSON documents as differences.
  status_var_key:
    0:
      id: flags2
      -orig-id: Q_FLAGS2_CODE
      doc: Options of the session; see `session_flags`.
    1:
      id: sql_mode
      -orig-id: Q_SQL_MODE_CODE
      doc: The SQL mode; see `sql_modes`.
    2:
      id: catalog
      -orig-id: Q_CATALOG_CODE
      doc: MySQL 5.0.0 to 5.0.3.
    3:
      id: auto_increment
      -orig-id: Q_AUTO_INCREMENT
      doc: Step and offset of AUTO_INCREMENT values.
    4:
      id: charset
      -orig-id: Q_CHARSET_CODE
      doc: Character set of the client, collations of the connection and of the server.
    5:
      id: time_zone
      -orig-id: Q_TIME_ZONE_CODE
      doc: Time zone of the session.
    6:
      id: catalog_nz
      -orig-id: Q_CATALOG_NZ_CODE
      doc: Always `std`.
    7:
      id: lc_time_names
      -orig-id: Q_LC_TIME_NAMES_CODE
      doc: Number of a locale.
    8:
      id: charset_database
      -orig-id: Q_CHARSET_DATABASE_CODE
      doc: Collation id.
    9:
      id: table_map_for_update
      -orig-id: Q_TABLE_MAP_FOR_UPDATE_CODE
      doc: Bitmap of the tables that a multi-table update changes.
    10:
      id: master_data_written
      -orig-id: Q_MASTER_DATA_WRITTEN_CODE
      doc: Old relay logs only.
    11:
      id: invoker
      -orig-id: Q_INVOKER
      doc: The account under whose rights a stored program ran.
    12:
      id: updated_db_names
      -orig-id: Q_UPDATED_DB_NAMES
      doc: The databases that the statement changes.
    13:
      id: microseconds
      -orig-id: Q_MICROSECONDS
      doc: Fraction of the timestamp of the header. MySQL 5.6 and later.
    14:
      id: commit_ts
      -orig-id: Q_COMMIT_TS
      doc: Milestones of MySQL 5.7 only; layout unknown.
    15:
      id: commit_ts2
      -orig-id: Q_COMMIT_TS2
      doc: Milestones of MySQL 5.7 only; layout unknown.
    16:
      id: explicit_defaults_for_timestamp
      -orig-id: Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP
      doc: MySQL 8.0 and later.
    17:
      id: ddl_logged_with_xid
      -orig-id: Q_DDL_LOGGED_WITH_XID
      doc: MySQL 8.0 and later.
    18:
      id: default_collation_for_utf8mb4
      -orig-id: Q_DEFAULT_COLLATION_FOR_UTF8MB4
      doc: MySQL 8.0.11 and later.
    19:
      id: sql_require_primary_key
      -orig-id: Q_SQL_REQUIRE_PRIMARY_KEY
      doc: MySQL 8.0.13 and later.
    20:
      id: default_table_encryption
      -orig-id: Q_DEFAULT_TABLE_ENCRYPTION
      doc: MySQL 8.0.16 and later.
    21:
      id: enable_cascade_triggers
      -orig-id: Q_ENABLE_CASCADE_TRIGGERS
      doc: MySQL 9.7.
    128:
      id: hrnow
      -orig-id: Q_HRNOW
      doc: 'MariaDB: fraction of the timestamp of the header, in microseconds.'
    129:
      id: xid
      -orig-id: Q_XID
      doc: 'MariaDB: number of a DDL statement in the storage engine.'
    130:
      id: gtid_flags3
      -orig-id: Q_GTID_FLAGS3
      doc: MariaDB.
    131:
      id: character_set_collations
      -orig-id: Q_CHARACTER_SET_COLLATIONS
      doc: MariaDB 11.3 and later.
    255:
      id: dummy
      -orig-id: Q_DUMMY
      doc: 'MariaDB: filler to the end.'
  user_var_type:
    0:
      id: string
      -orig-id: STRING_RESULT
      doc: Text, in the character set of the collation.
    1:
      id: real
      -orig-id: REAL_RESULT
      doc: Floating-point number of eight bytes.
    2:
      id: int
      -orig-id: INT_RESULT
      doc: Integer of eight bytes.
    3:
      id: row
      -orig-id: ROW_RESULT
      doc: Never written.
    4:
      id: decimal
      -orig-id: DECIMAL_RESULT
      doc: DECIMAL, with its precision and scale before it.
  wkb_type:
    1:
      id: point
      doc: POINT
    2:
      id: line_string
      doc: LINESTRING
    3:
      id: polygon
      doc: POLYGON
    4:
      id: multi_point
      doc: MULTIPOINT
    5:
      id: multi_line_string
      doc: MULTILINESTRING
    6:
      id: multi_polygon
      doc: MULTIPOLYGON
    7:
      id: geometry_collection
      doc: GEOMETRYCOLLECTION
