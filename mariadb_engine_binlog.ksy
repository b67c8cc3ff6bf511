meta:
  id: mariadb_engine_binlog
  title: MariaDB binary log in InnoDB
  application: MariaDB
  file-extension: ibb
  license: CC0-1.0
  ks-version: '0.11'
  endian: le
doc: |
  The container of the binary log that MariaDB 12.3 and later write with `binlog_storage_engine=innodb`, in
  files named `binlog-000000.ibb` and so on. The events in it are those of `mysql_binlog.ksy`, without checksums.

  A file is a sequence of pages; page 0 is its header. The other pages hold chunks, and the last four bytes of
  each page are its CRC-32C. One or more chunks make a record, which may go on in the next page and file. Events
  cross chunks and records, so this schema shows their bytes and does not parse them.

  Files are allocated before they are used: pages of zeros, page 0 included, are empty and no damage.

  From the published format and the source of the server; not yet tried on files of a server.

  Lengths and offsets are in bytes, unless a field says otherwise.
doc-ref: https://github.com/MariaDB/server/blob/282795d4b292838de5e17b6a747fd4e24be9b512/Docs/replication/binlog.md#documentation-of-the-binlog-file-format
seq:
  - id: header
    type: header
    size: len_page
    if: _io.size >= len_page
  - id: pages
    type: page
    size: len_page
    repeat: expr
    repeat-expr: 'num_pages > 1 ? num_pages - 1 : 0'
  - id: trailing
    size-eos: true
    doc: Bytes too few for a page. Empty, unless the file was cut within one.
instances:
  start_magic:
    pos: 0
    type: u4
    if: _io.size >= 8
  start_log2_len_page:
    pos: 4
    type: u4
    if: _io.size >= 8
  has_page_size:
    value: _io.size >= 8 and start_magic == 0x010dfefe and start_log2_len_page >= 9 and start_log2_len_page <= 16
  len_page:
    value: 'has_page_size ? 1 << start_log2_len_page : 16384'
    doc: As the header has it; that of all servers so far, if the file is not in use.
  num_pages:
    value: _io.size / len_page
