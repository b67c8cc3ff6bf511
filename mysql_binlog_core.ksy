# Made by: make compile. Change mysql_binlog.ksy.
meta:
  id: mysql_binlog_core
  title: MySQL and MariaDB binary log, events and table maps
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
  The events of a binary log of MySQL or MariaDB, without the cells of rows: for languages in which
  the whole schema does not compile. Made from `mysql_binlog.ksy`, which says more.
doc-ref:
- https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_replication_binlog_event.html
- https://mariadb.com/kb/en/replication-protocol/
- https://github.com/mysql/mysql-server/tree/mysql-8.4.6/libs/mysql/binlog/event
- https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L1071
seq:
- id: magic
  -orig-id: BINLOG_MAGIC
  contents:
  - 254
  - bin
  doc: |
    An encrypted log of MySQL 8.0.14 and later begins with `fd 62 69 6e` instead, and no part of
    it can be read without its key.
- id: cut_first_header
  size-eos: true
  if: if_cut_first_header
  doc: |
    What is left of the first event, if the file ends inside its header; see `trailing`.
- id: events
  type: 'event(((events.size.as<s8> == (0).as<s8>) ? (4).as<s8> : ((events[(events.size.as<s8> - (1).as<s8>).as<s8>].ofs_event.as<s8>
    + ((events[(events.size.as<s8> - (1).as<s8>).as<s8>].table_map_index.as<s8> == (-(2).as<s8>).as<s8>)
    ? (13).as<s8> : len_header.as<s8>).as<s8>).as<s8> + events[(events.size.as<s8> - (1).as<s8>).as<s8>].data.size.as<s8>).as<s8>).as<s8>,
    ((events.size.as<s8> == (0).as<s8>) ? (-(1).as<s8>).as<s8> : ((events[(events.size.as<s8> - (1).as<s8>).as<s8>].table_map_index.as<s8>
    == (-(2).as<s8>).as<s8>) ? events[(events.size.as<s8> - (1).as<s8>).as<s8>].format_index.as<s8> :
    (((events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type == event_type::format_description)
    ? true : (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type == event_type::start_v3)).as<bool>
    ? (events.size.as<s8> - (1).as<s8>).as<s8> : events[(events.size.as<s8> - (1).as<s8>).as<s8>].format_index.as<s8>).as<s8>).as<s8>).as<s8>,
    ((events.size.as<s8> == (0).as<s8>) ? (-(1).as<s8>).as<s8> : (((events[(events.size.as<s8> - (1).as<s8>).as<s8>].table_map_index.as<s8>
    == (-(2).as<s8>).as<s8>) ? true : (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type ==
    event_type::start_encryption)).as<bool> ? (-(2).as<s8>).as<s8> : ((((events[(events.size.as<s8> -
    (1).as<s8>).as<s8>].event_type == event_type::table_map) ? true : (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type
    == event_type::event_type_xid)).as<bool> ? ((events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type
    == event_type::event_type_xid) == events[events[(events.size.as<s8> - (1).as<s8>).as<s8>].format_index.as<s8>].body.as<format_description_event>.has_old_type_codes)
    : false).as<bool> ? (events.size.as<s8> - (1).as<s8>).as<s8> : ((((events[(events.size.as<s8> - (1).as<s8>).as<s8>].table_map_index.as<s8>
    < (0).as<s8>) ? true : (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type == event_type::format_description)).as<bool>
    ? true : ((((((((events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> >= (20).as<s8>)
    ? (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> <= (25).as<s8>) : false).as<bool>
    ? true : ((events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> >= (30).as<s8>)
    ? (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> <= (32).as<s8>) : false).as<bool>).as<bool>
    ? true : (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> == (39).as<s8>)).as<bool>
    ? true : ((events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> >= (166).as<s8>)
    ? (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> <= (171).as<s8>) : false).as<bool>).as<bool>
    ? true : ((events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> >= (17).as<s8>)
    ? (events[(events.size.as<s8> - (1).as<s8>).as<s8>].event_type.to_i.as<s8> <= (19).as<s8>) : false).as<bool>).as<bool>
    ? (events[events[(events.size.as<s8> - (1).as<s8>).as<s8>].format_index.as<s8>].body.as<format_description_event>.ofs_rows_flags.as<s8>
    < events[(events.size.as<s8> - (1).as<s8>).as<s8>].data.size.as<s8>) : false).as<bool> ? ((events[(events.size.as<s8>
    - (1).as<s8>).as<s8>].data[events[events[(events.size.as<s8> - (1).as<s8>).as<s8>].format_index.as<s8>].body.as<format_description_event>.ofs_rows_flags.as<s8>].as<s8>
    & (1).as<s8>).as<s8> != (0).as<s8>) : false).as<bool>).as<bool> ? (-(1).as<s8>).as<s8> : events[(events.size.as<s8>
    - (1).as<s8>).as<s8>].table_map_index.as<s8>).as<s8>).as<s8>).as<s8>).as<s8>)'
  repeat: eos
instances:
  if_cut_first_header:
    value: (len_file.as<s8> < (23).as<s8>).as<bool>
  len_file:
    value: _io.size.as<s8>
  if_first_type_code:
    value: (len_file.as<s8> >= (23).as<s8>).as<bool>
  first_type_code:
    pos: 8
    type: u1
    if: if_first_type_code
  if_len_first_event:
    value: (len_file.as<s8> >= (23).as<s8>).as<bool>
  len_first_event:
    pos: 13
    type: u4
    if: if_len_first_event
  len_header:
    value: '((((len_file.as<s8> >= (23).as<s8>) ? (first_type_code.as<s8> == (1).as<s8>) : false).as<bool>
      ? (len_first_event.as<s8> < (75).as<s8>) : false).as<bool> ? (13).as<s8> : (19).as<s8>).as<s8>'
    doc: |
      Bytes of an event header up to `event.data`. 13 in MySQL 3.23, whose first event is shorter
      than any later one.
  ofs_trailing:
    value: '((events.size.as<s8> == (0).as<s8>) ? (4).as<s8> : ((events.last.ofs_event.as<s8> + ((events.last.table_map_index.as<s8>
      == (-(2).as<s8>).as<s8>) ? (13).as<s8> : len_header.as<s8>).as<s8>).as<s8> + events.last.data.size.as<s8>).as<s8>).as<s8>'
    doc: Offset of the byte after the last event.
  trailing:
    pos: ofs_trailing.as<s8>
    size-eos: true
    doc: The start of an event header that the end of the file cuts. Empty in a whole file.
