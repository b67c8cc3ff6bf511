# Compiler: kaitai-struct-compiler 0.11.0; command: make compile
# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class MysqlBinlog(KaitaiStruct):
    """The binary log is the journal in which MySQL and MariaDB write every change of their data. Replicas
    replay it, backups are rolled forward with it, and change-data-capture tools read it. A log file is a
    magic number followed by events; each event has a header that gives its type and its length. The first
    event, the format description, says how the others are laid out.
    
    Changes of rows come as rows events. Such an event holds the bytes of the rows only: names, types and
    widths of the columns stand in the table map event before it, and so the rows of this schema find their
    table map by themselves and are shown as named, typed cells.
    
    One transaction of MySQL 8 and later reads `GTID`, `QUERY BEGIN`, `TABLE_MAP`, `WRITE_ROWS`, `XID`; in
    MariaDB the `GTID` replaces the `BEGIN`.
    
    This part of the schema covers binlog version 4 (MySQL 5.0 and later, every MariaDB) and the events of
    row-based logging. Every other event keeps its body as raw bytes. A file that ends inside of an event
    (in use, or cut by a crash) parses up to the cut: the last event then has `is_truncated` set and an
    untyped body.
    
    Two ways of use. A whole file: parse the root. One event at a time (a stream, a parallel job): parse a
    root from the magic and the format description alone, then make one `event` with the parameters
    `index` = 1, `format_index` = 0, `table_map_index` = -1 for the bytes of each event.
    
    .. seealso::
       Source - https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_replication_binlog_event.html
    
    
    .. seealso::
       Source - https://mariadb.com/kb/en/replication-protocol/
    
    
    .. seealso::
       Source - https://github.com/mysql/mysql-server/tree/mysql-8.4.0/libs/mysql/binlog/event
    
    
    .. seealso::
       Source - https://github.com/MariaDB/server/blob/mariadb-11.8.2/sql/log_event.h
    """

    class ChecksumAlgorithm(IntEnum):
        none = 0
        crc32 = 1

    class ColumnType(IntEnum):
        decimal = 0
        tiny = 1
        short = 2
        long = 3
        float = 4
        double = 5
        null_type = 6
        timestamp = 7
        longlong = 8
        int24 = 9
        date = 10
        time = 11
        datetime = 12
        year = 13
        newdate = 14
        varchar = 15
        bit = 16
        timestamp2 = 17
        datetime2 = 18
        time2 = 19
        typed_array = 20
        blob_compressed = 140
        varchar_compressed = 141
        vector = 242
        json = 245
        newdecimal = 246
        enum = 247
        set = 248
        tiny_blob = 249
        medium_blob = 250
        long_blob = 251
        blob = 252
        var_string = 253
        string = 254
        geometry = 255

    class EventType(IntEnum):
        unknown = 0
        start_v3 = 1
        query = 2
        stop = 3
        rotate = 4
        intvar = 5
        load = 6
        slave = 7
        create_file = 8
        append_block = 9
        exec_load = 10
        delete_file = 11
        new_load = 12
        rand = 13
        user_var = 14
        format_description = 15
        xid = 16
        begin_load_query = 17
        execute_load_query = 18
        table_map = 19
        write_rows_v0 = 20
        update_rows_v0 = 21
        delete_rows_v0 = 22
        write_rows_v1 = 23
        update_rows_v1 = 24
        delete_rows_v1 = 25
        incident = 26
        heartbeat = 27
        ignorable = 28
        rows_query = 29
        write_rows = 30
        update_rows = 31
        delete_rows = 32
        gtid = 33
        anonymous_gtid = 34
        previous_gtids = 35
        transaction_context = 36
        view_change = 37
        xa_prepare = 38
        partial_update_rows = 39
        transaction_payload = 40
        heartbeat_v2 = 41
        gtid_tagged = 42
        annotate_rows = 160
        binlog_checkpoint = 161
        mariadb_gtid = 162
        gtid_list = 163
        start_encryption = 164
        query_compressed = 165
        write_rows_compressed_v1 = 166
        update_rows_compressed_v1 = 167
        delete_rows_compressed_v1 = 168
        write_rows_compressed = 169
        update_rows_compressed = 170
        delete_rows_compressed = 171

    class ExtraRowInfoType(IntEnum):
        ndb = 0
        partition = 1

    class GtidFieldName(IntEnum):
        flags = 0
        source_uuid = 1
        gno = 2
        tag = 3
        last_committed = 4
        sequence_number = 5
        immediate_commit_timestamp = 6
        original_commit_timestamp = 7
        transaction_length = 8
        immediate_server_version = 9
        original_server_version = 10
        commit_group_ticket = 11

    class OptionalMetadataType(IntEnum):
        signedness = 1
        default_charset = 2
        column_charset = 3
        column_name = 4
        set_str_value = 5
        enum_str_value = 6
        geometry_type = 7
        simple_primary_key = 8
        primary_key_with_prefix = 9
        enum_and_set_default_charset = 10
        enum_and_set_column_charset = 11
        column_visibility = 12
        vector_dimensionality = 13

    class StatusVarKey(IntEnum):
        flags2 = 0
        sql_mode = 1
        catalog = 2
        auto_increment = 3
        charset = 4
        time_zone = 5
        catalog_nz = 6
        lc_time_names = 7
        charset_database = 8
        table_map_for_update = 9
        master_data_written = 10
        invoker = 11
        updated_db_names = 12
        microseconds = 13
        commit_ts = 14
        commit_ts2 = 15
        explicit_defaults_for_timestamp = 16
        ddl_logged_with_xid = 17
        default_collation_for_utf8mb4 = 18
        sql_require_primary_key = 19
        default_table_encryption = 20
        enable_cascade_triggers = 21
        hrnow = 128
        xid = 129
        gtid_flags3 = 130
        character_set_collations = 131
        dummy = 255
    def __init__(self, _io, _parent=None, _root=None):
        super(MysqlBinlog, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        self.magic = self._io.read_bytes(4)
        if not self.magic == b"\xFE\x62\x69\x6E":
            raise kaitaistruct.ValidationNotEqualError(b"\xFE\x62\x69\x6E", self.magic, self._io, u"/seq/0")
        if self.len_file - self._io.pos() >= 19:
            pass
            self.events = []
            i = 0
            while True:
                _ = MysqlBinlog.Event(i, (0 if i == 0 else self.events[i - 1].next_format_index), (-1 if i == 0 else self.events[i - 1].next_table_map_index), self._io, self, self._root)
                self.events.append(_)
                if self.len_file - self._io.pos() < _.header.len_header:
                    break
                i += 1

        self.trailing = self._io.read_bytes_full()


    def _fetch_instances(self):
        pass
        if self.len_file - self._io.pos() >= 19:
            pass
            for i in range(len(self.events)):
                pass
                self.events[i]._fetch_instances()



    class AnnotateRowsEvent(KaitaiStruct):
        """The same in MariaDB 5.3 and later."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.AnnotateRowsEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.query = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class BlobValue(KaitaiStruct):
        """JSON in its binary form, GEOMETRY, VECTOR, and the compressed columns of MariaDB."""
        def __init__(self, len_length, _io, _parent=None, _root=None):
            super(MysqlBinlog.BlobValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_length = len_length
            self._read()

        def _read(self):
            self.length = MysqlBinlog.Length(self.len_length, self._io, self, self._root)
            self.value = self._io.read_bytes(self.length.value)


        def _fetch_instances(self):
            pass
            self.length._fetch_instances()


    class BytesValue(KaitaiStruct):
        """BIT: a big-endian number. ENUM: a little-endian number, that of the member from 1, 0 for the empty string that marks
        an error. SET: a little-endian bitmap of the members.
        """
        def __init__(self, len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.BytesValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_value = len_value
            self._read()

        def _read(self):
            self.value = self._io.read_bytes(self.len_value)


        def _fetch_instances(self):
            pass


    class Cell(KaitaiStruct):
        """One column of one row. Without a `value` if the column is absent or NULL."""
        def __init__(self, column_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.Cell, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self._read()

        def _read(self):
            if  ((self.is_present) and ((not (self.is_null)))) :
                pass
                _on = self.type_code
                if _on == 1:
                    pass
                    self.value = MysqlBinlog.TinyValue(self.is_unsigned, self._io, self, self._root)
                elif _on == 10:
                    pass
                    self.value = MysqlBinlog.DateValue(self._io, self, self._root)
                elif _on == 11:
                    pass
                    self.value = MysqlBinlog.TimeValue(self._io, self, self._root)
                elif _on == 12:
                    pass
                    self.value = MysqlBinlog.DatetimeValue(self._io, self, self._root)
                elif _on == 13:
                    pass
                    self.value = MysqlBinlog.YearValue(self._io, self, self._root)
                elif _on == 14:
                    pass
                    self.value = MysqlBinlog.DateValue(self._io, self, self._root)
                elif _on == 140:
                    pass
                    self.value = MysqlBinlog.BlobValue(self.len_length, self._io, self, self._root)
                elif _on == 141:
                    pass
                    self.value = MysqlBinlog.BlobValue(self.len_length, self._io, self, self._root)
                elif _on == 15:
                    pass
                    self.value = MysqlBinlog.StringValue(self.len_length, self.collation, self._io, self, self._root)
                elif _on == 16:
                    pass
                    self.value = MysqlBinlog.BytesValue(self.max_length // 256 + (self.max_length % 256 + 7) // 8, self._io, self, self._root)
                elif _on == 17:
                    pass
                    self.value = MysqlBinlog.Timestamp2Value(self.max_length, self._io, self, self._root)
                elif _on == 18:
                    pass
                    self.value = MysqlBinlog.Datetime2Value(self.max_length, self._io, self, self._root)
                elif _on == 19:
                    pass
                    self.value = MysqlBinlog.Time2Value(self.max_length, self._io, self, self._root)
                elif _on == 2:
                    pass
                    self.value = MysqlBinlog.ShortValue(self.is_unsigned, self._io, self, self._root)
                elif _on == 242:
                    pass
                    self.value = MysqlBinlog.BlobValue(self.len_length, self._io, self, self._root)
                elif _on == 245:
                    pass
                    self.value = MysqlBinlog.BlobValue(self.len_length, self._io, self, self._root)
                elif _on == 246:
                    pass
                    self.value = MysqlBinlog.DecimalValue(self.max_length % 256, self.max_length // 256, self._io, self, self._root)
                elif _on == 247:
                    pass
                    self.value = MysqlBinlog.BytesValue(self.max_length, self._io, self, self._root)
                elif _on == 248:
                    pass
                    self.value = MysqlBinlog.BytesValue(self.max_length, self._io, self, self._root)
                elif _on == 249:
                    pass
                    self.value = MysqlBinlog.StringValue(self.len_length, self.collation, self._io, self, self._root)
                elif _on == 250:
                    pass
                    self.value = MysqlBinlog.StringValue(self.len_length, self.collation, self._io, self, self._root)
                elif _on == 251:
                    pass
                    self.value = MysqlBinlog.StringValue(self.len_length, self.collation, self._io, self, self._root)
                elif _on == 252:
                    pass
                    self.value = MysqlBinlog.StringValue(self.len_length, self.collation, self._io, self, self._root)
                elif _on == 253:
                    pass
                    self.value = MysqlBinlog.StringValue(self.len_length, self.collation, self._io, self, self._root)
                elif _on == 254:
                    pass
                    self.value = MysqlBinlog.StringValue(self.len_length, self.collation, self._io, self, self._root)
                elif _on == 255:
                    pass
                    self.value = MysqlBinlog.BlobValue(self.len_length, self._io, self, self._root)
                elif _on == 3:
                    pass
                    self.value = MysqlBinlog.LongValue(self.is_unsigned, self._io, self, self._root)
                elif _on == 4:
                    pass
                    self.value = MysqlBinlog.FloatValue(self._io, self, self._root)
                elif _on == 5:
                    pass
                    self.value = MysqlBinlog.DoubleValue(self._io, self, self._root)
                elif _on == 7:
                    pass
                    self.value = MysqlBinlog.TimestampValue(self._io, self, self._root)
                elif _on == 8:
                    pass
                    self.value = MysqlBinlog.LonglongValue(self.is_unsigned, self._io, self, self._root)
                elif _on == 9:
                    pass
                    self.value = MysqlBinlog.Int24Value(self.is_unsigned, self._io, self, self._root)



        def _fetch_instances(self):
            pass
            if  ((self.is_present) and ((not (self.is_null)))) :
                pass
                _on = self.type_code
                if _on == 1:
                    pass
                    self.value._fetch_instances()
                elif _on == 10:
                    pass
                    self.value._fetch_instances()
                elif _on == 11:
                    pass
                    self.value._fetch_instances()
                elif _on == 12:
                    pass
                    self.value._fetch_instances()
                elif _on == 13:
                    pass
                    self.value._fetch_instances()
                elif _on == 14:
                    pass
                    self.value._fetch_instances()
                elif _on == 140:
                    pass
                    self.value._fetch_instances()
                elif _on == 141:
                    pass
                    self.value._fetch_instances()
                elif _on == 15:
                    pass
                    self.value._fetch_instances()
                elif _on == 16:
                    pass
                    self.value._fetch_instances()
                elif _on == 17:
                    pass
                    self.value._fetch_instances()
                elif _on == 18:
                    pass
                    self.value._fetch_instances()
                elif _on == 19:
                    pass
                    self.value._fetch_instances()
                elif _on == 2:
                    pass
                    self.value._fetch_instances()
                elif _on == 242:
                    pass
                    self.value._fetch_instances()
                elif _on == 245:
                    pass
                    self.value._fetch_instances()
                elif _on == 246:
                    pass
                    self.value._fetch_instances()
                elif _on == 247:
                    pass
                    self.value._fetch_instances()
                elif _on == 248:
                    pass
                    self.value._fetch_instances()
                elif _on == 249:
                    pass
                    self.value._fetch_instances()
                elif _on == 250:
                    pass
                    self.value._fetch_instances()
                elif _on == 251:
                    pass
                    self.value._fetch_instances()
                elif _on == 252:
                    pass
                    self.value._fetch_instances()
                elif _on == 253:
                    pass
                    self.value._fetch_instances()
                elif _on == 254:
                    pass
                    self.value._fetch_instances()
                elif _on == 255:
                    pass
                    self.value._fetch_instances()
                elif _on == 3:
                    pass
                    self.value._fetch_instances()
                elif _on == 4:
                    pass
                    self.value._fetch_instances()
                elif _on == 5:
                    pass
                    self.value._fetch_instances()
                elif _on == 7:
                    pass
                    self.value._fetch_instances()
                elif _on == 8:
                    pass
                    self.value._fetch_instances()
                elif _on == 9:
                    pass
                    self.value._fetch_instances()


        @property
        def collation(self):
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = self._parent._parent._parent._parent.columns[self.column_index].collation
            return getattr(self, '_m_collation', None)

        @property
        def is_null(self):
            if hasattr(self, '_m_is_null'):
                return self._m_is_null

            self._m_is_null = (KaitaiStream.byte_array_index(self._parent.null_bitmap, self.present_index // 8) >> self.present_index % 8 & 1 != 0 if self.is_present else False)
            return getattr(self, '_m_is_null', None)

        @property
        def is_present(self):
            if hasattr(self, '_m_is_present'):
                return self._m_is_present

            self._m_is_present = (self._parent._parent._parent._parent.columns[self.column_index].is_present_after if self._parent.is_after else self._parent._parent._parent._parent.columns[self.column_index].is_present)
            return getattr(self, '_m_is_present', None)

        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = self._parent._parent._parent._parent.columns[self.column_index].is_unsigned
            return getattr(self, '_m_is_unsigned', None)

        @property
        def len_length(self):
            if hasattr(self, '_m_len_length'):
                return self._m_len_length

            self._m_len_length = self._parent._parent._parent._parent.columns[self.column_index].len_length
            return getattr(self, '_m_len_length', None)

        @property
        def max_length(self):
            if hasattr(self, '_m_max_length'):
                return self._m_max_length

            self._m_max_length = self._parent._parent._parent._parent.columns[self.column_index].max_length
            return getattr(self, '_m_max_length', None)

        @property
        def name(self):
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = self._parent._parent._parent._parent.columns[self.column_index].name
            return getattr(self, '_m_name', None)

        @property
        def present_index(self):
            if hasattr(self, '_m_present_index'):
                return self._m_present_index

            self._m_present_index = (self._parent._parent._parent._parent.columns[self.column_index].present_index_after if self._parent.is_after else self._parent._parent._parent._parent.columns[self.column_index].present_index)
            return getattr(self, '_m_present_index', None)

        @property
        def type_code(self):
            if hasattr(self, '_m_type_code'):
                return self._m_type_code

            self._m_type_code = self._parent._parent._parent._parent.columns[self.column_index].type_code
            return getattr(self, '_m_type_code', None)


    class CharsetException(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.CharsetException, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.position = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.collation = MysqlBinlog.PackedInt(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.position._fetch_instances()
            self.collation._fetch_instances()


    class CharsetProbe(KaitaiStruct):
        """One step of the search for a column in the exceptions from the default character set."""
        def __init__(self, exception_index, field_index, character_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.CharsetProbe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.exception_index = exception_index
            self.field_index = field_index
            self.character_index = character_index
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def collation(self):
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = (self._parent._parent._parent.optional_metadata.fields[self.field_index].data.exceptions[self.exception_index].collation.value if self.is_match else self._parent._parent._parent.optional_metadata.fields[self.field_index].data.collation.value)
            return getattr(self, '_m_collation', None)

        @property
        def is_done(self):
            if hasattr(self, '_m_is_done'):
                return self._m_is_done

            self._m_is_done =  ((self.is_last) or (self.is_match)) 
            return getattr(self, '_m_is_done', None)

        @property
        def is_last(self):
            if hasattr(self, '_m_is_last'):
                return self._m_is_last

            self._m_is_last = self.exception_index >= len(self._parent._parent._parent.optional_metadata.fields[self.field_index].data.exceptions)
            return getattr(self, '_m_is_last', None)

        @property
        def is_match(self):
            if hasattr(self, '_m_is_match'):
                return self._m_is_match

            self._m_is_match = (False if self.is_last else self._parent._parent._parent.optional_metadata.fields[self.field_index].data.exceptions[self.exception_index].position.value == self.character_index)
            return getattr(self, '_m_is_match', None)


    class Column(KaitaiStruct):
        def __init__(self, column_index, wire_type_code, numeric_index, character_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.Column, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self.wire_type_code = wire_type_code
            self.numeric_index = numeric_index
            self.character_index = character_index
            self._read()

        def _read(self):
            _on = self.wire_type
            if _on == MysqlBinlog.ColumnType.bit:
                pass
                self.metadata = self._io.read_u2le()
            elif _on == MysqlBinlog.ColumnType.blob:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.blob_compressed:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.datetime2:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.double:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.enum:
                pass
                self.metadata = self._io.read_u2be()
            elif _on == MysqlBinlog.ColumnType.float:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.geometry:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.json:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.long_blob:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.medium_blob:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.newdecimal:
                pass
                self.metadata = self._io.read_u2le()
            elif _on == MysqlBinlog.ColumnType.set:
                pass
                self.metadata = self._io.read_u2be()
            elif _on == MysqlBinlog.ColumnType.string:
                pass
                self.metadata = self._io.read_u2be()
            elif _on == MysqlBinlog.ColumnType.time2:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.timestamp2:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.tiny_blob:
                pass
                self.metadata = self._io.read_u1()
            elif _on == MysqlBinlog.ColumnType.var_string:
                pass
                self.metadata = self._io.read_u2be()
            elif _on == MysqlBinlog.ColumnType.varchar:
                pass
                self.metadata = self._io.read_u2le()
            elif _on == MysqlBinlog.ColumnType.varchar_compressed:
                pass
                self.metadata = self._io.read_u2le()
            elif _on == MysqlBinlog.ColumnType.vector:
                pass
                self.metadata = self._io.read_u1()


        def _fetch_instances(self):
            pass
            _on = self.wire_type
            if _on == MysqlBinlog.ColumnType.bit:
                pass
            elif _on == MysqlBinlog.ColumnType.blob:
                pass
            elif _on == MysqlBinlog.ColumnType.blob_compressed:
                pass
            elif _on == MysqlBinlog.ColumnType.datetime2:
                pass
            elif _on == MysqlBinlog.ColumnType.double:
                pass
            elif _on == MysqlBinlog.ColumnType.enum:
                pass
            elif _on == MysqlBinlog.ColumnType.float:
                pass
            elif _on == MysqlBinlog.ColumnType.geometry:
                pass
            elif _on == MysqlBinlog.ColumnType.json:
                pass
            elif _on == MysqlBinlog.ColumnType.long_blob:
                pass
            elif _on == MysqlBinlog.ColumnType.medium_blob:
                pass
            elif _on == MysqlBinlog.ColumnType.newdecimal:
                pass
            elif _on == MysqlBinlog.ColumnType.set:
                pass
            elif _on == MysqlBinlog.ColumnType.string:
                pass
            elif _on == MysqlBinlog.ColumnType.time2:
                pass
            elif _on == MysqlBinlog.ColumnType.timestamp2:
                pass
            elif _on == MysqlBinlog.ColumnType.tiny_blob:
                pass
            elif _on == MysqlBinlog.ColumnType.var_string:
                pass
            elif _on == MysqlBinlog.ColumnType.varchar:
                pass
            elif _on == MysqlBinlog.ColumnType.varchar_compressed:
                pass
            elif _on == MysqlBinlog.ColumnType.vector:
                pass
            _ = self.charset_probes
            if hasattr(self, '_m_charset_probes'):
                pass
                for i in range(len(self._m_charset_probes)):
                    pass
                    self._m_charset_probes[i]._fetch_instances()



        @property
        def charset_probes(self):
            if hasattr(self, '_m_charset_probes'):
                return self._m_charset_probes

            if  ((self.is_character) and (self._parent._parent.optional_metadata.default_charset_index >= 0)) :
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_charset_probes = []
                i = 0
                while True:
                    _ = MysqlBinlog.CharsetProbe(i, self._parent._parent.optional_metadata.default_charset_index, self.character_index, self._io, self, self._root)
                    self._m_charset_probes.append(_)
                    if _.is_done:
                        break
                    i += 1
                self._io.seek(_pos)

            return getattr(self, '_m_charset_probes', None)

        @property
        def collation(self):
            """Id of the collation, which tells the character set; 63 is binary; 0 if it is not logged."""
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = (0 if (not (self.is_character)) else (self._parent._parent.optional_metadata.fields[self._parent._parent.optional_metadata.column_charset_index].data.items[self.character_index].value if self._parent._parent.optional_metadata.column_charset_index >= 0 else (self.charset_probes[-1].collation if self._parent._parent.optional_metadata.default_charset_index >= 0 else 0)))
            return getattr(self, '_m_collation', None)

        @property
        def column_type(self):
            if hasattr(self, '_m_column_type'):
                return self._m_column_type

            self._m_column_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.type_code)
            return getattr(self, '_m_column_type', None)

        @property
        def has_signedness(self):
            """Without it (MySQL before 8.0.1, MariaDB by default) the sign of an integer is unknown, and shown as signed."""
            if hasattr(self, '_m_has_signedness'):
                return self._m_has_signedness

            self._m_has_signedness =  ((self.is_numeric) and (self._parent._parent.optional_metadata.signedness_index >= 0)) 
            return getattr(self, '_m_has_signedness', None)

        @property
        def has_string_metadata(self):
            if hasattr(self, '_m_has_string_metadata'):
                return self._m_has_string_metadata

            self._m_has_string_metadata =  ((self.wire_type == MysqlBinlog.ColumnType.string) or (self.wire_type == MysqlBinlog.ColumnType.var_string)) 
            return getattr(self, '_m_has_string_metadata', None)

        @property
        def is_character(self):
            """Has an entry in the lists of character sets. BLOB and BINARY count, with the collation `binary` (63); JSON does not."""
            if hasattr(self, '_m_is_character'):
                return self._m_is_character

            self._m_is_character =  ((self.type_code == 15) or (self.type_code == 253) or (self.type_code == 254) or ( ((self.type_code >= 249) and (self.type_code <= 252)) ) or (self.type_code == 140) or (self.type_code == 141) or (self.type_code == 242)) 
            return getattr(self, '_m_is_character', None)

        @property
        def is_numeric(self):
            """Has a bit in SIGNEDNESS. YEAR counts, BIT does not."""
            if hasattr(self, '_m_is_numeric'):
                return self._m_is_numeric

            self._m_is_numeric =  (( ((self.wire_type_code >= 1) and (self.wire_type_code <= 5)) ) or (self.wire_type_code == 8) or (self.wire_type_code == 9) or (self.wire_type_code == 13) or (self.wire_type_code == 246) or (self.wire_type_code == 0)) 
            return getattr(self, '_m_is_numeric', None)

        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = (KaitaiStream.byte_array_index(self._parent._parent.optional_metadata.fields[self._parent._parent.optional_metadata.signedness_index].data.bytes, self.numeric_index // 8) >> 7 - self.numeric_index % 8 & 1 != 0 if self.has_signedness else False)
            return getattr(self, '_m_is_unsigned', None)

        @property
        def max_length(self):
            """For STRING the greatest length in bytes (ENUM and SET: bytes of a value), else the metadata as it stands."""
            if hasattr(self, '_m_max_length'):
                return self._m_max_length

            self._m_max_length = (self.metadata % 256 + (0 if  ((self.type_code == 247) or (self.type_code == 248))  else (48 - (self.metadata_high & 48)) * 16) if self.has_string_metadata else self.metadata)
            return getattr(self, '_m_max_length', None)

        @property
        def metadata_high(self):
            if hasattr(self, '_m_metadata_high'):
                return self._m_metadata_high

            self._m_metadata_high = (self.metadata // 256 if self.has_string_metadata else 0)
            return getattr(self, '_m_metadata_high', None)

        @property
        def name(self):
            """As logged under `binlog_row_metadata=FULL`, else `@` and the number of the column from 1."""
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = (self._parent._parent.optional_metadata.fields[self._parent._parent.optional_metadata.column_names_index].data.items[self.column_index].text if self._parent._parent.optional_metadata.column_names_index >= 0 else u"@" + str(self.column_index + 1))
            return getattr(self, '_m_name', None)

        @property
        def next_character_index(self):
            if hasattr(self, '_m_next_character_index'):
                return self._m_next_character_index

            self._m_next_character_index = (self.character_index + 1 if self.is_character else self.character_index)
            return getattr(self, '_m_next_character_index', None)

        @property
        def next_numeric_index(self):
            if hasattr(self, '_m_next_numeric_index'):
                return self._m_next_numeric_index

            self._m_next_numeric_index = (self.numeric_index + 1 if self.is_numeric else self.numeric_index)
            return getattr(self, '_m_next_numeric_index', None)

        @property
        def type_code(self):
            """What the column really is: 247 ENUM, 248 SET or 254 CHAR for STRING. A CHAR of more than 255 bytes takes two
            bits of the type byte for its length, inverted.
            """
            if hasattr(self, '_m_type_code'):
                return self._m_type_code

            self._m_type_code = ((self.metadata_high if self.metadata_high & 48 == 48 else self.metadata_high | 48) if self.has_string_metadata else self.wire_type_code)
            return getattr(self, '_m_type_code', None)

        @property
        def wire_type(self):
            if hasattr(self, '_m_wire_type'):
                return self._m_wire_type

            self._m_wire_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.wire_type_code)
            return getattr(self, '_m_wire_type', None)


    class ColumnMetadata(KaitaiStruct):
        """What the type code alone does not say, for the columns that need it."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.ColumnMetadata, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.columns
            if hasattr(self, '_m_columns'):
                pass
                for i in range(len(self._m_columns)):
                    pass
                    self._m_columns[i]._fetch_instances()



        @property
        def columns(self):
            if hasattr(self, '_m_columns'):
                return self._m_columns

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_columns = []
            for i in range(self._parent.num_columns.value):
                self._m_columns.append(MysqlBinlog.Column(i, KaitaiStream.byte_array_index(self._parent.column_types, i), (0 if i == 0 else self.columns[i - 1].next_numeric_index), (0 if i == 0 else self.columns[i - 1].next_character_index), self._io, self, self._root))

            self._io.seek(_pos)
            return getattr(self, '_m_columns', None)


    class CommitServerVersion(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.CommitServerVersion, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw = self._io.read_u4le()


        def _fetch_instances(self):
            pass

        @property
        def is_followed(self):
            """A second version follows, since the two differ."""
            if hasattr(self, '_m_is_followed'):
                return self._m_is_followed

            self._m_is_followed = self.raw >= 2147483648
            return getattr(self, '_m_is_followed', None)

        @property
        def version(self):
            """As a number, such as 80036 for 8.0.36; 999999 if unknown."""
            if hasattr(self, '_m_version'):
                return self._m_version

            self._m_version = (self.raw % 2147483648)
            return getattr(self, '_m_version', None)


    class CommitTimestamp(KaitaiStruct):
        """Seven bytes."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.CommitTimestamp, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.low = self._io.read_u4le()
            self.high = self._io.read_bits_int_le(24)


        def _fetch_instances(self):
            pass

        @property
        def is_followed(self):
            """A second timestamp follows, since the two differ."""
            if hasattr(self, '_m_is_followed'):
                return self._m_is_followed

            self._m_is_followed = self.high >= 8388608
            return getattr(self, '_m_is_followed', None)

        @property
        def micros(self):
            """Microseconds since 1970-01-01 UTC."""
            if hasattr(self, '_m_micros'):
                return self._m_micros

            self._m_micros = (self.low + (self.high % 8388608) * 4294967296)
            return getattr(self, '_m_micros', None)


    class DateValue(KaitaiStruct):
        """DATE. Year, month or day may be zero."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.DateValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.day = self._io.read_bits_int_le(5)
            self.month = self._io.read_bits_int_le(4)
            self.year = self._io.read_bits_int_le(15)


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (((str(self.year + 10000)[1:5] + u"-") + str(self.month + 100)[1:3]) + u"-") + str(self.day + 100)[1:3]
            return getattr(self, '_m_value', None)


    class Datetime2Value(KaitaiStruct):
        """DATETIME of MySQL 5.6.4, MariaDB 10.1 and later. A local time without a zone."""
        def __init__(self, num_digits, _io, _parent=None, _root=None):
            super(MysqlBinlog.Datetime2Value, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self._read()

        def _read(self):
            self.sign = self._io.read_bits_int_be(1) != 0
            self.year_month = self._io.read_bits_int_be(17)
            self.day = self._io.read_bits_int_be(5)
            self.hour = self._io.read_bits_int_be(5)
            self.minute = self._io.read_bits_int_be(6)
            self.second = self._io.read_bits_int_be(6)
            self.fraction = MysqlBinlog.Fraction(self.num_digits, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.fraction._fetch_instances()

        @property
        def month(self):
            if hasattr(self, '_m_month'):
                return self._m_month

            self._m_month = self.year_month % 13
            return getattr(self, '_m_month', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((((((((((str(self.year + 10000)[1:5] + u"-") + str(self.month + 100)[1:3]) + u"-") + str(self.day + 100)[1:3]) + u" ") + str(self.hour + 100)[1:3]) + u":") + str(self.minute + 100)[1:3]) + u":") + str(self.second + 100)[1:3]) + self.fraction.text
            return getattr(self, '_m_value', None)

        @property
        def year(self):
            if hasattr(self, '_m_year'):
                return self._m_year

            self._m_year = self.year_month // 13
            return getattr(self, '_m_year', None)


    class DatetimeValue(KaitaiStruct):
        """DATETIME before those."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.DatetimeValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class DecimalGroup(KaitaiStruct):
        def __init__(self, num_digits, is_first, is_rest_negative, is_fraction, text_before, _io, _parent=None, _root=None):
            super(MysqlBinlog.DecimalGroup, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self.is_first = is_first
            self.is_rest_negative = is_rest_negative
            self.is_fraction = is_fraction
            self.text_before = text_before
            self._read()

        def _read(self):
            if self.num_digits <= 2:
                pass
                self.raw1 = self._io.read_u1()

            if  ((self.num_digits == 3) or (self.num_digits == 4)) :
                pass
                self.raw2 = self._io.read_u2be()

            if  ((self.num_digits == 5) or (self.num_digits == 6)) :
                pass
                self.raw3 = self._io.read_bits_int_be(24)

            if self.num_digits >= 7:
                pass
                self.raw4 = self._io.read_u4be()



        def _fetch_instances(self):
            pass
            if self.num_digits <= 2:
                pass

            if  ((self.num_digits == 3) or (self.num_digits == 4)) :
                pass

            if  ((self.num_digits == 5) or (self.num_digits == 6)) :
                pass

            if self.num_digits >= 7:
                pass


        @property
        def is_negative(self):
            if hasattr(self, '_m_is_negative'):
                return self._m_is_negative

            self._m_is_negative = (self.raw < self.span // 2 if self.is_first else self.is_rest_negative)
            return getattr(self, '_m_is_negative', None)

        @property
        def magnitude(self):
            if hasattr(self, '_m_magnitude'):
                return self._m_magnitude

            self._m_magnitude = (((self.span // 2 - 1) - self.raw if self.is_negative else self.raw - self.span // 2) if self.is_first else ((self.span - 1) - self.raw if self.is_negative else self.raw))
            return getattr(self, '_m_magnitude', None)

        @property
        def raw(self):
            if hasattr(self, '_m_raw'):
                return self._m_raw

            self._m_raw = (self.raw1 if self.num_digits <= 2 else (self.raw2 if self.num_digits <= 4 else (self.raw3 if self.num_digits <= 6 else self.raw4)))
            return getattr(self, '_m_raw', None)

        @property
        def span(self):
            if hasattr(self, '_m_span'):
                return self._m_span

            self._m_span = (256 if self.num_digits <= 2 else (65536 if self.num_digits <= 4 else (16777216 if self.num_digits <= 6 else 4294967296)))
            return getattr(self, '_m_span', None)

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = ((u"" if self.magnitude == 0 else str(self.magnitude)) if  ((self.text_before == u"") and ((not (self.is_fraction))))  else self.text_before + str(self.magnitude + 1000000000)[10 - self.num_digits:10])
            return getattr(self, '_m_text', None)


    class DecimalValue(KaitaiStruct):
        """DECIMAL. Digits in groups of nine to both sides of the point, each group a big-endian number; the outermost groups
        are shorter. The highest bit is set in positive values; all bits are inverted in negative ones.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/strings/decimal.cc
        """
        def __init__(self, precision, scale, _io, _parent=None, _root=None):
            super(MysqlBinlog.DecimalValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.precision = precision
            self.scale = scale
            self._read()

        def _read(self):
            self.groups = []
            for i in range((self.num_whole_groups + self.scale // 9) + (1 if self.scale % 9 > 0 else 0)):
                self.groups.append(MysqlBinlog.DecimalGroup((self.num_lead_digits if  ((i == 0) and (self.num_lead_digits > 0))  else (self.scale % 9 if i == self.num_whole_groups + self.scale // 9 else 9)), i == 0, (False if i == 0 else self.groups[0].is_negative), i >= self.num_whole_groups, (u"" if i == 0 else self.groups[i - 1].text), self._io, self, self._root))



        def _fetch_instances(self):
            pass
            for i in range(len(self.groups)):
                pass
                self.groups[i]._fetch_instances()


        @property
        def num_lead_digits(self):
            if hasattr(self, '_m_num_lead_digits'):
                return self._m_num_lead_digits

            self._m_num_lead_digits = (self.precision - self.scale) % 9
            return getattr(self, '_m_num_lead_digits', None)

        @property
        def num_whole_groups(self):
            if hasattr(self, '_m_num_whole_groups'):
                return self._m_num_whole_groups

            self._m_num_whole_groups = (self.precision - self.scale) // 9 + (1 if self.num_lead_digits > 0 else 0)
            return getattr(self, '_m_num_whole_groups', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((u"-" if self.groups[0].is_negative else u"") + (u"0" if self.whole_text == u"" else self.whole_text)) + (u"." + self.groups[-1].text[len(self.whole_text):len(self.groups[-1].text)] if self.scale > 0 else u"")
            return getattr(self, '_m_value', None)

        @property
        def whole_text(self):
            if hasattr(self, '_m_whole_text'):
                return self._m_whole_text

            self._m_whole_text = (self.groups[self.num_whole_groups - 1].text if self.num_whole_groups > 0 else u"")
            return getattr(self, '_m_whole_text', None)


    class DefaultCharset(KaitaiStruct):
        """One collation for all columns that the field is about, and the columns that differ."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.DefaultCharset, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.collation = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.exceptions = []
            i = 0
            while not self._io.is_eof():
                self.exceptions.append(MysqlBinlog.CharsetException(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            self.collation._fetch_instances()
            for i in range(len(self.exceptions)):
                pass
                self.exceptions[i]._fetch_instances()



    class DoubleValue(KaitaiStruct):
        """DOUBLE."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.DoubleValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_f8le()


        def _fetch_instances(self):
            pass


    class Event(KaitaiStruct):
        def __init__(self, index, format_index, table_map_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.Event, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.index = index
            self.format_index = format_index
            self.table_map_index = table_map_index
            self._read()

        def _read(self):
            self.header = MysqlBinlog.EventHeader(self.index, self.format_index, self._io, self, self._root)
            _on = (0 if self.header.is_truncated else self.header.type_code)
            if _on == 15:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.FormatDescriptionEvent(_io__raw_body, self, self._root)
            elif _on == 16:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.XidEvent(_io__raw_body, self, self._root)
            elif _on == 160:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.AnnotateRowsEvent(_io__raw_body, self, self._root)
            elif _on == 162:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.MariadbGtidEvent(_io__raw_body, self, self._root)
            elif _on == 19:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.TableMapEvent(_io__raw_body, self, self._root)
            elif _on == 2:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.QueryEvent(_io__raw_body, self, self._root)
            elif _on == 23:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RowsEvent(_io__raw_body, self, self._root)
            elif _on == 24:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RowsEvent(_io__raw_body, self, self._root)
            elif _on == 25:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RowsEvent(_io__raw_body, self, self._root)
            elif _on == 29:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RowsQueryEvent(_io__raw_body, self, self._root)
            elif _on == 3:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.StopEvent(_io__raw_body, self, self._root)
            elif _on == 30:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RowsEvent(_io__raw_body, self, self._root)
            elif _on == 31:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RowsEvent(_io__raw_body, self, self._root)
            elif _on == 32:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RowsEvent(_io__raw_body, self, self._root)
            elif _on == 33:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.GtidEvent(_io__raw_body, self, self._root)
            elif _on == 34:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.GtidEvent(_io__raw_body, self, self._root)
            elif _on == 35:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.PreviousGtidsEvent(_io__raw_body, self, self._root)
            elif _on == 4:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.RotateEvent(_io__raw_body, self, self._root)
            elif _on == 42:
                pass
                self._raw_body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
                _io__raw_body = KaitaiStream(BytesIO(self._raw_body))
                self.body = MysqlBinlog.GtidTaggedEvent(_io__raw_body, self, self._root)
            else:
                pass
                self.body = self._io.read_bytes((self._io.size() - self._io.pos() if self.header.is_truncated else (self.header.len_event - self.header.len_header) - self.len_checksum))
            if  ((self.len_checksum != 0) and ((not (self.header.is_truncated)))) :
                pass
                self.checksum = self._io.read_u4le()



        def _fetch_instances(self):
            pass
            self.header._fetch_instances()
            _on = (0 if self.header.is_truncated else self.header.type_code)
            if _on == 15:
                pass
                self.body._fetch_instances()
            elif _on == 16:
                pass
                self.body._fetch_instances()
            elif _on == 160:
                pass
                self.body._fetch_instances()
            elif _on == 162:
                pass
                self.body._fetch_instances()
            elif _on == 19:
                pass
                self.body._fetch_instances()
            elif _on == 2:
                pass
                self.body._fetch_instances()
            elif _on == 23:
                pass
                self.body._fetch_instances()
            elif _on == 24:
                pass
                self.body._fetch_instances()
            elif _on == 25:
                pass
                self.body._fetch_instances()
            elif _on == 29:
                pass
                self.body._fetch_instances()
            elif _on == 3:
                pass
                self.body._fetch_instances()
            elif _on == 30:
                pass
                self.body._fetch_instances()
            elif _on == 31:
                pass
                self.body._fetch_instances()
            elif _on == 32:
                pass
                self.body._fetch_instances()
            elif _on == 33:
                pass
                self.body._fetch_instances()
            elif _on == 34:
                pass
                self.body._fetch_instances()
            elif _on == 35:
                pass
                self.body._fetch_instances()
            elif _on == 4:
                pass
                self.body._fetch_instances()
            elif _on == 42:
                pass
                self.body._fetch_instances()
            else:
                pass
            if  ((self.len_checksum != 0) and ((not (self.header.is_truncated)))) :
                pass


        @property
        def is_format_description(self):
            if hasattr(self, '_m_is_format_description'):
                return self._m_is_format_description

            self._m_is_format_description = self.header.type_code == 15
            return getattr(self, '_m_is_format_description', None)

        @property
        def is_rows_event(self):
            if hasattr(self, '_m_is_rows_event'):
                return self._m_is_rows_event

            self._m_is_rows_event =  (( ((self.header.type_code >= 23) and (self.header.type_code <= 25)) ) or ( ((self.header.type_code >= 30) and (self.header.type_code <= 32)) )) 
            return getattr(self, '_m_is_rows_event', None)

        @property
        def is_statement_end(self):
            if hasattr(self, '_m_is_statement_end'):
                return self._m_is_statement_end

            self._m_is_statement_end = (self.body.is_statement_end if  ((self.is_rows_event) and ((not (self.header.is_truncated))))  else False)
            return getattr(self, '_m_is_statement_end', None)

        @property
        def len_checksum(self):
            """In bytes. A format description keeps its checksum inside of its own body."""
            if hasattr(self, '_m_len_checksum'):
                return self._m_len_checksum

            self._m_len_checksum = (0 if self.is_format_description else self._root.events[self.format_index].body.len_checksum)
            return getattr(self, '_m_len_checksum', None)

        @property
        def len_post_header(self):
            """In bytes, as the format description announces it for this type. Wrong by mistake of the servers for
            TRANSACTION_PAYLOAD, and without meaning for MySQL's types 33 to 41 in files of MariaDB.
            """
            if hasattr(self, '_m_len_post_header'):
                return self._m_len_post_header

            self._m_len_post_header = (0 if self.is_format_description else (0 if self.header.type_code > self._root.events[self.format_index].body.num_event_types else KaitaiStream.byte_array_index(self._root.events[self.format_index].body.post_header_lengths, self.header.type_code - 1)))
            return getattr(self, '_m_len_post_header', None)

        @property
        def len_table_id(self):
            """In bytes; 4 in table maps and rows events before MySQL 5.1.4."""
            if hasattr(self, '_m_len_table_id'):
                return self._m_len_table_id

            self._m_len_table_id = (4 if self.len_post_header == 6 else 6)
            return getattr(self, '_m_len_table_id', None)

        @property
        def next_format_index(self):
            """The `format_index` of the event after this one."""
            if hasattr(self, '_m_next_format_index'):
                return self._m_next_format_index

            self._m_next_format_index = (self.index if self.is_format_description else self.format_index)
            return getattr(self, '_m_next_format_index', None)

        @property
        def next_table_map_index(self):
            """The `table_map_index` of the event after this one. The end of a statement releases its table maps."""
            if hasattr(self, '_m_next_table_map_index'):
                return self._m_next_table_map_index

            self._m_next_table_map_index = (self.index if  ((self.header.type_code == 19) and ((not (self.header.is_truncated))))  else (-1 if  ((self.is_statement_end) or (self.is_format_description))  else self.table_map_index))
            return getattr(self, '_m_next_table_map_index', None)


    class EventHeader(KaitaiStruct):
        """The common header, 19 bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/binlog/event/binlog_event.h
        """
        def __init__(self, index, format_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.EventHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.index = index
            self.format_index = format_index
            self._read()

        def _read(self):
            self.timestamp = self._io.read_u4le()
            self.type_code = self._io.read_u1()
            _ = self.type_code
            if not  ((self.index != 0) or (_ == 15)) :
                raise kaitaistruct.ValidationExprError(self.type_code, self._io, u"/types/event_header/seq/1")
            self.server_id = self._io.read_u4le()
            self.len_event = self._io.read_u4le()
            self.end_log_pos = self._io.read_u4le()
            self.flags = self._io.read_u2le()
            if self.len_header > 19:
                pass
                self.extra = self._io.read_bytes(self.len_header - 19)



        def _fetch_instances(self):
            pass
            if self.len_header > 19:
                pass


        @property
        def event_type(self):
            if hasattr(self, '_m_event_type'):
                return self._m_event_type

            self._m_event_type = KaitaiStream.resolve_enum(MysqlBinlog.EventType, self.type_code)
            return getattr(self, '_m_event_type', None)

        @property
        def is_artificial(self):
            """Made up for a stream or a relay log; stands in no log of the source."""
            if hasattr(self, '_m_is_artificial'):
                return self._m_is_artificial

            self._m_is_artificial = self.flags & 32 != 0
            return getattr(self, '_m_is_artificial', None)

        @property
        def is_ignorable(self):
            """A reader that does not know this type may pass it over."""
            if hasattr(self, '_m_is_ignorable'):
                return self._m_is_ignorable

            self._m_is_ignorable = self.flags & 128 != 0
            return getattr(self, '_m_is_ignorable', None)

        @property
        def is_in_use(self):
            """Only in a format description: the file is open for writing, or its server crashed. Cleared on close
            without a change of the checksum, which is that of the event with the flag cleared.
            """
            if hasattr(self, '_m_is_in_use'):
                return self._m_is_in_use

            self._m_is_in_use = self.flags & 1 != 0
            return getattr(self, '_m_is_in_use', None)

        @property
        def is_mts_isolated(self):
            """To be applied with no other transaction beside it."""
            if hasattr(self, '_m_is_mts_isolated'):
                return self._m_is_mts_isolated

            self._m_is_mts_isolated = self.flags & 512 != 0
            return getattr(self, '_m_is_mts_isolated', None)

        @property
        def is_no_filter(self):
            """Replication filters do not apply."""
            if hasattr(self, '_m_is_no_filter'):
                return self._m_is_no_filter

            self._m_is_no_filter = self.flags & 256 != 0
            return getattr(self, '_m_is_no_filter', None)

        @property
        def is_relay_log(self):
            """Written by a replica into its relay log on its own account."""
            if hasattr(self, '_m_is_relay_log'):
                return self._m_is_relay_log

            self._m_is_relay_log = self.flags & 64 != 0
            return getattr(self, '_m_is_relay_log', None)

        @property
        def is_replication_skipped(self):
            """MariaDB; written under `@@skip_replication = 1`."""
            if hasattr(self, '_m_is_replication_skipped'):
                return self._m_is_replication_skipped

            self._m_is_replication_skipped = self.flags & 32768 != 0
            return getattr(self, '_m_is_replication_skipped', None)

        @property
        def is_thread_specific(self):
            """The statement depends on its connection, as one with temporary tables does."""
            if hasattr(self, '_m_is_thread_specific'):
                return self._m_is_thread_specific

            self._m_is_thread_specific = self.flags & 4 != 0
            return getattr(self, '_m_is_thread_specific', None)

        @property
        def is_truncated(self):
            """The file ends inside of this event, or its length is damaged; `body` is then the rest of the file."""
            if hasattr(self, '_m_is_truncated'):
                return self._m_is_truncated

            self._m_is_truncated =  ((self.len_event < self.len_header) or (self._io.size() - self._io.pos() < self.len_event - self.len_header)) 
            return getattr(self, '_m_is_truncated', None)

        @property
        def is_use_suppressed(self):
            """The statement does not depend on the default database."""
            if hasattr(self, '_m_is_use_suppressed'):
                return self._m_is_use_suppressed

            self._m_is_use_suppressed = self.flags & 8 != 0
            return getattr(self, '_m_is_use_suppressed', None)

        @property
        def len_header(self):
            """In bytes. Format descriptions and ROTATE always have 19, since they are read before the length is known."""
            if hasattr(self, '_m_len_header'):
                return self._m_len_header

            self._m_len_header = (19 if  ((self.index == 0) or (self.type_code == 15) or (self.type_code == 4))  else self._root.events[self.format_index].body.len_common_header)
            return getattr(self, '_m_len_header', None)


    class ExtraRowInfo(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.ExtraRowInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.info_type = KaitaiStream.resolve_enum(MysqlBinlog.ExtraRowInfoType, self._io.read_u1())
            _on = self.info_type
            if _on == MysqlBinlog.ExtraRowInfoType.ndb:
                pass
                self.info = MysqlBinlog.NdbRowInfo(self._io, self, self._root)
            elif _on == MysqlBinlog.ExtraRowInfoType.partition:
                pass
                self.info = MysqlBinlog.PartitionRowInfo(self._io, self, self._root)
            else:
                pass
                self.info = MysqlBinlog.RawBytes(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            _on = self.info_type
            if _on == MysqlBinlog.ExtraRowInfoType.ndb:
                pass
                self.info._fetch_instances()
            elif _on == MysqlBinlog.ExtraRowInfoType.partition:
                pass
                self.info._fetch_instances()
            else:
                pass
                self.info._fetch_instances()


    class ExtraRowInfos(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.ExtraRowInfos, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.infos = []
            i = 0
            while not self._io.is_eof():
                self.infos.append(MysqlBinlog.ExtraRowInfo(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.infos)):
                pass
                self.infos[i]._fetch_instances()



    class FloatValue(KaitaiStruct):
        """FLOAT."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.FloatValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_f4le()


        def _fetch_instances(self):
            pass


    class FormatDescriptionEvent(KaitaiStruct):
        """Says who wrote the file and how long the parts of its events are. It replaces an earlier one for all
        events after it (relay logs have several) and releases all table maps. MySQL 5.0 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/binlog/event/control_events.h
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.FormatDescriptionEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.binlog_version = self._io.read_u2le()
            if not self.binlog_version == 4:
                raise kaitaistruct.ValidationNotEqualError(4, self.binlog_version, self._io, u"/types/format_description_event/seq/0")
            self.server_version = (KaitaiStream.bytes_terminate(self._io.read_bytes(50), 0, False)).decode(u"ASCII")
            self.created = self._io.read_u4le()
            self.len_common_header = self._io.read_u1()
            if not self.len_common_header >= 19:
                raise kaitaistruct.ValidationLessThanError(19, self.len_common_header, self._io, u"/types/format_description_event/seq/3")
            self.post_header_lengths = self._io.read_bytes(self.num_event_types)
            if self.has_checksum_algorithm:
                pass
                self.checksum_algorithm = KaitaiStream.resolve_enum(MysqlBinlog.ChecksumAlgorithm, self._io.read_u1())
                if not isinstance(self.checksum_algorithm, MysqlBinlog.ChecksumAlgorithm):
                    raise kaitaistruct.ValidationNotInEnumError(self.checksum_algorithm, self._io, u"/types/format_description_event/seq/5")

            if self.has_checksum_algorithm:
                pass
                self.checksum = self._io.read_u4le()



        def _fetch_instances(self):
            pass
            if self.has_checksum_algorithm:
                pass

            if self.has_checksum_algorithm:
                pass

            _ = self.own_post_header_length
            if hasattr(self, '_m_own_post_header_length'):
                pass


        @property
        def has_checksum_algorithm(self):
            """The server knows of checksums: MySQL 5.6.1, MariaDB 5.3 and later. Servers decide this by the version
            text; the length of the event says the same, and holds for forks and test builds as well.
            """
            if hasattr(self, '_m_has_checksum_algorithm'):
                return self._m_has_checksum_algorithm

            self._m_has_checksum_algorithm = self._io.size() >= (57 + self.num_event_types) + 5
            return getattr(self, '_m_has_checksum_algorithm', None)

        @property
        def is_mariadb(self):
            """MariaDB 5.3 and later number their own events from 160 on; no other server lists as many types."""
            if hasattr(self, '_m_is_mariadb'):
                return self._m_is_mariadb

            self._m_is_mariadb = self.num_event_types >= 160
            return getattr(self, '_m_is_mariadb', None)

        @property
        def len_checksum(self):
            """Bytes of checksum at the end of each other event."""
            if hasattr(self, '_m_len_checksum'):
                return self._m_len_checksum

            self._m_len_checksum = (4 if  ((self.has_checksum_algorithm) and (self.checksum_algorithm == MysqlBinlog.ChecksumAlgorithm.crc32))  else 0)
            return getattr(self, '_m_len_checksum', None)

        @property
        def num_event_types(self):
            """Types known to the server that wrote the file."""
            if hasattr(self, '_m_num_event_types'):
                return self._m_num_event_types

            self._m_num_event_types = self.own_post_header_length - 57
            return getattr(self, '_m_num_event_types', None)

        @property
        def own_post_header_length(self):
            """The entry of this very event type (15) in `post_header_lengths`: 57 bytes of fixed fields and one byte
            for each type. All servers write it right.
            """
            if hasattr(self, '_m_own_post_header_length'):
                return self._m_own_post_header_length

            _pos = self._io.pos()
            self._io.seek(71)
            self._m_own_post_header_length = self._io.read_u1()
            if not self._m_own_post_header_length >= 72:
                raise kaitaistruct.ValidationLessThanError(72, self._m_own_post_header_length, self._io, u"/types/format_description_event/instances/own_post_header_length")
            self._io.seek(_pos)
            return getattr(self, '_m_own_post_header_length', None)


    class Fraction(KaitaiStruct):
        """Digits after the point, stored as hundredths, ten-thousandths or millionths."""
        def __init__(self, num_digits, _io, _parent=None, _root=None):
            super(MysqlBinlog.Fraction, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self._read()

        def _read(self):
            if  ((self.num_digits == 1) or (self.num_digits == 2)) :
                pass
                self.hundredths = self._io.read_u1()

            if  ((self.num_digits == 3) or (self.num_digits == 4)) :
                pass
                self.ten_thousandths = self._io.read_u2be()

            if self.num_digits >= 5:
                pass
                self.millionths = self._io.read_bits_int_be(24)



        def _fetch_instances(self):
            pass
            if  ((self.num_digits == 1) or (self.num_digits == 2)) :
                pass

            if  ((self.num_digits == 3) or (self.num_digits == 4)) :
                pass

            if self.num_digits >= 5:
                pass


        @property
        def micros(self):
            if hasattr(self, '_m_micros'):
                return self._m_micros

            self._m_micros = (0 if self.num_digits == 0 else (self.hundredths * 10000 if self.num_digits <= 2 else (self.ten_thousandths * 100 if self.num_digits <= 4 else self.millionths)))
            return getattr(self, '_m_micros', None)

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (u"" if self.num_digits == 0 else u"." + str(self.micros + 1000000)[1:self.num_digits + 1])
            return getattr(self, '_m_text', None)


    class GnoInterval(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.GnoInterval, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.start = self._io.read_s8le()
            self.end = self._io.read_s8le()


        def _fetch_instances(self):
            pass

        @property
        def last(self):
            if hasattr(self, '_m_last'):
                return self._m_last

            self._m_last = self.end - 1
            return getattr(self, '_m_last', None)


    class GtidEvent(KaitaiStruct):
        """Opens a transaction of MySQL and names it. ANONYMOUS_GTID has the same layout with zeros in place of the
        name. Fields were appended from version to version; each is there if bytes are left for it.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/binlog/event/control_events.h
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.GtidEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.flags = self._io.read_u1()
            self.source_uuid = self._io.read_bytes(16)
            self.gno = self._io.read_s8le()
            if (not (self._io.is_eof())):
                pass
                self.logical_timestamp_type = self._io.read_u1()

            if self.has_logical_timestamps:
                pass
                self.last_committed = self._io.read_s8le()

            if self.has_logical_timestamps:
                pass
                self.sequence_number = self._io.read_s8le()

            if self.has_commit_timestamps:
                pass
                self.immediate_commit_timestamp = MysqlBinlog.CommitTimestamp(self._io, self, self._root)

            if  ((self.has_commit_timestamps) and (self.immediate_commit_timestamp.is_followed)) :
                pass
                self.original_commit_timestamp = MysqlBinlog.CommitTimestamp(self._io, self, self._root)

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof())))) :
                pass
                self.transaction_length = MysqlBinlog.PackedInt(self._io, self, self._root)

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof())))) :
                pass
                self.immediate_server_version = MysqlBinlog.CommitServerVersion(self._io, self, self._root)

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof()))) and (self.immediate_server_version.is_followed)) :
                pass
                self.original_server_version = MysqlBinlog.CommitServerVersion(self._io, self, self._root)

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof())))) :
                pass
                self.commit_group_ticket = self._io.read_u8le()



        def _fetch_instances(self):
            pass
            if (not (self._io.is_eof())):
                pass

            if self.has_logical_timestamps:
                pass

            if self.has_logical_timestamps:
                pass

            if self.has_commit_timestamps:
                pass
                self.immediate_commit_timestamp._fetch_instances()

            if  ((self.has_commit_timestamps) and (self.immediate_commit_timestamp.is_followed)) :
                pass
                self.original_commit_timestamp._fetch_instances()

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof())))) :
                pass
                self.transaction_length._fetch_instances()

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof())))) :
                pass
                self.immediate_server_version._fetch_instances()

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof()))) and (self.immediate_server_version.is_followed)) :
                pass
                self.original_server_version._fetch_instances()

            if  ((self.has_logical_timestamps) and ((not (self._io.is_eof())))) :
                pass


        @property
        def has_commit_timestamps(self):
            if hasattr(self, '_m_has_commit_timestamps'):
                return self._m_has_commit_timestamps

            self._m_has_commit_timestamps =  ((self.has_logical_timestamps) and (self._io.size() >= 42 + 7)) 
            return getattr(self, '_m_has_commit_timestamps', None)

        @property
        def has_logical_timestamps(self):
            if hasattr(self, '_m_has_logical_timestamps'):
                return self._m_has_logical_timestamps

            self._m_has_logical_timestamps = (self.logical_timestamp_type == 2 if self._io.size() > 25 else False)
            return getattr(self, '_m_has_logical_timestamps', None)

        @property
        def may_have_statements(self):
            """The transaction may hold changes that were logged as statements."""
            if hasattr(self, '_m_may_have_statements'):
                return self._m_may_have_statements

            self._m_may_have_statements = self.flags & 1 != 0
            return getattr(self, '_m_may_have_statements', None)


    class GtidField(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.GtidField, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.id = MysqlBinlog.Vlint(self._io, self, self._root)
            _on = self.name
            if _on == MysqlBinlog.GtidFieldName.commit_group_ticket:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.flags:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.gno:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.immediate_commit_timestamp:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.immediate_server_version:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.last_committed:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.original_commit_timestamp:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.original_server_version:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.sequence_number:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.source_uuid:
                pass
                self.value = MysqlBinlog.VlintUuid(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.tag:
                pass
                self.value = MysqlBinlog.VlintStr(self._io, self, self._root)
            elif _on == MysqlBinlog.GtidFieldName.transaction_length:
                pass
                self.value = MysqlBinlog.Vlint(self._io, self, self._root)
            else:
                pass
                self.value = MysqlBinlog.RawBytes(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.id._fetch_instances()
            _on = self.name
            if _on == MysqlBinlog.GtidFieldName.commit_group_ticket:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.flags:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.gno:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.immediate_commit_timestamp:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.immediate_server_version:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.last_committed:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.original_commit_timestamp:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.original_server_version:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.sequence_number:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.source_uuid:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.tag:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.GtidFieldName.transaction_length:
                pass
                self.value._fetch_instances()
            else:
                pass
                self.value._fetch_instances()

        @property
        def name(self):
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = KaitaiStream.resolve_enum(MysqlBinlog.GtidFieldName, self.id.value)
            return getattr(self, '_m_name', None)


    class GtidSource(KaitaiStruct):
        """All GTIDs of one server and one tag."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.GtidSource, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.source_uuid = self._io.read_bytes(16)
            if self._parent.is_tagged:
                pass
                self.tag = MysqlBinlog.VlintStr(self._io, self, self._root)

            self.num_intervals = self._io.read_u8le()
            self.intervals = []
            for i in range(self.num_intervals):
                self.intervals.append(MysqlBinlog.GnoInterval(self._io, self, self._root))



        def _fetch_instances(self):
            pass
            if self._parent.is_tagged:
                pass
                self.tag._fetch_instances()

            for i in range(len(self.intervals)):
                pass
                self.intervals[i]._fetch_instances()



    class GtidTaggedEvent(KaitaiStruct):
        """Opens a transaction whose GTID has a tag. MySQL 8.3 and later. Its fields are numbered; those that are
        not needed are left out, and all integers are of variable length.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/serialization/readme.md
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.GtidTaggedEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.version = MysqlBinlog.Vlint(self._io, self, self._root)
            self.len_message = MysqlBinlog.Vlint(self._io, self, self._root)
            self.last_non_ignorable_field = MysqlBinlog.Vlint(self._io, self, self._root)
            self.fields = []
            i = 0
            while not self._io.is_eof():
                self.fields.append(MysqlBinlog.GtidField(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            self.version._fetch_instances()
            self.len_message._fetch_instances()
            self.last_non_ignorable_field._fetch_instances()
            for i in range(len(self.fields)):
                pass
                self.fields[i]._fetch_instances()



    class Int24Value(KaitaiStruct):
        """MEDIUMINT."""
        def __init__(self, is_unsigned, _io, _parent=None, _root=None):
            super(MysqlBinlog.Int24Value, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_unsigned = is_unsigned
            self._read()

        def _read(self):
            self.raw = self._io.read_bits_int_le(24)


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if  ((self.is_unsigned) or (self.raw < 8388608))  else self.raw - 16777216)
            return getattr(self, '_m_value', None)


    class KeyPart(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.KeyPart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.column_index = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.len_prefix = MysqlBinlog.PackedInt(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.column_index._fetch_instances()
            self.len_prefix._fetch_instances()


    class KeyParts(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.KeyParts, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.parts = []
            i = 0
            while not self._io.is_eof():
                self.parts.append(MysqlBinlog.KeyPart(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.parts)):
                pass
                self.parts[i]._fetch_instances()



    class Length(KaitaiStruct):
        def __init__(self, len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.Length, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_value = len_value
            self._read()

        def _read(self):
            if self.len_value == 1:
                pass
                self.value1 = self._io.read_u1()

            if self.len_value == 2:
                pass
                self.value2 = self._io.read_u2le()

            if self.len_value == 3:
                pass
                self.value3 = self._io.read_bits_int_le(24)

            if self.len_value == 4:
                pass
                self.value4 = self._io.read_u4le()



        def _fetch_instances(self):
            pass
            if self.len_value == 1:
                pass

            if self.len_value == 2:
                pass

            if self.len_value == 3:
                pass

            if self.len_value == 4:
                pass


        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.value1 if self.len_value == 1 else (self.value2 if self.len_value == 2 else (self.value3 if self.len_value == 3 else self.value4)))
            return getattr(self, '_m_value', None)


    class LongValue(KaitaiStruct):
        """INT."""
        def __init__(self, is_unsigned, _io, _parent=None, _root=None):
            super(MysqlBinlog.LongValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_unsigned = is_unsigned
            self._read()

        def _read(self):
            if self.is_unsigned:
                pass
                self.unsigned_value = self._io.read_u4le()

            if (not (self.is_unsigned)):
                pass
                self.signed_value = self._io.read_s4le()



        def _fetch_instances(self):
            pass
            if self.is_unsigned:
                pass

            if (not (self.is_unsigned)):
                pass


        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.unsigned_value if self.is_unsigned else self.signed_value)
            return getattr(self, '_m_value', None)


    class LonglongValue(KaitaiStruct):
        """BIGINT; one of the two values is there."""
        def __init__(self, is_unsigned, _io, _parent=None, _root=None):
            super(MysqlBinlog.LonglongValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_unsigned = is_unsigned
            self._read()

        def _read(self):
            if self.is_unsigned:
                pass
                self.unsigned_value = self._io.read_u8le()

            if (not (self.is_unsigned)):
                pass
                self.signed_value = self._io.read_s8le()



        def _fetch_instances(self):
            pass
            if self.is_unsigned:
                pass

            if (not (self.is_unsigned)):
                pass



    class MariadbGtidEvent(KaitaiStruct):
        """Opens a transaction of MariaDB 10.0.2 and later, in the place of a `BEGIN`. The text of the GTID is
        domain, server and sequence number; the server is that of the event header.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-11.8.2/sql/log_event.h
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.MariadbGtidEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.seq_no = self._io.read_u8le()
            self.domain_id = self._io.read_u4le()
            self.flags = self._io.read_u1()
            if self.has_commit_id:
                pass
                self.commit_id = self._io.read_u8le()

            if  ((self.is_prepared_xa) or (self.is_completed_xa)) :
                pass
                self.xid = MysqlBinlog.XaId(self._io, self, self._root)

            if (not (self._io.is_eof())):
                pass
                self.flags_extra = self._io.read_u1()

            if  ((self.has_flags_extra) and (self.flags_extra & 1 != 0)) :
                pass
                self.num_extra_engines = self._io.read_u1()

            if  ((self.has_flags_extra) and (self.flags_extra & 12 != 0)) :
                pass
                self.start_alter_seq_no = self._io.read_u8le()

            if  ((self.has_flags_extra) and (self.flags_extra & 16 != 0)) :
                pass
                self.thread_id = self._io.read_u4le()

            self.padding = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            if self.has_commit_id:
                pass

            if  ((self.is_prepared_xa) or (self.is_completed_xa)) :
                pass
                self.xid._fetch_instances()

            if (not (self._io.is_eof())):
                pass

            if  ((self.has_flags_extra) and (self.flags_extra & 1 != 0)) :
                pass

            if  ((self.has_flags_extra) and (self.flags_extra & 12 != 0)) :
                pass

            if  ((self.has_flags_extra) and (self.flags_extra & 16 != 0)) :
                pass


        @property
        def allows_parallel(self):
            if hasattr(self, '_m_allows_parallel'):
                return self._m_allows_parallel

            self._m_allows_parallel = self.flags & 8 != 0
            return getattr(self, '_m_allows_parallel', None)

        @property
        def has_commit_id(self):
            if hasattr(self, '_m_has_commit_id'):
                return self._m_has_commit_id

            self._m_has_commit_id = self.flags & 2 != 0
            return getattr(self, '_m_has_commit_id', None)

        @property
        def has_flags_extra(self):
            if hasattr(self, '_m_has_flags_extra'):
                return self._m_has_flags_extra

            self._m_has_flags_extra = self._io.size() > (13 + (8 if self.has_commit_id else 0)) + ((6 + self.xid.len_gtrid) + self.xid.len_bqual if  ((self.is_prepared_xa) or (self.is_completed_xa))  else 0)
            return getattr(self, '_m_has_flags_extra', None)

        @property
        def is_completed_xa(self):
            if hasattr(self, '_m_is_completed_xa'):
                return self._m_is_completed_xa

            self._m_is_completed_xa = self.flags & 128 != 0
            return getattr(self, '_m_is_completed_xa', None)

        @property
        def is_ddl(self):
            if hasattr(self, '_m_is_ddl'):
                return self._m_is_ddl

            self._m_is_ddl = self.flags & 32 != 0
            return getattr(self, '_m_is_ddl', None)

        @property
        def is_prepared_xa(self):
            if hasattr(self, '_m_is_prepared_xa'):
                return self._m_is_prepared_xa

            self._m_is_prepared_xa = self.flags & 64 != 0
            return getattr(self, '_m_is_prepared_xa', None)

        @property
        def is_standalone(self):
            """One event follows, and no COMMIT or XID."""
            if hasattr(self, '_m_is_standalone'):
                return self._m_is_standalone

            self._m_is_standalone = self.flags & 1 != 0
            return getattr(self, '_m_is_standalone', None)

        @property
        def is_transactional(self):
            if hasattr(self, '_m_is_transactional'):
                return self._m_is_transactional

            self._m_is_transactional = self.flags & 4 != 0
            return getattr(self, '_m_is_transactional', None)

        @property
        def was_waiting(self):
            if hasattr(self, '_m_was_waiting'):
                return self._m_was_waiting

            self._m_was_waiting = self.flags & 16 != 0
            return getattr(self, '_m_was_waiting', None)


    class MemberList(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.MemberList, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.num_members = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.members = []
            for i in range(self.num_members.value):
                self.members.append(MysqlBinlog.PackedBytes(self._io, self, self._root))



        def _fetch_instances(self):
            pass
            self.num_members._fetch_instances()
            for i in range(len(self.members)):
                pass
                self.members[i]._fetch_instances()



    class MemberLists(KaitaiStruct):
        """The members of all SET columns or of all ENUM columns, in the order of the columns."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.MemberLists, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.lists = []
            i = 0
            while not self._io.is_eof():
                self.lists.append(MysqlBinlog.MemberList(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.lists)):
                pass
                self.lists[i]._fetch_instances()



    class NdbRowInfo(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.NdbRowInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_info = self._io.read_u1()
            if not self.len_info >= 2:
                raise kaitaistruct.ValidationLessThanError(2, self.len_info, self._io, u"/types/ndb_row_info/seq/0")
            self.format = self._io.read_u1()
            self.data = self._io.read_bytes(self.len_info - 2)


        def _fetch_instances(self):
            pass


    class OptionalMetadata(KaitaiStruct):
        """A list of fields in any order. Bits of bitmaps go from the highest bit of the first byte on."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.OptionalMetadata, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.fields
            if hasattr(self, '_m_fields'):
                pass
                for i in range(len(self._m_fields)):
                    pass
                    self._m_fields[i]._fetch_instances()



        @property
        def column_charset_index(self):
            if hasattr(self, '_m_column_charset_index'):
                return self._m_column_charset_index

            self._m_column_charset_index = (self.fields[-1].next_column_charset_index if len(self.fields) > 0 else -1)
            return getattr(self, '_m_column_charset_index', None)

        @property
        def column_names_index(self):
            if hasattr(self, '_m_column_names_index'):
                return self._m_column_names_index

            self._m_column_names_index = (self.fields[-1].next_column_names_index if len(self.fields) > 0 else -1)
            return getattr(self, '_m_column_names_index', None)

        @property
        def default_charset_index(self):
            if hasattr(self, '_m_default_charset_index'):
                return self._m_default_charset_index

            self._m_default_charset_index = (self.fields[-1].next_default_charset_index if len(self.fields) > 0 else -1)
            return getattr(self, '_m_default_charset_index', None)

        @property
        def fields(self):
            if hasattr(self, '_m_fields'):
                return self._m_fields

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_fields = []
            i = 0
            while not self._io.is_eof():
                self._m_fields.append(MysqlBinlog.OptionalMetadataField(i, (-1 if i == 0 else self.fields[i - 1].next_signedness_index), (-1 if i == 0 else self.fields[i - 1].next_default_charset_index), (-1 if i == 0 else self.fields[i - 1].next_column_charset_index), (-1 if i == 0 else self.fields[i - 1].next_column_names_index), self._io, self, self._root))
                i += 1

            self._io.seek(_pos)
            return getattr(self, '_m_fields', None)

        @property
        def signedness_index(self):
            """Index of that field in `fields`; -1 if it is not logged. So are the next three."""
            if hasattr(self, '_m_signedness_index'):
                return self._m_signedness_index

            self._m_signedness_index = (self.fields[-1].next_signedness_index if len(self.fields) > 0 else -1)
            return getattr(self, '_m_signedness_index', None)


    class OptionalMetadataField(KaitaiStruct):
        def __init__(self, field_index, signedness_index, default_charset_index, column_charset_index, column_names_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.OptionalMetadataField, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.field_index = field_index
            self.signedness_index = signedness_index
            self.default_charset_index = default_charset_index
            self.column_charset_index = column_charset_index
            self.column_names_index = column_names_index
            self._read()

        def _read(self):
            self.field_type = KaitaiStream.resolve_enum(MysqlBinlog.OptionalMetadataType, self._io.read_u1())
            self.len_data = MysqlBinlog.PackedInt(self._io, self, self._root)
            _on = self.field_type
            if _on == MysqlBinlog.OptionalMetadataType.column_charset:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.PackedInts(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.column_name:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.PackedStrs(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.default_charset:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.DefaultCharset(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.enum_and_set_column_charset:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.PackedInts(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.enum_and_set_default_charset:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.DefaultCharset(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.enum_str_value:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.MemberLists(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.geometry_type:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.PackedInts(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.primary_key_with_prefix:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.KeyParts(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.set_str_value:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.MemberLists(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.simple_primary_key:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.PackedInts(_io__raw_data, self, self._root)
            elif _on == MysqlBinlog.OptionalMetadataType.vector_dimensionality:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.PackedInts(_io__raw_data, self, self._root)
            else:
                pass
                self._raw_data = self._io.read_bytes(self.len_data.value)
                _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                self.data = MysqlBinlog.RawBytes(_io__raw_data, self, self._root)


        def _fetch_instances(self):
            pass
            self.len_data._fetch_instances()
            _on = self.field_type
            if _on == MysqlBinlog.OptionalMetadataType.column_charset:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.column_name:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.default_charset:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.enum_and_set_column_charset:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.enum_and_set_default_charset:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.enum_str_value:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.geometry_type:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.primary_key_with_prefix:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.set_str_value:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.simple_primary_key:
                pass
                self.data._fetch_instances()
            elif _on == MysqlBinlog.OptionalMetadataType.vector_dimensionality:
                pass
                self.data._fetch_instances()
            else:
                pass
                self.data._fetch_instances()

        @property
        def next_column_charset_index(self):
            if hasattr(self, '_m_next_column_charset_index'):
                return self._m_next_column_charset_index

            self._m_next_column_charset_index = (self.field_index if self.field_type == MysqlBinlog.OptionalMetadataType.column_charset else self.column_charset_index)
            return getattr(self, '_m_next_column_charset_index', None)

        @property
        def next_column_names_index(self):
            if hasattr(self, '_m_next_column_names_index'):
                return self._m_next_column_names_index

            self._m_next_column_names_index = (self.field_index if self.field_type == MysqlBinlog.OptionalMetadataType.column_name else self.column_names_index)
            return getattr(self, '_m_next_column_names_index', None)

        @property
        def next_default_charset_index(self):
            if hasattr(self, '_m_next_default_charset_index'):
                return self._m_next_default_charset_index

            self._m_next_default_charset_index = (self.field_index if self.field_type == MysqlBinlog.OptionalMetadataType.default_charset else self.default_charset_index)
            return getattr(self, '_m_next_default_charset_index', None)

        @property
        def next_signedness_index(self):
            if hasattr(self, '_m_next_signedness_index'):
                return self._m_next_signedness_index

            self._m_next_signedness_index = (self.field_index if self.field_type == MysqlBinlog.OptionalMetadataType.signedness else self.signedness_index)
            return getattr(self, '_m_next_signedness_index', None)


    class PackedBytes(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PackedBytes, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_bytes = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.bytes = self._io.read_bytes(self.len_bytes.value)


        def _fetch_instances(self):
            pass
            self.len_bytes._fetch_instances()


    class PackedInt(KaitaiStruct):
        """An integer of one, three, four or nine bytes. Writers need not choose the shortest form.
        
        .. seealso::
           Source - https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_dt_integers.html
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PackedInt, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.first = self._io.read_u1()
            _ = self.first
            if not  ((_ != 251) and (_ != 255)) :
                raise kaitaistruct.ValidationExprError(self.first, self._io, u"/types/packed_int/seq/0")
            if self.first == 252:
                pass
                self.value2 = self._io.read_u2le()

            if self.first == 253:
                pass
                self.value3 = self._io.read_bits_int_le(24)

            if self.first == 254:
                pass
                self.value8 = self._io.read_u8le()



        def _fetch_instances(self):
            pass
            if self.first == 252:
                pass

            if self.first == 253:
                pass

            if self.first == 254:
                pass


        @property
        def len(self):
            """Bytes that the integer itself takes."""
            if hasattr(self, '_m_len'):
                return self._m_len

            self._m_len = (1 if self.first < 251 else (3 if self.first == 252 else (4 if self.first == 253 else 9)))
            return getattr(self, '_m_len', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.first if self.first < 251 else (self.value2 if self.first == 252 else (self.value3 if self.first == 253 else self.value8)))
            return getattr(self, '_m_value', None)


    class PackedInts(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PackedInts, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.items = []
            i = 0
            while not self._io.is_eof():
                self.items.append(MysqlBinlog.PackedInt(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



    class PackedStr(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PackedStr, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_text = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.text = (self._io.read_bytes(self.len_text.value)).decode(u"UTF-8")


        def _fetch_instances(self):
            pass
            self.len_text._fetch_instances()


    class PackedStrs(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PackedStrs, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.items = []
            i = 0
            while not self._io.is_eof():
                self.items.append(MysqlBinlog.PackedStr(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



    class PartitionRowInfo(KaitaiStruct):
        """MySQL 8.0.16 and later. Rows of different partitions stand in different events."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PartitionRowInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.partition_id = self._io.read_u2le()
            if self._parent._parent._parent.is_update:
                pass
                self.source_partition_id = self._io.read_u2le()



        def _fetch_instances(self):
            pass
            if self._parent._parent._parent.is_update:
                pass



    class PreviousGtidsEvent(KaitaiStruct):
        """The GTIDs of all earlier files, as a set. MySQL 5.6 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/sql/rpl_gtid_set.cc
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PreviousGtidsEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.format_low = self._io.read_u1()
            self.count_low = self._io.read_u4le()
            self.count_high = self._io.read_u2le()
            self.format = self._io.read_u1()
            if self.format <= 1:
                pass
                self.sources = []
                for i in range(self.num_sources):
                    self.sources.append(MysqlBinlog.GtidSource(self._io, self, self._root))


            if self.format > 1:
                pass
                self.unknown = self._io.read_bytes_full()



        def _fetch_instances(self):
            pass
            if self.format <= 1:
                pass
                for i in range(len(self.sources)):
                    pass
                    self.sources[i]._fetch_instances()


            if self.format > 1:
                pass


        @property
        def is_tagged(self):
            if hasattr(self, '_m_is_tagged'):
                return self._m_is_tagged

            self._m_is_tagged = self.format == 1
            return getattr(self, '_m_is_tagged', None)

        @property
        def num_sources(self):
            if hasattr(self, '_m_num_sources'):
                return self._m_num_sources

            self._m_num_sources = (self.count_low + self.count_high * 4294967296 if self.is_tagged else (self.format_low + self.count_low * 256) + self.count_high * 1099511627776)
            return getattr(self, '_m_num_sources', None)


    class QueryAutoIncrement(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryAutoIncrement, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.increment = self._io.read_u2le()
            self.offset = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class QueryCatalogZ(KaitaiStruct):
        """MySQL 5.0.0 to 5.0.3."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryCatalogZ, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_text = self._io.read_u1()
            self.text = (self._io.read_bytes(self.len_text)).decode(u"UTF-8")
            self.text_end = self._io.read_bytes(1)
            if not self.text_end == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.text_end, self._io, u"/types/query_catalog_z/seq/2")


        def _fetch_instances(self):
            pass


    class QueryCharacterSetCollation(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryCharacterSetCollation, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.character_set = self._io.read_u2le()
            self.collation = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class QueryCharacterSetCollations(KaitaiStruct):
        """MariaDB 11.3 and later."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryCharacterSetCollations, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.num_items = self._io.read_u1()
            self.items = []
            for i in range(self.num_items):
                self.items.append(MysqlBinlog.QueryCharacterSetCollation(self._io, self, self._root))



        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



    class QueryCharset(KaitaiStruct):
        """Collation ids."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryCharset, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.character_set_client = self._io.read_u2le()
            self.collation_connection = self._io.read_u2le()
            self.collation_server = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class QueryEvent(KaitaiStruct):
        """A statement as text: DDL, the `BEGIN` and `COMMIT` around a transaction, and in statement-based logging
        every change.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/binlog/event/statement_events.h
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.thread_id = self._io.read_u4le()
            self.exec_time = self._io.read_u4le()
            self.len_database_name = self._io.read_u1()
            self.error_code = self._io.read_u2le()
            self.len_status_vars = self._io.read_u2le()
            self._raw_status_vars = self._io.read_bytes(self.len_status_vars)
            _io__raw_status_vars = KaitaiStream(BytesIO(self._raw_status_vars))
            self.status_vars = MysqlBinlog.StatusVars(_io__raw_status_vars, self, self._root)
            self.database_name = self._io.read_bytes(self.len_database_name)
            self.database_name_end = self._io.read_bytes(1)
            if not self.database_name_end == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.database_name_end, self._io, u"/types/query_event/seq/7")
            self.query = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            self.status_vars._fetch_instances()


    class QueryFlags2(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryFlags2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.bits = self._io.read_u4le()


        def _fetch_instances(self):
            pass

        @property
        def is_auto_is_null(self):
            if hasattr(self, '_m_is_auto_is_null'):
                return self._m_is_auto_is_null

            self._m_is_auto_is_null = self.bits & 16384 != 0
            return getattr(self, '_m_is_auto_is_null', None)

        @property
        def is_no_foreign_key_checks(self):
            if hasattr(self, '_m_is_no_foreign_key_checks'):
                return self._m_is_no_foreign_key_checks

            self._m_is_no_foreign_key_checks = self.bits & 67108864 != 0
            return getattr(self, '_m_is_no_foreign_key_checks', None)

        @property
        def is_not_autocommit(self):
            if hasattr(self, '_m_is_not_autocommit'):
                return self._m_is_not_autocommit

            self._m_is_not_autocommit = self.bits & 524288 != 0
            return getattr(self, '_m_is_not_autocommit', None)

        @property
        def is_relaxed_unique_checks(self):
            if hasattr(self, '_m_is_relaxed_unique_checks'):
                return self._m_is_relaxed_unique_checks

            self._m_is_relaxed_unique_checks = self.bits & 134217728 != 0
            return getattr(self, '_m_is_relaxed_unique_checks', None)


    class QueryGtidFlags3(KaitaiStruct):
        """MariaDB."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryGtidFlags3, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.flags_extra = self._io.read_u1()
            if self.flags_extra & 12 != 0:
                pass
                self.start_alter_seq_no = self._io.read_u8le()



        def _fetch_instances(self):
            pass
            if self.flags_extra & 12 != 0:
                pass



    class QueryInvoker(KaitaiStruct):
        """The account under whose rights a stored program ran."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryInvoker, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.user = MysqlBinlog.QueryText(self._io, self, self._root)
            self.host = MysqlBinlog.QueryText(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.user._fetch_instances()
            self.host._fetch_instances()


    class QuerySqlMode(KaitaiStruct):
        """
        .. seealso::
           Source - https://dev.mysql.com/doc/refman/8.4/en/sql-mode.html
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QuerySqlMode, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.sql_mode = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class QueryText(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryText, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_text = self._io.read_u1()
            self.text = (self._io.read_bytes(self.len_text)).decode(u"UTF-8")


        def _fetch_instances(self):
            pass


    class QueryU1(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryU1, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class QueryU2(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryU2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class QueryU3(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryU3, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_bits_int_le(24)


        def _fetch_instances(self):
            pass


    class QueryU4(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryU4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class QueryU8(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryU8, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class QueryUpdatedDbNames(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryUpdatedDbNames, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.num_names = self._io.read_u1()
            if self.num_names != 254:
                pass
                self.names = []
                for i in range(self.num_names):
                    self.names.append((self._io.read_bytes_term(0, False, True, True)).decode(u"UTF-8"))




        def _fetch_instances(self):
            pass
            if self.num_names != 254:
                pass
                for i in range(len(self.names)):
                    pass




    class RawBytes(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RawBytes, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.bytes = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class RotateEvent(KaitaiStruct):
        """The log goes on in another file. With `is_artificial` set it names the file of the events that follow."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RotateEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.position = self._io.read_u8le()
            self.next_log_file = (self._io.read_bytes_full()).decode(u"UTF-8")


        def _fetch_instances(self):
            pass


    class Row(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.Row, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if (not (self._parent._parent.is_write)):
                pass
                self.before_image = MysqlBinlog.RowImage(False, self._io, self, self._root)

            if  ((self._parent._parent.is_write) or (self._parent._parent.is_update)) :
                pass
                self.after_image = MysqlBinlog.RowImage(True, self._io, self, self._root)



        def _fetch_instances(self):
            pass
            if (not (self._parent._parent.is_write)):
                pass
                self.before_image._fetch_instances()

            if  ((self._parent._parent.is_write) or (self._parent._parent.is_update)) :
                pass
                self.after_image._fetch_instances()



    class RowColumn(KaitaiStruct):
        """A column of the table map, as the images of one rows event hold it."""
        def __init__(self, column_index, present_index, present_index_after, is_row_sized_before, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowColumn, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self.present_index = present_index
            self.present_index_after = present_index_after
            self.is_row_sized_before = is_row_sized_before
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def collation(self):
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = self._root.events[self._parent.table_map_event_index].body.column_metadata.columns[self.column_index].collation
            return getattr(self, '_m_collation', None)

        @property
        def column_type(self):
            if hasattr(self, '_m_column_type'):
                return self._m_column_type

            self._m_column_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.type_code)
            return getattr(self, '_m_column_type', None)

        @property
        def is_present(self):
            if hasattr(self, '_m_is_present'):
                return self._m_is_present

            self._m_is_present = KaitaiStream.byte_array_index(self._parent.columns_present_bitmap, self.column_index // 8) >> self.column_index % 8 & 1 != 0
            return getattr(self, '_m_is_present', None)

        @property
        def is_present_after(self):
            if hasattr(self, '_m_is_present_after'):
                return self._m_is_present_after

            self._m_is_present_after = (KaitaiStream.byte_array_index(self._parent.columns_present_bitmap_after, self.column_index // 8) >> self.column_index % 8 & 1 != 0 if self._parent.is_update else self.is_present)
            return getattr(self, '_m_is_present_after', None)

        @property
        def is_row_sized(self):
            if hasattr(self, '_m_is_row_sized'):
                return self._m_is_row_sized

            self._m_is_row_sized =  ((self.is_row_sized_before) and (self._root.events[self._parent.table_map_event_index].body.has_column_metadata) and (self.type_code != 0) and (self.type_code != 20) and (self.type_code != 243) and (self.type_code != 244)) 
            return getattr(self, '_m_is_row_sized', None)

        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = self._root.events[self._parent.table_map_event_index].body.column_metadata.columns[self.column_index].is_unsigned
            return getattr(self, '_m_is_unsigned', None)

        @property
        def len_length(self):
            """Bytes of the length before each value, for the types that have one."""
            if hasattr(self, '_m_len_length'):
                return self._m_len_length

            self._m_len_length = ((2 if self.max_length > 255 else 1) if  ((self.type_code == 15) or (self.type_code == 141) or (self.type_code == 253) or (self.type_code == 254))  else self.max_length)
            return getattr(self, '_m_len_length', None)

        @property
        def max_length(self):
            if hasattr(self, '_m_max_length'):
                return self._m_max_length

            self._m_max_length = self._root.events[self._parent.table_map_event_index].body.column_metadata.columns[self.column_index].max_length
            return getattr(self, '_m_max_length', None)

        @property
        def name(self):
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = self._root.events[self._parent.table_map_event_index].body.column_metadata.columns[self.column_index].name
            return getattr(self, '_m_name', None)

        @property
        def next_present_index(self):
            if hasattr(self, '_m_next_present_index'):
                return self._m_next_present_index

            self._m_next_present_index = (self.present_index + 1 if self.is_present else self.present_index)
            return getattr(self, '_m_next_present_index', None)

        @property
        def next_present_index_after(self):
            if hasattr(self, '_m_next_present_index_after'):
                return self._m_next_present_index_after

            self._m_next_present_index_after = (self.present_index_after + 1 if self.is_present_after else self.present_index_after)
            return getattr(self, '_m_next_present_index_after', None)

        @property
        def type_code(self):
            if hasattr(self, '_m_type_code'):
                return self._m_type_code

            self._m_type_code = self._root.events[self._parent.table_map_event_index].body.column_metadata.columns[self.column_index].type_code
            return getattr(self, '_m_type_code', None)


    class RowData(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowData, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.rows
            if hasattr(self, '_m_rows'):
                pass
                for i in range(len(self._m_rows)):
                    pass
                    self._m_rows[i]._fetch_instances()



        @property
        def rows(self):
            if hasattr(self, '_m_rows'):
                return self._m_rows

            if self._parent.is_row_sized:
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_rows = []
                i = 0
                while not self._io.is_eof():
                    self._m_rows.append(MysqlBinlog.Row(self._io, self, self._root))
                    i += 1

                self._io.seek(_pos)

            return getattr(self, '_m_rows', None)


    class RowImage(KaitaiStruct):
        def __init__(self, is_after, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowImage, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_after = is_after
            self._read()

        def _read(self):
            self.null_bitmap = self._io.read_bytes((self.num_present + 7) // 8)
            self.cells = []
            for i in range(self._parent._parent._parent.num_columns.value):
                self.cells.append(MysqlBinlog.Cell(i, self._io, self, self._root))



        def _fetch_instances(self):
            pass
            for i in range(len(self.cells)):
                pass
                self.cells[i]._fetch_instances()


        @property
        def num_present(self):
            if hasattr(self, '_m_num_present'):
                return self._m_num_present

            self._m_num_present = (self._parent._parent._parent.columns[-1].next_present_index_after if self.is_after else self._parent._parent._parent.columns[-1].next_present_index)
            return getattr(self, '_m_num_present', None)


    class RowsEvent(KaitaiStruct):
        """Rows that were inserted, updated or deleted in one table. Version 1 (types 23 to 25) and version 2 (30 to 32)
        differ in the extra row info only; the post-header length of the format description tells them apart.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/binlog/event/rows_event.h
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowsEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.table_id = MysqlBinlog.TableId(self._parent.len_table_id, self._io, self, self._root)
            self.flags = self._io.read_u2le()
            if self.has_extra_row_info:
                pass
                self.len_extra_row_info = self._io.read_u2le()
                if not self.len_extra_row_info >= 2:
                    raise kaitaistruct.ValidationLessThanError(2, self.len_extra_row_info, self._io, u"/types/rows_event/seq/2")

            if self.has_extra_row_info:
                pass
                self._raw_extra_row_info = self._io.read_bytes(self.len_extra_row_info - 2)
                _io__raw_extra_row_info = KaitaiStream(BytesIO(self._raw_extra_row_info))
                self.extra_row_info = MysqlBinlog.ExtraRowInfos(_io__raw_extra_row_info, self, self._root)

            self.num_columns = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.columns_present_bitmap = self._io.read_bytes((self.num_columns.value + 7) // 8)
            if self.is_update:
                pass
                self.columns_present_bitmap_after = self._io.read_bytes((self.num_columns.value + 7) // 8)

            self._raw_row_data = self._io.read_bytes_full()
            _io__raw_row_data = KaitaiStream(BytesIO(self._raw_row_data))
            self.row_data = MysqlBinlog.RowData(_io__raw_row_data, self, self._root)


        def _fetch_instances(self):
            pass
            self.table_id._fetch_instances()
            if self.has_extra_row_info:
                pass

            if self.has_extra_row_info:
                pass
                self.extra_row_info._fetch_instances()

            self.num_columns._fetch_instances()
            if self.is_update:
                pass

            self.row_data._fetch_instances()
            _ = self.columns
            if hasattr(self, '_m_columns'):
                pass
                for i in range(len(self._m_columns)):
                    pass
                    self._m_columns[i]._fetch_instances()


            _ = self.table_map_probes
            if hasattr(self, '_m_table_map_probes'):
                pass
                for i in range(len(self._m_table_map_probes)):
                    pass
                    self._m_table_map_probes[i]._fetch_instances()



        @property
        def columns(self):
            if hasattr(self, '_m_columns'):
                return self._m_columns

            if self.has_table_map:
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_columns = []
                for i in range(self.num_columns.value):
                    self._m_columns.append(MysqlBinlog.RowColumn(i, (0 if i == 0 else self.columns[i - 1].next_present_index), (0 if i == 0 else self.columns[i - 1].next_present_index_after), (True if i == 0 else self.columns[i - 1].is_row_sized), self._io, self, self._root))

                self._io.seek(_pos)

            return getattr(self, '_m_columns', None)

        @property
        def database_name(self):
            if hasattr(self, '_m_database_name'):
                return self._m_database_name

            if self.has_table_map:
                pass
                self._m_database_name = self._root.events[self.table_map_event_index].body.database_name

            return getattr(self, '_m_database_name', None)

        @property
        def has_complete_rows(self):
            if hasattr(self, '_m_has_complete_rows'):
                return self._m_has_complete_rows

            self._m_has_complete_rows = self.flags & 8 != 0
            return getattr(self, '_m_has_complete_rows', None)

        @property
        def has_extra_row_info(self):
            if hasattr(self, '_m_has_extra_row_info'):
                return self._m_has_extra_row_info

            self._m_has_extra_row_info = self._parent.len_post_header == 10
            return getattr(self, '_m_has_extra_row_info', None)

        @property
        def has_table_map(self):
            if hasattr(self, '_m_has_table_map'):
                return self._m_has_table_map

            self._m_has_table_map = self.table_map_probes[-1].is_match
            return getattr(self, '_m_has_table_map', None)

        @property
        def is_no_foreign_key_checks(self):
            if hasattr(self, '_m_is_no_foreign_key_checks'):
                return self._m_is_no_foreign_key_checks

            self._m_is_no_foreign_key_checks = self.flags & 2 != 0
            return getattr(self, '_m_is_no_foreign_key_checks', None)

        @property
        def is_relaxed_unique_checks(self):
            if hasattr(self, '_m_is_relaxed_unique_checks'):
                return self._m_is_relaxed_unique_checks

            self._m_is_relaxed_unique_checks = self.flags & 4 != 0
            return getattr(self, '_m_is_relaxed_unique_checks', None)

        @property
        def is_row_sized(self):
            """The table map is there, and the width of each column is known from it."""
            if hasattr(self, '_m_is_row_sized'):
                return self._m_is_row_sized

            self._m_is_row_sized =  ((self.has_table_map) and (self.columns[-1].is_row_sized)) 
            return getattr(self, '_m_is_row_sized', None)

        @property
        def is_statement_end(self):
            """The last rows event of the statement; its table maps are released."""
            if hasattr(self, '_m_is_statement_end'):
                return self._m_is_statement_end

            self._m_is_statement_end = self.flags & 1 != 0
            return getattr(self, '_m_is_statement_end', None)

        @property
        def is_update(self):
            if hasattr(self, '_m_is_update'):
                return self._m_is_update

            self._m_is_update =  ((self._parent.header.type_code == 24) or (self._parent.header.type_code == 31)) 
            return getattr(self, '_m_is_update', None)

        @property
        def is_write(self):
            if hasattr(self, '_m_is_write'):
                return self._m_is_write

            self._m_is_write =  ((self._parent.header.type_code == 23) or (self._parent.header.type_code == 30)) 
            return getattr(self, '_m_is_write', None)

        @property
        def table_map_event_index(self):
            """Index of the table map in `_root.events`."""
            if hasattr(self, '_m_table_map_event_index'):
                return self._m_table_map_event_index

            self._m_table_map_event_index = self.table_map_probes[-1].event_index
            return getattr(self, '_m_table_map_event_index', None)

        @property
        def table_map_probes(self):
            """The search for the newest table map of the statement that has this table id."""
            if hasattr(self, '_m_table_map_probes'):
                return self._m_table_map_probes

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_table_map_probes = []
            i = 0
            while True:
                _ = MysqlBinlog.TableMapProbe((self._parent.table_map_index if i == 0 else self.table_map_probes[i - 1].prev_index), self.table_id.value, self._io, self, self._root)
                self._m_table_map_probes.append(_)
                if _.is_done:
                    break
                i += 1
            self._io.seek(_pos)
            return getattr(self, '_m_table_map_probes', None)

        @property
        def table_name(self):
            if hasattr(self, '_m_table_name'):
                return self._m_table_name

            if self.has_table_map:
                pass
                self._m_table_name = self._root.events[self.table_map_event_index].body.table_name

            return getattr(self, '_m_table_name', None)


    class RowsQueryEvent(KaitaiStruct):
        """The statement that made the rows which follow, for people. MySQL 5.6 and later."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowsQueryEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_query = self._io.read_u1()
            self.query = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class ShortValue(KaitaiStruct):
        """SMALLINT."""
        def __init__(self, is_unsigned, _io, _parent=None, _root=None):
            super(MysqlBinlog.ShortValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_unsigned = is_unsigned
            self._read()

        def _read(self):
            self.raw = self._io.read_u2le()


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if  ((self.is_unsigned) or (self.raw < 32768))  else self.raw - 65536)
            return getattr(self, '_m_value', None)


    class StatusVar(KaitaiStruct):
        """A part of the session's state that the statement depends on. The values have no length: the part after
        an unknown key stays raw.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.StatusVar, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.key = KaitaiStream.resolve_enum(MysqlBinlog.StatusVarKey, self._io.read_u1())
            _on = self.key
            if _on == MysqlBinlog.StatusVarKey.auto_increment:
                pass
                self.value = MysqlBinlog.QueryAutoIncrement(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.catalog:
                pass
                self.value = MysqlBinlog.QueryCatalogZ(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.catalog_nz:
                pass
                self.value = MysqlBinlog.QueryText(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.character_set_collations:
                pass
                self.value = MysqlBinlog.QueryCharacterSetCollations(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.charset:
                pass
                self.value = MysqlBinlog.QueryCharset(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.charset_database:
                pass
                self.value = MysqlBinlog.QueryU2(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.ddl_logged_with_xid:
                pass
                self.value = MysqlBinlog.QueryU8(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.default_collation_for_utf8mb4:
                pass
                self.value = MysqlBinlog.QueryU2(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.default_table_encryption:
                pass
                self.value = MysqlBinlog.QueryU1(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.enable_cascade_triggers:
                pass
                self.value = MysqlBinlog.QueryU1(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.explicit_defaults_for_timestamp:
                pass
                self.value = MysqlBinlog.QueryU1(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.flags2:
                pass
                self.value = MysqlBinlog.QueryFlags2(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.gtid_flags3:
                pass
                self.value = MysqlBinlog.QueryGtidFlags3(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.hrnow:
                pass
                self.value = MysqlBinlog.QueryU3(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.invoker:
                pass
                self.value = MysqlBinlog.QueryInvoker(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.lc_time_names:
                pass
                self.value = MysqlBinlog.QueryU2(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.master_data_written:
                pass
                self.value = MysqlBinlog.QueryU4(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.microseconds:
                pass
                self.value = MysqlBinlog.QueryU3(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.sql_mode:
                pass
                self.value = MysqlBinlog.QuerySqlMode(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.sql_require_primary_key:
                pass
                self.value = MysqlBinlog.QueryU1(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.table_map_for_update:
                pass
                self.value = MysqlBinlog.QueryU8(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.time_zone:
                pass
                self.value = MysqlBinlog.QueryText(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.updated_db_names:
                pass
                self.value = MysqlBinlog.QueryUpdatedDbNames(self._io, self, self._root)
            elif _on == MysqlBinlog.StatusVarKey.xid:
                pass
                self.value = MysqlBinlog.QueryU8(self._io, self, self._root)
            else:
                pass
                self.value = MysqlBinlog.RawBytes(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            _on = self.key
            if _on == MysqlBinlog.StatusVarKey.auto_increment:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.catalog:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.catalog_nz:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.character_set_collations:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.charset:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.charset_database:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.ddl_logged_with_xid:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.default_collation_for_utf8mb4:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.default_table_encryption:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.enable_cascade_triggers:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.explicit_defaults_for_timestamp:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.flags2:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.gtid_flags3:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.hrnow:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.invoker:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.lc_time_names:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.master_data_written:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.microseconds:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.sql_mode:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.sql_require_primary_key:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.table_map_for_update:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.time_zone:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.updated_db_names:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.StatusVarKey.xid:
                pass
                self.value._fetch_instances()
            else:
                pass
                self.value._fetch_instances()


    class StatusVars(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.StatusVars, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.vars
            if hasattr(self, '_m_vars'):
                pass
                for i in range(len(self._m_vars)):
                    pass
                    self._m_vars[i]._fetch_instances()



        @property
        def vars(self):
            """Parsed on demand, like the fields of a table map and the rows of a rows event, so that a reader of events does not pay for them."""
            if hasattr(self, '_m_vars'):
                return self._m_vars

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_vars = []
            i = 0
            while not self._io.is_eof():
                self._m_vars.append(MysqlBinlog.StatusVar(self._io, self, self._root))
                i += 1

            self._io.seek(_pos)
            return getattr(self, '_m_vars', None)


    class StopEvent(KaitaiStruct):
        """The server was shut down."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.StopEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass


    class StringValue(KaitaiStruct):
        """CHAR, VARCHAR, TEXT and their binary kin, in the character set of the column. CHAR comes without the spaces, BINARY
        without the zero bytes at its end.
        """
        def __init__(self, len_length, collation, _io, _parent=None, _root=None):
            super(MysqlBinlog.StringValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_length = len_length
            self.collation = collation
            self._read()

        def _read(self):
            self.length = MysqlBinlog.Length(self.len_length, self._io, self, self._root)
            self.value = self._io.read_bytes(self.length.value)


        def _fetch_instances(self):
            pass
            self.length._fetch_instances()

        @property
        def is_binary(self):
            if hasattr(self, '_m_is_binary'):
                return self._m_is_binary

            self._m_is_binary = self.collation == 63
            return getattr(self, '_m_is_binary', None)


    class TableId(KaitaiStruct):
        def __init__(self, len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.TableId, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_value = len_value
            self._read()

        def _read(self):
            self.low = self._io.read_u4le()
            if self.len_value == 6:
                pass
                self.high = self._io.read_u2le()



        def _fetch_instances(self):
            pass
            if self.len_value == 6:
                pass


        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.low + self.high * 4294967296 if self.len_value == 6 else self.low)
            return getattr(self, '_m_value', None)


    class TableMapEvent(KaitaiStruct):
        """Names a table and the types of its columns under a number, for the rows events of the same statement.
        The number is an alias only; the table gets another one after a change of its definition, and the number
        another table after a restart.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/binlog/event/rows_event.h
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TableMapEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.table_id = MysqlBinlog.TableId(self._parent.len_table_id, self._io, self, self._root)
            self.flags = self._io.read_u2le()
            self.len_database_name = self._io.read_u1()
            self.database_name = (self._io.read_bytes(self.len_database_name)).decode(u"UTF-8")
            self.database_name_end = self._io.read_bytes(1)
            if not self.database_name_end == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.database_name_end, self._io, u"/types/table_map_event/seq/4")
            self.len_table_name = self._io.read_u1()
            self.table_name = (self._io.read_bytes(self.len_table_name)).decode(u"UTF-8")
            self.table_name_end = self._io.read_bytes(1)
            if not self.table_name_end == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.table_name_end, self._io, u"/types/table_map_event/seq/7")
            self.num_columns = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.column_types = self._io.read_bytes(self.num_columns.value)
            if (not (self._io.is_eof())):
                pass
                self.len_column_metadata = MysqlBinlog.PackedInt(self._io, self, self._root)

            if self.has_column_metadata:
                pass
                self._raw_column_metadata = self._io.read_bytes(self.len_column_metadata.value)
                _io__raw_column_metadata = KaitaiStream(BytesIO(self._raw_column_metadata))
                self.column_metadata = MysqlBinlog.ColumnMetadata(_io__raw_column_metadata, self, self._root)

            if self.has_column_metadata:
                pass
                self.nullable_bitmap = self._io.read_bytes((self.num_columns.value + 7) // 8)

            self._raw_optional_metadata = self._io.read_bytes_full()
            _io__raw_optional_metadata = KaitaiStream(BytesIO(self._raw_optional_metadata))
            self.optional_metadata = MysqlBinlog.OptionalMetadata(_io__raw_optional_metadata, self, self._root)


        def _fetch_instances(self):
            pass
            self.table_id._fetch_instances()
            self.num_columns._fetch_instances()
            if (not (self._io.is_eof())):
                pass
                self.len_column_metadata._fetch_instances()

            if self.has_column_metadata:
                pass
                self.column_metadata._fetch_instances()

            if self.has_column_metadata:
                pass

            self.optional_metadata._fetch_instances()

        @property
        def has_column_metadata(self):
            if hasattr(self, '_m_has_column_metadata'):
                return self._m_has_column_metadata

            self._m_has_column_metadata = self._io.size() > ((((self._parent.len_table_id + 6) + self.len_database_name) + self.len_table_name) + self.num_columns.len) + self.num_columns.value
            return getattr(self, '_m_has_column_metadata', None)

        @property
        def has_generated_invisible_primary_key(self):
            """The first column is `my_row_id`, made by the server. MySQL 8.0.30 and later."""
            if hasattr(self, '_m_has_generated_invisible_primary_key'):
                return self._m_has_generated_invisible_primary_key

            self._m_has_generated_invisible_primary_key = self.flags & 4 != 0
            return getattr(self, '_m_has_generated_invisible_primary_key', None)

        @property
        def prev_table_map_index(self):
            """Index in `_root.events` of the table map before this one in the same statement; -1 if there is none."""
            if hasattr(self, '_m_prev_table_map_index'):
                return self._m_prev_table_map_index

            self._m_prev_table_map_index = self._parent.table_map_index
            return getattr(self, '_m_prev_table_map_index', None)


    class TableMapProbe(KaitaiStruct):
        """One step of the search for a table map, from the newest one back."""
        def __init__(self, event_index, wanted_table_id, _io, _parent=None, _root=None):
            super(MysqlBinlog.TableMapProbe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.event_index = event_index
            self.wanted_table_id = wanted_table_id
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def is_done(self):
            if hasattr(self, '_m_is_done'):
                return self._m_is_done

            self._m_is_done =  ((self.event_index < 0) or (self.is_match)) 
            return getattr(self, '_m_is_done', None)

        @property
        def is_match(self):
            if hasattr(self, '_m_is_match'):
                return self._m_is_match

            self._m_is_match = (False if self.event_index < 0 else self._root.events[self.event_index].body.table_id.value == self.wanted_table_id)
            return getattr(self, '_m_is_match', None)

        @property
        def prev_index(self):
            if hasattr(self, '_m_prev_index'):
                return self._m_prev_index

            if self.event_index >= 0:
                pass
                self._m_prev_index = self._root.events[self.event_index].body.prev_table_map_index

            return getattr(self, '_m_prev_index', None)


    class Time2Value(KaitaiStruct):
        """TIME of MySQL 5.6.4, MariaDB 10.1 and later, from -838:59:59 to 838:59:59. Whole and fraction are one big-endian
        number with a bias; a negative time has to be negated as a whole.
        """
        def __init__(self, num_digits, _io, _parent=None, _root=None):
            super(MysqlBinlog.Time2Value, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self._read()

        def _read(self):
            self.whole = self._io.read_bits_int_be(24)
            if  ((self.num_digits == 1) or (self.num_digits == 2)) :
                pass
                self.fraction1 = self._io.read_u1()

            if  ((self.num_digits == 3) or (self.num_digits == 4)) :
                pass
                self.fraction2 = self._io.read_u2be()

            if self.num_digits >= 5:
                pass
                self.fraction3 = self._io.read_bits_int_be(24)



        def _fetch_instances(self):
            pass
            if  ((self.num_digits == 1) or (self.num_digits == 2)) :
                pass

            if  ((self.num_digits == 3) or (self.num_digits == 4)) :
                pass

            if self.num_digits >= 5:
                pass


        @property
        def hours(self):
            if hasattr(self, '_m_hours'):
                return self._m_hours

            self._m_hours = (self.packed // 4096)
            return getattr(self, '_m_hours', None)

        @property
        def is_negative(self):
            if hasattr(self, '_m_is_negative'):
                return self._m_is_negative

            self._m_is_negative = self.whole < 8388608
            return getattr(self, '_m_is_negative', None)

        @property
        def magnitude(self):
            if hasattr(self, '_m_magnitude'):
                return self._m_magnitude

            self._m_magnitude = ((8388608 - self.whole) * self.span - self.raw_fraction if self.is_negative else (self.whole - 8388608) * self.span + self.raw_fraction)
            return getattr(self, '_m_magnitude', None)

        @property
        def micros(self):
            if hasattr(self, '_m_micros'):
                return self._m_micros

            self._m_micros = (0 if self.num_digits == 0 else ((self.magnitude % self.span) * 10000 if self.num_digits <= 2 else ((self.magnitude % self.span) * 100 if self.num_digits <= 4 else self.magnitude % self.span)))
            return getattr(self, '_m_micros', None)

        @property
        def packed(self):
            """Hours times 4096, plus minutes times 64, plus seconds."""
            if hasattr(self, '_m_packed'):
                return self._m_packed

            self._m_packed = (self.magnitude // self.span)
            return getattr(self, '_m_packed', None)

        @property
        def raw_fraction(self):
            if hasattr(self, '_m_raw_fraction'):
                return self._m_raw_fraction

            self._m_raw_fraction = (0 if self.num_digits == 0 else (self.fraction1 if self.num_digits <= 2 else (self.fraction2 if self.num_digits <= 4 else self.fraction3)))
            return getattr(self, '_m_raw_fraction', None)

        @property
        def span(self):
            if hasattr(self, '_m_span'):
                return self._m_span

            self._m_span = (1 if self.num_digits == 0 else (256 if self.num_digits <= 2 else (65536 if self.num_digits <= 4 else 16777216)))
            return getattr(self, '_m_span', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((((((u"-" if self.is_negative else u"") + (str(self.hours + 100)[1:3] if self.hours < 100 else str(self.hours))) + u":") + str((self.packed // 64) % 64 + 100)[1:3]) + u":") + str(self.packed % 64 + 100)[1:3]) + (u"" if self.num_digits == 0 else u"." + str(self.micros + 1000000)[1:self.num_digits + 1])
            return getattr(self, '_m_value', None)


    class TimeValue(KaitaiStruct):
        """TIME before those."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TimeValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw = self._io.read_bits_int_le(24)


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            """Decimal digits HHHMMSS, negative as a whole."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if self.raw < 8388608 else self.raw - 16777216)
            return getattr(self, '_m_value', None)


    class Timestamp2Value(KaitaiStruct):
        """TIMESTAMP of MySQL 5.6.4, MariaDB 10.1 and later."""
        def __init__(self, num_digits, _io, _parent=None, _root=None):
            super(MysqlBinlog.Timestamp2Value, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self._read()

        def _read(self):
            self.seconds = self._io.read_u4be()
            self.fraction = MysqlBinlog.Fraction(self.num_digits, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.fraction._fetch_instances()

        @property
        def value(self):
            """Seconds since 1970-01-01 UTC, with the fraction."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = str(self.seconds) + self.fraction.text
            return getattr(self, '_m_value', None)


    class TimestampValue(KaitaiStruct):
        """TIMESTAMP before those."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TimestampValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.seconds = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class TinyValue(KaitaiStruct):
        """TINYINT."""
        def __init__(self, is_unsigned, _io, _parent=None, _root=None):
            super(MysqlBinlog.TinyValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_unsigned = is_unsigned
            self._read()

        def _read(self):
            self.raw = self._io.read_u1()


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if  ((self.is_unsigned) or (self.raw < 128))  else self.raw - 256)
            return getattr(self, '_m_value', None)


    class Vlint(KaitaiStruct):
        """An integer of one to nine bytes. The number of 1 bits at the low end of the first byte is the number of bytes that
        follow; the other bits, little-endian, are the value.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.0/libs/mysql/serialization/variable_length_integers.h
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.Vlint, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.first = self._io.read_u1()
            self.tail = []
            for i in range(self.num_tail):
                self.tail.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.tail)):
                pass


        @property
        def num_tail(self):
            if hasattr(self, '_m_num_tail'):
                return self._m_num_tail

            self._m_num_tail = (0 if self.first & 1 == 0 else (1 if self.first & 3 == 1 else (2 if self.first & 7 == 3 else (3 if self.first & 15 == 7 else (4 if self.first & 31 == 15 else (5 if self.first & 63 == 31 else (6 if self.first & 127 == 63 else (7 if self.first == 127 else 8))))))))
            return getattr(self, '_m_num_tail', None)

        @property
        def signed_value(self):
            """For the fields that are signed."""
            if hasattr(self, '_m_signed_value'):
                return self._m_signed_value

            self._m_signed_value = ((self.value // 2) if self.value % 2 == 0 else -1 - (self.value // 2))
            return getattr(self, '_m_signed_value', None)

        @property
        def tail_value(self):
            if hasattr(self, '_m_tail_value'):
                return self._m_tail_value

            self._m_tail_value = ((((((((self.tail[0] if self.num_tail > 0 else 0) + (self.tail[1] * 256 if self.num_tail > 1 else 0)) + (self.tail[2] * 65536 if self.num_tail > 2 else 0)) + (self.tail[3] * 16777216 if self.num_tail > 3 else 0)) + (self.tail[4] * 4294967296 if self.num_tail > 4 else 0)) + (self.tail[5] * 1099511627776 if self.num_tail > 5 else 0)) + (self.tail[6] * 281474976710656 if self.num_tail > 6 else 0)) + (self.tail[7] * 72057594037927936 if self.num_tail > 7 else 0))
            return getattr(self, '_m_tail_value', None)

        @property
        def value(self):
            """As an unsigned integer."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((self.first // 2) if self.num_tail == 0 else ((self.first // 4) + self.tail_value * 64 if self.num_tail == 1 else ((self.first // 8) + self.tail_value * 32 if self.num_tail == 2 else ((self.first // 16) + self.tail_value * 16 if self.num_tail == 3 else ((self.first // 32) + self.tail_value * 8 if self.num_tail == 4 else ((self.first // 64) + self.tail_value * 4 if self.num_tail == 5 else ((self.first // 128) + self.tail_value * 2 if self.num_tail == 6 else self.tail_value)))))))
            return getattr(self, '_m_value', None)


    class VlintStr(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.VlintStr, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_text = MysqlBinlog.Vlint(self._io, self, self._root)
            self.text = (self._io.read_bytes(self.len_text.value)).decode(u"ASCII")


        def _fetch_instances(self):
            pass
            self.len_text._fetch_instances()


    class VlintUuid(KaitaiStruct):
        """A UUID, each of its bytes as an integer of its own."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.VlintUuid, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.bytes = []
            for i in range(16):
                self.bytes.append(MysqlBinlog.Vlint(self._io, self, self._root))



        def _fetch_instances(self):
            pass
            for i in range(len(self.bytes)):
                pass
                self.bytes[i]._fetch_instances()



    class XaId(KaitaiStruct):
        """Name of a distributed transaction."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.XaId, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.format_id = self._io.read_s4le()
            self.len_gtrid = self._io.read_u1()
            self.len_bqual = self._io.read_u1()
            self.gtrid = self._io.read_bytes(self.len_gtrid)
            self.bqual = self._io.read_bytes(self.len_bqual)


        def _fetch_instances(self):
            pass


    class XidEvent(KaitaiStruct):
        """Commits a transaction."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.XidEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.xid = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class YearValue(KaitaiStruct):
        """YEAR."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.YearValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw = self._io.read_u1()


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            """From 1901 to 2155, or 0."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (0 if self.raw == 0 else 1900 + self.raw)
            return getattr(self, '_m_value', None)


    @property
    def len_file(self):
        if hasattr(self, '_m_len_file'):
            return self._m_len_file

        self._m_len_file = self._io.size()
        return getattr(self, '_m_len_file', None)