types:
  header:
    doc: Page 0. All zeros if the file is allocated and not yet in use.
    seq:
      - id: magic
        type: u4
        doc: 0x010dfefe
      - id: log2_len_page
        type: u4
        doc: 14, for pages of 16,384 bytes. Servers so far write no other.
      - id: version_major
        type: u4
        doc: 1. Files of a higher version cannot be read.
      - id: version_minor
        type: u4
      - id: file_no
        type: u8
        doc: As in the name of the file.
      - id: num_pages_begun
        type: u8
        doc: Pages of the file when it was begun. FLUSH BINARY LOGS cuts the file and leaves this as it is.
      - id: start_lsn
        type: u8
        doc: Position in the log of InnoDB when the file was begun.
      - id: state_interval
        type: u8
        doc: Pages between two GTID states. The very first file of a server may have bytes here.
      - id: first_referenced_file_no
        type: u8
        doc: The earliest file to which records of this one may refer.
      - id: first_pending_xa_file_no
        type: u8
        doc: The earliest file with transactions that were prepared and may be pending; all ones for none.
      - id: reserved
        size: 444
      - id: checksum
        type: u4
        doc: CRC-32C of the 508 bytes before, for readers that do not know the page size yet.
      - id: unused
        size: _io.size - 516
        if: _io.size > 512
      - id: page_checksum
        type: u4
        if: _io.size > 512
        doc: CRC-32C of the page before it. With pages of 512 bytes, `checksum` is at its place.
    instances:
      is_used:
        value: magic == 0x010dfefe
  page:
    seq:
      - id: chunks
        type: chunk
        repeat: until
        repeat-until: _.is_end or len_content == _io.pos
      - id: unused
        size: 'len_content > _io.pos ? len_content - _io.pos : 0'
        doc: Zeros of a page that is not full, or more bytes of a padding.
      - id: checksum
        type: u4
        doc: CRC-32C of the page before it. Zero if the page is all zeros.
    instances:
      len_content:
        value: _io.size - 4
  chunk:
    seq:
      - id: type_byte
        type: u1
      - id: len_data
        type: u2
        if: not is_end
      - id: data
        size: len_data
        type:
          switch-on: first_type
          cases:
            'record_type::commit': commit_start
            'record_type::gtid_state': gtid_state_start
            'record_type::out_of_band': out_of_band_start
            'record_type::xa_prepare': xa_prepare_start
            'record_type::xa_complete': xa_complete_start
            _: bytes_of_record
        if: not is_end
    instances:
      is_end:
        value: type_byte == 0 or type_byte == 0xff
        doc: Zero where the log ends. 255 is padding, where fewer than four bytes are left in the page.
      is_continuation:
        value: (type_byte & 0x80) != 0
      is_last:
        value: (type_byte & 0x40) != 0
        doc: Whether it ends its record.
      record_type:
        value: type_byte & 0x3f
        enum: record_type
        if: not is_end
      first_type:
        value: '(is_end or is_continuation) ? record_type::continuation : record_type'
        doc: The type of the record that the chunk begins.
  bytes_of_record:
    seq:
      - id: content
        size-eos: true
  commit_start:
    doc: |
      A transaction, or another group of events. Its events are those of the record, then those of the
      out-of-band records of both sets. The fields may be cut by the end of the chunk, as in all records.
    seq:
      - id: first_set
        type: node_set
      - id: second_set
        type: node_set
        if: first_set.is_used
        doc: The first set is of changes outside of transactions, if both are used.
      - id: events
        size-eos: true
  node_set:
    seq:
      - id: num_nodes
        type: compressed_int
      - id: first_node
        type: pointer
        if: is_used
      - id: last_root
        type: pointer
        if: is_used
        doc: The root of the last tree. The others are reached from it.
    instances:
      is_used:
        value: num_nodes.is_whole and num_nodes.value > 0
  pointer:
    doc: The place of a record. Both zero for none.
    seq:
      - id: file_no
        type: compressed_int
      - id: offset
        type: compressed_int
        doc: Of the type byte of the first chunk of the record.
  gtid_state_start:
    doc: |
      The last GTIDs of each domain. On page 1 all of them; later the difference to that. A state may be
      longer than the chunk, and so have more GTIDs than are shown.
    seq:
      - id: num_gtids
        type: compressed_int
      - id: pending_xa
        type: compressed_int
        doc: 1 + the number of the earliest file with a pending XA transaction; 0 for none.
      - id: gtids
        type: gtid
        repeat: eos
  gtid:
    seq:
      - id: domain_id
        type: compressed_int
      - id: server_id
        type: compressed_int
      - id: sequence_no
        type: compressed_int
  out_of_band_start:
    doc: A part of a large group. Records of a group are nodes of perfect binary trees.
    seq:
      - id: node_no
        type: compressed_int
      - id: left
        type: pointer
      - id: right
        type: pointer
        doc: |
          Of a leaf, the root of the tree before. Only valid for the leaf that is reached from the last root, or from
          such a root, by left pointers alone.
      - id: events
        size-eos: true
  xa_prepare_start:
    seq:
      - id: num_engines
        type: u1
        if: not _io.eof
      - id: xid
        type: xid
      - id: nodes
        type: node_set
  xa_complete_start:
    seq:
      - id: flags
        type: u1
        if: not _io.eof
        doc: 0 for a commit, 1 for a rollback.
      - id: xid
        type: xid
  xid:
    seq:
      - id: format_id
        type: u4
        if: _io.size - _io.pos >= 4
      - id: len_gtrid
        type: u1
        if: not _io.eof
      - id: len_bqual
        type: u1
        if: not _io.eof
      - id: gtrid
        size: len_gtrid
        if: is_whole
      - id: bqual
        size: len_bqual
        if: is_whole
    instances:
      is_whole:
        value: _io.size >= 7 and _io.size - 7 >= len_gtrid + len_bqual
  compressed_int:
    doc: |
      The lowest three bits of the first byte tell the length: n - 1 bytes, and 7 for 9. All bytes are one
      little-endian number; the others of its bits are the value. The end of the chunk may cut it.
    seq:
      - id: first
        type: u1
        repeat: expr
        repeat-expr: '_io.eof ? 0 : 1'
        doc: One byte, none at the end of the chunk.
      - id: rest
        type: u1
        repeat: expr
        repeat-expr: 'len_rest < _io.size - _io.pos ? len_rest : _io.size - _io.pos'
    instances:
      len_rest:
        value: 'first.size == 0 ? 0 : ((first[0] & 7) == 7 ? 8 : (first[0] & 7))'
      is_whole:
        value: first.size == 1 and rest.size == len_rest
      value:
        value: >-
          first[0].as<u8> / 8
          + (len_rest > 0 ? rest[0].as<u8> * 32 : 0)
          + (len_rest > 1 ? rest[1].as<u8> * 8192 : 0)
          + (len_rest > 2 ? rest[2].as<u8> * 2097152 : 0)
          + (len_rest > 3 ? rest[3].as<u8> * 536870912 : 0)
          + (len_rest > 4 ? rest[4].as<u8> * 137438953472 : 0)
          + (len_rest > 5 ? rest[5].as<u8> * 35184372088832 : 0)
          + (len_rest > 6 ? rest[6].as<u8> * 9007199254740992 : 0)
          + (len_rest > 7 ? rest[7].as<u8> * 2305843009213693952 : 0)
        if: is_whole
enums:
  record_type:
    1: commit
    2: gtid_state
    3: out_of_band
    4: filler
    5: xa_prepare
    6: xa_complete
    64: continuation