types:
  event:
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
      type: s8
      doc: |
        Index in `_root.events` of the format description that governs this event; -1 for the
        first event, which is one.
    - id: table_map_index
      type: s8
      doc: |
        Index in `_root.events` of the newest table map of the open statement; -1 if there is
        none. -2 after the START_ENCRYPTION of MariaDB: the event is encrypted.
    seq:
    - id: timestamp
      -orig-id: when
      type: u4
      if: if_timestamp
      doc: |
        When the statement began, in seconds since 1970-01-01 UTC; not when it was committed. 0 in
        artificial events of a replication stream. As text in `frame.time`.
    - id: event_type
      -orig-id: type_code
      type: u1
      enum: event_type
      if: if_event_type
      valid:
        any-of:
        - '((format_index.as<s8> < (0).as<s8>) ? event_type::format_description : event_type)'
        - event_type::start_v3
      doc: |
        What the event is. The first event of a file is its format description. As a number in
        `frame.type_code`.
    - id: server_id
      type: u4
      if: if_server_id
      doc: The server on which the change was first made.
    - id: encrypted_start
      size: 9
      type: encrypted_start
      if: if_encrypted_start
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
      if: if_end_log_pos
      doc: |
        Offset of the byte after this event in the file of the server that wrote it, modulo 2^32;
        in binlog version 3 the offset of the event itself, or of its transaction. 0 in artificial
        events, inside compressed transactions, and inside the event groups of MariaDB 11.4
        and later; in a relay log it refers to the source's file. No reader should steer by it.
    - id: flags
      type: u2
      if: if_flags
      doc: Bits; see `frame.flag_bits`.
    - id: data
      size: '(((len_event.as<s8> >= (_io.pos.as<s8> - ofs_event.as<s8>).as<s8>) ? (len_event.as<s8> <=
        (_io.size.as<s8> - ofs_event.as<s8>).as<s8>) : false).as<bool> ? (len_event.as<s8> - (_io.pos.as<s8>
        - ofs_event.as<s8>).as<s8>).as<s8> : (_io.size.as<s8> - _io.pos.as<s8>).as<s8>).as<s8>'
      doc: |
        The rest of the event as bytes: what `body` and `frame.checksum` are parsed from. The rest
        of the file if that ends inside the event, or if the length is damaged.
    - id: cut_header
      size-eos: true
      if: if_cut_header
      doc: The start of a header that the end of the file cuts; see `trailing`.
    instances:
      if_timestamp:
        value: (table_map_index.as<s8> > (-(2).as<s8>).as<s8>).as<bool>
      if_event_type:
        value: (table_map_index.as<s8> > (-(2).as<s8>).as<s8>).as<bool>
      if_server_id:
        value: (table_map_index.as<s8> > (-(2).as<s8>).as<s8>).as<bool>
      if_encrypted_start:
        value: (table_map_index.as<s8> == (-(2).as<s8>).as<s8>).as<bool>
      if_end_log_pos:
        value: '((table_map_index.as<s8> > (-(2).as<s8>).as<s8>) ? (_root.len_header.as<s8> > (13).as<s8>)
          : false).as<bool>.as<bool>'
      if_flags:
        value: '((table_map_index.as<s8> > (-(2).as<s8>).as<s8>) ? (_root.len_header.as<s8> > (13).as<s8>)
          : false).as<bool>.as<bool>'
      if_cut_header:
        value: '(((_io.size.as<s8> - _io.pos.as<s8>).as<s8> < _root.len_header.as<s8>) ? (not _io.eof)
          : false).as<bool>.as<bool>'
      body:
        pos: (ofs_event.as<s8> + frame[(0).as<s8>].len_header.as<s8>).as<s8>
        size: frame[(0).as<s8>].len_body.as<s8>
        type:
          switch-on: frame[(0).as<s8>].body_type.as<s8>
          cases:
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
            20: rows_event((0).as<s8>)
            21: rows_event((1).as<s8>)
            22: rows_event((2).as<s8>)
            23: rows_event((4).as<s8>)
            24: rows_event((5).as<s8>)
            25: rows_event((6).as<s8>)
            26: incident_event
            27: heartbeat_event
            28: ignorable_event
            29: rows_query_event
            30: rows_event((8).as<s8>)
            31: rows_event((9).as<s8>)
            32: rows_event((10).as<s8>)
            33: gtid_event
            34: gtid_event
            35: previous_gtids_event
            36: transaction_context_event
            37: view_change_event
            38: xa_prepare_event
            39: rows_event((11).as<s8>)
            40: transaction_payload_event
            41: heartbeat_v2_event
            42: gtid_tagged_event
            160: annotate_rows_event
            161: binlog_checkpoint_event
            162: mariadb_gtid_event
            163: gtid_list_event
            164: start_encryption_event
            165: query_event(false, true)
            166: rows_event((20).as<s8>)
            167: rows_event((21).as<s8>)
            168: rows_event((22).as<s8>)
            169: rows_event((24).as<s8>)
            170: rows_event((25).as<s8>)
            171: rows_event((26).as<s8>)
            172: partial_row_data_event
            256: encrypted_event
            _: raw_bytes
        doc: |
          Post-header and body. Its size follows from the header alone, so that a field which a
          newer server appends can never shift the next event. The body of a type that has no case
          here stays raw, and so does one that the end of the file cuts.
      frame:
        pos: (ofs_event.as<s8> + (4).as<s8>).as<s8>
        type: event_frame
        doc: The time as text, the flags bit by bit, the checksum, and how the event is laid out.
        repeat: expr
        repeat-expr: 1
  event_frame:
    doc: What follows from the header of an event and from the format description.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L518
    seq:
    - id: type_code
      type: u1
      if: if_type_code
      doc: The code of the type as logged.
    instances:
      if_type_code:
        value: (_parent.table_map_index.as<s8> > (-(2).as<s8>).as<s8>).as<bool>
      if_extra:
        value: (len_header.as<s8> > (19).as<s8>).as<bool>
      extra:
        pos: (_parent.ofs_event.as<s8> + (19).as<s8>).as<s8>
        size: (len_header.as<s8> - (19).as<s8>).as<s8>
        if: if_extra
        doc: The rest of a header that is longer than others; see `len_header`.
      if_flag_bits:
        value: '((not is_encrypted) ? (len_header.as<s8> > (13).as<s8>) : false).as<bool>.as<bool>'
      flag_bits:
        pos: (_parent.ofs_event.as<s8> + (17).as<s8>).as<s8>
        type: event_flags
        if: if_flag_bits
        repeat: expr
        repeat-expr: 1
      if_checksum:
        value: (len_checksum.as<s8> != (0).as<s8>).as<bool>
      checksum:
        pos: ((_parent.ofs_event.as<s8> + _parent.len_event.as<s8>).as<s8> - (4).as<s8>).as<s8>
        type: u4
        if: if_checksum
        doc: |
          CRC32 (IEEE 802.3, as in zlib) of all bytes of the event before it, the header included.
        doc-ref: https://dev.mysql.com/doc/refman/8.4/en/replication-options-binary-log.html#sysvar_binlog_checksum
      if_event_type:
        value: (not is_encrypted).as<bool>
      event_type:
        value: '((body_type.as<s8> != (0).as<s8>) ? body_type.as<s8> : type_code.as<s8>).as<s8>'
        if: if_event_type
        doc: |
          What the type is; another than the code says in logs of the development trees of
          `has_old_type_codes`.
      is_encrypted:
        value: (_parent.table_map_index.as<s8> == (-(2).as<s8>).as<s8>).as<bool>
        doc: |
          By MariaDB, which says so in the event after the format description. Only `len_event` can
          be read then; the checksum, too, is encrypted.
      is_truncated:
        value: '((_parent.len_event.as<s8> > (_parent.data.size.as<s8> + ((_parent.table_map_index.as<s8>
          == (-(2).as<s8>).as<s8>) ? (13).as<s8> : _root.len_header.as<s8>).as<s8>).as<s8>) ? true : (_parent.len_event.as<s8>
          < len_header.as<s8>)).as<bool>.as<bool>.as<bool>'
        doc: |
          The file ends inside this event, or its length is damaged; `body` is then the rest of
          the file.
      len_header:
        value: '((_parent.table_map_index.as<s8> == (-(2).as<s8>).as<s8>) ? (13).as<s8> : ((type_code.as<s8>
          == (15).as<s8>) ? (19).as<s8> : ((_parent.format_index.as<s8> < (0).as<s8>) ? _root.len_header.as<s8>
          : ((type_code.as<s8> == (4).as<s8>) ? _root.events[_parent.format_index.as<s8>].body.as<format_description_event>.len_own_header.as<s8>
          : _root.events[_parent.format_index.as<s8>].body.as<format_description_event>.len_header.as<s8>).as<s8>).as<s8>).as<s8>).as<s8>'
        doc: |
          In bytes. Format descriptions and ROTATE have 19, whatever the others have, since they are
          read before that is known; and 13 in MySQL 3.23, whose first event is shorter than any
          later one. The logs of one fork, the Google patches of MySQL 5.1, have more than 19. Of an
          encrypted event, up to the byte after its length.
      len_checksum:
        value: '((((body_type.as<s8> <= (1).as<s8>) ? true : (body_type.as<s8> == (256).as<s8>)).as<bool>
          ? true : (type_code.as<s8> == (15).as<s8>)).as<bool> ? (0).as<s8> : _root.events[_parent.format_index.as<s8>].body.as<format_description_event>.len_checksum.as<s8>).as<s8>'
        doc: In bytes. A format description keeps its checksum inside its own body.
      len_body:
        value: '((not is_truncated) ? ((_parent.len_event.as<s8> - len_header.as<s8>).as<s8> - len_checksum.as<s8>).as<s8>
          : ((((is_encrypted ? (13).as<s8> : _root.len_header.as<s8>).as<s8> + _parent.data.size.as<s8>).as<s8>
          > len_header.as<s8>) ? (((is_encrypted ? (13).as<s8> : _root.len_header.as<s8>).as<s8> + _parent.data.size.as<s8>).as<s8>
          - len_header.as<s8>).as<s8> : (0).as<s8>).as<s8>).as<s8>'
        doc: In bytes; of a truncated event, what is left of it.
      body_type:
        value: '(is_truncated ? (0).as<s8> : ((_parent.table_map_index.as<s8> == (-(2).as<s8>).as<s8>)
          ? (256).as<s8> : ((((type_code.as<s8> <= (22).as<s8>) ? (type_code.as<s8> >= (16).as<s8>) :
          false).as<bool> ? _root.events[_parent.format_index.as<s8>].body.as<format_description_event>.has_old_type_codes
          : false).as<bool> ? ((type_code.as<s8> == (16).as<s8>) ? (19).as<s8> : ((type_code.as<s8> ==
          (20).as<s8>) ? (16).as<s8> : ((type_code.as<s8> >= (21).as<s8>) ? (type_code.as<s8> - (4).as<s8>).as<s8>
          : (type_code.as<s8> + (3).as<s8>).as<s8>).as<s8>).as<s8>).as<s8> : type_code.as<s8>).as<s8>).as<s8>).as<s8>'
        doc: |
          Code of the type whose layout the body has; 0 if the layout is unknown, 256 if it is
          encrypted. The types 16 to 22 mean others in the development trees of
          `has_old_type_codes`.
  encrypted_start:
    doc: Encrypted; see `encrypted_event`.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event_server.cc#L831
    seq:
    - id: bytes
      size-eos: true
  encrypted_event:
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
    instances: {}
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
      doc: 'MariaDB: written under `@@skip_replication = 1`.'
  format_description_event:
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
      if: if_len_common_header
      valid:
        min: 19
      doc: In bytes; 19 except in one fork.
    - id: post_header_lengths
      -orig-id: post_header_len
      size: len_post_header_lengths.as<s8>
      if: if_post_header_lengths
      doc: |
        One byte for each event type from 1 on, the length of its post-header in bytes. Wrong by
        mistake of the servers for TRANSACTION_PAYLOAD, and without meaning for MySQL's types 33
        to 41 in files of MariaDB.
    - id: checksum_algorithm
      type: u1
      enum: checksum_algorithm
      if: if_checksum_algorithm
      valid:
        in-enum: true
      doc: Of all other events of the file.
    - id: checksum
      type: u4
      if: if_checksum
      doc: CRC32 of this event. Written even where the other events have no checksum.
    instances:
      if_len_common_header:
        value: (not is_start_v3).as<bool>
      if_post_header_lengths:
        value: (not is_start_v3).as<bool>
      if_checksum_algorithm:
        value: has_checksum_algorithm.as<bool>
      if_checksum:
        value: has_checksum_algorithm.as<bool>
      is_start_v3:
        -orig-id: START_EVENT_V3
        value: (_parent.event_type == event_type::start_v3).as<bool>
        doc: It has no table of post-header lengths.
      len_own_header:
        value: _parent.frame[(0).as<s8>].len_header.as<s8>
      len_header:
        value: '(is_start_v3 ? len_own_header.as<s8> : len_common_header.as<s8>).as<s8>'
        doc: Bytes of the header of each other event.
      if_len_own_post_header:
        value: (not is_start_v3).as<bool>
      len_own_post_header:
        pos: 71
        type: u1
        valid:
          min: 72
        if: if_len_own_post_header
        doc: |
          The entry of this very event type (15) in `post_header_lengths`: 57 bytes of fixed fields
          and one byte for each type. All servers write it right.
      has_old_type_codes:
        value: '((len_post_header_lengths.as<s8> >= (16).as<s8>) ? (post_header_lengths[(15).as<s8>].as<s8>
          != (0).as<s8>) : false).as<bool>'
        doc: |
          Development trees of MySQL 5.1 and 5.2 gave the types 16 to 22 to TABLE_MAP, three rows
          events, XID and two of LOAD DATA, in this order. There type 16 has a post-header;
          everywhere else it is XID, which has none.
      has_status_vars:
        value: '((len_post_header_lengths.as<s8> >= (2).as<s8>) ? (post_header_lengths[(1).as<s8>].as<s8>
          >= (13).as<s8>) : false).as<bool>'
        doc: |
          The post-header of QUERY has 13 bytes, the last two of them `len_status_vars`; 11 before
          MySQL 5.0.
      len_table_id:
        value: '(((len_post_header_lengths.as<s8> >= (19).as<s8>) ? (post_header_lengths[(has_old_type_codes
          ? (15).as<s8> : (18).as<s8>).as<s8>].as<s8> == (6).as<s8>) : false) ? (4).as<s8> : (6).as<s8>).as<s8>'
        doc: |
          Bytes of a table id in table maps and rows events. 4 before MySQL 5.1.4, where the
          post-header of a table map has 6.
      ofs_rows_flags:
        value: ((len_header.as<s8> - (19).as<s8>).as<s8> + len_table_id.as<s8>).as<s8>
        doc: Offset of the flags of a rows event in `event.data`.
      len_post_header_lengths:
        value: '(is_start_v3 ? (0).as<s8> : (len_own_post_header.as<s8> - (57).as<s8>).as<s8>).as<s8>'
        doc: One for each type known to the server that wrote the file; 0 if it does not say.
      has_checksum_algorithm:
        value: '((not is_start_v3) ? (_io.size.as<s8> >= (((57).as<s8> + len_post_header_lengths.as<s8>).as<s8>
          + (5).as<s8>).as<s8>) : false).as<bool>.as<bool>'
        doc: |
          The server knows of checksums: MySQL 5.6.1, MariaDB 5.3 and later. Servers decide this by
          the version text; the length of the event says the same, and holds for forks and test
          builds as well.
      len_checksum:
        value: '((has_checksum_algorithm ? (checksum_algorithm == checksum_algorithm::crc32) : false).as<bool>
          ? (4).as<s8> : (0).as<s8>).as<s8>'
        doc: Bytes of checksum at the end of each other event.
      is_mariadb:
        value: (len_post_header_lengths.as<s8> >= (160).as<s8>).as<bool>
        doc: |
          MariaDB 5.3 and later number their own events from 160 on; no other server lists as many
          types.
  rotate_event:
    doc: |
      The log goes on in another file. With `is_artificial` set it names the file of the events that
      follow.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L75
    seq:
    - id: position
      type: u8
      if: if_position
      doc: Offset of the first event there, normally 4. Not in MySQL 3.23.
    - id: next_log_file
      -orig-id: new_log_ident
      size-eos: true
      doc: Name of the file, without a folder.
    instances:
      if_position:
        value: (_root.len_header.as<s8> > (13).as<s8>).as<bool>
  stop_event:
    doc: The server was shut down.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L373
  previous_gtids_event:
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
      repeat-expr: num_sources.as<u8>.as<s8>
      if: if_sources
      doc: Sorted by UUID, then by tag.
    - id: unknown
      size-eos: true
      if: if_unknown
      doc: A set in a form that no server writes yet.
    instances:
      if_sources:
        value: (format.as<s8> <= (1).as<s8>).as<bool>
      if_unknown:
        value: (format.as<s8> > (1).as<s8>).as<bool>
      is_tagged:
        value: (format.as<s8> == (1).as<s8>).as<bool>
        doc: Sources may have tags.
      num_sources:
        value: '(is_tagged ? (num_sources_low.as<s8>.as<u8> + (num_sources_high.as<s8>.as<u8> * (4294967296).as<s8>.as<u8>).as<u8>).as<u8>
          : ((format_low.as<s8>.as<u8> + (num_sources_low.as<s8>.as<u8> * (256).as<s8>.as<u8>).as<u8>).as<u8>
          + (num_sources_high.as<s8>.as<u8> * (1099511627776).as<s8>.as<u8>).as<u8>).as<u8>).as<u8>'
        doc: Number of `sources`.
  gtid_source:
    doc: All GTIDs of one server and one tag.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_gtid_set.cc#L1285
    seq:
    - id: source_uuid
      -orig-id: sid
      size: 16
      doc: UUID of the server, in the order of its text.
    - id: tag
      type: vlint_str
      if: if_tag
      doc: Lower-case letters, digits and underscores; empty for none.
    - id: num_intervals
      type: u8
      doc: Number of `intervals`.
    - id: intervals
      type: gno_interval
      repeat: expr
      repeat-expr: num_intervals.as<u8>.as<s8>
      doc: Ranges of numbers of transactions, in ascending order.
    instances:
      if_tag:
        value: _parent.is_tagged.as<bool>
  gno_interval:
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
        value: (end_gno.as<s8> - (1).as<s8>).as<s8>
        doc: The last number.
  gtid_list_event:
    doc: The last GTID of each domain and server in all earlier files. MariaDB 10.0.2 and later.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3794
    seq:
    - id: count_and_flags
      type: u4
      doc: Number of GTIDs in the low 28 bits, flags in the high four.
    - id: gtids
      type: mariadb_gtid
      repeat: expr
      repeat-expr: num_gtids.as<s8>
      doc: One for each domain and server.
    - id: padding
      size-eos: true
      doc: Two zero bytes if the list is empty.
    instances:
      num_gtids:
        value: (count_and_flags.as<s8> & (268435455).as<s8>).as<s8>
        doc: Number of `gtids`.
      is_until_reached:
        -orig-id: FLAG_UNTIL_REACHED
        value: ((count_and_flags.as<s8> & (268435456).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: Only in streams.
      is_ignorable_gtids:
        -orig-id: FLAG_IGN_GTIDS
        value: ((count_and_flags.as<s8> & (536870912).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: Only in streams.
  mariadb_gtid:
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
    doc: Recovery from a crash has to begin in this file. MariaDB 10.0 and later.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3573
    seq:
    - id: len_log_file
      type: u4
      doc: In bytes.
    - id: log_file
      -orig-id: binlog_file_name
      size: len_log_file.as<s8>
      doc: Name of the file, without a folder.
  start_encryption_event:
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
    doc: |
      A part of a rows event that is too large for one event. MariaDB 12.3 and later. The parts
      follow each other, and together are the rows event with its header. Public descriptions give
      the first two fields in different orders: in the first part, the number of the part is 1, and
      that of all parts is 2 or more.
    doc-ref: https://mariadb.com/docs/server/reference/clientserver-protocol/replication-protocol/partial_row_data_event
      the manual; the source of 12.3 was not read
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
      if: if_len_rows_event
      doc: Bytes of the whole rows event, its header included.
    - id: part
      size-eos: true
      doc: The next bytes of the rows event.
    instances:
      if_len_rows_event:
        value: ((flags.as<s8> & (1).as<s8>).as<s8> != (0).as<s8>).as<bool>
  gtid_event:
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
      if: if_logical_timestamp_type
      doc: 2 from MySQL 5.7.6 on.
    - id: last_committed
      type: s8
      if: if_last_committed
      doc: Sequence number of the newest transaction that this one has to wait for.
    - id: sequence_number
      type: s8
      if: if_sequence_number
      doc: Number of this transaction in its file, from 1.
    - id: details
      size-eos: true
      doc: Times, length and versions, which are parsed on demand.
    instances:
      if_logical_timestamp_type:
        value: (_io.size.as<s8> > (25).as<s8>).as<bool>
      if_last_committed:
        value: has_logical_timestamps.as<bool>
      if_sequence_number:
        value: has_logical_timestamps.as<bool>
      may_have_statements:
        -webide-parse-mode: lazy
        -orig-id: FLAG_MAY_HAVE_SBR
        value: ((flags.as<s8> & (1).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: The transaction may hold changes that were logged as statements.
      has_logical_timestamps:
        value: '((_io.size.as<s8> > (25).as<s8>) ? (logical_timestamp_type.as<s8> == (2).as<s8>) : false).as<bool>'
        doc: The numbers for parallel replicas are logged.
      has_commit_timestamps:
        -webide-parse-mode: lazy
        value: '(has_logical_timestamps ? (details.size.as<s8> >= (7).as<s8>) : false).as<bool>.as<bool>'
        doc: The times of the commit are logged.
      if_immediate_commit_timestamp:
        value: has_commit_timestamps.as<bool>
      immediate_commit_timestamp:
        pos: 42
        type: commit_timestamp
        if: if_immediate_commit_timestamp
        doc: Commit on the server that wrote this log. MySQL 8.0.1 and later.
        repeat: expr
        repeat-expr: 1
      if_original_commit_timestamp:
        value: '(has_commit_timestamps ? immediate_commit_timestamp[(0).as<s8>].is_followed : false).as<bool>.as<bool>'
      original_commit_timestamp:
        pos: 49
        type: commit_timestamp
        if: if_original_commit_timestamp
        doc: Commit on the server of `source_uuid`; absent if it is the same.
        repeat: expr
        repeat-expr: 1
      len_timestamps:
        -webide-parse-mode: lazy
        value: '(has_commit_timestamps ? (immediate_commit_timestamp[(0).as<s8>].is_followed ? (14).as<s8>
          : (7).as<s8>).as<s8> : (0).as<s8>).as<s8>'
        doc: In bytes.
      if_transaction_length:
        value: '(has_commit_timestamps ? (details.size.as<s8> > len_timestamps.as<s8>) : false).as<bool>.as<bool>'
      transaction_length:
        pos: ((42).as<s8> + len_timestamps.as<s8>).as<s8>
        type: packed_int
        if: if_transaction_length
        doc: |
          Bytes of the whole transaction in this file, this event included. MySQL 8.0.2 and later.
        repeat: expr
        repeat-expr: 1
      len_before_versions:
        -webide-parse-mode: lazy
        value: '((has_commit_timestamps ? (details.size.as<s8> > len_timestamps.as<s8>) : false).as<bool>
          ? (len_timestamps.as<s8> + transaction_length[(0).as<s8>].len.as<s8>).as<s8> : details.size.as<s8>).as<s8>'
        doc: In bytes.
      if_immediate_server_version:
        value: '(has_logical_timestamps ? (details.size.as<s8> > len_before_versions.as<s8>) : false).as<bool>.as<bool>'
      immediate_server_version:
        pos: ((42).as<s8> + len_before_versions.as<s8>).as<s8>
        type: commit_server_version
        if: if_immediate_server_version
        doc: Version of the server that wrote this log. MySQL 8.0.14 and later.
        repeat: expr
        repeat-expr: 1
      if_original_server_version:
        value: '((has_logical_timestamps ? (details.size.as<s8> > len_before_versions.as<s8>) : false).as<bool>
          ? immediate_server_version[(0).as<s8>].is_followed : false).as<bool>'
      original_server_version:
        pos: ((46).as<s8> + len_before_versions.as<s8>).as<s8>
        type: commit_server_version
        if: if_original_server_version
        doc: Version of the server of `source_uuid`; absent if it is the same.
        repeat: expr
        repeat-expr: 1
      len_before_ticket:
        -webide-parse-mode: lazy
        value: '((has_logical_timestamps ? (details.size.as<s8> > len_before_versions.as<s8>) : false).as<bool>
          ? (len_before_versions.as<s8> + (immediate_server_version[(0).as<s8>].is_followed ? (8).as<s8>
          : (4).as<s8>).as<s8>).as<s8> : details.size.as<s8>).as<s8>'
        doc: In bytes.
      if_commit_group_ticket:
        value: (details.size.as<s8> > len_before_ticket.as<s8>).as<bool>
      commit_group_ticket:
        pos: ((42).as<s8> + len_before_ticket.as<s8>).as<s8>
        type: u8
        if: if_commit_group_ticket
        doc: Group Replication only. MySQL 8.0.27 and later.
  commit_timestamp:
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
        value: (high.as<s8> >= (128).as<s8>).as<bool>
        doc: A second timestamp follows, since the two differ.
      micros:
        value: ((low.as<s8>.as<u8> + (middle.as<s8>.as<u8> * (4294967296).as<s8>.as<u8>).as<u8>).as<u8>
          + ((high.as<s8> & (127).as<s8>).as<s8>.as<u8> * (281474976710656).as<s8>.as<u8>).as<u8>).as<u8>
        doc: Microseconds since 1970-01-01 UTC.
  commit_server_version:
    doc: The version of a server.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1003
    seq:
    - id: raw
      type: u4
    instances:
      is_followed:
        value: (raw.as<s8> >= (2147483648).as<s8>).as<bool>
        doc: A second version follows, since the two differ.
      version:
        value: (raw.as<s8> & (2147483647).as<s8>).as<s8>
        doc: As a number, such as 80036 for 8.0.36; 999999 if unknown.
  gtid_tagged_event:
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
    doc: A field of the message, with its number before it.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L113
    seq:
    - id: id
      type: vlint
      doc: Number of the field; see `gtid_field_name`.
    - id: value
      type:
        switch-on: name.as<s8>
        cases:
          1: vlint_uuid
          3: vlint_str
          0: vlint
          2: vlint
          4: vlint
          5: vlint
          6: vlint
          7: vlint
          8: vlint
          9: vlint
          10: vlint
          11: vlint
          _: raw_bytes
      doc: A field that is unknown has no length; the rest of the message then stays raw.
    instances:
      name:
        value: id.value.as<u8>.as<s8>
  vlint_uuid:
    doc: A UUID, each of its bytes as an integer of its own.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L185
    seq:
    - id: bytes
      type: vlint
      repeat: expr
      repeat-expr: 16
  mariadb_gtid_event:
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
      if: if_commit_id
      doc: The same in all transactions of one group commit.
    - id: xid
      type: xa_id
      if: if_xid
      doc: Name of the distributed transaction that is prepared or completed.
    - id: flags_extra
      type: u1
      if: if_flags_extra
      doc: |
        Bits; 1 several engines, 2 begin, 4 commit and 8 rollback of an ALTER TABLE in two steps,
        16 thread id.
    - id: num_extra_engines
      -orig-id: extra_engines
      type: u1
      if: if_num_extra_engines
      doc: Storage engines that take part, less one.
    - id: start_alter_seq_no
      -orig-id: sa_seq_no
      type: u8
      if: if_start_alter_seq_no
      doc: |
        Sequence number of the event that began the ALTER TABLE which this one commits or rolls
        back.
    - id: thread_id
      type: u4
      if: if_thread_id
      doc: MariaDB 11.5 and later.
    - id: padding
      size-eos: true
      doc: Zeros.
    instances:
      if_commit_id:
        value: has_commit_id.as<bool>
      if_xid:
        value: '(is_prepared_xa ? true : is_completed_xa).as<bool>.as<bool>'
      if_flags_extra:
        value: (not _io.eof).as<bool>
      if_num_extra_engines:
        value: '(has_flags_extra ? ((flags_extra.as<s8> & (1).as<s8>).as<s8> != (0).as<s8>) : false).as<bool>.as<bool>'
      if_start_alter_seq_no:
        value: '(has_flags_extra ? ((flags_extra.as<s8> & (12).as<s8>).as<s8> != (0).as<s8>) : false).as<bool>.as<bool>'
      if_thread_id:
        value: '(has_flags_extra ? ((flags_extra.as<s8> & (16).as<s8>).as<s8> != (0).as<s8>) : false).as<bool>.as<bool>'
      is_standalone:
        -orig-id: FL_STANDALONE
        value: ((flags.as<s8> & (1).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: One event follows, and no COMMIT or XID.
      has_commit_id:
        -orig-id: FL_GROUP_COMMIT_ID
        value: ((flags.as<s8> & (2).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: The transaction was committed in a group.
      is_transactional:
        -orig-id: FL_TRANSACTIONAL
        value: ((flags.as<s8> & (4).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: All changes can be rolled back.
      allows_parallel:
        -orig-id: FL_ALLOW_PARALLEL
        value: ((flags.as<s8> & (8).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: The session ran without `skip_parallel_replication`.
      was_waiting:
        -orig-id: FL_WAITED
        value: ((flags.as<s8> & (16).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: A wait for a lock was seen as it ran.
      is_ddl:
        -orig-id: FL_DDL
        value: ((flags.as<s8> & (32).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: It is a DDL statement.
      is_prepared_xa:
        -orig-id: FL_PREPARED_XA
        value: ((flags.as<s8> & (64).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: It is the prepared part of a distributed transaction.
      is_completed_xa:
        -orig-id: FL_COMPLETED_XA
        value: ((flags.as<s8> & (128).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: It is the end of a distributed transaction.
      has_flags_extra:
        value: '(_io.size.as<s8> > (((13).as<s8> + (has_commit_id ? (8).as<s8> : (0).as<s8>).as<s8>).as<s8>
          + ((is_prepared_xa ? true : is_completed_xa).as<bool> ? (((6).as<s8> + xid.len_gtrid.as<s8>).as<s8>
          + xid.len_bqual.as<s8>).as<s8> : (0).as<s8>).as<s8>).as<s8>).as<bool>'
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
      size: len_gtrid.as<s8>
      doc: Global transaction identifier.
    - id: bqual
      size: len_bqual.as<s8>
      doc: Branch qualifier.
  query_event:
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
      if: if_len_status_vars
      doc: In bytes.
    - id: file_id
      type: u4
      if: if_file_id
      doc: The file of the statement, which came in BEGIN_LOAD_QUERY and APPEND_BLOCK events.
    - id: ofs_file_name
      -orig-id: fn_pos_start
      type: u4
      if: if_ofs_file_name
      doc: Offset in the statement, in bytes, at which a replica puts in the name of its own file.
    - id: ofs_file_name_end
      -orig-id: fn_pos_end
      type: u4
      if: if_ofs_file_name_end
      doc: Offset in the statement of the byte after the part that is replaced.
    - id: duplicate_handling
      -orig-id: dup_handling
      type: u1
      enum: duplicate_handling
      if: if_duplicate_handling
      doc: What becomes of rows whose key is there already.
    - id: status_vars
      size: len_status_vars.as<s8>
      if: if_status_vars
      doc: |
        See `session`, which is parsed on demand, so that a reader of events does not pay for it.
    - id: database_name
      -orig-id: db
      size: len_database_name.as<s8>
      doc: The default database, in UTF-8 (3 bytes at most).
    - id: database_name_end
      type: u1
      valid: 0
      doc: The terminator.
    - id: query
      size-eos: true
      if: if_query
      doc: |
        In the character set of the client (see `query_charset`), without a terminator. It may
        hold any bytes, since it contains binary values as they are; so its type is not a string.
    - id: compressed_query
      size-eos: true
      if: if_compressed_query
      doc: MariaDB, under `log_bin_compress`.
    instances:
      if_len_status_vars:
        value: has_status_vars.as<bool>
      if_file_id:
        value: is_load.as<bool>
      if_ofs_file_name:
        value: is_load.as<bool>
      if_ofs_file_name_end:
        value: is_load.as<bool>
      if_duplicate_handling:
        value: is_load.as<bool>
      if_status_vars:
        value: has_status_vars.as<bool>
      if_query:
        value: (not is_compressed).as<bool>
      if_compressed_query:
        value: is_compressed.as<bool>
      has_status_vars:
        value: _root.events[_parent.format_index.as<s8>].body.as<format_description_event>.has_status_vars.as<bool>
        doc: Servers before MySQL 5.0 log no `status_vars`.
      text:
        value: '(is_compressed ? ''(compressed)'' : ((not has_status_vars) ? query.to_s(''windows-1252'')
          : (session[(0).as<s8>].is_utf8 ? query.to_s(''UTF-8'') : query.to_s(''windows-1252''))))'
        doc: |
          The statement for people: as UTF-8 if that is the client's character set, otherwise as
          latin1, whatever it is. Some languages refuse it if it contains binary values.
      if_session:
        value: has_status_vars.as<bool>
      session:
        pos: '(is_load ? (26).as<s8> : (13).as<s8>).as<s8>'
        size: len_status_vars.as<s8>
        type: status_vars
        if: if_session
        doc: The state of the session that the statement depends on.
        repeat: expr
        repeat-expr: 1
  status_vars:
    doc: The state of the session that a statement depends on.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L124
    seq:
    - id: vars
      type: 'status_var(((vars.size.as<s8> == (0).as<s8>) ? (0).as<s8> : vars[(vars.size.as<s8> - (1).as<s8>).as<s8>].next_client_collation.as<s8>).as<s8>)'
      repeat: eos
      doc: In the order in which the server writes them.
    instances:
      client_collation:
        value: '((vars.size.as<s8> > (0).as<s8>) ? vars.last.next_client_collation.as<s8> : (0).as<s8>).as<s8>'
        doc: Id of the collation of the client's character set; 0 if it is not logged.
      is_utf8:
        value: '((client_collation.as<s8> == (0).as<s8>) ? true : client[(0).as<s8>].is_utf8).as<bool>.as<bool>'
      client:
        pos: 0
        type: character_set(client_collation.as<s8>)
        doc: Of the character set of the client.
        repeat: expr
        repeat-expr: 1
  status_var:
    doc: |
      A part of the session's state that the statement depends on. The values have no length: the
      part after an unknown key stays raw.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L157
    params:
    - id: client_collation
      type: s8
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
          status_var_key::status_var_key_xid: query_u8
          status_var_key::gtid_flags3: query_gtid_flags3
          status_var_key::character_set_collations: query_character_set_collations
          _: raw_bytes
    instances:
      next_client_collation:
        value: '((key == status_var_key::charset) ? value.as<query_charset>.character_set_client.as<s8>
          : client_collation.as<s8>).as<s8>'
  query_flags2:
    doc: Options of the session.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L170
    seq:
    - id: flag_bits
      size: 4
      type: session_flags
    instances:
      bits:
        value: flag_bits.value.as<s8>
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
      doc: '`sql_auto_is_null`: `WHERE id IS NULL` finds the row that was inserted last.'
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
      doc: 'MariaDB: `explicit_defaults_for_timestamp`.'
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
      doc: 'MariaDB: `sql_if_exists`; DDL behaves as with IF EXISTS.'
    - id: reserved5
      type: b1le
    - id: is_insert_history
      -orig-id: OPTION_INSERT_HISTORY
      type: b1le
      doc: 'MariaDB: `system_versioning_insert_history`.'
    - id: reserved6
      type: b1le
    instances:
      value:
        pos: 0
        type: u4
        doc: All bits as one integer.
  query_sql_mode:
    doc: The SQL mode.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L191
    seq:
    - id: modes
      size: 8
      type: sql_modes
      doc: The modes, each by its name.
    instances:
      sql_mode:
        value: modes.value.as<u8>
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
      doc: 'MariaDB: table options that the engine does not know are allowed.'
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
      -orig-id:
      - MODE_TIME_TRUNCATE_FRACTIONAL
      - MODE_EMPTY_STRING_IS_NULL
      type: b1le
      doc: In MySQL fractions of seconds are cut, not rounded. In MariaDB an empty text is NULL.
    - id: mode_33
      -orig-id:
      - MODE_INTERPRET_UTF8_AS_UTF8MB4
      - MODE_SIMULTANEOUS_ASSIGNMENT
      type: b1le
      doc: |
        In MySQL `utf8` means utf8mb4. In MariaDB the assignments of an UPDATE see the old values.
    - id: is_time_round_fractional
      -orig-id: MODE_TIME_ROUND_FRACTIONAL
      type: b1le
      doc: 'MariaDB: fractions of seconds are rounded, not cut.'
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
      size: len_text.as<s8>
    - id: text_end
      contents:
      - 0
  query_auto_increment:
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
    doc: A text with its length before it.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L230
    seq:
    - id: len_bytes
      type: u1
    - id: bytes
      size: len_bytes.as<s8>
    instances:
      text:
        value: bytes.to_s('UTF-8')
  query_invoker:
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
    doc: The databases that a statement changes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L388
    seq:
    - id: num_names
      type: u1
      doc: Number of `names`, or 254.
    - id: names
      type: query_name
      repeat: expr
      repeat-expr: num_names.as<s8>
      if: if_names
      doc: |
        The databases that the statement changes. 254 means too many to name, and no names follow.
    instances:
      if_names:
        value: (num_names.as<s8> != (254).as<s8>).as<bool>
  query_name:
    doc: A name with a terminator.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L388
    seq:
    - id: bytes
      terminator: 0
    instances:
      text:
        value: bytes.to_s('UTF-8')
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
      if: if_start_alter_seq_no
      doc: As in the GTID event of MariaDB.
    instances:
      if_start_alter_seq_no:
        value: ((flags_extra.as<s8> & (12).as<s8>).as<s8> != (0).as<s8>).as<bool>
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
      repeat-expr: num_items.as<s8>
  query_character_set_collation:
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
    doc: An integer of one byte.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L397
    seq:
    - id: value
      type: u1
  query_u2:
    doc: An integer of two bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L302
    seq:
    - id: value
      type: u2
  query_u3:
    doc: An integer of three bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L497
    seq:
    - id: value
      type: b24le
  query_u4:
    doc: An integer of four bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L356
    seq:
    - id: value
      type: u4
  query_u8:
    doc: An integer of eight bytes.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L340
    seq:
    - id: value
      type: u8
  xid_event:
    doc: Commits a transaction.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L501
    seq:
    - id: xid
      type: u8
      doc: Number of the transaction in the storage engine. No part of a GTID.
  xa_prepare_event:
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
      size: len_gtrid.as<s8>
      doc: Global transaction identifier.
    - id: bqual
      size: len_bqual.as<s8>
      doc: Branch qualifier.
  transaction_payload_event:
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
      repeat-until: _.is_end.as<bool>
      doc: In any order; the last one is the end mark.
    - id: payload
      size-eos: true
      doc: A stream of zstd, of one or more frames.
  payload_field:
    doc: A field of the header of a compressed transaction.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L764
    seq:
    - id: field_type_code
      type: packed_int
      doc: See `payload_field_type`.
    - id: len_value
      type: packed_int
      if: if_len_value
      doc: In bytes.
    - id: value
      size: len_value.value.as<s8>
      type: packed_int
      if: if_value
      doc: Sizes in bytes; the compression as one of the enum `payload_compression`.
    instances:
      if_len_value:
        value: (not is_end).as<bool>
      if_value:
        value: (not is_end).as<bool>
      is_end:
        value: (field_type_code.value.as<s8> == (0).as<s8>).as<bool>
      field_type:
        value: field_type_code.value.as<s8>
        doc: What the field is.
  intvar_event:
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
    doc: Value of a user variable for the next statement. MySQL 4.1 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
    seq:
    - id: len_name
      type: u4
      doc: In bytes.
    - id: name
      size: len_name.as<s8>
      doc: In UTF-8, without the `@`.
    - id: is_null
      type: u1
      doc: 1 for NULL, which has no further fields.
    - id: value_type
      -orig-id: type
      type: u1
      enum: user_var_type
      if: if_value_type
      doc: How the value is written.
    - id: collation
      -orig-id: charset_number
      type: u4
      if: if_collation
      doc: Id of the collation; of text that of its character set.
    - id: len_value
      type: u4
      if: if_len_value
      doc: In bytes.
    - id: variable_value
      size: len_value.as<s8>
      if: if_variable_value
      type:
        switch-on: value_type
        cases:
          user_var_type::user_var_type_string: user_var_string
          user_var_type::real: double_value
          user_var_type::user_var_type_int: signed_longlong
          _: raw_bytes
      doc: In a form that depends on its type.
    - id: attributes
      size-eos: true
      if: if_attributes
      doc: |
        MySQL 5.6 and later: one byte, 1 if an integer is unsigned; one of 2^63 or more shows as
        negative here. MariaDB: a list of 0 (signed), 1 (unsigned), or 2 with the name of a type,
        its length before it.
    instances:
      if_value_type:
        value: (is_null.as<s8> == (0).as<s8>).as<bool>
      if_collation:
        value: (is_null.as<s8> == (0).as<s8>).as<bool>
      if_len_value:
        value: (is_null.as<s8> == (0).as<s8>).as<bool>
      if_variable_value:
        value: (is_null.as<s8> == (0).as<s8>).as<bool>
      if_attributes:
        value: (is_null.as<s8> == (0).as<s8>).as<bool>
      is_unsigned:
        -orig-id: UNSIGNED_F
        value: '(((is_null.as<s8> == (0).as<s8>) ? (attributes.size.as<s8> > (0).as<s8>) : false).as<bool>
          ? (attributes[(0).as<s8>].as<s8> == (1).as<s8>) : false).as<bool>'
  user_var_string:
    doc: A user variable that is text.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
    seq:
    - id: value
      size-eos: true
      doc: In the character set of the collation.
  load_event:
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
      if: if_file_id
      doc: Number of the file, by which later events name it.
    - id: old_format
      type: load_format_old
      if: if_old_format
      doc: In LOAD.
    - id: format
      type: load_format
      if: if_format
      doc: In NEW_LOAD and CREATE_FILE.
    - id: len_field_names
      type: u1
      repeat: expr
      repeat-expr: num_field_names.as<s8>
      doc: In bytes, without the terminators.
    - id: field_names
      type: load_field_name(len_field_names[field_names.size.as<s8>].as<s8>)
      repeat: expr
      repeat-expr: num_field_names.as<s8>
      doc: Columns that the statement lists.
    - id: table_name
      size: len_table_name.as<s8>
      doc: The table that is loaded.
    - id: table_name_end
      type: u1
      valid: 0
      doc: The terminator.
    - id: database_name
      size: len_database_name.as<s8>
      doc: Its database.
    - id: database_name_end
      type: u1
      valid: 0
      doc: The terminator.
    - id: file_name
      size-eos: true
      if: if_file_name
      doc: Of the file that the client named.
    - id: created_file_name
      terminator: 0
      if: if_created_file_name
      doc: The same.
    - id: block
      size-eos: true
      if: if_block
      doc: The first bytes of the file.
    instances:
      if_file_id:
        value: is_create_file.as<bool>
      if_old_format:
        value: (_parent.event_type == event_type::load).as<bool>
      if_format:
        value: (_parent.event_type != event_type::load).as<bool>
      if_file_name:
        value: (not is_create_file).as<bool>
      if_created_file_name:
        value: is_create_file.as<bool>
      if_block:
        value: is_create_file.as<bool>
      is_create_file:
        -orig-id: CREATE_FILE_EVENT
        value: (_parent.event_type == event_type::create_file).as<bool>
        doc: The first part of the file is in the event.
  load_field_name:
    doc: The name of a column, with a terminator.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L468
    params:
    - id: len_name
      type: s8
    seq:
    - id: name
      size: len_name.as<s8>
    - id: name_end
      contents:
      - 0
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
        value: ((options.as<s8> & (1).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: SELECT ... INTO DUMPFILE.
      is_optionally_enclosed:
        -orig-id: OPT_ENCLOSED_FLAG
        value: ((options.as<s8> & (2).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: FIELDS OPTIONALLY ENCLOSED BY.
      is_replace:
        -orig-id: REPLACE_FLAG
        value: ((options.as<s8> & (4).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: 'REPLACE: rows whose key is there already take their place.'
      is_ignore:
        -orig-id: IGNORE_FLAG
        value: ((options.as<s8> & (8).as<s8>).as<s8> != (0).as<s8>).as<bool>
        doc: 'IGNORE: rows whose key is there already are left out.'
  load_block_event:
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
    doc: |
      The file of a LOAD DATA is complete, and the statement runs (EXEC_LOAD, MySQL 4.0 to 5.0.2);
      or it is thrown away, since the statement failed (DELETE_FILE).
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L818
    seq:
    - id: file_id
      type: u4
      doc: Number of the file.
  rows_query_event:
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
        value: query.to_s('UTF-8')
        doc: The statement for people.
  annotate_rows_event:
    doc: The statement that made the rows which follow, for people. MariaDB 5.3 and later.
    doc-ref: https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L4254
    seq:
    - id: query
      size-eos: true
      doc: In the character set of the client, mostly UTF-8; without a terminator.
    instances:
      text:
        value: query.to_s('UTF-8')
        doc: The statement for people.
  table_map_event:
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
      size: num_columns.value.as<s8>
      doc: Codes of the enum `column_type`, one byte for each column.
    - id: details
      size-eos: true
      doc: |
        Metadata of the columns, which is parsed on demand, so that a reader of events does not
        pay for it. Missing in MySQL 5.1.17 and older.
    instances:
      database:
        value: head.database_name.to_s('UTF-8')
        doc: Name of the database.
      table:
        value: head.table_name.to_s('UTF-8')
        doc: Name of the table.
      table_id:
        -webide-parse-mode: lazy
        value: '((_root.events[_parent.format_index.as<s8>].body.as<format_description_event>.len_table_id.as<s8>
          == (6).as<s8>) ? (head.table_id_low.as<s8>.as<u8> + (head.table_id_high.as<s8>.as<u8> * (4294967296).as<s8>.as<u8>).as<u8>).as<u8>
          : head.table_id_low.as<s8>.as<u8>).as<u8>'
        doc: The number by which rows events name the table.
      if_nullable_bitmap:
        value: layout[(0).as<s8>].has_column_metadata.as<bool>
      nullable_bitmap:
        -orig-id: null_bits
        pos: layout[(0).as<s8>].ofs_nullable_bitmap.as<s8>
        size: ((num_columns.value.as<s8> + (7).as<s8>).as<s8> / (8).as<s8>).as<s8>
        if: if_nullable_bitmap
        doc: One bit for each column, from the lowest bit of the first byte on; 1 if it may be NULL.
      optional_fields:
        pos: '(layout[(0).as<s8>].has_column_metadata ? (layout[(0).as<s8>].ofs_nullable_bitmap.as<s8>
          + nullable_bitmap.size.as<s8>).as<s8> : _io.size.as<s8>).as<s8>'
        type: 'optional_metadata_field(optional_fields.size.as<s8>, ((optional_fields.size.as<s8> == (0).as<s8>)
          ? (-(1).as<s8>).as<s8> : optional_fields[(optional_fields.size.as<s8> - (1).as<s8>).as<s8>].next_signedness_index.as<s8>).as<s8>,
          ((optional_fields.size.as<s8> == (0).as<s8>) ? (-(1).as<s8>).as<s8> : optional_fields[(optional_fields.size.as<s8>
          - (1).as<s8>).as<s8>].next_default_charset_index.as<s8>).as<s8>, ((optional_fields.size.as<s8>
          == (0).as<s8>) ? (-(1).as<s8>).as<s8> : optional_fields[(optional_fields.size.as<s8> - (1).as<s8>).as<s8>].next_column_charset_index.as<s8>).as<s8>,
          ((optional_fields.size.as<s8> == (0).as<s8>) ? (-(1).as<s8>).as<s8> : optional_fields[(optional_fields.size.as<s8>
          - (1).as<s8>).as<s8>].next_column_names_index.as<s8>).as<s8>, ((optional_fields.size.as<s8>
          == (0).as<s8>) ? (-(1).as<s8>).as<s8> : optional_fields[(optional_fields.size.as<s8> - (1).as<s8>).as<s8>].next_enum_members_index.as<s8>).as<s8>,
          ((optional_fields.size.as<s8> == (0).as<s8>) ? (-(1).as<s8>).as<s8> : optional_fields[(optional_fields.size.as<s8>
          - (1).as<s8>).as<s8>].next_set_members_index.as<s8>).as<s8>)'
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
        repeat: expr
        repeat-expr: 1
  table_map_head:
    doc: The first fields of a table map.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L80
    seq:
    - id: table_id_low
      type: u4
      doc: Low 32 bits of the table id.
    - id: table_id_high
      type: u2
      if: if_table_id_high
      doc: Its high 16 bits.
    - id: flags
      type: u2
      doc: Bits; see `flag_bits`.
    - id: len_database_name
      type: u1
      doc: In bytes; a packed integer, which for a name has always one byte.
    - id: database_name
      -orig-id: dbnam
      size: len_database_name.as<s8>
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
      size: len_table_name.as<s8>
      doc: In UTF-8 (3 bytes at most); see `table_map_event.table`.
    - id: table_name_end
      type: u1
      valid: 0
      doc: The terminator.
    instances:
      if_table_id_high:
        value: (_root.events[_parent._parent.format_index.as<s8>].body.as<format_description_event>.len_table_id.as<s8>
          == (6).as<s8>).as<bool>
      flag_bits:
        pos: _root.events[_parent._parent.format_index.as<s8>].body.as<format_description_event>.len_table_id.as<s8>
        type: table_map_flags
        repeat: expr
        repeat-expr: 1
  table_map_layout:
    doc: Offsets of the metadata of the columns, and which optional fields there are.
    instances:
      has_column_metadata:
        value: (_parent.details.size.as<s8> > (0).as<s8>).as<bool>
        doc: The table map has metadata of its columns, not only their types.
      ofs_details:
        value: (_io.size.as<s8> - _parent.details.size.as<s8>).as<s8>
        doc: Offset of `details` in the body.
      if_len_column_metadata:
        value: has_column_metadata.as<bool>
      len_column_metadata:
        pos: ofs_details.as<s8>
        type: packed_int
        if: if_len_column_metadata
        repeat: expr
        repeat-expr: 1
      ofs_nullable_bitmap:
        value: '((has_column_metadata ? (len_column_metadata[(0).as<s8>].value.as<s8> <= _parent.details.size.as<s8>)
          : false) ? ((ofs_details.as<s8> + len_column_metadata[(0).as<s8>].len.as<s8>).as<s8> + len_column_metadata[(0).as<s8>].value.as<s8>).as<s8>
          : _io.size.as<s8>).as<s8>'
        doc: Offset of `nullable_bitmap` in the body.
      signedness_index:
        value: '((_parent.optional_fields.size.as<s8> > (0).as<s8>) ? _parent.optional_fields.last.next_signedness_index.as<s8>
          : (-(1).as<s8>).as<s8>).as<s8>'
        doc: |
          Index of that field in `optional_fields`; -1 if it is not logged. The same holds for the
          next five.
      default_charset_index:
        value: '((_parent.optional_fields.size.as<s8> > (0).as<s8>) ? _parent.optional_fields.last.next_default_charset_index.as<s8>
          : (-(1).as<s8>).as<s8>).as<s8>'
        doc: As `signedness_index`, of DEFAULT_CHARSET.
      column_charset_index:
        value: '((_parent.optional_fields.size.as<s8> > (0).as<s8>) ? _parent.optional_fields.last.next_column_charset_index.as<s8>
          : (-(1).as<s8>).as<s8>).as<s8>'
        doc: As `signedness_index`, of COLUMN_CHARSET.
      column_names_index:
        value: '((_parent.optional_fields.size.as<s8> > (0).as<s8>) ? _parent.optional_fields.last.next_column_names_index.as<s8>
          : (-(1).as<s8>).as<s8>).as<s8>'
        doc: As `signedness_index`, of COLUMN_NAME.
      enum_members_index:
        value: '((_parent.optional_fields.size.as<s8> > (0).as<s8>) ? _parent.optional_fields.last.next_enum_members_index.as<s8>
          : (-(1).as<s8>).as<s8>).as<s8>'
        doc: As `signedness_index`, of ENUM_STR_VALUE.
      set_members_index:
        value: '((_parent.optional_fields.size.as<s8> > (0).as<s8>) ? _parent.optional_fields.last.next_set_members_index.as<s8>
          : (-(1).as<s8>).as<s8>).as<s8>'
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
      doc: 'MariaDB: the table has triggers.'
    - id: reserved2
      type: b1le
  optional_metadata_field:
    doc: A field of the optional metadata of a table map.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L411
    params:
    - id: field_index
      type: s8
      doc: Index of this field in `optional_fields`.
    - id: signedness_index
      type: s8
      doc: Index of that field, if it came before; otherwise -1. The same holds for the next five.
    - id: default_charset_index
      type: s8
      doc: As `signedness_index`, of DEFAULT_CHARSET.
    - id: column_charset_index
      type: s8
      doc: As `signedness_index`, of COLUMN_CHARSET.
    - id: column_names_index
      type: s8
      doc: As `signedness_index`, of COLUMN_NAME.
    - id: enum_members_index
      type: s8
      doc: As `signedness_index`, of ENUM_STR_VALUE.
    - id: set_members_index
      type: s8
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
    - id: field_data
      size: len_data.value.as<s8>
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
        value: '((field_type == optional_metadata_type::signedness) ? field_index.as<s8> : signedness_index.as<s8>).as<s8>'
      next_default_charset_index:
        value: '((field_type == optional_metadata_type::default_charset) ? field_index.as<s8> : default_charset_index.as<s8>).as<s8>'
      next_column_charset_index:
        value: '((field_type == optional_metadata_type::column_charset) ? field_index.as<s8> : column_charset_index.as<s8>).as<s8>'
      next_column_names_index:
        value: '((field_type == optional_metadata_type::column_name) ? field_index.as<s8> : column_names_index.as<s8>).as<s8>'
      next_enum_members_index:
        value: '((field_type == optional_metadata_type::enum_str_value) ? field_index.as<s8> : enum_members_index.as<s8>).as<s8>'
      next_set_members_index:
        value: '((field_type == optional_metadata_type::set_str_value) ? field_index.as<s8> : set_members_index.as<s8>).as<s8>'
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
    doc: The members of one ENUM or SET column.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
    seq:
    - id: num_members
      type: packed_int
      doc: Number of members.
    - id: members
      type: packed_bytes
      repeat: expr
      repeat-expr: num_members.value.as<s8>
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
  rows_event:
    doc: |
      Rows that were inserted, updated or deleted in one table. Version 0 (types 20 to 22) is of
      MySQL 5.1.0 to 5.1.17; what its null bitmaps hold depends on the table's storage, so its rows
      stay raw. Version 1 (23 to 25) and version 2 (30 to 32) differ in the extra row info only.
      PARTIAL_UPDATE_ROWS (39) may have JSON documents as lists of differences. In MariaDB's
      compressed forms (166 to 171) the rows, and only these, are compressed.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L723
    params:
    - id: form
      type: s8
      doc: The operation, plus 4 times the version, plus 16 if the rows are compressed.
    seq:
    - id: head
      type: rows_head((form.as<s8> & (3).as<s8>).as<s8>, ((form.as<s8> / (4).as<s8>).as<s8> % (4).as<s8>).as<s8>,
        (form.as<s8> >= (16).as<s8>))
      doc: The fields before the rows.
    - id: row_data
      size-eos: true
      if: if_row_data
      doc: The rows as bytes; see `rows`.
    - id: compressed_row_data
      size-eos: true
      if: if_compressed_row_data
      doc: MariaDB, under `log_bin_compress`.
    instances:
      if_row_data:
        value: (not head.is_compressed).as<bool>
      if_compressed_row_data:
        value: head.is_compressed.as<bool>
      table_id:
        -webide-parse-mode: lazy
        value: '((_root.events[_parent.format_index.as<s8>].body.as<format_description_event>.len_table_id.as<s8>
          == (6).as<s8>) ? (head.table_id_low.as<s8>.as<u8> + (head.table_id_high.as<s8>.as<u8> * (4294967296).as<s8>.as<u8>).as<u8>).as<u8>
          : head.table_id_low.as<s8>.as<u8>).as<u8>'
        doc: The number of the table in the table map.
      operation:
        -webide-parse-mode: lazy
        value: head.operation_code.as<s8>
        doc: What was done with the rows.
      if_database:
        value: layout[(0).as<s8>].has_table_map.as<bool>
      database:
        -webide-parse-mode: lazy
        value: _root.events[layout[(0).as<s8>].table_map_event_index.as<s8>].body.as<table_map_event>.database
        if: if_database
        doc: Name of the database of the table.
      if_table:
        value: layout[(0).as<s8>].has_table_map.as<bool>
      table:
        -webide-parse-mode: lazy
        value: _root.events[layout[(0).as<s8>].table_map_event_index.as<s8>].body.as<table_map_event>.table
        if: if_table
        doc: Name of the table.
      layout:
        pos: 0
        type: rows_layout
        doc: How the rows are laid out, and the table map that says so.
        repeat: expr
        repeat-expr: 1
  rows_head:
    doc: 'The first fields of a rows event: its table, flags and present columns.'
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L728
    params:
    - id: operation_code
      type: s8
      doc: See `rows_event.operation`.
    - id: version
      type: s8
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
      if: if_table_id_high
      doc: Its high 16 bits.
    - id: flags
      type: u2
      doc: Bits; see `flag_bits`.
    - id: len_extra_row_info
      -orig-id: var_header_len
      type: u2
      if: if_len_extra_row_info
      valid:
        min: 2
      doc: In bytes, these two included.
    - id: extra_row_info
      size: (len_extra_row_info.as<s8> - (2).as<s8>).as<s8>
      type: extra_row_infos
      if: if_extra_row_info
      doc: MySQL Cluster and partitions.
    - id: num_columns
      -orig-id: width
      type: packed_int
      doc: As in the table map.
    - id: columns_present_bitmap
      size: ((num_columns.value.as<s8> + (7).as<s8>).as<s8> / (8).as<s8>).as<s8>
      doc: |
        The columns that the row images of this event hold; of an update, the before images. One
        bit for each column, from the lowest bit of the first byte on. The bits beyond the last
        column are undefined.
    - id: columns_present_bitmap_after
      size: ((num_columns.value.as<s8> + (7).as<s8>).as<s8> / (8).as<s8>).as<s8>
      if: if_columns_present_bitmap_after
      doc: The columns that the after images of an update hold.
    instances:
      if_table_id_high:
        value: '((version.as<s8> == (2).as<s8>) ? true : (_root.events[_parent._parent.format_index.as<s8>].body.as<format_description_event>.len_table_id.as<s8>
          == (6).as<s8>)).as<bool>.as<bool>'
      if_len_extra_row_info:
        value: (version.as<s8> == (2).as<s8>).as<bool>
      if_extra_row_info:
        value: '((version.as<s8> == (2).as<s8>) ? (len_extra_row_info.as<s8> > (2).as<s8>) : false).as<bool>.as<bool>'
      if_columns_present_bitmap_after:
        value: '(((operation_code.as<s8> & (1).as<s8>).as<s8> != (0).as<s8>) ? (version.as<s8> > (0).as<s8>)
          : false).as<bool>.as<bool>'
      flag_bits:
        pos: _root.events[_parent._parent.format_index.as<s8>].body.as<format_description_event>.len_table_id.as<s8>
        type: rows_flags
        doc: The flags, each by its name.
        repeat: expr
        repeat-expr: 1
  rows_layout:
    doc: How the rows of an event are laid out.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L763
    instances:
      table_map_probes:
        pos: 0
        type: 'table_map_probe(((table_map_probes.size.as<s8> == (0).as<s8>) ? _parent._parent.table_map_index.as<s8>
          : table_map_probes[(table_map_probes.size.as<s8> - (1).as<s8>).as<s8>].prev_index.as<s8>).as<s8>,
          _parent.table_id.as<u8>)'
        repeat: until
        repeat-until: _.is_done.as<bool>
        doc: The search for the newest table map of the statement that has this table id.
      has_table_map:
        value: table_map_probes.last.is_match.as<bool>
        doc: The table map is in the file, in the same statement.
      table_map_event_index:
        value: table_map_probes.last.event_index.as<s8>
        doc: Index of the table map in `_root.events`.
      has_wide_table_map:
        value: '(has_table_map ? (((_root.events[table_map_event_index.as<s8>].body.as<table_map_event>.num_columns.value.as<s8>
          - _parent.head.num_columns.value.as<s8>).as<s8> == (0).as<s8>) ? (_root.events[table_map_event_index.as<s8>].body.as<table_map_event>.details.size.as<s8>
          > (0).as<s8>) : false).as<bool> : false).as<bool>'
        doc: |
          There is a table map, it has as many columns as the event says, and holds more than their
          types.
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
      doc: The SQL layer, not the storage engine, checks foreign keys. MySQL 9.7.
    - id: reserved
      type: b2le
    - id: is_no_check_constraints
      -orig-id: NO_CHECK_CONSTRAINT_CHECKS_F
      type: b1le
      doc: 'MariaDB: the session ran with `check_constraint_checks = 0`.'
    - id: reserved2
      type: b8le
  table_map_probe:
    doc: One step of the search for a table map, from the newest one back.
    params:
    - id: event_index
      type: s8
      doc: Index in `_root.events` of the table map to look at; -1 if there is none left.
    - id: wanted_table_id
      type: u8
      doc: The number of the table.
    instances:
      is_match:
        value: '((event_index.as<s8> < (0).as<s8>) ? false : (_root.events[event_index.as<s8>].body.as<table_map_event>.table_id.as<u8>
          == wanted_table_id.as<u8>)).as<bool>'
        doc: This is the wanted table map.
      is_done:
        value: '((event_index.as<s8> < (0).as<s8>) ? true : is_match).as<bool>.as<bool>'
        doc: The search ends here.
      if_prev_index:
        value: (event_index.as<s8> >= (0).as<s8>).as<bool>
      prev_index:
        value: _root.events[event_index.as<s8>].table_map_index.as<s8>
        if: if_prev_index
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
      size: (len_info.as<s8> - (2).as<s8>).as<s8>
      doc: Written by MySQL Cluster for itself.
  partition_row_info:
    doc: MySQL 8.0.16 and later. Rows of different partitions are in different events.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L804
    seq:
    - id: partition_id
      type: u2
      doc: The partition of the rows, from 0.
    - id: source_partition_id
      type: u2
      if: if_source_partition_id
      doc: The partition that an updated row came from.
    instances:
      if_source_partition_id:
        value: ((_parent._parent._parent.operation_code.as<s8> & (1).as<s8>).as<s8> != (0).as<s8>).as<bool>
  incident_event:
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
      size: len_message.as<s8>
      doc: For people.
  ignorable_event:
    doc: Has no fields. MySQL 5.6 and later; not seen in files.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L669
    seq:
    - id: data
      size-eos: true
      doc: Not defined.
  heartbeat_event:
    doc: |
      The source is alive, and its log has reached this position. Only in streams. MySQL 5.5 and
      later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1722
    seq:
    - id: long_position
      type: u8
      if: if_long_position
      doc: Offset in the file, in bytes.
    - id: log_file
      -orig-id: log_ident
      size-eos: true
      doc: Name of the file, without a folder.
    instances:
      if_long_position:
        value: has_long_position.as<bool>
      has_long_position:
        value: '((_parent.end_log_pos.as<s8> == (0).as<s8>) ? _root.events[_parent.format_index.as<s8>].body.as<format_description_event>.is_mariadb
          : false).as<bool>.as<bool>'
        doc: MariaDB, beyond 4 GiB.
      position:
        value: '(has_long_position ? long_position.as<u8> : _parent.end_log_pos.as<s8>.as<u8>).as<u8>'
        doc: Offset in the file, in bytes.
  heartbeat_v2_event:
    doc: A heartbeat as a list of fields, which can grow. MySQL 8.0.26 and later.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1643
    seq:
    - id: fields
      type: heartbeat_field
      repeat: until
      repeat-until: _.is_end.as<bool>
      doc: In any order; the last one is the end mark.
  heartbeat_field:
    doc: A field of a heartbeat.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1643
    seq:
    - id: field_type_code
      type: packed_int
      doc: See `heartbeat_field_type`.
    - id: len_value
      type: packed_int
      if: if_len_value
      doc: In bytes.
    - id: field_value
      size: len_value.value.as<s8>
      if: if_field_value
      type:
        switch-on: field_type.as<s8>
        cases:
          1: heartbeat_log_file
          2: packed_int
          _: raw_bytes
    instances:
      if_len_value:
        value: (not is_end).as<bool>
      if_field_value:
        value: (not is_end).as<bool>
      is_end:
        value: (field_type_code.value.as<s8> == (0).as<s8>).as<bool>
      field_type:
        value: field_type_code.value.as<s8>
        doc: What the field is.
  heartbeat_log_file:
    doc: The name of a log file.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1722
    seq:
    - id: name
      size-eos: true
  slave_event:
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
      size: len_server_uuid.as<s8>
      doc: UUID of the member, as text.
    - id: snapshot
      -orig-id: encoded_snapshot_version
      size: len_snapshot.as<s8>
      type: previous_gtids_event
      doc: The GTIDs that the transaction has seen.
    - id: writes
      -orig-id: write_set
      type: long_bytes
      repeat: expr
      repeat-expr: num_writes.as<s8>
      doc: Hashes of the keys that it has written.
    - id: reads
      -orig-id: read_set
      type: long_bytes
      repeat: expr
      repeat-expr: num_reads.as<s8>
      doc: Hashes of the keys that it has read.
  view_change_event:
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
      repeat-expr: num_certification_infos.as<s8>
      doc: What a member that joins needs to certify transactions.
  certification_info:
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
      size: len_value.as<s8>
      doc: GTIDs that have written the key.
  signed_longlong:
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
        value: ((high.as<s8> * (4294967296).as<s8>).as<s8> + low.as<s8>).as<s8>
  double_value:
    doc: DOUBLE.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L4318
    seq:
    - id: value
      type: f8
    instances:
      plain:
        value: value
  uint_le:
    doc: An unsigned integer, lowest byte first.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L6947
    params:
    - id: len_bytes
      type: s8
      doc: From 0 to 8.
    seq:
    - id: bytes
      size: len_bytes.as<s8>
    instances:
      value:
        value: '((((((len_bytes.as<s8> > (0).as<s8>) ? (bytes[(0).as<s8>].as<s8> & (255).as<s8>).as<s8>.as<u8>.as<s8>
          : (0).as<s8>).as<s8> + ((len_bytes.as<s8> > (1).as<s8>) ? ((bytes[(1).as<s8>].as<s8> & (255).as<s8>).as<s8>.as<u8>
          * (256).as<s8>.as<u8>).as<u8>.as<s8> : (0).as<s8>).as<s8>).as<s8> + ((len_bytes.as<s8> > (2).as<s8>)
          ? ((bytes[(2).as<s8>].as<s8> & (255).as<s8>).as<s8>.as<u8> * (65536).as<s8>.as<u8>).as<u8>.as<s8>
          : (0).as<s8>).as<s8>).as<s8> + ((len_bytes.as<s8> > (3).as<s8>) ? ((bytes[(3).as<s8>].as<s8>
          & (255).as<s8>).as<s8>.as<u8> * (16777216).as<s8>.as<u8>).as<u8>.as<s8> : (0).as<s8>).as<s8>).as<s8>
          + ((((((len_bytes.as<s8> > (4).as<s8>) ? (bytes[(4).as<s8>].as<s8> & (255).as<s8>).as<s8>.as<u8>.as<s8>
          : (0).as<s8>).as<s8> + ((len_bytes.as<s8> > (5).as<s8>) ? ((bytes[(5).as<s8>].as<s8> & (255).as<s8>).as<s8>.as<u8>
          * (256).as<s8>.as<u8>).as<u8>.as<s8> : (0).as<s8>).as<s8>).as<s8> + ((len_bytes.as<s8> > (6).as<s8>)
          ? ((bytes[(6).as<s8>].as<s8> & (255).as<s8>).as<s8>.as<u8> * (65536).as<s8>.as<u8>).as<u8>.as<s8>
          : (0).as<s8>).as<s8>).as<s8> + ((len_bytes.as<s8> > (7).as<s8>) ? ((bytes[(7).as<s8>].as<s8>
          & (255).as<s8>).as<s8>.as<u8> * (16777216).as<s8>.as<u8>).as<u8>.as<s8> : (0).as<s8>).as<s8>).as<s8>
          * (4294967296).as<s8>).as<s8>).as<s8>.as<u8>'
        doc: Each half is exact in a double, so JavaScript rounds once.
  character_set:
    doc: That of a collation.
    doc-ref: https://dev.mysql.com/doc/refman/8.4/en/information-schema-collations-table.html
    params:
    - id: collation
      type: s8
      doc: Its id; those from 2048 on are of MariaDB.
    instances:
      is_utf8:
        value: '((((((((((((((((((((((((collation.as<s8> >= (192).as<s8>) ? (collation.as<s8> <= (215).as<s8>)
          : false).as<bool> ? true : ((collation.as<s8> >= (223).as<s8>) ? (collation.as<s8> <= (247).as<s8>)
          : false).as<bool>).as<bool> ? true : ((collation.as<s8> >= (255).as<s8>) ? (collation.as<s8>
          <= (323).as<s8>) : false).as<bool>).as<bool> ? true : ((collation.as<s8> >= (2048).as<s8>) ?
          (collation.as<s8> <= (2559).as<s8>) : false).as<bool>).as<bool> ? true : (collation.as<s8> ==
          (33).as<s8>)).as<bool> ? true : (collation.as<s8> == (45).as<s8>)).as<bool> ? true : (collation.as<s8>
          == (46).as<s8>)).as<bool> ? true : (collation.as<s8> == (11).as<s8>)).as<bool> ? true : (collation.as<s8>
          == (65).as<s8>)).as<bool> ? true : (collation.as<s8> == (76).as<s8>)).as<bool> ? true : (collation.as<s8>
          == (83).as<s8>)).as<bool> ? true : ((collation.as<s8> >= (576).as<s8>) ? (collation.as<s8> <=
          (579).as<s8>) : false).as<bool>).as<bool> ? true : ((collation.as<s8> >= (608).as<s8>) ? (collation.as<s8>
          <= (611).as<s8>) : false).as<bool>).as<bool> ? true : (collation.as<s8> == (1035).as<s8>)).as<bool>
          ? true : (collation.as<s8> == (1057).as<s8>)).as<bool> ? true : (collation.as<s8> == (1069).as<s8>)).as<bool>
          ? true : (collation.as<s8> == (1070).as<s8>)).as<bool> ? true : (collation.as<s8> == (1089).as<s8>)).as<bool>
          ? true : (collation.as<s8> == (1107).as<s8>)).as<bool> ? true : (collation.as<s8> == (1216).as<s8>)).as<bool>
          ? true : (collation.as<s8> == (1238).as<s8>)).as<bool> ? true : (collation.as<s8> == (1248).as<s8>)).as<bool>
          ? true : (collation.as<s8> == (1270).as<s8>)).as<bool>.as<bool>'
        doc: utf8mb4, utf8mb3 or ascii.
  packed_int:
    -orig-id: net_store_length
    doc: An integer of one, three, four or nine bytes. Writers need not choose the shortest form.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L814
    seq:
    - id: first
      type: u1
      valid:
        any-of:
        - '(((first.as<s8> == (251).as<s8>) ? true : (first.as<s8> == (255).as<s8>)).as<bool> ? (0).as<s8>
          : first.as<s8>).as<s8>.as<u1>'
      doc: The value itself below 251; otherwise a code for the number of bytes that follow.
    - id: tail
      type: uint_le((len.as<s8> - (1).as<s8>).as<s8>)
      if: if_tail
    instances:
      if_tail:
        value: (first.as<s8> >= (251).as<s8>).as<bool>
      value:
        value: '((first.as<s8> < (251).as<s8>) ? first.as<s8> : tail.value.as<u8>.as<s8>).as<s8>'
      len:
        value: '((first.as<s8> < (251).as<s8>) ? (1).as<s8> : ((first.as<s8> == (252).as<s8>) ? (3).as<s8>
          : ((first.as<s8> == (253).as<s8>) ? (4).as<s8> : (9).as<s8>).as<s8>).as<s8>).as<s8>'
        doc: Bytes that the integer itself takes.
  packed_ints:
    doc: Integers to the end.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L477
    seq:
    - id: items
      type: packed_int
      repeat: eos
  short_bytes:
    doc: Bytes with a length of one byte before them.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L439
    seq:
    - id: len_bytes
      type: u1
    - id: bytes
      size: len_bytes.as<s8>
  long_bytes:
    doc: Bytes with a length of four bytes before them.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1413
    seq:
    - id: len_bytes
      type: u2
    - id: bytes
      size: len_bytes.as<s8>
  packed_str:
    doc: Text with a packed integer before it, its length.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L454
    seq:
    - id: len_bytes
      type: packed_int
    - id: bytes
      size: len_bytes.value.as<s8>
    instances:
      text:
        value: bytes.to_s('UTF-8')
  packed_strs:
    doc: Texts to the end.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L454
    seq:
    - id: items
      type: packed_str
      repeat: eos
  packed_bytes:
    doc: Bytes with a packed integer before them, their length.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
    seq:
    - id: len_bytes
      type: packed_int
    - id: bytes
      size: len_bytes.value.as<s8>
  vlint:
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
      repeat-expr: num_tail.as<s8>
      doc: The other bytes, the lowest one first.
    instances:
      num_tail:
        value: '(((first.as<s8> & (1).as<s8>).as<s8> == (0).as<s8>) ? (0).as<s8> : (((first.as<s8> & (3).as<s8>).as<s8>
          == (1).as<s8>) ? (1).as<s8> : (((first.as<s8> & (7).as<s8>).as<s8> == (3).as<s8>) ? (2).as<s8>
          : (((first.as<s8> & (15).as<s8>).as<s8> == (7).as<s8>) ? (3).as<s8> : (((first.as<s8> & (31).as<s8>).as<s8>
          == (15).as<s8>) ? (4).as<s8> : (((first.as<s8> & (63).as<s8>).as<s8> == (31).as<s8>) ? (5).as<s8>
          : (((first.as<s8> & (127).as<s8>).as<s8> == (63).as<s8>) ? (6).as<s8> : ((first.as<s8> == (127).as<s8>)
          ? (7).as<s8> : (8).as<s8>).as<s8>).as<s8>).as<s8>).as<s8>).as<s8>).as<s8>).as<s8>).as<s8>'
        doc: Bytes behind the first one.
      tail_low:
        value: '((((((((num_tail.as<s8> > (0).as<s8>) ? tail[(0).as<s8>].as<s8> : (0).as<s8>).as<s8> +
          ((num_tail.as<s8> > (1).as<s8>) ? (tail[(1).as<s8>].as<s8> * (256).as<s8>).as<s8> : (0).as<s8>).as<s8>).as<s8>
          + ((num_tail.as<s8> > (2).as<s8>) ? (tail[(2).as<s8>].as<s8> * (65536).as<s8>).as<s8> : (0).as<s8>).as<s8>).as<s8>
          + ((num_tail.as<s8> > (3).as<s8>) ? (tail[(3).as<s8>].as<s8> * (16777216).as<s8>).as<s8> : (0).as<s8>).as<s8>).as<s8>
          + ((num_tail.as<s8> > (4).as<s8>) ? (tail[(4).as<s8>].as<s8> * (4294967296).as<s8>).as<s8> :
          (0).as<s8>).as<s8>).as<s8> + ((num_tail.as<s8> > (5).as<s8>) ? (tail[(5).as<s8>].as<s8> * (1099511627776).as<s8>).as<s8>
          : (0).as<s8>).as<s8>).as<s8> + ((num_tail.as<s8> > (6).as<s8>) ? (tail[(6).as<s8>].as<s8> *
          (281474976710656).as<s8>).as<s8> : (0).as<s8>).as<s8>).as<s8>'
        doc: All but the eighth byte, since many languages have no integer for all of them.
      tail_value:
        value: '(tail_low.as<s8>.as<u8> + ((num_tail.as<s8> > (7).as<s8>) ? (tail[(7).as<s8>].as<s8>.as<u8>
          * (72057594037927936).as<s8>.as<u8>).as<u8>.as<s8> : (0).as<s8>).as<s8>.as<u8>).as<u8>'
        doc: The bytes behind the first one as a number.
      half:
        value: '((num_tail.as<s8> == (8).as<s8>) ? ((tail_low.as<s8> / (2).as<s8>).as<s8> + (tail[(7).as<s8>].as<s8>
          * (36028797018963968).as<s8>).as<s8>).as<s8> : (value.as<u8> / (2).as<s8>.as<u8>).as<u8>.as<s8>).as<s8>'
        doc: Of `value`.
      is_odd:
        value: '(((num_tail.as<s8> == (8).as<s8>) ? (tail_low.as<s8> % (2).as<s8>).as<s8> : (value.as<u8>.as<s8>
          % (2).as<s8>).as<s8>).as<s8> != (0).as<s8>).as<bool>'
        doc: '`value` is odd, which marks a negative number.'
      value:
        value: '((num_tail.as<s8> == (0).as<s8>) ? (first.as<s8> / (2).as<s8>).as<s8>.as<u8> : ((num_tail.as<s8>
          == (1).as<s8>) ? ((first.as<s8> / (4).as<s8>).as<s8>.as<u8> + (tail_value.as<u8> * (64).as<s8>.as<u8>).as<u8>).as<u8>
          : ((num_tail.as<s8> == (2).as<s8>) ? ((first.as<s8> / (8).as<s8>).as<s8>.as<u8> + (tail_value.as<u8>
          * (32).as<s8>.as<u8>).as<u8>).as<u8> : ((num_tail.as<s8> == (3).as<s8>) ? ((first.as<s8> / (16).as<s8>).as<s8>.as<u8>
          + (tail_value.as<u8> * (16).as<s8>.as<u8>).as<u8>).as<u8> : ((num_tail.as<s8> == (4).as<s8>)
          ? ((first.as<s8> / (32).as<s8>).as<s8>.as<u8> + (tail_value.as<u8> * (8).as<s8>.as<u8>).as<u8>).as<u8>
          : ((num_tail.as<s8> == (5).as<s8>) ? ((first.as<s8> / (64).as<s8>).as<s8>.as<u8> + (tail_value.as<u8>
          * (4).as<s8>.as<u8>).as<u8>).as<u8> : ((num_tail.as<s8> == (6).as<s8>) ? ((first.as<s8> / (128).as<s8>).as<s8>.as<u8>
          + (tail_value.as<u8> * (2).as<s8>.as<u8>).as<u8>).as<u8> : tail_value.as<u8>).as<u8>).as<u8>).as<u8>).as<u8>).as<u8>).as<u8>).as<u8>'
        doc: As an unsigned integer.
      signed_value:
        value: '(is_odd ? ((-(1).as<s8>).as<s8> - half.as<s8>).as<s8> : half.as<s8>).as<s8>'
        doc: For the fields that are signed.
  vlint_str:
    doc: Text with an integer of variable length before it, its length.
    doc-ref: https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L190
    seq:
    - id: len_text
      type: vlint
    - id: bytes
      size: len_text.value.as<u8>
    instances:
      text:
        value: bytes.to_s('UTF-8')
  raw_bytes:
    doc: Bytes without a layout.
    seq:
    - id: bytes
      size-eos: true
enums:
  checksum_algorithm:
    0:
      id: checksum_algorithm_none
      -orig-id: BINLOG_CHECKSUM_ALG_OFF
      doc: No event but the format description has a checksum.
    1:
      id: crc32
      -orig-id: BINLOG_CHECKSUM_ALG_CRC32
      doc: The algorithm of zlib.
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
      id: duplicate_handling_replace
      -orig-id: LOAD_DUP_REPLACE
      doc: The new row takes the place of the old one; REPLACE.
  event_type:
    0:
      id: unknown_label
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
      id: event_type_xid
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
  incident:
    0:
      id: incident_none
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
      id: status_var_key_xid
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
      id: user_var_type_string
      -orig-id: STRING_RESULT
      doc: Text, in the character set of the collation.
    1:
      id: real
      -orig-id: REAL_RESULT
      doc: Floating-point number of eight bytes.
    2:
      id: user_var_type_int
      -orig-id: INT_RESULT
      doc: Integer of eight bytes.
    3:
      id: row
      -orig-id: ROW_RESULT
      doc: Never written.
    4:
      id: user_var_type_decimal
      -orig-id: DECIMAL_RESULT
      doc: DECIMAL, with its precision and scale before it.
