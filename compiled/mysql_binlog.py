# Compiler: kaitai-struct-compiler 0.11.0; command: make compile
# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class MysqlBinlog(KaitaiStruct):
    """The binary log is the journal in which MySQL and MariaDB write every change of their data.
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
    
    .. seealso::
       Source - https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_replication_binlog_event.html
    
    
    .. seealso::
       Source - https://mariadb.com/kb/en/replication-protocol/
    
    
    .. seealso::
       Source - https://github.com/mysql/mysql-server/tree/mysql-8.4.6/libs/mysql/binlog/event
    
    
    .. seealso::
       Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L1071
    """

    class ChecksumAlgorithm(IntEnum):
        none = 0
        crc32 = 1

    class ColumnCompression(IntEnum):
        none = 0
        zlib = 8

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

    class DuplicateHandling(IntEnum):
        error = 0
        ignore = 1
        replace = 2

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
        partial_row_data = 172

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

    class HeartbeatFieldType(IntEnum):
        end_mark = 0
        log_file = 1
        position = 2

    class Incident(IntEnum):
        none = 0
        lost_events = 1

    class Intvar(IntEnum):
        invalid = 0
        last_insert_id = 1
        insert_id = 2

    class JsonLiteralValue(IntEnum):
        null_literal = 0
        true_literal = 1
        false_literal = 2

    class JsonOperation(IntEnum):
        replace = 0
        insert = 1
        remove = 2

    class JsonType(IntEnum):
        small_object = 0
        large_object = 1
        small_array = 2
        large_array = 3
        literal = 4
        int16 = 5
        uint16 = 6
        int32 = 7
        uint32 = 8
        int64 = 9
        uint64 = 10
        double = 11
        string = 12
        opaque = 15

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

    class PayloadCompression(IntEnum):
        zstd = 0
        none = 255

    class PayloadFieldType(IntEnum):
        end_mark = 0
        payload_size = 1
        compression = 2
        uncompressed_size = 3

    class RecordCompression(IntEnum):
        zlib = 0

    class RowOperation(IntEnum):
        write = 0
        update = 1
        delete = 2
        partial_update = 3

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

    class UserVarType(IntEnum):
        string = 0
        real = 1
        int = 2
        row = 3
        decimal = 4

    class WkbType(IntEnum):
        point = 1
        line_string = 2
        polygon = 3
        multi_point = 4
        multi_line_string = 5
        multi_polygon = 6
        geometry_collection = 7
    def __init__(self, _io, _parent=None, _root=None):
        super(MysqlBinlog, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        self.magic = self._io.read_bytes(4)
        if not self.magic == b"\xFE\x62\x69\x6E":
            raise kaitaistruct.ValidationNotEqualError(b"\xFE\x62\x69\x6E", self.magic, self._io, u"/seq/0")
        if self.len_file < 23:
            pass
            self.cut_first_header = self._io.read_bytes_full()

        self.events = []
        i = 0
        while not self._io.is_eof():
            self.events.append(MysqlBinlog.Event((4 if i == 0 else (self.events[i - 1].ofs_event + (13 if self.events[i - 1].table_map_index == -2 else self.len_header)) + len(self.events[i - 1].data)), (-1 if i == 0 else (self.events[i - 1].format_index if self.events[i - 1].table_map_index == -2 else (i - 1 if  ((self.events[i - 1].event_type == MysqlBinlog.EventType.format_description) or (self.events[i - 1].event_type == MysqlBinlog.EventType.start_v3))  else self.events[i - 1].format_index))), (-1 if i == 0 else (-2 if  ((self.events[i - 1].table_map_index == -2) or (self.events[i - 1].event_type == MysqlBinlog.EventType.start_encryption))  else (i - 1 if  (( ((self.events[i - 1].event_type == MysqlBinlog.EventType.table_map) or (self.events[i - 1].event_type == MysqlBinlog.EventType.xid)) ) and ((self.events[i - 1].event_type == MysqlBinlog.EventType.xid) == self.events[self.events[i - 1].format_index].body.has_old_type_codes))  else (-1 if  ((self.events[i - 1].table_map_index < 0) or (self.events[i - 1].event_type == MysqlBinlog.EventType.format_description) or ( (( (( ((int(self.events[i - 1].event_type) >= 20) and (int(self.events[i - 1].event_type) <= 25)) ) or ( ((int(self.events[i - 1].event_type) >= 30) and (int(self.events[i - 1].event_type) <= 32)) ) or (int(self.events[i - 1].event_type) == 39) or ( ((int(self.events[i - 1].event_type) >= 166) and (int(self.events[i - 1].event_type) <= 171)) ) or ( ((int(self.events[i - 1].event_type) >= 17) and (int(self.events[i - 1].event_type) <= 19)) )) ) and (self.events[self.events[i - 1].format_index].body.ofs_rows_flags < len(self.events[i - 1].data)) and (KaitaiStream.byte_array_index(self.events[i - 1].data, self.events[self.events[i - 1].format_index].body.ofs_rows_flags) & 1 != 0)) ))  else self.events[i - 1].table_map_index)))), self._io, self, self._root))
            i += 1



    def _fetch_instances(self):
        pass
        if self.len_file < 23:
            pass

        for i in range(len(self.events)):
            pass
            self.events[i]._fetch_instances()

        _ = self.first_type_code
        if hasattr(self, '_m_first_type_code'):
            pass

        _ = self.len_first_event
        if hasattr(self, '_m_len_first_event'):
            pass

        _ = self.trailing
        if hasattr(self, '_m_trailing'):
            pass


    class AnnotateRowsEvent(KaitaiStruct):
        """The statement that made the rows which follow, for people. MariaDB 5.3 and later.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L4254
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.AnnotateRowsEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.query = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass

        @property
        def text(self):
            """The statement for people."""
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.query).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class BinlogCheckpointEvent(KaitaiStruct):
        """Recovery from a crash has to begin in this file. MariaDB 10.0 and later.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3573
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.BinlogCheckpointEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_log_file = self._io.read_u4le()
            self.log_file = self._io.read_bytes(self.len_log_file)


        def _fetch_instances(self):
            pass


    class BitValue(KaitaiStruct):
        """BIT, up to 64 of them.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L8968
        """
        def __init__(self, len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.BitValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_value = len_value
            self._read()

        def _read(self):
            self.bits = MysqlBinlog.UintBe(self.len_value, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.bits._fetch_instances()

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = self.bits.value
            return getattr(self, '_m_value', None)


    class CalendarDate(KaitaiStruct):
        """A date as bits of an integer."""
        def __init__(self, year, month, day, _io, _parent=None, _root=None):
            super(MysqlBinlog.CalendarDate, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.year = year
            self.month = month
            self.day = day
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def text(self):
            """As `yyyy-mm-dd`."""
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (((str(self.year + 10000)[1:5] + u"-") + str(self.month + 100)[1:3]) + u"-") + str(self.day + 100)[1:3]
            return getattr(self, '_m_text', None)


    class Cell(KaitaiStruct):
        """One column of one row. Without a `value` if the column is absent or NULL. `value.plain` is the
        value as a number, text, bytes or an array, whatever the type: dates, times and DECIMAL are
        text; ENUM and SET their numbers; CHAR, VARCHAR and TEXT text if the log says that they are in
        UTF-8, else bytes; JSON and GEOMETRY trees. What holds for all cells of a column is in
        `columns` of the event.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_record.cc#L270
        """
        def __init__(self, column_index, is_after, is_partial, _io, _parent=None, _root=None):
            super(MysqlBinlog.Cell, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self.is_after = is_after
            self.is_partial = is_partial
            self._read()

        def _read(self):
            if  ((self.is_present) and ((not (self.is_null)))) :
                pass
                _on = self._parent._parent.column_layouts[self.column_index].value_kind
                if _on == 3:
                    pass
                    self.value = MysqlBinlog.LongValue(self._parent._parent.column_layouts[self.column_index].is_unsigned, self._io, self, self._root)
                elif _on == 1000:
                    pass
                    self.value = MysqlBinlog.TextValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._io, self, self._root)
                elif _on == 8:
                    pass
                    self.value = MysqlBinlog.LonglongValue(self._parent._parent.column_layouts[self.column_index].is_unsigned, self._io, self, self._root)
                elif _on == 15:
                    pass
                    self.value = MysqlBinlog.StringValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._parent._parent.column_layouts[self.column_index].collation, self._io, self, self._root)
                elif _on == 246:
                    pass
                    self.value = MysqlBinlog.DecimalValue(self._parent._parent.column_layouts[self.column_index].max_length % 256, self._parent._parent.column_layouts[self.column_index].max_length // 256, self._io, self, self._root)
                elif _on == 18:
                    pass
                    self.value = MysqlBinlog.Datetime2Value(self._parent._parent.column_layouts[self.column_index].max_length, self._io, self, self._root)
                elif _on == 17:
                    pass
                    self.value = MysqlBinlog.Timestamp2Value(self._parent._parent.column_layouts[self.column_index].max_length, self._io, self, self._root)
                elif _on == 254:
                    pass
                    self.value = MysqlBinlog.StringValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._parent._parent.column_layouts[self.column_index].collation, self._io, self, self._root)
                elif _on == 1:
                    pass
                    self.value = MysqlBinlog.TinyValue(self._parent._parent.column_layouts[self.column_index].is_unsigned, self._io, self, self._root)
                elif _on == 252:
                    pass
                    self.value = MysqlBinlog.StringValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._parent._parent.column_layouts[self.column_index].collation, self._io, self, self._root)
                elif _on == 10:
                    pass
                    self.value = MysqlBinlog.DateValue(self._io, self, self._root)
                elif _on == 5:
                    pass
                    self.value = MysqlBinlog.DoubleValue(self._io, self, self._root)
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
                    self.value = MysqlBinlog.CompressedValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._io, self, self._root)
                elif _on == 141:
                    pass
                    self.value = MysqlBinlog.CompressedValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._io, self, self._root)
                elif _on == 16:
                    pass
                    self.value = MysqlBinlog.BitValue(self._parent._parent.column_layouts[self.column_index].max_length // 256 + (self._parent._parent.column_layouts[self.column_index].max_length % 256 + 7) // 8, self._io, self, self._root)
                elif _on == 19:
                    pass
                    self.value = MysqlBinlog.Time2Value(self._parent._parent.column_layouts[self.column_index].max_length, self._io, self, self._root)
                elif _on == 2:
                    pass
                    self.value = MysqlBinlog.ShortValue(self._parent._parent.column_layouts[self.column_index].is_unsigned, self._io, self, self._root)
                elif _on == 242:
                    pass
                    self.value = MysqlBinlog.VectorValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._io, self, self._root)
                elif _on == 245:
                    pass
                    self.value = MysqlBinlog.JsonValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self.is_difference, self._io, self, self._root)
                elif _on == 247:
                    pass
                    self.value = MysqlBinlog.EnumValue(self._parent._parent.column_layouts[self.column_index].max_length, self.column_index, self._io, self, self._root)
                elif _on == 248:
                    pass
                    self.value = MysqlBinlog.SetValue(self._parent._parent.column_layouts[self.column_index].max_length, self.column_index, self._io, self, self._root)
                elif _on == 249:
                    pass
                    self.value = MysqlBinlog.StringValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._parent._parent.column_layouts[self.column_index].collation, self._io, self, self._root)
                elif _on == 250:
                    pass
                    self.value = MysqlBinlog.StringValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._parent._parent.column_layouts[self.column_index].collation, self._io, self, self._root)
                elif _on == 251:
                    pass
                    self.value = MysqlBinlog.StringValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._parent._parent.column_layouts[self.column_index].collation, self._io, self, self._root)
                elif _on == 253:
                    pass
                    self.value = MysqlBinlog.StringValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._parent._parent.column_layouts[self.column_index].collation, self._io, self, self._root)
                elif _on == 255:
                    pass
                    self.value = MysqlBinlog.GeometryValue(self._parent._parent.column_layouts[self.column_index].len_len_value, self._io, self, self._root)
                elif _on == 4:
                    pass
                    self.value = MysqlBinlog.FloatValue(self._io, self, self._root)
                elif _on == 7:
                    pass
                    self.value = MysqlBinlog.TimestampValue(self._io, self, self._root)
                elif _on == 9:
                    pass
                    self.value = MysqlBinlog.Int24Value(self._parent._parent.column_layouts[self.column_index].is_unsigned, self._io, self, self._root)



        def _fetch_instances(self):
            pass
            if  ((self.is_present) and ((not (self.is_null)))) :
                pass
                _on = self._parent._parent.column_layouts[self.column_index].value_kind
                if _on == 3:
                    pass
                    self.value._fetch_instances()
                elif _on == 1000:
                    pass
                    self.value._fetch_instances()
                elif _on == 8:
                    pass
                    self.value._fetch_instances()
                elif _on == 15:
                    pass
                    self.value._fetch_instances()
                elif _on == 246:
                    pass
                    self.value._fetch_instances()
                elif _on == 18:
                    pass
                    self.value._fetch_instances()
                elif _on == 17:
                    pass
                    self.value._fetch_instances()
                elif _on == 254:
                    pass
                    self.value._fetch_instances()
                elif _on == 1:
                    pass
                    self.value._fetch_instances()
                elif _on == 252:
                    pass
                    self.value._fetch_instances()
                elif _on == 10:
                    pass
                    self.value._fetch_instances()
                elif _on == 5:
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
                elif _on == 16:
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
                elif _on == 253:
                    pass
                    self.value._fetch_instances()
                elif _on == 255:
                    pass
                    self.value._fetch_instances()
                elif _on == 4:
                    pass
                    self.value._fetch_instances()
                elif _on == 7:
                    pass
                    self.value._fetch_instances()
                elif _on == 9:
                    pass
                    self.value._fetch_instances()


        @property
        def is_difference(self):
            """The value is a list of differences from the document in the before image."""
            if hasattr(self, '_m_is_difference'):
                return self._m_is_difference

            self._m_is_difference = (KaitaiStream.byte_array_index(self._parent.partial_bitmap, self._parent._parent.column_layouts[self.column_index].json_index // 8) >> self._parent._parent.column_layouts[self.column_index].json_index % 8 & 1 != 0 if  ((self.is_partial) and (self._parent._parent.column_layouts[self.column_index].type_code == 245) and (self.is_present))  else False)
            return getattr(self, '_m_is_difference', None)

        @property
        def is_null(self):
            """The cell is there, and NULL."""
            if hasattr(self, '_m_is_null'):
                return self._m_is_null

            self._m_is_null = (False if (not (self.is_present)) else (KaitaiStream.byte_array_index(self._parent.after_null_bitmap, self._parent._parent.column_layouts[self.column_index].present_index_after // 8) >> self._parent._parent.column_layouts[self.column_index].present_index_after % 8 & 1 != 0 if self.is_after else KaitaiStream.byte_array_index(self._parent.before_null_bitmap, self._parent._parent.column_layouts[self.column_index].present_index // 8) >> self._parent._parent.column_layouts[self.column_index].present_index % 8 & 1 != 0))
            return getattr(self, '_m_is_null', None)

        @property
        def is_present(self):
            """The row image holds the column."""
            if hasattr(self, '_m_is_present'):
                return self._m_is_present

            self._m_is_present = (self._parent._parent.column_layouts[self.column_index].is_present_after if self.is_after else self._parent._parent.column_layouts[self.column_index].is_present)
            return getattr(self, '_m_is_present', None)

        @property
        def name(self):
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = self._parent._parent.column_layouts[self.column_index].name
            return getattr(self, '_m_name', None)

        @property
        def note(self):
            """For the label, why there is no value."""
            if hasattr(self, '_m_note'):
                return self._m_note

            self._m_note = (u"NULL" if self.is_null else (u"" if self.is_present else u"(not logged)"))
            return getattr(self, '_m_note', None)


    class CertificationInfo(KaitaiStruct):
        """What the certification of transactions needs of a key.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1533
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.CertificationInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.key = MysqlBinlog.LongBytes(self._io, self, self._root)
            self.len_value = self._io.read_u4le()
            self.value = self._io.read_bytes(self.len_value)


        def _fetch_instances(self):
            pass
            self.key._fetch_instances()


    class CharacterSet(KaitaiStruct):
        """That of a collation.
        
        .. seealso::
           Source - https://dev.mysql.com/doc/refman/8.4/en/information-schema-collations-table.html
        """
        def __init__(self, collation, _io, _parent=None, _root=None):
            super(MysqlBinlog.CharacterSet, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.collation = collation
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def is_utf8(self):
            """utf8mb4, utf8mb3 or ascii."""
            if hasattr(self, '_m_is_utf8'):
                return self._m_is_utf8

            self._m_is_utf8 =  (( ((self.collation >= 192) and (self.collation <= 215)) ) or ( ((self.collation >= 223) and (self.collation <= 247)) ) or ( ((self.collation >= 255) and (self.collation <= 323)) ) or ( ((self.collation >= 2048) and (self.collation <= 2559)) ) or (self.collation == 33) or (self.collation == 45) or (self.collation == 46) or (self.collation == 11) or (self.collation == 65) or (self.collation == 76) or (self.collation == 83) or ( ((self.collation >= 576) and (self.collation <= 579)) ) or ( ((self.collation >= 608) and (self.collation <= 611)) ) or (self.collation == 1035) or (self.collation == 1057) or (self.collation == 1069) or (self.collation == 1070) or (self.collation == 1089) or (self.collation == 1107) or (self.collation == 1216) or (self.collation == 1238) or (self.collation == 1248) or (self.collation == 1270)) 
            return getattr(self, '_m_is_utf8', None)


    class CharsetException(KaitaiStruct):
        """A column whose collation is not that of most columns.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L431
        """
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
            """Id of the collation, if the search ends here."""
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = (self._parent._parent.optional_fields[self.field_index].data.exceptions[self.exception_index].collation.value if self.is_match else self._parent._parent.optional_fields[self.field_index].data.collation.value)
            return getattr(self, '_m_collation', None)

        @property
        def is_done(self):
            """The search ends here."""
            if hasattr(self, '_m_is_done'):
                return self._m_is_done

            self._m_is_done =  ((self.is_last) or (self.is_match)) 
            return getattr(self, '_m_is_done', None)

        @property
        def is_last(self):
            """There is no such exception."""
            if hasattr(self, '_m_is_last'):
                return self._m_is_last

            self._m_is_last = self.exception_index >= len(self._parent._parent.optional_fields[self.field_index].data.exceptions)
            return getattr(self, '_m_is_last', None)

        @property
        def is_match(self):
            """The exception is for the wanted column."""
            if hasattr(self, '_m_is_match'):
                return self._m_is_match

            self._m_is_match = (False if self.is_last else self._parent._parent.optional_fields[self.field_index].data.exceptions[self.exception_index].position.value == self.character_index)
            return getattr(self, '_m_is_match', None)


    class Clock(KaitaiStruct):
        """A time of day, or a span of time."""
        def __init__(self, hours, minutes, seconds, _io, _parent=None, _root=None):
            super(MysqlBinlog.Clock, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.hours = hours
            self.minutes = minutes
            self.seconds = seconds
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def text(self):
            """As `hh:mm:ss`, with more digits if there are 100 hours or more."""
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = ((((str(self.hours + 100)[1:3] if self.hours < 100 else str(self.hours)) + u":") + str(self.minutes + 100)[1:3]) + u":") + str(self.seconds + 100)[1:3]
            return getattr(self, '_m_text', None)


    class Column(KaitaiStruct):
        """A column of a table.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L196
        """
        def __init__(self, column_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.Column, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self._read()

        def _read(self):
            self.metadata = self._io.read_bytes(self._parent.column_layouts[self.column_index].len_metadata)


        def _fetch_instances(self):
            pass

        @property
        def collation(self):
            """Id of the collation, which gives the character set; 63 is binary; 0 if it is not logged.
            """
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = self._parent.column_layouts[self.column_index].collation
            return getattr(self, '_m_collation', None)

        @property
        def column_type(self):
            """What the column really is."""
            if hasattr(self, '_m_column_type'):
                return self._m_column_type

            self._m_column_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.type_code)
            return getattr(self, '_m_column_type', None)

        @property
        def has_signedness(self):
            """Without it (MySQL before 8.0.1, MariaDB by default) the sign of an integer is unknown, and
            shown as signed.
            """
            if hasattr(self, '_m_has_signedness'):
                return self._m_has_signedness

            self._m_has_signedness = self._parent.column_layouts[self.column_index].has_signedness
            return getattr(self, '_m_has_signedness', None)

        @property
        def is_character(self):
            """Has an entry in the lists of character sets."""
            if hasattr(self, '_m_is_character'):
                return self._m_is_character

            self._m_is_character = self._parent.column_layouts[self.column_index].is_character
            return getattr(self, '_m_is_character', None)

        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = self._parent.column_layouts[self.column_index].is_unsigned
            return getattr(self, '_m_is_unsigned', None)

        @property
        def is_utf8(self):
            if hasattr(self, '_m_is_utf8'):
                return self._m_is_utf8

            self._m_is_utf8 = self._parent.column_layouts[self.column_index].is_utf8
            return getattr(self, '_m_is_utf8', None)

        @property
        def max_length(self):
            """For STRING the greatest length in bytes (ENUM and SET: bytes of a value), otherwise the
            metadata as logged.
            """
            if hasattr(self, '_m_max_length'):
                return self._m_max_length

            self._m_max_length = self._parent.column_layouts[self.column_index].max_length
            return getattr(self, '_m_max_length', None)

        @property
        def name(self):
            """As logged under `binlog_row_metadata=FULL`, otherwise `@` and the number of the column
            from 1.
            """
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = self._parent.column_layouts[self.column_index].name
            return getattr(self, '_m_name', None)

        @property
        def type_code(self):
            """What the column really is, as a number."""
            if hasattr(self, '_m_type_code'):
                return self._m_type_code

            self._m_type_code = self._parent.column_layouts[self.column_index].type_code
            return getattr(self, '_m_type_code', None)

        @property
        def wire_type(self):
            """The type as logged; ENUM and SET are logged as STRING."""
            if hasattr(self, '_m_wire_type'):
                return self._m_wire_type

            self._m_wire_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self._parent.column_layouts[self.column_index].wire_type_code)
            return getattr(self, '_m_wire_type', None)


    class ColumnLayout(KaitaiStruct):
        """How a column of a table is worked out from its metadata and the optional fields.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L196
        """
        def __init__(self, column_index, wire_type_code, numeric_index, character_index, enum_index, set_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.ColumnLayout, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self.wire_type_code = wire_type_code
            self.numeric_index = numeric_index
            self.character_index = character_index
            self.enum_index = enum_index
            self.set_index = set_index
            self._read()

        def _read(self):
            if self.has_metadata:
                pass
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
            if self.has_metadata:
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

            _ = self.character_set
            if hasattr(self, '_m_character_set'):
                pass
                self._m_character_set._fetch_instances()

            _ = self.charset_probes
            if hasattr(self, '_m_charset_probes'):
                pass
                for i in range(len(self._m_charset_probes)):
                    pass
                    self._m_charset_probes[i]._fetch_instances()



        @property
        def character_set(self):
            """The character set of the collation."""
            if hasattr(self, '_m_character_set'):
                return self._m_character_set

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_character_set = MysqlBinlog.CharacterSet(self.collation, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_character_set', None)

        @property
        def charset_probes(self):
            """The search for this column in the exceptions from the default character set."""
            if hasattr(self, '_m_charset_probes'):
                return self._m_charset_probes

            if  ((self.is_character) and (self._parent.layout.default_charset_index >= 0)) :
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_charset_probes = []
                i = 0
                while True:
                    _ = MysqlBinlog.CharsetProbe(i, self._parent.layout.default_charset_index, self.character_index, self._io, self, self._root)
                    self._m_charset_probes.append(_)
                    if _.is_done:
                        break
                    i += 1
                self._io.seek(_pos)

            return getattr(self, '_m_charset_probes', None)

        @property
        def collation(self):
            """Id of the collation, which gives the character set; 63 is binary; 0 if it is not logged.
            """
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = (0 if (not (self.is_character)) else (self._parent.optional_fields[self._parent.layout.column_charset_index].data.items[self.character_index].value if  ((self._parent.layout.column_charset_index >= 0) and (self.character_index < len(self._parent.optional_fields[self._parent.layout.column_charset_index].data.items)))  else ((self.charset_probes[-1].collation if len(self.charset_probes) > 0 else 0) if self._parent.layout.default_charset_index >= 0 else 0)))
            return getattr(self, '_m_collation', None)

        @property
        def column_type(self):
            """What the column really is."""
            if hasattr(self, '_m_column_type'):
                return self._m_column_type

            self._m_column_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.type_code)
            return getattr(self, '_m_column_type', None)

        @property
        def has_metadata(self):
            """Columns of this type have metadata."""
            if hasattr(self, '_m_has_metadata'):
                return self._m_has_metadata

            self._m_has_metadata =  ((self.wire_type_code == 4) or (self.wire_type_code == 5) or ( ((self.wire_type_code >= 15) and (self.wire_type_code <= 19)) ) or (self.wire_type_code == 140) or (self.wire_type_code == 141) or (self.wire_type_code == 242) or (self.wire_type_code >= 245)) 
            return getattr(self, '_m_has_metadata', None)

        @property
        def has_signedness(self):
            """Without it (MySQL before 8.0.1, MariaDB by default) the sign of an integer is unknown, and
            shown as signed.
            """
            if hasattr(self, '_m_has_signedness'):
                return self._m_has_signedness

            self._m_has_signedness =  ((self.is_numeric) and (self._parent.layout.signedness_index >= 0)) 
            return getattr(self, '_m_has_signedness', None)

        @property
        def has_string_metadata(self):
            """The metadata also has the real type."""
            if hasattr(self, '_m_has_string_metadata'):
                return self._m_has_string_metadata

            self._m_has_string_metadata =  ((self.wire_type == MysqlBinlog.ColumnType.string) or (self.wire_type == MysqlBinlog.ColumnType.var_string)) 
            return getattr(self, '_m_has_string_metadata', None)

        @property
        def is_character(self):
            """Has an entry in the lists of character sets. BLOB and BINARY count, with the collation
            `binary` (63); JSON does not, and GEOMETRY does in MariaDB alone.
            """
            if hasattr(self, '_m_is_character'):
                return self._m_is_character

            self._m_is_character =  ((self.type_code == 15) or (self.type_code == 253) or (self.type_code == 254) or ( ((self.type_code >= 249) and (self.type_code <= 252)) ) or (self.type_code == 140) or (self.type_code == 141) or (self.type_code == 242) or ( ((self.type_code == 255) and (self._root.events[self._parent._parent.format_index].body.is_mariadb)) )) 
            return getattr(self, '_m_is_character', None)

        @property
        def is_numeric(self):
            """Has a bit in SIGNEDNESS. BIT does not. YEAR has none in MySQL 8.0.15, and one, which is
            set, in MySQL 8.0.31 and MariaDB 10.5; TRANSACTION_PAYLOAD, type 40, came in between.
            """
            if hasattr(self, '_m_is_numeric'):
                return self._m_is_numeric

            self._m_is_numeric =  (( ((self.wire_type_code >= 1) and (self.wire_type_code <= 5)) ) or (self.wire_type_code == 8) or (self.wire_type_code == 9) or (self.wire_type_code == 246) or (self.wire_type_code == 0) or ( ((self.wire_type_code == 13) and (self._root.events[self._parent._parent.format_index].body.len_post_header_lengths >= 40)) )) 
            return getattr(self, '_m_is_numeric', None)

        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = (KaitaiStream.byte_array_index(self._parent.optional_fields[self._parent.layout.signedness_index].data.bytes, self.numeric_index // 8) >> 7 - self.numeric_index % 8 & 1 != 0 if  ((self.has_signedness) and (self.numeric_index // 8 < len(self._parent.optional_fields[self._parent.layout.signedness_index].data.bytes)))  else False)
            return getattr(self, '_m_is_unsigned', None)

        @property
        def is_utf8(self):
            if hasattr(self, '_m_is_utf8'):
                return self._m_is_utf8

            self._m_is_utf8 = self.character_set.is_utf8
            return getattr(self, '_m_is_utf8', None)

        @property
        def len_metadata(self):
            """In bytes."""
            if hasattr(self, '_m_len_metadata'):
                return self._m_len_metadata

            self._m_len_metadata = (0 if (not (self.has_metadata)) else (2 if  ((self.wire_type_code == 15) or (self.wire_type_code == 16) or (self.wire_type_code == 141) or ( ((self.wire_type_code >= 246) and (self.wire_type_code <= 248)) ) or (self.wire_type_code == 253) or (self.wire_type_code == 254))  else 1))
            return getattr(self, '_m_len_metadata', None)

        @property
        def max_length(self):
            """For STRING the greatest length in bytes (ENUM and SET: bytes of a value), otherwise the
            metadata as logged.
            """
            if hasattr(self, '_m_max_length'):
                return self._m_max_length

            self._m_max_length = (0 if (not (self.has_metadata)) else (self.metadata % 256 + (0 if  ((self.type_code == 247) or (self.type_code == 248))  else (48 - (self.metadata_high & 48)) * 16) if self.has_string_metadata else self.metadata))
            return getattr(self, '_m_max_length', None)

        @property
        def member_list_index(self):
            """Index of its members there."""
            if hasattr(self, '_m_member_list_index'):
                return self._m_member_list_index

            self._m_member_list_index = (self.enum_index if self.type_code == 247 else self.set_index)
            return getattr(self, '_m_member_list_index', None)

        @property
        def members_index(self):
            """Index in `optional_fields` of the members of this ENUM or SET; -1 if they are not logged,
            or for other types.
            """
            if hasattr(self, '_m_members_index'):
                return self._m_members_index

            self._m_members_index = (self._parent.layout.enum_members_index if self.type_code == 247 else (self._parent.layout.set_members_index if self.type_code == 248 else -1))
            return getattr(self, '_m_members_index', None)

        @property
        def metadata_high(self):
            """The high byte of the metadata."""
            if hasattr(self, '_m_metadata_high'):
                return self._m_metadata_high

            self._m_metadata_high = (self.metadata // 256 if self.has_string_metadata else 0)
            return getattr(self, '_m_metadata_high', None)

        @property
        def name(self):
            """As logged under `binlog_row_metadata=FULL`, otherwise `@` and the number of the column
            from 1.
            """
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = (self._parent.optional_fields[self._parent.layout.column_names_index].data.items[self.column_index].text if  ((self._parent.layout.column_names_index >= 0) and (self.column_index < len(self._parent.optional_fields[self._parent.layout.column_names_index].data.items)))  else u"@" + str(self.column_index + 1))
            return getattr(self, '_m_name', None)

        @property
        def next_character_index(self):
            if hasattr(self, '_m_next_character_index'):
                return self._m_next_character_index

            self._m_next_character_index = (self.character_index + 1 if self.is_character else self.character_index)
            return getattr(self, '_m_next_character_index', None)

        @property
        def next_enum_index(self):
            if hasattr(self, '_m_next_enum_index'):
                return self._m_next_enum_index

            self._m_next_enum_index = (self.enum_index + 1 if self.type_code == 247 else self.enum_index)
            return getattr(self, '_m_next_enum_index', None)

        @property
        def next_numeric_index(self):
            if hasattr(self, '_m_next_numeric_index'):
                return self._m_next_numeric_index

            self._m_next_numeric_index = (self.numeric_index + 1 if self.is_numeric else self.numeric_index)
            return getattr(self, '_m_next_numeric_index', None)

        @property
        def next_set_index(self):
            if hasattr(self, '_m_next_set_index'):
                return self._m_next_set_index

            self._m_next_set_index = (self.set_index + 1 if self.type_code == 248 else self.set_index)
            return getattr(self, '_m_next_set_index', None)

        @property
        def type_code(self):
            """What the column really is: 247 ENUM, 248 SET or 254 CHAR for STRING. A CHAR of more than
            255 bytes takes two bits of the type byte for its length, inverted.
            """
            if hasattr(self, '_m_type_code'):
                return self._m_type_code

            self._m_type_code = ((self.metadata_high if self.metadata_high & 48 == 48 else self.metadata_high | 48) if self.has_string_metadata else self.wire_type_code)
            return getattr(self, '_m_type_code', None)

        @property
        def wire_type(self):
            """The type as logged."""
            if hasattr(self, '_m_wire_type'):
                return self._m_wire_type

            self._m_wire_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.wire_type_code)
            return getattr(self, '_m_wire_type', None)


    class CommitServerVersion(KaitaiStruct):
        """The version of a server.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1003
        """
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

            self._m_version = (self.raw & 2147483647)
            return getattr(self, '_m_version', None)


    class CommitTimestamp(KaitaiStruct):
        """Seven bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L988
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.CommitTimestamp, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.low = self._io.read_u4le()
            self.middle = self._io.read_u2le()
            self.high = self._io.read_u1()


        def _fetch_instances(self):
            pass

        @property
        def is_followed(self):
            """A second timestamp follows, since the two differ."""
            if hasattr(self, '_m_is_followed'):
                return self._m_is_followed

            self._m_is_followed = self.high >= 128
            return getattr(self, '_m_is_followed', None)

        @property
        def micros(self):
            """Microseconds since 1970-01-01 UTC."""
            if hasattr(self, '_m_micros'):
                return self._m_micros

            self._m_micros = ((self.low + self.middle * 4294967296) + (self.high & 127) * 281474976710656)
            return getattr(self, '_m_micros', None)


    class CompressedContent(KaitaiStruct):
        """The content of a compressed column, behind its length.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/field.cc#L8546
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.CompressedContent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.algorithm = KaitaiStream.resolve_enum(MysqlBinlog.ColumnCompression, self._io.read_bits_int_be(4))
            self.is_raw_deflate = self._io.read_bits_int_be(1) != 0
            self.len_len_data = self._io.read_bits_int_be(3)
            if not self.len_len_data <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.len_len_data, self._io, u"/types/compressed_content/seq/2")
            self.len_data = MysqlBinlog.UintBe(self.len_len_data, self._io, self, self._root)
            self.data = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            self.len_data._fetch_instances()


    class CompressedRecord(KaitaiStruct):
        """Compressed text or rows of MariaDB 10.2.3 and later.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.cc#L280
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.CompressedRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_header = self._io.read_bits_int_be(1) != 0
            self.algorithm = KaitaiStream.resolve_enum(MysqlBinlog.RecordCompression, self._io.read_bits_int_be(3))
            self.reserved = self._io.read_bits_int_be(1) != 0
            self.len_len_data = self._io.read_bits_int_be(3)
            if not self.len_len_data >= 1:
                raise kaitaistruct.ValidationLessThanError(1, self.len_len_data, self._io, u"/types/compressed_record/seq/3")
            if not self.len_len_data <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.len_len_data, self._io, u"/types/compressed_record/seq/3")
            self.len_data = MysqlBinlog.UintBe(self.len_len_data, self._io, self, self._root)
            self.data = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            self.len_data._fetch_instances()


    class CompressedValue(KaitaiStruct):
        """VARCHAR and BLOB COMPRESSED of MariaDB.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/field.cc#L8546
        """
        def __init__(self, len_len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.CompressedValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_len_value = len_len_value
            self._read()

        def _read(self):
            self.len_value = MysqlBinlog.UintLe(self.len_len_value, self._io, self, self._root)
            if self.len_value.value > 0:
                pass
                self._raw_value = self._io.read_bytes(self.len_value.value)
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.CompressedContent(_io__raw_value, self, self._root)



        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()
            if self.len_value.value > 0:
                pass
                self.value._fetch_instances()


        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            if self.len_value.value > 0:
                pass
                self._m_plain = self.value.data

            return getattr(self, '_m_plain', None)


    class DateValue(KaitaiStruct):
        """DATE. Year, month or day may be zero.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5664
        """
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
            _ = self.date_part
            if hasattr(self, '_m_date_part'):
                pass
                self._m_date_part._fetch_instances()


        @property
        def date_part(self):
            if hasattr(self, '_m_date_part'):
                return self._m_date_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_date_part = MysqlBinlog.CalendarDate(self.year, self.month, self.day, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_date_part', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = self.date_part.text
            return getattr(self, '_m_value', None)


    class Datetime2Value(KaitaiStruct):
        """DATETIME of MySQL 5.6.4, MariaDB 10.1 and later. A local time without a zone.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1986
        """
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
            _ = self.date_part
            if hasattr(self, '_m_date_part'):
                pass
                self._m_date_part._fetch_instances()

            _ = self.time_part
            if hasattr(self, '_m_time_part'):
                pass
                self._m_time_part._fetch_instances()


        @property
        def date_part(self):
            if hasattr(self, '_m_date_part'):
                return self._m_date_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_date_part = MysqlBinlog.CalendarDate(self.year, self.month, self.day, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_date_part', None)

        @property
        def month(self):
            if hasattr(self, '_m_month'):
                return self._m_month

            self._m_month = self.year_month % 13
            return getattr(self, '_m_month', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def time_part(self):
            if hasattr(self, '_m_time_part'):
                return self._m_time_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_time_part = MysqlBinlog.Clock(self.hour, self.minute, self.second, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_time_part', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((self.date_part.text + u" ") + self.time_part.text) + self.fraction.text
            return getattr(self, '_m_value', None)

        @property
        def year(self):
            if hasattr(self, '_m_year'):
                return self._m_year

            self._m_year = self.year_month // 13
            return getattr(self, '_m_year', None)


    class DatetimeValue(KaitaiStruct):
        """DATETIME of older servers; see `datetime2_value`.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5826
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.DatetimeValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.digits = self._io.read_u8le()


        def _fetch_instances(self):
            pass
            _ = self.date_part
            if hasattr(self, '_m_date_part'):
                pass
                self._m_date_part._fetch_instances()

            _ = self.time_part
            if hasattr(self, '_m_time_part'):
                pass
                self._m_time_part._fetch_instances()


        @property
        def date(self):
            if hasattr(self, '_m_date'):
                return self._m_date

            self._m_date = (self.digits // 1000000)
            return getattr(self, '_m_date', None)

        @property
        def date_part(self):
            if hasattr(self, '_m_date_part'):
                return self._m_date_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_date_part = MysqlBinlog.CalendarDate(self.date // 10000, (self.date // 100) % 100, self.date % 100, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_date_part', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def time(self):
            if hasattr(self, '_m_time'):
                return self._m_time

            self._m_time = (self.digits - self.date * 1000000)
            return getattr(self, '_m_time', None)

        @property
        def time_part(self):
            if hasattr(self, '_m_time_part'):
                return self._m_time_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_time_part = MysqlBinlog.Clock(self.time // 10000, (self.time // 100) % 100, self.time % 100, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_time_part', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.date_part.text + u" ") + self.time_part.text
            return getattr(self, '_m_value', None)


    class DecimalGroup(KaitaiStruct):
        """Digits of a DECIMAL that are stored together, nine at most.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/decimal.cc#L1301
        """
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
            self.number = MysqlBinlog.UintBe((4 if self.num_digits > 6 else (self.num_digits + 1) // 2), self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.number._fetch_instances()

        @property
        def is_negative(self):
            """The value is negative, so all bits are inverted."""
            if hasattr(self, '_m_is_negative'):
                return self._m_is_negative

            self._m_is_negative = (self.raw < self.span // 2 if self.is_first else self.is_rest_negative)
            return getattr(self, '_m_is_negative', None)

        @property
        def magnitude(self):
            """The digits as a number."""
            if hasattr(self, '_m_magnitude'):
                return self._m_magnitude

            self._m_magnitude = (((self.span // 2 - 1) - self.raw if self.is_negative else self.raw - self.span // 2) if self.is_first else ((self.span - 1) - self.raw if self.is_negative else self.raw))
            return getattr(self, '_m_magnitude', None)

        @property
        def raw(self):
            if hasattr(self, '_m_raw'):
                return self._m_raw

            self._m_raw = self.number.value
            return getattr(self, '_m_raw', None)

        @property
        def span(self):
            """Number of values that the bytes can have."""
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
        """DECIMAL. Digits in groups of nine to both sides of the point, each group a big-endian number;
        the outermost groups are shorter. The highest bit is set in positive values; all bits are
        inverted in negative ones.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/decimal.cc#L1301
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
            """Digits of the first group, 0 to 8."""
            if hasattr(self, '_m_num_lead_digits'):
                return self._m_num_lead_digits

            self._m_num_lead_digits = (self.precision - self.scale) % 9
            return getattr(self, '_m_num_lead_digits', None)

        @property
        def num_whole_groups(self):
            """Groups before the point."""
            if hasattr(self, '_m_num_whole_groups'):
                return self._m_num_whole_groups

            self._m_num_whole_groups = (self.precision - self.scale) // 9 + (1 if self.num_lead_digits > 0 else 0)
            return getattr(self, '_m_num_whole_groups', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (u"" if len(self.groups) == 0 else ((u"-" if self.groups[0].is_negative else u"") + (u"0" if self.whole_text == u"" else self.whole_text)) + (u"." + self.groups[-1].text[len(self.whole_text):len(self.groups[-1].text)] if self.scale > 0 else u""))
            return getattr(self, '_m_value', None)

        @property
        def whole_text(self):
            """The digits before the point."""
            if hasattr(self, '_m_whole_text'):
                return self._m_whole_text

            self._m_whole_text = (self.groups[self.num_whole_groups - 1].text if self.num_whole_groups > 0 else u"")
            return getattr(self, '_m_whole_text', None)


    class DefaultCharset(KaitaiStruct):
        """One collation for all columns that the field is about, and the columns that differ.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L431
        """
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
        """DOUBLE.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L4318
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.DoubleValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_f8le()


        def _fetch_instances(self):
            pass

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)


    class EncryptedEvent(KaitaiStruct):
        """An event that MariaDB has encrypted: the bytes before and behind its length, which is clear.
        To decrypt it, replace the length by the first four bytes of the event, and decrypt
        from the fifth byte on, by AES in the mode that the server was configured with. The
        initialisation vector is the nonce of START_ENCRYPTION, and the offset of the event in four
        bytes. Then the timestamp stands where the length was.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event_server.cc#L847
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.EncryptedEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.ciphertext = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass

        @property
        def len_event(self):
            """Bytes of the whole event."""
            if hasattr(self, '_m_len_event'):
                return self._m_len_event

            self._m_len_event = self._parent.len_event
            return getattr(self, '_m_len_event', None)

        @property
        def ofs_event(self):
            """Offset of the event, the last part of the initialisation vector."""
            if hasattr(self, '_m_ofs_event'):
                return self._m_ofs_event

            self._m_ofs_event = self._parent.ofs_event
            return getattr(self, '_m_ofs_event', None)

        @property
        def start(self):
            """The ciphertext before the length."""
            if hasattr(self, '_m_start'):
                return self._m_start

            self._m_start = self._parent.encrypted_start.bytes
            return getattr(self, '_m_start', None)


    class EncryptedStart(KaitaiStruct):
        """Encrypted; see `encrypted_event`.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event_server.cc#L831
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.EncryptedStart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.bytes = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class EnumValue(KaitaiStruct):
        """ENUM.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L8532
        """
        def __init__(self, len_value, column_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.EnumValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_value = len_value
            self.column_index = column_index
            self._read()

        def _read(self):
            self.number = MysqlBinlog.UintLe(self.len_value, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.number._fetch_instances()

        @property
        def member(self):
            """In the character set of the column."""
            if hasattr(self, '_m_member'):
                return self._m_member

            if  ((self.value > 0) and (self.value <= self.num_members)) :
                pass
                self._m_member = self._root.events[self.table_map_event_index].body.optional_fields[self.members_index].data.lists[self.member_list_index].members[self.value - 1].bytes

            return getattr(self, '_m_member', None)

        @property
        def member_list_index(self):
            """As in the table map."""
            if hasattr(self, '_m_member_list_index'):
                return self._m_member_list_index

            self._m_member_list_index = self._root.events[self.table_map_event_index].body.column_layouts[self.column_index].member_list_index
            return getattr(self, '_m_member_list_index', None)

        @property
        def members_index(self):
            """As in the table map."""
            if hasattr(self, '_m_members_index'):
                return self._m_members_index

            self._m_members_index = self._root.events[self.table_map_event_index].body.column_layouts[self.column_index].members_index
            return getattr(self, '_m_members_index', None)

        @property
        def num_members(self):
            """0 if they are not logged."""
            if hasattr(self, '_m_num_members'):
                return self._m_num_members

            self._m_num_members = (0 if self.members_index < 0 else (0 if self.member_list_index >= len(self._root.events[self.table_map_event_index].body.optional_fields[self.members_index].data.lists) else self._root.events[self.table_map_event_index].body.optional_fields[self.members_index].data.lists[self.member_list_index].num_members.value))
            return getattr(self, '_m_num_members', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def table_map_event_index(self):
            """Index of the table map in `_root.events`."""
            if hasattr(self, '_m_table_map_event_index'):
                return self._m_table_map_event_index

            self._m_table_map_event_index = self._parent._parent._parent.layout.table_map_event_index
            return getattr(self, '_m_table_map_event_index', None)

        @property
        def value(self):
            """Number of the member, from 1; 0 for the empty string that marks an error."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = self.number.value
            return getattr(self, '_m_value', None)


    class Event(KaitaiStruct):
        """An event: the common header of 19 bytes (13 in MySQL 3.23), the body, and its checksum. Only
        the header is read with the log; `body` and `frame` are parsed on demand, so that damage in
        one event stays there.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L626
        
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L518
        """
        def __init__(self, ofs_event, format_index, table_map_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.Event, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.ofs_event = ofs_event
            self.format_index = format_index
            self.table_map_index = table_map_index
            self._read()

        def _read(self):
            if self.table_map_index > -2:
                pass
                self.timestamp = self._io.read_u4le()

            if self.table_map_index > -2:
                pass
                self.event_type = KaitaiStream.resolve_enum(MysqlBinlog.EventType, self._io.read_u1())
                if not  ((self.event_type == (MysqlBinlog.EventType.format_description if self.format_index < 0 else self.event_type)) or (self.event_type == MysqlBinlog.EventType.start_v3)) :
                    raise kaitaistruct.ValidationNotAnyOfError(self.event_type, self._io, u"/types/event/seq/1")

            if self.table_map_index > -2:
                pass
                self.server_id = self._io.read_u4le()

            if self.table_map_index == -2:
                pass
                self._raw_encrypted_start = self._io.read_bytes(9)
                _io__raw_encrypted_start = KaitaiStream(BytesIO(self._raw_encrypted_start))
                self.encrypted_start = MysqlBinlog.EncryptedStart(_io__raw_encrypted_start, self, self._root)

            self.len_event = self._io.read_u4le()
            if  ((self.table_map_index > -2) and (self._root.len_header > 13)) :
                pass
                self.end_log_pos = self._io.read_u4le()

            if  ((self.table_map_index > -2) and (self._root.len_header > 13)) :
                pass
                self.flags = self._io.read_u2le()

            self.data = self._io.read_bytes((self.len_event - (self._io.pos() - self.ofs_event) if  ((self.len_event >= self._io.pos() - self.ofs_event) and (self.len_event <= self._io.size() - self.ofs_event))  else self._io.size() - self._io.pos()))
            if  ((self._io.size() - self._io.pos() < self._root.len_header) and ((not (self._io.is_eof())))) :
                pass
                self.cut_header = self._io.read_bytes_full()



        def _fetch_instances(self):
            pass
            if self.table_map_index > -2:
                pass

            if self.table_map_index > -2:
                pass

            if self.table_map_index > -2:
                pass

            if self.table_map_index == -2:
                pass
                self.encrypted_start._fetch_instances()

            if  ((self.table_map_index > -2) and (self._root.len_header > 13)) :
                pass

            if  ((self.table_map_index > -2) and (self._root.len_header > 13)) :
                pass

            if  ((self._io.size() - self._io.pos() < self._root.len_header) and ((not (self._io.is_eof())))) :
                pass

            _ = self.body
            if hasattr(self, '_m_body'):
                pass
                _on = self.frame.body_type
                if _on == 30:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 31:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 32:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 19:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 2:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 16:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 33:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 162:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 23:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 24:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 25:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 160:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 1:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 10:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 11:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 12:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 13:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 14:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 15:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 161:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 163:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 164:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 165:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 166:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 167:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 168:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 169:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 17:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 170:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 171:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 172:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 18:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 20:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 21:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 22:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 256:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 26:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 27:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 28:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 29:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 3:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 34:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 35:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 36:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 37:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 38:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 39:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 4:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 40:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 41:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 42:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 5:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 6:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 7:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 8:
                    pass
                    self._m_body._fetch_instances()
                elif _on == 9:
                    pass
                    self._m_body._fetch_instances()
                else:
                    pass

            _ = self.frame
            if hasattr(self, '_m_frame'):
                pass
                self._m_frame._fetch_instances()


        @property
        def body(self):
            """Post-header and body. Its size follows from the header alone, so that a field which a
            newer server appends can never shift the next event. The body of a type that has no case
            here stays raw, and so does one that the end of the file cuts.
            """
            if hasattr(self, '_m_body'):
                return self._m_body

            _pos = self._io.pos()
            self._io.seek(self.ofs_event + self.frame.len_header)
            _on = self.frame.body_type
            if _on == 30:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(8, _io__raw__m_body, self, self._root)
            elif _on == 31:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(9, _io__raw__m_body, self, self._root)
            elif _on == 32:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(10, _io__raw__m_body, self, self._root)
            elif _on == 19:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.TableMapEvent(_io__raw__m_body, self, self._root)
            elif _on == 2:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.QueryEvent(False, False, _io__raw__m_body, self, self._root)
            elif _on == 16:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.XidEvent(_io__raw__m_body, self, self._root)
            elif _on == 33:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.GtidEvent(_io__raw__m_body, self, self._root)
            elif _on == 162:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.MariadbGtidEvent(_io__raw__m_body, self, self._root)
            elif _on == 23:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(4, _io__raw__m_body, self, self._root)
            elif _on == 24:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(5, _io__raw__m_body, self, self._root)
            elif _on == 25:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(6, _io__raw__m_body, self, self._root)
            elif _on == 160:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.AnnotateRowsEvent(_io__raw__m_body, self, self._root)
            elif _on == 1:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.FormatDescriptionEvent(_io__raw__m_body, self, self._root)
            elif _on == 10:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.LoadEndEvent(_io__raw__m_body, self, self._root)
            elif _on == 11:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.LoadEndEvent(_io__raw__m_body, self, self._root)
            elif _on == 12:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.LoadEvent(_io__raw__m_body, self, self._root)
            elif _on == 13:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RandEvent(_io__raw__m_body, self, self._root)
            elif _on == 14:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.UserVarEvent(_io__raw__m_body, self, self._root)
            elif _on == 15:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.FormatDescriptionEvent(_io__raw__m_body, self, self._root)
            elif _on == 161:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.BinlogCheckpointEvent(_io__raw__m_body, self, self._root)
            elif _on == 163:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.GtidListEvent(_io__raw__m_body, self, self._root)
            elif _on == 164:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.StartEncryptionEvent(_io__raw__m_body, self, self._root)
            elif _on == 165:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.QueryEvent(False, True, _io__raw__m_body, self, self._root)
            elif _on == 166:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(20, _io__raw__m_body, self, self._root)
            elif _on == 167:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(21, _io__raw__m_body, self, self._root)
            elif _on == 168:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(22, _io__raw__m_body, self, self._root)
            elif _on == 169:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(24, _io__raw__m_body, self, self._root)
            elif _on == 17:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.LoadBlockEvent(_io__raw__m_body, self, self._root)
            elif _on == 170:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(25, _io__raw__m_body, self, self._root)
            elif _on == 171:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(26, _io__raw__m_body, self, self._root)
            elif _on == 172:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.PartialRowDataEvent(_io__raw__m_body, self, self._root)
            elif _on == 18:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.QueryEvent(True, False, _io__raw__m_body, self, self._root)
            elif _on == 20:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(0, _io__raw__m_body, self, self._root)
            elif _on == 21:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(1, _io__raw__m_body, self, self._root)
            elif _on == 22:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(2, _io__raw__m_body, self, self._root)
            elif _on == 256:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.EncryptedEvent(_io__raw__m_body, self, self._root)
            elif _on == 26:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.IncidentEvent(_io__raw__m_body, self, self._root)
            elif _on == 27:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.HeartbeatEvent(_io__raw__m_body, self, self._root)
            elif _on == 28:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.IgnorableEvent(_io__raw__m_body, self, self._root)
            elif _on == 29:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsQueryEvent(_io__raw__m_body, self, self._root)
            elif _on == 3:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.StopEvent(_io__raw__m_body, self, self._root)
            elif _on == 34:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.GtidEvent(_io__raw__m_body, self, self._root)
            elif _on == 35:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.PreviousGtidsEvent(_io__raw__m_body, self, self._root)
            elif _on == 36:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.TransactionContextEvent(_io__raw__m_body, self, self._root)
            elif _on == 37:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.ViewChangeEvent(_io__raw__m_body, self, self._root)
            elif _on == 38:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.XaPrepareEvent(_io__raw__m_body, self, self._root)
            elif _on == 39:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RowsEvent(11, _io__raw__m_body, self, self._root)
            elif _on == 4:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.RotateEvent(_io__raw__m_body, self, self._root)
            elif _on == 40:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.TransactionPayloadEvent(_io__raw__m_body, self, self._root)
            elif _on == 41:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.HeartbeatV2Event(_io__raw__m_body, self, self._root)
            elif _on == 42:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.GtidTaggedEvent(_io__raw__m_body, self, self._root)
            elif _on == 5:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.IntvarEvent(_io__raw__m_body, self, self._root)
            elif _on == 6:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.LoadEvent(_io__raw__m_body, self, self._root)
            elif _on == 7:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.SlaveEvent(_io__raw__m_body, self, self._root)
            elif _on == 8:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.LoadEvent(_io__raw__m_body, self, self._root)
            elif _on == 9:
                pass
                self._raw__m_body = self._io.read_bytes(self.frame.len_body)
                _io__raw__m_body = KaitaiStream(BytesIO(self._raw__m_body))
                self._m_body = MysqlBinlog.LoadBlockEvent(_io__raw__m_body, self, self._root)
            else:
                pass
                self._m_body = self._io.read_bytes(self.frame.len_body)
            self._io.seek(_pos)
            return getattr(self, '_m_body', None)

        @property
        def frame(self):
            """The time as text, the flags bit by bit, the checksum, and how the event is laid out."""
            if hasattr(self, '_m_frame'):
                return self._m_frame

            _pos = self._io.pos()
            self._io.seek(self.ofs_event + 4)
            self._m_frame = MysqlBinlog.EventFrame(self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_frame', None)


    class EventFlags(KaitaiStruct):
        """The flags of an event header.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L440
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.EventFlags, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_in_use = self._io.read_bits_int_le(1) != 0
            self.is_forced_rotate = self._io.read_bits_int_le(1) != 0
            self.is_thread_specific = self._io.read_bits_int_le(1) != 0
            self.is_use_suppressed = self._io.read_bits_int_le(1) != 0
            self.is_table_map_version_updated = self._io.read_bits_int_le(1) != 0
            self.is_artificial = self._io.read_bits_int_le(1) != 0
            self.is_relay_log = self._io.read_bits_int_le(1) != 0
            self.is_ignorable = self._io.read_bits_int_le(1) != 0
            self.is_no_filter = self._io.read_bits_int_le(1) != 0
            self.is_mts_isolated = self._io.read_bits_int_le(1) != 0
            self.reserved = self._io.read_bits_int_le(4)
            self.is_own_accepted = self._io.read_bits_int_le(1) != 0
            self.is_replication_skipped = self._io.read_bits_int_le(1) != 0


        def _fetch_instances(self):
            pass


    class EventFrame(KaitaiStruct):
        """What follows from the header of an event and from the format description.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L518
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.EventFrame, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self._parent.table_map_index > -2:
                pass
                self.type_code = self._io.read_u1()



        def _fetch_instances(self):
            pass
            if self._parent.table_map_index > -2:
                pass

            _ = self.checksum
            if hasattr(self, '_m_checksum'):
                pass

            _ = self.extra
            if hasattr(self, '_m_extra'):
                pass

            _ = self.flag_bits
            if hasattr(self, '_m_flag_bits'):
                pass
                self._m_flag_bits._fetch_instances()

            _ = self.time
            if hasattr(self, '_m_time'):
                pass
                self._m_time._fetch_instances()


        @property
        def body_type(self):
            """Code of the type whose layout the body has; 0 if the layout is unknown, 256 if it is
            encrypted. The types 16 to 22 mean others in the development trees of
            `has_old_type_codes`.
            """
            if hasattr(self, '_m_body_type'):
                return self._m_body_type

            self._m_body_type = (0 if self.is_truncated else (256 if self._parent.table_map_index == -2 else ((19 if self.type_code == 16 else (16 if self.type_code == 20 else (self.type_code - 4 if self.type_code >= 21 else self.type_code + 3))) if  ((self.type_code <= 22) and (self.type_code >= 16) and (self._root.events[self._parent.format_index].body.has_old_type_codes))  else self.type_code)))
            return getattr(self, '_m_body_type', None)

        @property
        def checksum(self):
            """CRC32 (IEEE 802.3, as in zlib) of all bytes of the event before it, the header included.
            
            .. seealso::
               Source - https://dev.mysql.com/doc/refman/8.4/en/replication-options-binary-log.html#sysvar_binlog_checksum
            """
            if hasattr(self, '_m_checksum'):
                return self._m_checksum

            if self.len_checksum != 0:
                pass
                _pos = self._io.pos()
                self._io.seek((self._parent.ofs_event + self._parent.len_event) - 4)
                self._m_checksum = self._io.read_u4le()
                self._io.seek(_pos)

            return getattr(self, '_m_checksum', None)

        @property
        def event_type(self):
            """What the type is; another than the code says in logs of the development trees of
            `has_old_type_codes`.
            """
            if hasattr(self, '_m_event_type'):
                return self._m_event_type

            if (not (self.is_encrypted)):
                pass
                self._m_event_type = KaitaiStream.resolve_enum(MysqlBinlog.EventType, (self.body_type if self.body_type != 0 else self.type_code))

            return getattr(self, '_m_event_type', None)

        @property
        def extra(self):
            """The rest of a header that is longer than others; see `len_header`."""
            if hasattr(self, '_m_extra'):
                return self._m_extra

            if self.len_header > 19:
                pass
                _pos = self._io.pos()
                self._io.seek(self._parent.ofs_event + 19)
                self._m_extra = self._io.read_bytes(self.len_header - 19)
                self._io.seek(_pos)

            return getattr(self, '_m_extra', None)

        @property
        def flag_bits(self):
            if hasattr(self, '_m_flag_bits'):
                return self._m_flag_bits

            if  (((not (self.is_encrypted))) and (self.len_header > 13)) :
                pass
                _pos = self._io.pos()
                self._io.seek(self._parent.ofs_event + 17)
                self._m_flag_bits = MysqlBinlog.EventFlags(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_flag_bits', None)

        @property
        def is_encrypted(self):
            """By MariaDB, which says so in the event after the format description. Only `len_event` can
            be read then; the checksum, too, is encrypted.
            """
            if hasattr(self, '_m_is_encrypted'):
                return self._m_is_encrypted

            self._m_is_encrypted = self._parent.table_map_index == -2
            return getattr(self, '_m_is_encrypted', None)

        @property
        def is_truncated(self):
            """The file ends inside this event, or its length is damaged; `body` is then the rest of
            the file.
            """
            if hasattr(self, '_m_is_truncated'):
                return self._m_is_truncated

            self._m_is_truncated =  ((self._parent.len_event > len(self._parent.data) + (13 if self._parent.table_map_index == -2 else self._root.len_header)) or (self._parent.len_event < self.len_header)) 
            return getattr(self, '_m_is_truncated', None)

        @property
        def len_body(self):
            """In bytes; of a truncated event, what is left of it."""
            if hasattr(self, '_m_len_body'):
                return self._m_len_body

            self._m_len_body = ((self._parent.len_event - self.len_header) - self.len_checksum if (not (self.is_truncated)) else (((13 if self.is_encrypted else self._root.len_header) + len(self._parent.data)) - self.len_header if (13 if self.is_encrypted else self._root.len_header) + len(self._parent.data) > self.len_header else 0))
            return getattr(self, '_m_len_body', None)

        @property
        def len_checksum(self):
            """In bytes. A format description keeps its checksum inside its own body."""
            if hasattr(self, '_m_len_checksum'):
                return self._m_len_checksum

            self._m_len_checksum = (0 if  ((self.body_type <= 1) or (self.body_type == 256) or (self.type_code == 15))  else self._root.events[self._parent.format_index].body.len_checksum)
            return getattr(self, '_m_len_checksum', None)

        @property
        def len_header(self):
            """In bytes. Format descriptions and ROTATE have 19, whatever the others have, since they are
            read before that is known; and 13 in MySQL 3.23, whose first event is shorter than any
            later one. The logs of one fork, the Google patches of MySQL 5.1, have more than 19. Of an
            encrypted event, up to the byte after its length.
            """
            if hasattr(self, '_m_len_header'):
                return self._m_len_header

            self._m_len_header = (13 if self._parent.table_map_index == -2 else (19 if self.type_code == 15 else (self._root.len_header if self._parent.format_index < 0 else (self._root.events[self._parent.format_index].body.len_own_header if self.type_code == 4 else self._root.events[self._parent.format_index].body.len_header))))
            return getattr(self, '_m_len_header', None)

        @property
        def time(self):
            """The timestamp as a date and a time, in UTC."""
            if hasattr(self, '_m_time'):
                return self._m_time

            if (not (self.is_encrypted)):
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_time = MysqlBinlog.UtcTime(self._parent.timestamp, self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_time', None)


    class ExtraRowInfo(KaitaiStruct):
        """An item of the extra row info, after its type.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L64
        """
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
        """What a storage engine or the partitioning adds to a rows event.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L777
        """
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
        """FLOAT.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L4091
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.FloatValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_f4le()


        def _fetch_instances(self):
            pass

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)


    class FormatDescriptionEvent(KaitaiStruct):
        """Says who wrote the file and how long the parts of its events are. It replaces an earlier one
        for all events after it (relay logs have several) and releases all table maps. MySQL 5.0 and
        later; files of older servers begin with START_EVENT_V3, which has the first three fields
        only.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L182
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.FormatDescriptionEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.binlog_version = self._io.read_u2le()
            if not self.binlog_version >= 1:
                raise kaitaistruct.ValidationLessThanError(1, self.binlog_version, self._io, u"/types/format_description_event/seq/0")
            if not self.binlog_version <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.binlog_version, self._io, u"/types/format_description_event/seq/0")
            self.server_version = KaitaiStream.bytes_terminate(self._io.read_bytes(50), 0, False)
            self.created = self._io.read_u4le()
            if (not (self.is_start_v3)):
                pass
                self.len_common_header = self._io.read_u1()
                if not self.len_common_header >= 19:
                    raise kaitaistruct.ValidationLessThanError(19, self.len_common_header, self._io, u"/types/format_description_event/seq/3")

            if (not (self.is_start_v3)):
                pass
                self.post_header_lengths = self._io.read_bytes(self.len_post_header_lengths)

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
            if (not (self.is_start_v3)):
                pass

            if (not (self.is_start_v3)):
                pass

            if self.has_checksum_algorithm:
                pass

            if self.has_checksum_algorithm:
                pass

            _ = self.len_own_post_header
            if hasattr(self, '_m_len_own_post_header'):
                pass


        @property
        def has_checksum_algorithm(self):
            """The server knows of checksums: MySQL 5.6.1, MariaDB 5.3 and later. Servers decide this by
            the version text; the length of the event says the same, and holds for forks and test
            builds as well.
            """
            if hasattr(self, '_m_has_checksum_algorithm'):
                return self._m_has_checksum_algorithm

            self._m_has_checksum_algorithm =  (((not (self.is_start_v3))) and (self._io.size() >= (57 + self.len_post_header_lengths) + 5)) 
            return getattr(self, '_m_has_checksum_algorithm', None)

        @property
        def has_old_type_codes(self):
            """Development trees of MySQL 5.1 and 5.2 gave the types 16 to 22 to TABLE_MAP, three rows
            events, XID and two of LOAD DATA, in this order. There type 16 has a post-header;
            everywhere else it is XID, which has none.
            """
            if hasattr(self, '_m_has_old_type_codes'):
                return self._m_has_old_type_codes

            self._m_has_old_type_codes = (KaitaiStream.byte_array_index(self.post_header_lengths, 15) != 0 if self.len_post_header_lengths >= 16 else False)
            return getattr(self, '_m_has_old_type_codes', None)

        @property
        def has_status_vars(self):
            """The post-header of QUERY has 13 bytes, the last two of them `len_status_vars`; 11 before
            MySQL 5.0.
            """
            if hasattr(self, '_m_has_status_vars'):
                return self._m_has_status_vars

            self._m_has_status_vars = (KaitaiStream.byte_array_index(self.post_header_lengths, 1) >= 13 if self.len_post_header_lengths >= 2 else False)
            return getattr(self, '_m_has_status_vars', None)

        @property
        def is_mariadb(self):
            """MariaDB 5.3 and later number their own events from 160 on; no other server lists as many
            types.
            """
            if hasattr(self, '_m_is_mariadb'):
                return self._m_is_mariadb

            self._m_is_mariadb = self.len_post_header_lengths >= 160
            return getattr(self, '_m_is_mariadb', None)

        @property
        def is_start_v3(self):
            """It has no table of post-header lengths."""
            if hasattr(self, '_m_is_start_v3'):
                return self._m_is_start_v3

            self._m_is_start_v3 = self._parent.event_type == MysqlBinlog.EventType.start_v3
            return getattr(self, '_m_is_start_v3', None)

        @property
        def len_checksum(self):
            """Bytes of checksum at the end of each other event."""
            if hasattr(self, '_m_len_checksum'):
                return self._m_len_checksum

            self._m_len_checksum = (4 if  ((self.has_checksum_algorithm) and (self.checksum_algorithm == MysqlBinlog.ChecksumAlgorithm.crc32))  else 0)
            return getattr(self, '_m_len_checksum', None)

        @property
        def len_header(self):
            """Bytes of the header of each other event."""
            if hasattr(self, '_m_len_header'):
                return self._m_len_header

            self._m_len_header = (self.len_own_header if self.is_start_v3 else self.len_common_header)
            return getattr(self, '_m_len_header', None)

        @property
        def len_own_header(self):
            if hasattr(self, '_m_len_own_header'):
                return self._m_len_own_header

            self._m_len_own_header = self._parent.frame.len_header
            return getattr(self, '_m_len_own_header', None)

        @property
        def len_own_post_header(self):
            """The entry of this very event type (15) in `post_header_lengths`: 57 bytes of fixed fields
            and one byte for each type. All servers write it right.
            """
            if hasattr(self, '_m_len_own_post_header'):
                return self._m_len_own_post_header

            if (not (self.is_start_v3)):
                pass
                _pos = self._io.pos()
                self._io.seek(71)
                self._m_len_own_post_header = self._io.read_u1()
                if not self._m_len_own_post_header >= 72:
                    raise kaitaistruct.ValidationLessThanError(72, self._m_len_own_post_header, self._io, u"/types/format_description_event/instances/len_own_post_header")
                self._io.seek(_pos)

            return getattr(self, '_m_len_own_post_header', None)

        @property
        def len_post_header_lengths(self):
            """One for each type known to the server that wrote the file; 0 if it does not say."""
            if hasattr(self, '_m_len_post_header_lengths'):
                return self._m_len_post_header_lengths

            self._m_len_post_header_lengths = (0 if self.is_start_v3 else self.len_own_post_header - 57)
            return getattr(self, '_m_len_post_header_lengths', None)

        @property
        def len_table_id(self):
            """Bytes of a table id in table maps and rows events. 4 before MySQL 5.1.4, where the
            post-header of a table map has 6.
            """
            if hasattr(self, '_m_len_table_id'):
                return self._m_len_table_id

            self._m_len_table_id = (4 if (KaitaiStream.byte_array_index(self.post_header_lengths, (15 if self.has_old_type_codes else 18)) == 6 if self.len_post_header_lengths >= 19 else False) else 6)
            return getattr(self, '_m_len_table_id', None)

        @property
        def ofs_rows_flags(self):
            """Offset of the flags of a rows event in `event.data`."""
            if hasattr(self, '_m_ofs_rows_flags'):
                return self._m_ofs_rows_flags

            self._m_ofs_rows_flags = (self.len_header - 19) + self.len_table_id
            return getattr(self, '_m_ofs_rows_flags', None)


    class Fraction(KaitaiStruct):
        """Digits after the point, stored as hundredths, ten-thousandths or millionths.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L2050
        """
        def __init__(self, num_digits, _io, _parent=None, _root=None):
            super(MysqlBinlog.Fraction, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self._read()

        def _read(self):
            self.digits = MysqlBinlog.UintBe((self.num_digits + 1) // 2, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.digits._fetch_instances()

        @property
        def micros(self):
            if hasattr(self, '_m_micros'):
                return self._m_micros

            self._m_micros = (self.digits.value * (10000 if self.num_digits <= 2 else (100 if self.num_digits <= 4 else 1)))
            return getattr(self, '_m_micros', None)

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (u"" if self.num_digits == 0 else u"." + str(self.micros + 1000000)[1:self.num_digits + 1])
            return getattr(self, '_m_text', None)


    class Geometry(KaitaiStruct):
        """A shape, in the well-known binary form of the Open Geospatial Consortium.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-9.7.2/sql/spatial.h#L55
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.Geometry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.srid = self._io.read_u4le()
            self.byte_order = self._io.read_u1()
            self.wkb_type = KaitaiStream.resolve_enum(MysqlBinlog.WkbType, self._io.read_u4le())
            self.data = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class GeometryValue(KaitaiStruct):
        """GEOMETRY, POINT and the other spatial types.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L7528
        """
        def __init__(self, len_len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.GeometryValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_len_value = len_len_value
            self._read()

        def _read(self):
            self.len_value = MysqlBinlog.UintLe(self.len_len_value, self._io, self, self._root)
            if self.len_value.value > 0:
                pass
                self._raw_value = self._io.read_bytes(self.len_value.value)
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.Geometry(_io__raw_value, self, self._root)



        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()
            if self.len_value.value > 0:
                pass
                self.value._fetch_instances()


        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            if self.len_value.value > 0:
                pass
                self._m_plain = self.value

            return getattr(self, '_m_plain', None)


    class GnoInterval(KaitaiStruct):
        """Numbers of transactions that follow each other.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_gtid_set.cc#L1332
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.GnoInterval, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.start = self._io.read_s8le()
            self.end_gno = self._io.read_s8le()


        def _fetch_instances(self):
            pass

        @property
        def last(self):
            """The last number."""
            if hasattr(self, '_m_last'):
                return self._m_last

            self._m_last = self.end_gno - 1
            return getattr(self, '_m_last', None)


    class GtidEvent(KaitaiStruct):
        """Opens a transaction of MySQL and names it. ANONYMOUS_GTID has the same layout with zeros in
        place of the name. Fields were appended from version to version; each is there if bytes are
        left for it.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L940
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
            if self._io.size() > 25:
                pass
                self.logical_timestamp_type = self._io.read_u1()

            if self.has_logical_timestamps:
                pass
                self.last_committed = self._io.read_s8le()

            if self.has_logical_timestamps:
                pass
                self.sequence_number = self._io.read_s8le()

            self.details = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            if self._io.size() > 25:
                pass

            if self.has_logical_timestamps:
                pass

            if self.has_logical_timestamps:
                pass

            _ = self.commit_group_ticket
            if hasattr(self, '_m_commit_group_ticket'):
                pass

            _ = self.immediate_commit_timestamp
            if hasattr(self, '_m_immediate_commit_timestamp'):
                pass
                self._m_immediate_commit_timestamp._fetch_instances()

            _ = self.immediate_server_version
            if hasattr(self, '_m_immediate_server_version'):
                pass
                self._m_immediate_server_version._fetch_instances()

            _ = self.original_commit_timestamp
            if hasattr(self, '_m_original_commit_timestamp'):
                pass
                self._m_original_commit_timestamp._fetch_instances()

            _ = self.original_server_version
            if hasattr(self, '_m_original_server_version'):
                pass
                self._m_original_server_version._fetch_instances()

            _ = self.transaction_length
            if hasattr(self, '_m_transaction_length'):
                pass
                self._m_transaction_length._fetch_instances()


        @property
        def commit_group_ticket(self):
            """Group Replication only. MySQL 8.0.27 and later."""
            if hasattr(self, '_m_commit_group_ticket'):
                return self._m_commit_group_ticket

            if len(self.details) > self.len_before_ticket:
                pass
                _pos = self._io.pos()
                self._io.seek(42 + self.len_before_ticket)
                self._m_commit_group_ticket = self._io.read_u8le()
                self._io.seek(_pos)

            return getattr(self, '_m_commit_group_ticket', None)

        @property
        def has_commit_timestamps(self):
            """The times of the commit are logged."""
            if hasattr(self, '_m_has_commit_timestamps'):
                return self._m_has_commit_timestamps

            self._m_has_commit_timestamps =  ((self.has_logical_timestamps) and (len(self.details) >= 7)) 
            return getattr(self, '_m_has_commit_timestamps', None)

        @property
        def has_logical_timestamps(self):
            """The numbers for parallel replicas are logged."""
            if hasattr(self, '_m_has_logical_timestamps'):
                return self._m_has_logical_timestamps

            self._m_has_logical_timestamps = (self.logical_timestamp_type == 2 if self._io.size() > 25 else False)
            return getattr(self, '_m_has_logical_timestamps', None)

        @property
        def immediate_commit_timestamp(self):
            """Commit on the server that wrote this log. MySQL 8.0.1 and later."""
            if hasattr(self, '_m_immediate_commit_timestamp'):
                return self._m_immediate_commit_timestamp

            if self.has_commit_timestamps:
                pass
                _pos = self._io.pos()
                self._io.seek(42)
                self._m_immediate_commit_timestamp = MysqlBinlog.CommitTimestamp(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_immediate_commit_timestamp', None)

        @property
        def immediate_server_version(self):
            """Version of the server that wrote this log. MySQL 8.0.14 and later."""
            if hasattr(self, '_m_immediate_server_version'):
                return self._m_immediate_server_version

            if  ((self.has_logical_timestamps) and (len(self.details) > self.len_before_versions)) :
                pass
                _pos = self._io.pos()
                self._io.seek(42 + self.len_before_versions)
                self._m_immediate_server_version = MysqlBinlog.CommitServerVersion(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_immediate_server_version', None)

        @property
        def len_before_ticket(self):
            """In bytes."""
            if hasattr(self, '_m_len_before_ticket'):
                return self._m_len_before_ticket

            self._m_len_before_ticket = (self.len_before_versions + (8 if self.immediate_server_version.is_followed else 4) if  ((self.has_logical_timestamps) and (len(self.details) > self.len_before_versions))  else len(self.details))
            return getattr(self, '_m_len_before_ticket', None)

        @property
        def len_before_versions(self):
            """In bytes."""
            if hasattr(self, '_m_len_before_versions'):
                return self._m_len_before_versions

            self._m_len_before_versions = (self.len_timestamps + self.transaction_length.len if  ((self.has_commit_timestamps) and (len(self.details) > self.len_timestamps))  else len(self.details))
            return getattr(self, '_m_len_before_versions', None)

        @property
        def len_timestamps(self):
            """In bytes."""
            if hasattr(self, '_m_len_timestamps'):
                return self._m_len_timestamps

            self._m_len_timestamps = ((14 if self.immediate_commit_timestamp.is_followed else 7) if self.has_commit_timestamps else 0)
            return getattr(self, '_m_len_timestamps', None)

        @property
        def may_have_statements(self):
            """The transaction may hold changes that were logged as statements."""
            if hasattr(self, '_m_may_have_statements'):
                return self._m_may_have_statements

            self._m_may_have_statements = self.flags & 1 != 0
            return getattr(self, '_m_may_have_statements', None)

        @property
        def original_commit_timestamp(self):
            """Commit on the server of `source_uuid`; absent if it is the same."""
            if hasattr(self, '_m_original_commit_timestamp'):
                return self._m_original_commit_timestamp

            if  ((self.has_commit_timestamps) and (self.immediate_commit_timestamp.is_followed)) :
                pass
                _pos = self._io.pos()
                self._io.seek(49)
                self._m_original_commit_timestamp = MysqlBinlog.CommitTimestamp(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_original_commit_timestamp', None)

        @property
        def original_server_version(self):
            """Version of the server of `source_uuid`; absent if it is the same."""
            if hasattr(self, '_m_original_server_version'):
                return self._m_original_server_version

            if (self.immediate_server_version.is_followed if  ((self.has_logical_timestamps) and (len(self.details) > self.len_before_versions))  else False):
                pass
                _pos = self._io.pos()
                self._io.seek(46 + self.len_before_versions)
                self._m_original_server_version = MysqlBinlog.CommitServerVersion(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_original_server_version', None)

        @property
        def transaction_length(self):
            """Bytes of the whole transaction in this file, this event included. MySQL 8.0.2 and later.
            """
            if hasattr(self, '_m_transaction_length'):
                return self._m_transaction_length

            if  ((self.has_commit_timestamps) and (len(self.details) > self.len_timestamps)) :
                pass
                _pos = self._io.pos()
                self._io.seek(42 + self.len_timestamps)
                self._m_transaction_length = MysqlBinlog.PackedInt(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_transaction_length', None)


    class GtidField(KaitaiStruct):
        """A field of the message, with its number before it.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L113
        """
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


    class GtidListEvent(KaitaiStruct):
        """The last GTID of each domain and server in all earlier files. MariaDB 10.0.2 and later.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3794
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.GtidListEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.count_and_flags = self._io.read_u4le()
            self.gtids = []
            for i in range(self.num_gtids):
                self.gtids.append(MysqlBinlog.MariadbGtid(self._io, self, self._root))

            self.padding = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            for i in range(len(self.gtids)):
                pass
                self.gtids[i]._fetch_instances()


        @property
        def is_ignorable_gtids(self):
            """Only in streams."""
            if hasattr(self, '_m_is_ignorable_gtids'):
                return self._m_is_ignorable_gtids

            self._m_is_ignorable_gtids = self.count_and_flags & 536870912 != 0
            return getattr(self, '_m_is_ignorable_gtids', None)

        @property
        def is_until_reached(self):
            """Only in streams."""
            if hasattr(self, '_m_is_until_reached'):
                return self._m_is_until_reached

            self._m_is_until_reached = self.count_and_flags & 268435456 != 0
            return getattr(self, '_m_is_until_reached', None)

        @property
        def num_gtids(self):
            """Number of `gtids`."""
            if hasattr(self, '_m_num_gtids'):
                return self._m_num_gtids

            self._m_num_gtids = self.count_and_flags & 268435455
            return getattr(self, '_m_num_gtids', None)


    class GtidSource(KaitaiStruct):
        """All GTIDs of one server and one tag.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_gtid_set.cc#L1285
        """
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
        """Opens a transaction whose GTID has a tag. MySQL 8.3 and later. Its fields are numbered; those
        that are not needed are left out, and all integers are of variable length.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1107
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



    class HeartbeatEvent(KaitaiStruct):
        """The source is alive, and its log has reached this position. Only in streams. MySQL 5.5 and
        later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1722
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.HeartbeatEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self.has_long_position:
                pass
                self.long_position = self._io.read_u8le()

            self.log_file = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            if self.has_long_position:
                pass


        @property
        def has_long_position(self):
            """MariaDB, beyond 4 GiB."""
            if hasattr(self, '_m_has_long_position'):
                return self._m_has_long_position

            self._m_has_long_position =  ((self._parent.end_log_pos == 0) and (self._root.events[self._parent.format_index].body.is_mariadb)) 
            return getattr(self, '_m_has_long_position', None)

        @property
        def position(self):
            """Offset in the file, in bytes."""
            if hasattr(self, '_m_position'):
                return self._m_position

            self._m_position = (self.long_position if self.has_long_position else self._parent.end_log_pos)
            return getattr(self, '_m_position', None)


    class HeartbeatField(KaitaiStruct):
        """A field of a heartbeat.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1643
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.HeartbeatField, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.field_type_code = MysqlBinlog.PackedInt(self._io, self, self._root)
            if (not (self.is_end)):
                pass
                self.len_value = MysqlBinlog.PackedInt(self._io, self, self._root)

            if (not (self.is_end)):
                pass
                _on = self.field_type
                if _on == MysqlBinlog.HeartbeatFieldType.log_file:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value.value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.HeartbeatLogFile(_io__raw_value, self, self._root)
                elif _on == MysqlBinlog.HeartbeatFieldType.position:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value.value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.PackedInt(_io__raw_value, self, self._root)
                else:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value.value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.RawBytes(_io__raw_value, self, self._root)



        def _fetch_instances(self):
            pass
            self.field_type_code._fetch_instances()
            if (not (self.is_end)):
                pass
                self.len_value._fetch_instances()

            if (not (self.is_end)):
                pass
                _on = self.field_type
                if _on == MysqlBinlog.HeartbeatFieldType.log_file:
                    pass
                    self.value._fetch_instances()
                elif _on == MysqlBinlog.HeartbeatFieldType.position:
                    pass
                    self.value._fetch_instances()
                else:
                    pass
                    self.value._fetch_instances()


        @property
        def field_type(self):
            """What the field is."""
            if hasattr(self, '_m_field_type'):
                return self._m_field_type

            self._m_field_type = KaitaiStream.resolve_enum(MysqlBinlog.HeartbeatFieldType, self.field_type_code.value)
            return getattr(self, '_m_field_type', None)

        @property
        def is_end(self):
            if hasattr(self, '_m_is_end'):
                return self._m_is_end

            self._m_is_end = self.field_type_code.value == 0
            return getattr(self, '_m_is_end', None)


    class HeartbeatLogFile(KaitaiStruct):
        """The name of a log file.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1722
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.HeartbeatLogFile, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.name = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class HeartbeatV2Event(KaitaiStruct):
        """A heartbeat as a list of fields, which can grow. MySQL 8.0.26 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1643
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.HeartbeatV2Event, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.fields = []
            i = 0
            while True:
                _ = MysqlBinlog.HeartbeatField(self._io, self, self._root)
                self.fields.append(_)
                if _.is_end:
                    break
                i += 1


        def _fetch_instances(self):
            pass
            for i in range(len(self.fields)):
                pass
                self.fields[i]._fetch_instances()



    class IgnorableEvent(KaitaiStruct):
        """Has no fields. MySQL 5.6 and later; not seen in files.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L669
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.IgnorableEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.data = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class IncidentEvent(KaitaiStruct):
        """Something happened on the server that may have cost changes; a replica stops here. MySQL 5.1
        and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L413
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.IncidentEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.incident = KaitaiStream.resolve_enum(MysqlBinlog.Incident, self._io.read_u2le())
            self.len_message = self._io.read_u1()
            self.message = self._io.read_bytes(self.len_message)


        def _fetch_instances(self):
            pass


    class Int24Value(KaitaiStruct):
        """MEDIUMINT.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10310
        """
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
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if  ((self.is_unsigned) or (self.raw < 8388608))  else self.raw - 16777216)
            return getattr(self, '_m_value', None)


    class IntvarEvent(KaitaiStruct):
        """A number that the next statement takes for LAST_INSERT_ID() or for its first AUTO_INCREMENT
        value.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L890
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.IntvarEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.variable = KaitaiStream.resolve_enum(MysqlBinlog.Intvar, self._io.read_u1())
            self.value = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class JsonContainer(KaitaiStruct):
        """An object or an array.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L86
        """
        def __init__(self, base, is_large, is_object, len_max, depth, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonContainer, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.base = base
            self.is_large = is_large
            self.is_object = is_object
            self.len_max = len_max
            self.depth = depth
            self._read()

        def _read(self):
            self.num_items = MysqlBinlog.JsonOffset(self.is_large, 0, 4294967295, self._io, self, self._root)
            self.len_container = MysqlBinlog.JsonOffset(self.is_large, self.len_tables, (self.len_max if self.depth <= 100 else -1), self._io, self, self._root)
            self.keys = []
            for i in range((self.num_items.value if self.is_object else 0)):
                self.keys.append(MysqlBinlog.JsonKey(self.base, self.is_large, (self.len_container.value - self.len_tables if i == 0 else self.keys[i - 1].len_left), self._io, self, self._root))

            self.items = []
            for i in range(self.num_items.value):
                self.items.append(MysqlBinlog.JsonItem(i, self.base, self.is_large, (self.len_values if i == 0 else self.items[i - 1].len_left), self._io, self, self._root))



        def _fetch_instances(self):
            pass
            self.num_items._fetch_instances()
            self.len_container._fetch_instances()
            for i in range(len(self.keys)):
                pass
                self.keys[i]._fetch_instances()

            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()


        @property
        def closing(self):
            """For the label."""
            if hasattr(self, '_m_closing'):
                return self._m_closing

            self._m_closing = (u"}" if self.is_object else u"]")
            return getattr(self, '_m_closing', None)

        @property
        def len_tables(self):
            """Bytes of all but the texts of the keys, and the values."""
            if hasattr(self, '_m_len_tables'):
                return self._m_len_tables

            self._m_len_tables = (8 + self.num_items.value * (11 if self.is_object else 5) if self.is_large else 4 + self.num_items.value * (7 if self.is_object else 3))
            return getattr(self, '_m_len_tables', None)

        @property
        def len_values(self):
            """Bytes left for the values."""
            if hasattr(self, '_m_len_values'):
                return self._m_len_values

            self._m_len_values = (self.keys[-1].len_left if  ((self.is_object) and (self.num_items.value > 0))  else self.len_container.value - self.len_tables)
            return getattr(self, '_m_len_values', None)

        @property
        def opening(self):
            """For the label."""
            if hasattr(self, '_m_opening'):
                return self._m_opening

            self._m_opening = (u"{" if self.is_object else u"[")
            return getattr(self, '_m_opening', None)


    class JsonDatetime(KaitaiStruct):
        """DATE, DATETIME or TIMESTAMP as one number; a DATE has no time of day.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1863
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonDatetime, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.micros = self._io.read_bits_int_le(24)
            self.second = self._io.read_bits_int_le(6)
            self.minute = self._io.read_bits_int_le(6)
            self.hour = self._io.read_bits_int_le(5)
            self.day = self._io.read_bits_int_le(5)
            self.year_month = self._io.read_bits_int_le(18)


        def _fetch_instances(self):
            pass
            _ = self.date_part
            if hasattr(self, '_m_date_part'):
                pass
                self._m_date_part._fetch_instances()

            _ = self.time_part
            if hasattr(self, '_m_time_part'):
                pass
                self._m_time_part._fetch_instances()


        @property
        def date_part(self):
            if hasattr(self, '_m_date_part'):
                return self._m_date_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_date_part = MysqlBinlog.CalendarDate(self.year_month // 13, self.year_month % 13, self.day, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_date_part', None)

        @property
        def time_part(self):
            if hasattr(self, '_m_time_part'):
                return self._m_time_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_time_part = MysqlBinlog.Clock(self.hour, self.minute, self.second, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_time_part', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (((self.date_part.text + u" ") + self.time_part.text) + u".") + str(self.micros + 1000000)[1:7]
            return getattr(self, '_m_value', None)


    class JsonDecimal(KaitaiStruct):
        """A DECIMAL in a document, with its precision and scale.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L132
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonDecimal, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.precision = self._io.read_u1()
            self.scale = self._io.read_u1()
            if not self.scale <= self.precision:
                raise kaitaistruct.ValidationGreaterThanError(self.precision, self.scale, self._io, u"/types/json_decimal/seq/1")
            self.decimal = MysqlBinlog.DecimalValue(self.precision, self.scale, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.decimal._fetch_instances()

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = self.decimal.value
            return getattr(self, '_m_value', None)


    class JsonDifference(KaitaiStruct):
        """One change of a document.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_diff.h#L52
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonDifference, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.operation = KaitaiStream.resolve_enum(MysqlBinlog.JsonOperation, self._io.read_u1())
            self.path = MysqlBinlog.PackedStr(self._io, self, self._root)
            if self.operation != MysqlBinlog.JsonOperation.remove:
                pass
                self.len_document = MysqlBinlog.PackedInt(self._io, self, self._root)

            if self.operation != MysqlBinlog.JsonOperation.remove:
                pass
                self._raw_document = self._io.read_bytes(self.len_document.value)
                _io__raw_document = KaitaiStream(BytesIO(self._raw_document))
                self.document = MysqlBinlog.JsonDocument(_io__raw_document, self, self._root)



        def _fetch_instances(self):
            pass
            self.path._fetch_instances()
            if self.operation != MysqlBinlog.JsonOperation.remove:
                pass
                self.len_document._fetch_instances()

            if self.operation != MysqlBinlog.JsonOperation.remove:
                pass
                self.document._fetch_instances()



    class JsonDifferences(KaitaiStruct):
        """Changes of a document, in the order in which they are made. MySQL 8.0.3 and later, under
        `binlog_row_value_options`.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_diff.h#L199
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonDifferences, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.items = []
            i = 0
            while not self._io.is_eof():
                self.items.append(MysqlBinlog.JsonDifference(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



    class JsonDocument(KaitaiStruct):
        """A value with its type before it. Objects and arrays are tables of offsets, in any order and
        with unused gaps between the values; so every offset is followed, and nothing is read in
        sequence.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L60
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonDocument, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value_type = KaitaiStream.resolve_enum(MysqlBinlog.JsonType, self._io.read_u1())
            _on = self.value_type
            if _on == MysqlBinlog.JsonType.double:
                pass
                self.value = MysqlBinlog.DoubleValue(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.int16:
                pass
                self.value = MysqlBinlog.JsonInt16(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.int32:
                pass
                self.value = MysqlBinlog.JsonInt32(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.int64:
                pass
                self.value = MysqlBinlog.SignedLonglong(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.large_array:
                pass
                self.value = MysqlBinlog.JsonContainer(1, True, False, self._io.size() - 1, 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.large_object:
                pass
                self.value = MysqlBinlog.JsonContainer(1, True, True, self._io.size() - 1, 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.literal:
                pass
                self.value = MysqlBinlog.JsonLiteral(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.opaque:
                pass
                self.value = MysqlBinlog.JsonOpaque(self._io.size(), self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.small_array:
                pass
                self.value = MysqlBinlog.JsonContainer(1, False, False, self._io.size() - 1, 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.small_object:
                pass
                self.value = MysqlBinlog.JsonContainer(1, False, True, self._io.size() - 1, 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.string:
                pass
                self.value = MysqlBinlog.JsonString(self._io.size(), self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.uint16:
                pass
                self.value = MysqlBinlog.JsonUint16(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.uint32:
                pass
                self.value = MysqlBinlog.JsonUint32(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.uint64:
                pass
                self.value = MysqlBinlog.JsonUint64(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            _on = self.value_type
            if _on == MysqlBinlog.JsonType.double:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.int16:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.int32:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.int64:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.large_array:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.large_object:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.literal:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.opaque:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.small_array:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.small_object:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.string:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.uint16:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.uint32:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.JsonType.uint64:
                pass
                self.value._fetch_instances()


    class JsonInt16(KaitaiStruct):
        """A signed integer of two bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonInt16, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_s2le()


        def _fetch_instances(self):
            pass


    class JsonInt32(KaitaiStruct):
        """A signed integer of four bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonInt32, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class JsonItem(KaitaiStruct):
        """An element of an array, or a member of an object.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L108
        """
        def __init__(self, index, base, is_large, len_max, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonItem, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.index = index
            self.base = base
            self.is_large = is_large
            self.len_max = len_max
            self._read()

        def _read(self):
            self.value_type = KaitaiStream.resolve_enum(MysqlBinlog.JsonType, self._io.read_u1())
            self.ofs_or_value = MysqlBinlog.JsonOffset(self.is_large, 0, 4294967295, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.ofs_or_value._fetch_instances()
            _ = self.len_nested
            if hasattr(self, '_m_len_nested'):
                pass
                self._m_len_nested._fetch_instances()

            _ = self.len_text
            if hasattr(self, '_m_len_text'):
                pass
                self._m_len_text._fetch_instances()

            _ = self.value
            if hasattr(self, '_m_value'):
                pass
                _on = self.value_type
                if _on == MysqlBinlog.JsonType.double:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.int16:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.int32:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.int64:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.large_array:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.large_object:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.literal:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.opaque:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.small_array:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.small_object:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.string:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.uint16:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.uint32:
                    pass
                    self._m_value._fetch_instances()
                elif _on == MysqlBinlog.JsonType.uint64:
                    pass
                    self._m_value._fetch_instances()


        @property
        def is_container(self):
            """The value is an object or an array."""
            if hasattr(self, '_m_is_container'):
                return self._m_is_container

            self._m_is_container =  ((self.value_type == MysqlBinlog.JsonType.small_object) or (self.value_type == MysqlBinlog.JsonType.large_object) or (self.value_type == MysqlBinlog.JsonType.small_array) or (self.value_type == MysqlBinlog.JsonType.large_array)) 
            return getattr(self, '_m_is_container', None)

        @property
        def is_inline(self):
            """The entry holds the value itself, not its offset."""
            if hasattr(self, '_m_is_inline'):
                return self._m_is_inline

            self._m_is_inline =  ((self.value_type == MysqlBinlog.JsonType.literal) or (self.value_type == MysqlBinlog.JsonType.int16) or (self.value_type == MysqlBinlog.JsonType.uint16) or ( ((self.is_large) and ( ((self.value_type == MysqlBinlog.JsonType.int32) or (self.value_type == MysqlBinlog.JsonType.uint32)) )) )) 
            return getattr(self, '_m_is_inline', None)

        @property
        def is_large_container(self):
            """The value is a container whose offsets have four bytes."""
            if hasattr(self, '_m_is_large_container'):
                return self._m_is_large_container

            self._m_is_large_container =  ((self.value_type == MysqlBinlog.JsonType.large_object) or (self.value_type == MysqlBinlog.JsonType.large_array)) 
            return getattr(self, '_m_is_large_container', None)

        @property
        def key(self):
            """For the label: the key of a member."""
            if hasattr(self, '_m_key'):
                return self._m_key

            self._m_key = (self._parent.keys[self.index].text + u": " if self._parent.is_object else u"")
            return getattr(self, '_m_key', None)

        @property
        def len_left(self):
            if hasattr(self, '_m_len_left'):
                return self._m_len_left

            self._m_len_left = (self.len_max - self.len_value)
            return getattr(self, '_m_len_left', None)

        @property
        def len_nested(self):
            """The `len_container` of a container."""
            if hasattr(self, '_m_len_nested'):
                return self._m_len_nested

            if self.is_container:
                pass
                _pos = self._io.pos()
                self._io.seek((self.base + self.ofs_or_value.value) + (4 if self.is_large_container else 2))
                self._m_len_nested = MysqlBinlog.JsonOffset(self.is_large_container, 0, 4294967295, self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_len_nested', None)

        @property
        def len_text(self):
            """The `len_value` of a text or an opaque value."""
            if hasattr(self, '_m_len_text'):
                return self._m_len_text

            if  ((self.value_type == MysqlBinlog.JsonType.string) or (self.value_type == MysqlBinlog.JsonType.opaque)) :
                pass
                _pos = self._io.pos()
                self._io.seek((self.base + self.ofs_or_value.value) + (1 if self.value_type == MysqlBinlog.JsonType.opaque else 0))
                self._m_len_text = MysqlBinlog.JsonLength(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_len_text', None)

        @property
        def len_value(self):
            """Bytes that the value takes at least, where its offset points."""
            if hasattr(self, '_m_len_value'):
                return self._m_len_value

            self._m_len_value = (0 if self.is_inline else (self.len_nested.value if self.is_container else (self.len_text.value + 1 if  ((self.value_type == MysqlBinlog.JsonType.string) or (self.value_type == MysqlBinlog.JsonType.opaque))  else (4 if  ((self.value_type == MysqlBinlog.JsonType.int32) or (self.value_type == MysqlBinlog.JsonType.uint32))  else 8))))
            return getattr(self, '_m_len_value', None)

        @property
        def ofs_inline(self):
            """Position of `ofs_or_value` in the document."""
            if hasattr(self, '_m_ofs_inline'):
                return self._m_ofs_inline

            self._m_ofs_inline = ((((self.base + 8) + (self._parent.num_items.value * 6 if self._parent.is_object else 0)) + self.index * 5) + 1 if self.is_large else (((self.base + 4) + (self._parent.num_items.value * 4 if self._parent.is_object else 0)) + self.index * 3) + 1)
            return getattr(self, '_m_ofs_inline', None)

        @property
        def ofs_value(self):
            """Position of the value in the document."""
            if hasattr(self, '_m_ofs_value'):
                return self._m_ofs_value

            self._m_ofs_value = (self.ofs_inline if self.is_inline else self.base + self.ofs_or_value.value)
            return getattr(self, '_m_ofs_value', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            _pos = self._io.pos()
            self._io.seek(self.ofs_value)
            _on = self.value_type
            if _on == MysqlBinlog.JsonType.double:
                pass
                self._m_value = MysqlBinlog.DoubleValue(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.int16:
                pass
                self._m_value = MysqlBinlog.JsonInt16(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.int32:
                pass
                self._m_value = MysqlBinlog.JsonInt32(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.int64:
                pass
                self._m_value = MysqlBinlog.SignedLonglong(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.large_array:
                pass
                self._m_value = MysqlBinlog.JsonContainer(self.ofs_value, True, False, self.len_max, self._parent.depth + 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.large_object:
                pass
                self._m_value = MysqlBinlog.JsonContainer(self.ofs_value, True, True, self.len_max, self._parent.depth + 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.literal:
                pass
                self._m_value = MysqlBinlog.JsonLiteral(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.opaque:
                pass
                self._m_value = MysqlBinlog.JsonOpaque(self.len_max, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.small_array:
                pass
                self._m_value = MysqlBinlog.JsonContainer(self.ofs_value, False, False, self.len_max, self._parent.depth + 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.small_object:
                pass
                self._m_value = MysqlBinlog.JsonContainer(self.ofs_value, False, True, self.len_max, self._parent.depth + 1, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.string:
                pass
                self._m_value = MysqlBinlog.JsonString(self.len_max, self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.uint16:
                pass
                self._m_value = MysqlBinlog.JsonUint16(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.uint32:
                pass
                self._m_value = MysqlBinlog.JsonUint32(self._io, self, self._root)
            elif _on == MysqlBinlog.JsonType.uint64:
                pass
                self._m_value = MysqlBinlog.JsonUint64(self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_value', None)


    class JsonKey(KaitaiStruct):
        """The key of a member: where its text is, and how long it is.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L100
        """
        def __init__(self, base, is_large, len_max, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonKey, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.base = base
            self.is_large = is_large
            self.len_max = len_max
            self._read()

        def _read(self):
            self.ofs_text = MysqlBinlog.JsonOffset(self.is_large, 0, 4294967295, self._io, self, self._root)
            self.len_bytes = self._io.read_u2le()
            if not self.len_bytes <= self.len_max:
                raise kaitaistruct.ValidationGreaterThanError(self.len_max, self.len_bytes, self._io, u"/types/json_key/seq/1")


        def _fetch_instances(self):
            pass
            self.ofs_text._fetch_instances()
            _ = self.bytes
            if hasattr(self, '_m_bytes'):
                pass


        @property
        def bytes(self):
            if hasattr(self, '_m_bytes'):
                return self._m_bytes

            _pos = self._io.pos()
            self._io.seek(self.base + self.ofs_text.value)
            self._m_bytes = self._io.read_bytes(self.len_bytes)
            self._io.seek(_pos)
            return getattr(self, '_m_bytes', None)

        @property
        def len_left(self):
            if hasattr(self, '_m_len_left'):
                return self._m_len_left

            self._m_len_left = (self.len_max - self.len_bytes)
            return getattr(self, '_m_len_left', None)

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.bytes).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class JsonLength(KaitaiStruct):
        """Seven bits a byte, the lowest ones first; the highest bit says that another byte follows.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L135
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonLength, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.groups = []
            i = 0
            while True:
                _ = MysqlBinlog.JsonLengthGroup((1 if i == 0 else self.groups[i - 1].factor * 128), (0 if i == 0 else self.groups[i - 1].value), self._io, self, self._root)
                self.groups.append(_)
                if  (((not (_.has_next))) or (len(self.groups) == 5)) :
                    break
                i += 1


        def _fetch_instances(self):
            pass
            for i in range(len(self.groups)):
                pass
                self.groups[i]._fetch_instances()


        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = self.groups[-1].value
            return getattr(self, '_m_value', None)


    class JsonLengthGroup(KaitaiStruct):
        """Seven bits of a length, and whether more follow.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L135
        """
        def __init__(self, factor, value_before, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonLengthGroup, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.factor = factor
            self.value_before = value_before
            self._read()

        def _read(self):
            self.has_next = self._io.read_bits_int_be(1) != 0
            self.bits = self._io.read_bits_int_be(7)


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.value_before + self.bits * self.factor)
            return getattr(self, '_m_value', None)


    class JsonLiteral(KaitaiStruct):
        """null, true or false.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L119
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonLiteral, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = KaitaiStream.resolve_enum(MysqlBinlog.JsonLiteralValue, self._io.read_u1())
            if not isinstance(self.value, MysqlBinlog.JsonLiteralValue):
                raise kaitaistruct.ValidationNotInEnumError(self.value, self._io, u"/types/json_literal/seq/0")


        def _fetch_instances(self):
            pass

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (u"null" if self.value == MysqlBinlog.JsonLiteralValue.null_literal else (u"true" if self.value == MysqlBinlog.JsonLiteralValue.true_literal else u"false"))
            return getattr(self, '_m_text', None)


    class JsonOffset(KaitaiStruct):
        """An offset, a length or a count of a container, which has two or four bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L113
        """
        def __init__(self, is_large, min_value, max_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonOffset, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_large = is_large
            self.min_value = min_value
            self.max_value = max_value
            self._read()

        def _read(self):
            if (not (self.is_large)):
                pass
                self.small = self._io.read_u2le()
                if not self.small >= self.min_value:
                    raise kaitaistruct.ValidationLessThanError(self.min_value, self.small, self._io, u"/types/json_offset/seq/0")
                if not self.small <= self.max_value:
                    raise kaitaistruct.ValidationGreaterThanError(self.max_value, self.small, self._io, u"/types/json_offset/seq/0")

            if self.is_large:
                pass
                self.large = self._io.read_u4le()
                if not self.large >= self.min_value:
                    raise kaitaistruct.ValidationLessThanError(self.min_value, self.large, self._io, u"/types/json_offset/seq/1")
                if not self.large <= self.max_value:
                    raise kaitaistruct.ValidationGreaterThanError(self.max_value, self.large, self._io, u"/types/json_offset/seq/1")



        def _fetch_instances(self):
            pass
            if (not (self.is_large)):
                pass

            if self.is_large:
                pass


        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.large if self.is_large else self.small)
            return getattr(self, '_m_value', None)


    class JsonOpaque(KaitaiStruct):
        """A value of SQL that JSON has no type for.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L130
        """
        def __init__(self, len_max, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonOpaque, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_max = len_max
            self._read()

        def _read(self):
            self.field_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self._io.read_u1())
            self.len_value = MysqlBinlog.JsonLength(self._io, self, self._root)
            _on = self.field_type
            if _on == MysqlBinlog.ColumnType.date:
                pass
                self._raw_value = self._io.read_bytes((self.len_value.value if self.len_value.value < self.len_max else -1))
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.JsonDatetime(_io__raw_value, self, self._root)
            elif _on == MysqlBinlog.ColumnType.datetime:
                pass
                self._raw_value = self._io.read_bytes((self.len_value.value if self.len_value.value < self.len_max else -1))
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.JsonDatetime(_io__raw_value, self, self._root)
            elif _on == MysqlBinlog.ColumnType.newdecimal:
                pass
                self._raw_value = self._io.read_bytes((self.len_value.value if self.len_value.value < self.len_max else -1))
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.JsonDecimal(_io__raw_value, self, self._root)
            elif _on == MysqlBinlog.ColumnType.time:
                pass
                self._raw_value = self._io.read_bytes((self.len_value.value if self.len_value.value < self.len_max else -1))
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.JsonTime(_io__raw_value, self, self._root)
            elif _on == MysqlBinlog.ColumnType.timestamp:
                pass
                self._raw_value = self._io.read_bytes((self.len_value.value if self.len_value.value < self.len_max else -1))
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.JsonDatetime(_io__raw_value, self, self._root)
            else:
                pass
                self._raw_value = self._io.read_bytes((self.len_value.value if self.len_value.value < self.len_max else -1))
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.RawBytes(_io__raw_value, self, self._root)


        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()
            _on = self.field_type
            if _on == MysqlBinlog.ColumnType.date:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.ColumnType.datetime:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.ColumnType.newdecimal:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.ColumnType.time:
                pass
                self.value._fetch_instances()
            elif _on == MysqlBinlog.ColumnType.timestamp:
                pass
                self.value._fetch_instances()
            else:
                pass
                self.value._fetch_instances()


    class JsonString(KaitaiStruct):
        """Text in UTF-8.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L128
        """
        def __init__(self, len_max, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonString, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_max = len_max
            self._read()

        def _read(self):
            self.len_value = MysqlBinlog.JsonLength(self._io, self, self._root)
            self.bytes = self._io.read_bytes((self.len_value.value if self.len_value.value < self.len_max else -1))


        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.bytes).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_value', None)


    class JsonTime(KaitaiStruct):
        """TIME as one number, negative as a whole.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1691
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonTime, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.low = self._io.read_u4le()
            self.high = self._io.read_s4le()


        def _fetch_instances(self):
            pass
            _ = self.time_part
            if hasattr(self, '_m_time_part'):
                pass
                self._m_time_part._fetch_instances()


        @property
        def is_negative(self):
            """The time is negative."""
            if hasattr(self, '_m_is_negative'):
                return self._m_is_negative

            self._m_is_negative = self.high < 0
            return getattr(self, '_m_is_negative', None)

        @property
        def magnitude_high(self):
            """The high bits without the sign."""
            if hasattr(self, '_m_magnitude_high'):
                return self._m_magnitude_high

            self._m_magnitude_high = ((-1 - self.high if self.low != 0 else 0 - self.high) if self.is_negative else self.high)
            return getattr(self, '_m_magnitude_high', None)

        @property
        def magnitude_low(self):
            """The low bits without the sign."""
            if hasattr(self, '_m_magnitude_low'):
                return self._m_magnitude_low

            self._m_magnitude_low = (4294967296 - self.low if  ((self.is_negative) and (self.low != 0))  else self.low)
            return getattr(self, '_m_magnitude_low', None)

        @property
        def micros(self):
            if hasattr(self, '_m_micros'):
                return self._m_micros

            self._m_micros = self.magnitude_low % 16777216
            return getattr(self, '_m_micros', None)

        @property
        def packed(self):
            """Hours times 4096, plus minutes times 64, plus seconds."""
            if hasattr(self, '_m_packed'):
                return self._m_packed

            self._m_packed = self.magnitude_high * 256 + self.magnitude_low // 16777216
            return getattr(self, '_m_packed', None)

        @property
        def time_part(self):
            if hasattr(self, '_m_time_part'):
                return self._m_time_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_time_part = MysqlBinlog.Clock(((self.packed // 4096) % 1024), ((self.packed // 64) % 64), (self.packed % 64), self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_time_part', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (((u"-" if self.is_negative else u"") + self.time_part.text) + u".") + str(self.micros + 1000000)[1:7]
            return getattr(self, '_m_value', None)


    class JsonUint16(KaitaiStruct):
        """An unsigned integer of two bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonUint16, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class JsonUint32(KaitaiStruct):
        """An unsigned integer of four bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonUint32, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class JsonUint64(KaitaiStruct):
        """An unsigned integer of eight bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L124
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonUint64, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class JsonValue(KaitaiStruct):
        """JSON of MySQL in its binary form; in MariaDB the type is a LONGTEXT.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql-common/json_binary.h#L60
        """
        def __init__(self, len_len_value, is_difference, _io, _parent=None, _root=None):
            super(MysqlBinlog.JsonValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_len_value = len_len_value
            self.is_difference = is_difference
            self._read()

        def _read(self):
            self.len_value = MysqlBinlog.UintLe(self.len_len_value, self._io, self, self._root)
            if  (((not (self.is_difference))) and (self.len_value.value > 0)) :
                pass
                self._raw_document = self._io.read_bytes(self.len_value.value)
                _io__raw_document = KaitaiStream(BytesIO(self._raw_document))
                self.document = MysqlBinlog.JsonDocument(_io__raw_document, self, self._root)

            if self.is_difference:
                pass
                self._raw_differences = self._io.read_bytes(self.len_value.value)
                _io__raw_differences = KaitaiStream(BytesIO(self._raw_differences))
                self.differences = MysqlBinlog.JsonDifferences(_io__raw_differences, self, self._root)



        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()
            if  (((not (self.is_difference))) and (self.len_value.value > 0)) :
                pass
                self.document._fetch_instances()

            if self.is_difference:
                pass
                self.differences._fetch_instances()


        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            if  (((not (self.is_difference))) and (self.len_value.value > 0)) :
                pass
                self._m_plain = self.document

            return getattr(self, '_m_plain', None)


    class KeyPart(KaitaiStruct):
        """A column of a primary key.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L492
        """
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
        """The columns of a primary key.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L484
        """
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



    class LoadBlockEvent(KaitaiStruct):
        """Bytes of the file of a LOAD DATA: the first ones in BEGIN_LOAD_QUERY (MySQL 5.0.3 and later),
        further ones in APPEND_BLOCK.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L894
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.LoadBlockEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.file_id = self._io.read_u4le()
            self.block = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class LoadEndEvent(KaitaiStruct):
        """The file of a LOAD DATA is complete, and the statement runs (EXEC_LOAD, MySQL 4.0 to 5.0.2);
        or it is thrown away, since the statement failed (DELETE_FILE).
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L818
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.LoadEndEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.file_id = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class LoadEvent(KaitaiStruct):
        """A LOAD DATA of old servers, taken apart: LOAD of MySQL 3.23, NEW_LOAD of 4.0 to 5.0.2, and
        CREATE_FILE, which brings the first part of the file along.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L345
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.LoadEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.thread_id = self._io.read_u4le()
            self.exec_time = self._io.read_u4le()
            self.num_skipped_lines = self._io.read_u4le()
            self.len_table_name = self._io.read_u1()
            self.len_database_name = self._io.read_u1()
            self.num_field_names = self._io.read_u4le()
            if self.is_create_file:
                pass
                self.file_id = self._io.read_u4le()

            if self._parent.event_type == MysqlBinlog.EventType.load:
                pass
                self.old_format = MysqlBinlog.LoadFormatOld(self._io, self, self._root)

            if self._parent.event_type != MysqlBinlog.EventType.load:
                pass
                self.format = MysqlBinlog.LoadFormat(self._io, self, self._root)

            self.len_field_names = []
            for i in range(self.num_field_names):
                self.len_field_names.append(self._io.read_u1())

            self.field_names = []
            for i in range(self.num_field_names):
                self.field_names.append(MysqlBinlog.LoadFieldName(self.len_field_names[i], self._io, self, self._root))

            self.table_name = self._io.read_bytes(self.len_table_name)
            self.table_name_end = self._io.read_u1()
            if not self.table_name_end == 0:
                raise kaitaistruct.ValidationNotEqualError(0, self.table_name_end, self._io, u"/types/load_event/seq/12")
            self.database_name = self._io.read_bytes(self.len_database_name)
            self.database_name_end = self._io.read_u1()
            if not self.database_name_end == 0:
                raise kaitaistruct.ValidationNotEqualError(0, self.database_name_end, self._io, u"/types/load_event/seq/14")
            if (not (self.is_create_file)):
                pass
                self.file_name = self._io.read_bytes_full()

            if self.is_create_file:
                pass
                self.created_file_name = self._io.read_bytes_term(0, False, True, True)

            if self.is_create_file:
                pass
                self.block = self._io.read_bytes_full()



        def _fetch_instances(self):
            pass
            if self.is_create_file:
                pass

            if self._parent.event_type == MysqlBinlog.EventType.load:
                pass
                self.old_format._fetch_instances()

            if self._parent.event_type != MysqlBinlog.EventType.load:
                pass
                self.format._fetch_instances()

            for i in range(len(self.len_field_names)):
                pass

            for i in range(len(self.field_names)):
                pass
                self.field_names[i]._fetch_instances()

            if (not (self.is_create_file)):
                pass

            if self.is_create_file:
                pass

            if self.is_create_file:
                pass


        @property
        def is_create_file(self):
            """The first part of the file is in the event."""
            if hasattr(self, '_m_is_create_file'):
                return self._m_is_create_file

            self._m_is_create_file = self._parent.event_type == MysqlBinlog.EventType.create_file
            return getattr(self, '_m_is_create_file', None)


    class LoadFieldName(KaitaiStruct):
        """The name of a column, with a terminator.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L468
        """
        def __init__(self, len_name, _io, _parent=None, _root=None):
            super(MysqlBinlog.LoadFieldName, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_name = len_name
            self._read()

        def _read(self):
            self.name = self._io.read_bytes(self.len_name)
            self.name_end = self._io.read_bytes(1)
            if not self.name_end == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.name_end, self._io, u"/types/load_field_name/seq/1")


        def _fetch_instances(self):
            pass


    class LoadFormat(KaitaiStruct):
        """How the file is written. MySQL 4.0 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L439
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.LoadFormat, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.field_terminator = MysqlBinlog.ShortBytes(self._io, self, self._root)
            self.field_enclosure = MysqlBinlog.ShortBytes(self._io, self, self._root)
            self.line_terminator = MysqlBinlog.ShortBytes(self._io, self, self._root)
            self.line_start = MysqlBinlog.ShortBytes(self._io, self, self._root)
            self.escape = MysqlBinlog.ShortBytes(self._io, self, self._root)
            self.options = self._io.read_u1()


        def _fetch_instances(self):
            pass
            self.field_terminator._fetch_instances()
            self.field_enclosure._fetch_instances()
            self.line_terminator._fetch_instances()
            self.line_start._fetch_instances()
            self.escape._fetch_instances()

        @property
        def is_dumpfile(self):
            """SELECT ... INTO DUMPFILE."""
            if hasattr(self, '_m_is_dumpfile'):
                return self._m_is_dumpfile

            self._m_is_dumpfile = self.options & 1 != 0
            return getattr(self, '_m_is_dumpfile', None)

        @property
        def is_ignore(self):
            """IGNORE: rows whose key is there already are left out."""
            if hasattr(self, '_m_is_ignore'):
                return self._m_is_ignore

            self._m_is_ignore = self.options & 8 != 0
            return getattr(self, '_m_is_ignore', None)

        @property
        def is_optionally_enclosed(self):
            """FIELDS OPTIONALLY ENCLOSED BY."""
            if hasattr(self, '_m_is_optionally_enclosed'):
                return self._m_is_optionally_enclosed

            self._m_is_optionally_enclosed = self.options & 2 != 0
            return getattr(self, '_m_is_optionally_enclosed', None)

        @property
        def is_replace(self):
            """REPLACE: rows whose key is there already take their place."""
            if hasattr(self, '_m_is_replace'):
                return self._m_is_replace

            self._m_is_replace = self.options & 4 != 0
            return getattr(self, '_m_is_replace', None)


    class LoadFormatOld(KaitaiStruct):
        """How the file is written. MySQL 3.23.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L448
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.LoadFormatOld, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.field_terminator = self._io.read_bytes(1)
            self.field_enclosure = self._io.read_bytes(1)
            self.line_terminator = self._io.read_bytes(1)
            self.line_start = self._io.read_bytes(1)
            self.escape = self._io.read_bytes(1)
            self.options = self._io.read_u1()
            self.empty_flags = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class LongBytes(KaitaiStruct):
        """Bytes with a length of four bytes before them.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1413
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.LongBytes, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_bytes = self._io.read_u2le()
            self.bytes = self._io.read_bytes(self.len_bytes)


        def _fetch_instances(self):
            pass


    class LongValue(KaitaiStruct):
        """INT.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10321
        """
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
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.unsigned_value if self.is_unsigned else self.signed_value)
            return getattr(self, '_m_value', None)


    class LonglongValue(KaitaiStruct):
        """BIGINT; one of the two values is there.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10332
        """
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
                self.signed_value = MysqlBinlog.SignedLonglong(self._io, self, self._root)



        def _fetch_instances(self):
            pass
            if self.is_unsigned:
                pass

            if (not (self.is_unsigned)):
                pass
                self.signed_value._fetch_instances()


        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = (self.unsigned_value if self.is_unsigned else self.signed_value.value)
            return getattr(self, '_m_plain', None)


    class MariadbGtid(KaitaiStruct):
        """A GTID of MariaDB.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3794
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.MariadbGtid, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.domain_id = self._io.read_u4le()
            self.server_id = self._io.read_u4le()
            self.seq_no = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class MariadbGtidEvent(KaitaiStruct):
        """Opens a transaction of MariaDB 10.0.2 and later, instead of a `BEGIN`. The text of the
        GTID is domain, server and sequence number; the server is that of the event header.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L3614
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
            """The session ran without `skip_parallel_replication`."""
            if hasattr(self, '_m_allows_parallel'):
                return self._m_allows_parallel

            self._m_allows_parallel = self.flags & 8 != 0
            return getattr(self, '_m_allows_parallel', None)

        @property
        def has_commit_id(self):
            """The transaction was committed in a group."""
            if hasattr(self, '_m_has_commit_id'):
                return self._m_has_commit_id

            self._m_has_commit_id = self.flags & 2 != 0
            return getattr(self, '_m_has_commit_id', None)

        @property
        def has_flags_extra(self):
            """More flags follow."""
            if hasattr(self, '_m_has_flags_extra'):
                return self._m_has_flags_extra

            self._m_has_flags_extra = self._io.size() > (13 + (8 if self.has_commit_id else 0)) + ((6 + self.xid.len_gtrid) + self.xid.len_bqual if  ((self.is_prepared_xa) or (self.is_completed_xa))  else 0)
            return getattr(self, '_m_has_flags_extra', None)

        @property
        def is_completed_xa(self):
            """It is the end of a distributed transaction."""
            if hasattr(self, '_m_is_completed_xa'):
                return self._m_is_completed_xa

            self._m_is_completed_xa = self.flags & 128 != 0
            return getattr(self, '_m_is_completed_xa', None)

        @property
        def is_ddl(self):
            """It is a DDL statement."""
            if hasattr(self, '_m_is_ddl'):
                return self._m_is_ddl

            self._m_is_ddl = self.flags & 32 != 0
            return getattr(self, '_m_is_ddl', None)

        @property
        def is_prepared_xa(self):
            """It is the prepared part of a distributed transaction."""
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
            """All changes can be rolled back."""
            if hasattr(self, '_m_is_transactional'):
                return self._m_is_transactional

            self._m_is_transactional = self.flags & 4 != 0
            return getattr(self, '_m_is_transactional', None)

        @property
        def was_waiting(self):
            """A wait for a lock was seen as it ran."""
            if hasattr(self, '_m_was_waiting'):
                return self._m_was_waiting

            self._m_was_waiting = self.flags & 16 != 0
            return getattr(self, '_m_was_waiting', None)


    class MemberList(KaitaiStruct):
        """The members of one ENUM or SET column.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
        """
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
        """The members of all SET columns or of all ENUM columns, in the order of the columns.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
        """
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
        """What MySQL Cluster adds.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L790
        """
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


    class OptionalMetadataField(KaitaiStruct):
        """A field of the optional metadata of a table map.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L411
        """
        def __init__(self, field_index, signedness_index, default_charset_index, column_charset_index, column_names_index, enum_members_index, set_members_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.OptionalMetadataField, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.field_index = field_index
            self.signedness_index = signedness_index
            self.default_charset_index = default_charset_index
            self.column_charset_index = column_charset_index
            self.column_names_index = column_names_index
            self.enum_members_index = enum_members_index
            self.set_members_index = set_members_index
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
        def next_enum_members_index(self):
            if hasattr(self, '_m_next_enum_members_index'):
                return self._m_next_enum_members_index

            self._m_next_enum_members_index = (self.field_index if self.field_type == MysqlBinlog.OptionalMetadataType.enum_str_value else self.enum_members_index)
            return getattr(self, '_m_next_enum_members_index', None)

        @property
        def next_set_members_index(self):
            if hasattr(self, '_m_next_set_members_index'):
                return self._m_next_set_members_index

            self._m_next_set_members_index = (self.field_index if self.field_type == MysqlBinlog.OptionalMetadataType.set_str_value else self.set_members_index)
            return getattr(self, '_m_next_set_members_index', None)

        @property
        def next_signedness_index(self):
            if hasattr(self, '_m_next_signedness_index'):
                return self._m_next_signedness_index

            self._m_next_signedness_index = (self.field_index if self.field_type == MysqlBinlog.OptionalMetadataType.signedness else self.signedness_index)
            return getattr(self, '_m_next_signedness_index', None)


    class PackedBytes(KaitaiStruct):
        """Bytes with a packed integer before them, their length.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L462
        """
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
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/binlog_event.h#L814
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PackedInt, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.first = self._io.read_u1()
            if not  ((self.first == (0 if  ((self.first == 251) or (self.first == 255))  else self.first))) :
                raise kaitaistruct.ValidationNotAnyOfError(self.first, self._io, u"/types/packed_int/seq/0")
            if self.first >= 251:
                pass
                self.tail = MysqlBinlog.UintLe(self.len - 1, self._io, self, self._root)



        def _fetch_instances(self):
            pass
            if self.first >= 251:
                pass
                self.tail._fetch_instances()


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

            self._m_value = (self.first if self.first < 251 else self.tail.value)
            return getattr(self, '_m_value', None)


    class PackedInts(KaitaiStruct):
        """Integers to the end.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L477
        """
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
        """Text with a packed integer before it, its length.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L454
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PackedStr, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_bytes = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.bytes = self._io.read_bytes(self.len_bytes.value)


        def _fetch_instances(self):
            pass
            self.len_bytes._fetch_instances()

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.bytes).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class PackedStrs(KaitaiStruct):
        """Texts to the end.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L454
        """
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



    class PartialRowDataEvent(KaitaiStruct):
        """A part of a rows event that is too large for one event. MariaDB 12.3 and later. The parts
        follow each other, and together are the rows event with its header. Public descriptions give
        the first two fields in different orders: in the first part, the number of the part is 1, and
        that of all parts is 2 or more.
        
        .. seealso::
           the manual; the source of 12.3 was not read - https://mariadb.com/docs/server/reference/clientserver-protocol/replication-protocol/partial_row_data_event
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PartialRowDataEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.first_number = self._io.read_u4le()
            self.second_number = self._io.read_u4le()
            self.flags = self._io.read_u1()
            if self.flags & 1 != 0:
                pass
                self.len_rows_event = self._io.read_u8le()

            self.part = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            if self.flags & 1 != 0:
                pass



    class PartitionRowInfo(KaitaiStruct):
        """MySQL 8.0.16 and later. Rows of different partitions are in different events.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L804
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PartitionRowInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.partition_id = self._io.read_u2le()
            if self._parent._parent._parent.operation_code & 1 != 0:
                pass
                self.source_partition_id = self._io.read_u2le()



        def _fetch_instances(self):
            pass
            if self._parent._parent._parent.operation_code & 1 != 0:
                pass



    class PayloadField(KaitaiStruct):
        """A field of the header of a compressed transaction.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L764
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PayloadField, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.field_type_code = MysqlBinlog.PackedInt(self._io, self, self._root)
            if (not (self.is_end)):
                pass
                self.len_value = MysqlBinlog.PackedInt(self._io, self, self._root)

            if (not (self.is_end)):
                pass
                self._raw_value = self._io.read_bytes(self.len_value.value)
                _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                self.value = MysqlBinlog.PackedInt(_io__raw_value, self, self._root)



        def _fetch_instances(self):
            pass
            self.field_type_code._fetch_instances()
            if (not (self.is_end)):
                pass
                self.len_value._fetch_instances()

            if (not (self.is_end)):
                pass
                self.value._fetch_instances()


        @property
        def field_type(self):
            """What the field is."""
            if hasattr(self, '_m_field_type'):
                return self._m_field_type

            self._m_field_type = KaitaiStream.resolve_enum(MysqlBinlog.PayloadFieldType, self.field_type_code.value)
            return getattr(self, '_m_field_type', None)

        @property
        def is_end(self):
            if hasattr(self, '_m_is_end'):
                return self._m_is_end

            self._m_is_end = self.field_type_code.value == 0
            return getattr(self, '_m_is_end', None)


    class PreviousGtidsEvent(KaitaiStruct):
        """The GTIDs of all earlier files, as a set. MySQL 5.6 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/rpl_gtid_set.cc#L1237
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.PreviousGtidsEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.format_low = self._io.read_u1()
            self.num_sources_low = self._io.read_u4le()
            self.num_sources_high = self._io.read_u2le()
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
            """Sources may have tags."""
            if hasattr(self, '_m_is_tagged'):
                return self._m_is_tagged

            self._m_is_tagged = self.format == 1
            return getattr(self, '_m_is_tagged', None)

        @property
        def num_sources(self):
            """Number of `sources`."""
            if hasattr(self, '_m_num_sources'):
                return self._m_num_sources

            self._m_num_sources = (self.num_sources_low + self.num_sources_high * 4294967296 if self.is_tagged else (self.format_low + self.num_sources_low * 256) + self.num_sources_high * 1099511627776)
            return getattr(self, '_m_num_sources', None)


    class QueryAutoIncrement(KaitaiStruct):
        """How AUTO_INCREMENT values are made.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L245
        """
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
        """MySQL 5.0.0 to 5.0.3.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L437
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryCatalogZ, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_text = self._io.read_u1()
            self.text = self._io.read_bytes(self.len_text)
            self.text_end = self._io.read_bytes(1)
            if not self.text_end == b"\x00":
                raise kaitaistruct.ValidationNotEqualError(b"\x00", self.text_end, self._io, u"/types/query_catalog_z/seq/2")


        def _fetch_instances(self):
            pass


    class QueryCharacterSetCollation(KaitaiStruct):
        """A character set and the collation that is its default in the session.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/46cfe8c2ab7e77228dadb3974bc7e3446f3f7f7d/sql/charset_collations.h#L203
        """
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
        """MariaDB 11.3 and later.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/46cfe8c2ab7e77228dadb3974bc7e3446f3f7f7d/sql/charset_collations.h#L203
        """
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
        """Collation ids.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L259
        """
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
        """A statement as text: DDL, the `BEGIN` and `COMMIT` around a transaction, and in
        statement-based logging every change.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L57
        """
        def __init__(self, is_load, is_compressed, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.is_load = is_load
            self.is_compressed = is_compressed
            self._read()

        def _read(self):
            self.thread_id = self._io.read_u4le()
            self.exec_time = self._io.read_u4le()
            self.len_database_name = self._io.read_u1()
            self.error_code = self._io.read_u2le()
            if self.has_status_vars:
                pass
                self.len_status_vars = self._io.read_u2le()

            if self.is_load:
                pass
                self.file_id = self._io.read_u4le()

            if self.is_load:
                pass
                self.ofs_file_name = self._io.read_u4le()

            if self.is_load:
                pass
                self.ofs_file_name_end = self._io.read_u4le()

            if self.is_load:
                pass
                self.duplicate_handling = KaitaiStream.resolve_enum(MysqlBinlog.DuplicateHandling, self._io.read_u1())

            if self.has_status_vars:
                pass
                self.status_vars = self._io.read_bytes(self.len_status_vars)

            self.database_name = self._io.read_bytes(self.len_database_name)
            self.database_name_end = self._io.read_u1()
            if not self.database_name_end == 0:
                raise kaitaistruct.ValidationNotEqualError(0, self.database_name_end, self._io, u"/types/query_event/seq/11")
            if (not (self.is_compressed)):
                pass
                self.query = self._io.read_bytes_full()

            if self.is_compressed:
                pass
                self._raw_compressed_query = self._io.read_bytes_full()
                _io__raw_compressed_query = KaitaiStream(BytesIO(self._raw_compressed_query))
                self.compressed_query = MysqlBinlog.CompressedRecord(_io__raw_compressed_query, self, self._root)



        def _fetch_instances(self):
            pass
            if self.has_status_vars:
                pass

            if self.is_load:
                pass

            if self.is_load:
                pass

            if self.is_load:
                pass

            if self.is_load:
                pass

            if self.has_status_vars:
                pass

            if (not (self.is_compressed)):
                pass

            if self.is_compressed:
                pass
                self.compressed_query._fetch_instances()

            _ = self.session
            if hasattr(self, '_m_session'):
                pass
                self._m_session._fetch_instances()


        @property
        def has_status_vars(self):
            """Servers before MySQL 5.0 log no `status_vars`."""
            if hasattr(self, '_m_has_status_vars'):
                return self._m_has_status_vars

            self._m_has_status_vars = self._root.events[self._parent.format_index].body.has_status_vars
            return getattr(self, '_m_has_status_vars', None)

        @property
        def session(self):
            """The state of the session that the statement depends on."""
            if hasattr(self, '_m_session'):
                return self._m_session

            if self.has_status_vars:
                pass
                _pos = self._io.pos()
                self._io.seek((26 if self.is_load else 13))
                self._raw__m_session = self._io.read_bytes(self.len_status_vars)
                _io__raw__m_session = KaitaiStream(BytesIO(self._raw__m_session))
                self._m_session = MysqlBinlog.StatusVars(_io__raw__m_session, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_session', None)

        @property
        def text(self):
            """The statement for people: as UTF-8 if that is the client's character set, otherwise as
            latin1, whatever it is. Some languages refuse it if it contains binary values.
            """
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (u"(compressed)" if self.is_compressed else ((self.query).decode(u"windows-1252", u"replace") if (not (self.has_status_vars)) else ((self.query).decode(u"UTF-8", u"replace") if self.session.is_utf8 else (self.query).decode(u"windows-1252", u"replace"))))
            return getattr(self, '_m_text', None)


    class QueryFlags2(KaitaiStruct):
        """Options of the session.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L170
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryFlags2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self._raw_flag_bits = self._io.read_bytes(4)
            _io__raw_flag_bits = KaitaiStream(BytesIO(self._raw_flag_bits))
            self.flag_bits = MysqlBinlog.SessionFlags(_io__raw_flag_bits, self, self._root)


        def _fetch_instances(self):
            pass
            self.flag_bits._fetch_instances()

        @property
        def bits(self):
            """The same as one integer."""
            if hasattr(self, '_m_bits'):
                return self._m_bits

            self._m_bits = self.flag_bits.value
            return getattr(self, '_m_bits', None)


    class QueryGtidFlags3(KaitaiStruct):
        """MariaDB.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L334
        """
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
        """The account under whose rights a stored program ran.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L371
        """
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


    class QueryName(KaitaiStruct):
        """A name with a terminator.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L388
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryName, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.bytes = self._io.read_bytes_term(0, False, True, True)


        def _fetch_instances(self):
            pass

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.bytes).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class QuerySqlMode(KaitaiStruct):
        """The SQL mode.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L191
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QuerySqlMode, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self._raw_modes = self._io.read_bytes(8)
            _io__raw_modes = KaitaiStream(BytesIO(self._raw_modes))
            self.modes = MysqlBinlog.SqlModes(_io__raw_modes, self, self._root)


        def _fetch_instances(self):
            pass
            self.modes._fetch_instances()

        @property
        def sql_mode(self):
            """The same as one integer; 0x45a00020 is the default of MySQL 8."""
            if hasattr(self, '_m_sql_mode'):
                return self._m_sql_mode

            self._m_sql_mode = self.modes.value
            return getattr(self, '_m_sql_mode', None)


    class QueryText(KaitaiStruct):
        """A text with its length before it.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L230
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.QueryText, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_bytes = self._io.read_u1()
            self.bytes = self._io.read_bytes(self.len_bytes)


        def _fetch_instances(self):
            pass

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.bytes).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class QueryU1(KaitaiStruct):
        """An integer of one byte.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L397
        """
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
        """An integer of two bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L302
        """
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
        """An integer of three bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L497
        """
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
        """An integer of four bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L356
        """
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
        """An integer of eight bytes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L340
        """
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
        """The databases that a statement changes.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L388
        """
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
                    self.names.append(MysqlBinlog.QueryName(self._io, self, self._root))




        def _fetch_instances(self):
            pass
            if self.num_names != 254:
                pass
                for i in range(len(self.names)):
                    pass
                    self.names[i]._fetch_instances()




    class RandEvent(KaitaiStruct):
        """Seeds of RAND() for the next statement. MySQL 4.1.1 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L1006
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RandEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.seed1 = self._io.read_u8le()
            self.seed2 = self._io.read_u8le()


        def _fetch_instances(self):
            pass


    class RawBytes(KaitaiStruct):
        """Bytes without a layout."""
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
        """The log goes on in another file. With `is_artificial` set it names the file of the events that
        follow.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L75
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RotateEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self._root.len_header > 13:
                pass
                self.position = self._io.read_u8le()

            self.next_log_file = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            if self._root.len_header > 13:
                pass



    class Row(KaitaiStruct):
        """A row that was inserted, updated or deleted. An image has a cell for each column of the table,
        present or not.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L851
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.Row, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self._parent.head.operation_code != 0:
                pass
                self.before_null_bitmap = self._io.read_bytes((self._parent.column_layouts[-1].next_present_index + 7) // 8)

            if self._parent.head.operation_code != 0:
                pass
                self.before_image = []
                for i in range(self._parent.head.num_columns.value):
                    self.before_image.append(MysqlBinlog.Cell(i, False, False, self._io, self, self._root))


            if self._parent.head.operation_code == 3:
                pass
                self.value_options = MysqlBinlog.PackedInt(self._io, self, self._root)

            if (self.value_options.value == 1 if self._parent.head.operation_code == 3 else False):
                pass
                self.partial_bitmap = self._io.read_bytes((self._parent.layout.num_json_columns + 7) // 8)

            if self._parent.head.operation_code != 2:
                pass
                self.after_null_bitmap = self._io.read_bytes((self._parent.column_layouts[-1].next_present_index_after + 7) // 8)

            if self._parent.head.operation_code != 2:
                pass
                self.after_image = []
                for i in range(self._parent.head.num_columns.value):
                    self.after_image.append(MysqlBinlog.Cell(i, True, (self.value_options.value == 1 if self._parent.head.operation_code == 3 else False), self._io, self, self._root))




        def _fetch_instances(self):
            pass
            if self._parent.head.operation_code != 0:
                pass

            if self._parent.head.operation_code != 0:
                pass
                for i in range(len(self.before_image)):
                    pass
                    self.before_image[i]._fetch_instances()


            if self._parent.head.operation_code == 3:
                pass
                self.value_options._fetch_instances()

            if (self.value_options.value == 1 if self._parent.head.operation_code == 3 else False):
                pass

            if self._parent.head.operation_code != 2:
                pass

            if self._parent.head.operation_code != 2:
                pass
                for i in range(len(self.after_image)):
                    pass
                    self.after_image[i]._fetch_instances()




    class RowColumn(KaitaiStruct):
        """A column of the table map, as the images of one rows event hold it.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L769
        """
        def __init__(self, column_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowColumn, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def collation(self):
            """As in the table map."""
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = self._parent.column_layouts[self.column_index].collation
            return getattr(self, '_m_collation', None)

        @property
        def column_type(self):
            """What the column is."""
            if hasattr(self, '_m_column_type'):
                return self._m_column_type

            self._m_column_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.type_code)
            return getattr(self, '_m_column_type', None)

        @property
        def is_present(self):
            """The first (or only) image of a row holds the column."""
            if hasattr(self, '_m_is_present'):
                return self._m_is_present

            self._m_is_present = self._parent.column_layouts[self.column_index].is_present
            return getattr(self, '_m_is_present', None)

        @property
        def is_present_after(self):
            """The after image of a row holds the column."""
            if hasattr(self, '_m_is_present_after'):
                return self._m_is_present_after

            self._m_is_present_after = self._parent.column_layouts[self.column_index].is_present_after
            return getattr(self, '_m_is_present_after', None)

        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = self._parent.column_layouts[self.column_index].is_unsigned
            return getattr(self, '_m_is_unsigned', None)

        @property
        def max_length(self):
            """As in the table map."""
            if hasattr(self, '_m_max_length'):
                return self._m_max_length

            self._m_max_length = self._parent.column_layouts[self.column_index].max_length
            return getattr(self, '_m_max_length', None)

        @property
        def name(self):
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = self._parent.column_layouts[self.column_index].name
            return getattr(self, '_m_name', None)

        @property
        def type_code(self):
            """As in the table map."""
            if hasattr(self, '_m_type_code'):
                return self._m_type_code

            self._m_type_code = self._parent.column_layouts[self.column_index].type_code
            return getattr(self, '_m_type_code', None)


    class RowColumnLayout(KaitaiStruct):
        """How the cells of a column are read in the images of one rows event.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L769
        """
        def __init__(self, column_index, present_index, present_index_after, json_index, is_row_sized_before, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowColumnLayout, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.column_index = column_index
            self.present_index = present_index
            self.present_index_after = present_index_after
            self.json_index = json_index
            self.is_row_sized_before = is_row_sized_before
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def collation(self):
            """As in the table map."""
            if hasattr(self, '_m_collation'):
                return self._m_collation

            self._m_collation = self._root.events[self._parent.layout.table_map_event_index].body.column_layouts[self.column_index].collation
            return getattr(self, '_m_collation', None)

        @property
        def column_type(self):
            """What the column is."""
            if hasattr(self, '_m_column_type'):
                return self._m_column_type

            self._m_column_type = KaitaiStream.resolve_enum(MysqlBinlog.ColumnType, self.type_code)
            return getattr(self, '_m_column_type', None)

        @property
        def is_present(self):
            """The first (or only) image of a row holds the column."""
            if hasattr(self, '_m_is_present'):
                return self._m_is_present

            self._m_is_present = KaitaiStream.byte_array_index(self._parent.head.columns_present_bitmap, self.column_index // 8) >> self.column_index % 8 & 1 != 0
            return getattr(self, '_m_is_present', None)

        @property
        def is_present_after(self):
            """The after image of a row holds the column."""
            if hasattr(self, '_m_is_present_after'):
                return self._m_is_present_after

            self._m_is_present_after = (KaitaiStream.byte_array_index(self._parent.head.columns_present_bitmap_after, self.column_index // 8) >> self.column_index % 8 & 1 != 0 if  ((self._parent.head.operation_code & 1 != 0) and (self._parent.head.version > 0))  else self.is_present)
            return getattr(self, '_m_is_present_after', None)

        @property
        def is_row_sized(self):
            """The widths of this column and of all before it are known."""
            if hasattr(self, '_m_is_row_sized'):
                return self._m_is_row_sized

            self._m_is_row_sized =  ((self.is_row_sized_before) and (self.type_code != 0) and (self.type_code != 20) and (self.type_code != 243) and (self.type_code != 244)) 
            return getattr(self, '_m_is_row_sized', None)

        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = self._root.events[self._parent.layout.table_map_event_index].body.column_layouts[self.column_index].is_unsigned
            return getattr(self, '_m_is_unsigned', None)

        @property
        def is_utf8(self):
            if hasattr(self, '_m_is_utf8'):
                return self._m_is_utf8

            self._m_is_utf8 = self._root.events[self._parent.layout.table_map_event_index].body.column_layouts[self.column_index].is_utf8
            return getattr(self, '_m_is_utf8', None)

        @property
        def len_len_value(self):
            """Bytes of the length before each value, for the types that have one. -1, which is no valid
            size, if the metadata is not a number from 1 to 4.
            """
            if hasattr(self, '_m_len_len_value'):
                return self._m_len_len_value

            self._m_len_len_value = ((2 if self.max_length > 255 else 1) if  ((self.type_code == 15) or (self.type_code == 141) or (self.type_code == 253) or (self.type_code == 254))  else (-1 if  (( ((self.max_length < 1) or (self.max_length > 4)) ) and ( ((self.type_code == 140) or (self.type_code == 242) or (self.type_code == 245) or ( ((self.type_code >= 249) and (self.type_code <= 252)) ) or (self.type_code == 255)) ))  else self.max_length))
            return getattr(self, '_m_len_len_value', None)

        @property
        def max_length(self):
            """As in the table map."""
            if hasattr(self, '_m_max_length'):
                return self._m_max_length

            self._m_max_length = self._root.events[self._parent.layout.table_map_event_index].body.column_layouts[self.column_index].max_length
            return getattr(self, '_m_max_length', None)

        @property
        def name(self):
            if hasattr(self, '_m_name'):
                return self._m_name

            self._m_name = self._root.events[self._parent.layout.table_map_event_index].body.column_layouts[self.column_index].name
            return getattr(self, '_m_name', None)

        @property
        def next_json_index(self):
            if hasattr(self, '_m_next_json_index'):
                return self._m_next_json_index

            self._m_next_json_index = (self.json_index + 1 if self.type_code == 245 else self.json_index)
            return getattr(self, '_m_next_json_index', None)

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
            """As in the table map."""
            if hasattr(self, '_m_type_code'):
                return self._m_type_code

            self._m_type_code = self._root.events[self._parent.layout.table_map_event_index].body.column_layouts[self.column_index].type_code
            return getattr(self, '_m_type_code', None)

        @property
        def value_kind(self):
            """1000 for text that is known to be UTF-8; otherwise the type code."""
            if hasattr(self, '_m_value_kind'):
                return self._m_value_kind

            self._m_value_kind = (1000 if  ((self.is_utf8) and ( ((self.type_code == 15) or ( ((self.type_code >= 249) and (self.type_code <= 254)) )) ))  else self.type_code)
            return getattr(self, '_m_value_kind', None)


    class RowsEvent(KaitaiStruct):
        """Rows that were inserted, updated or deleted in one table. Version 0 (types 20 to 22) is of
        MySQL 5.1.0 to 5.1.17; what its null bitmaps hold depends on the table's storage, so its rows
        stay raw. Version 1 (23 to 25) and version 2 (30 to 32) differ in the extra row info only.
        PARTIAL_UPDATE_ROWS (39) may have JSON documents as lists of differences. In MariaDB's
        compressed forms (166 to 171) the rows, and only these, are compressed.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L723
        """
        def __init__(self, form, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowsEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.form = form
            self._read()

        def _read(self):
            self.head = MysqlBinlog.RowsHead((self.form & 3), ((self.form // 4) % 4), self.form >= 16, self._io, self, self._root)
            if (not (self.head.is_compressed)):
                pass
                self.row_data = self._io.read_bytes_full()

            if self.head.is_compressed:
                pass
                self._raw_compressed_row_data = self._io.read_bytes_full()
                _io__raw_compressed_row_data = KaitaiStream(BytesIO(self._raw_compressed_row_data))
                self.compressed_row_data = MysqlBinlog.CompressedRecord(_io__raw_compressed_row_data, self, self._root)



        def _fetch_instances(self):
            pass
            self.head._fetch_instances()
            if (not (self.head.is_compressed)):
                pass

            if self.head.is_compressed:
                pass
                self.compressed_row_data._fetch_instances()

            _ = self.column_layouts
            if hasattr(self, '_m_column_layouts'):
                pass
                for i in range(len(self._m_column_layouts)):
                    pass
                    self._m_column_layouts[i]._fetch_instances()


            _ = self.columns
            if hasattr(self, '_m_columns'):
                pass
                for i in range(len(self._m_columns)):
                    pass
                    self._m_columns[i]._fetch_instances()


            _ = self.layout
            if hasattr(self, '_m_layout'):
                pass
                self._m_layout._fetch_instances()

            _ = self.rows
            if hasattr(self, '_m_rows'):
                pass
                for i in range(len(self._m_rows)):
                    pass
                    self._m_rows[i]._fetch_instances()



        @property
        def column_layouts(self):
            """How the cells of each column are read."""
            if hasattr(self, '_m_column_layouts'):
                return self._m_column_layouts

            if self.layout.has_wide_table_map:
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_column_layouts = []
                for i in range(self.head.num_columns.value):
                    self._m_column_layouts.append(MysqlBinlog.RowColumnLayout(i, (0 if i == 0 else self.column_layouts[i - 1].next_present_index), (0 if i == 0 else self.column_layouts[i - 1].next_present_index_after), (0 if i == 0 else self.column_layouts[i - 1].next_json_index), (True if i == 0 else self.column_layouts[i - 1].is_row_sized), self._io, self, self._root))

                self._io.seek(_pos)

            return getattr(self, '_m_column_layouts', None)

        @property
        def columns(self):
            """The columns of the table, as the rows of this event hold them."""
            if hasattr(self, '_m_columns'):
                return self._m_columns

            if self.layout.has_wide_table_map:
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_columns = []
                for i in range(len(self.column_layouts)):
                    self._m_columns.append(MysqlBinlog.RowColumn(i, self._io, self, self._root))

                self._io.seek(_pos)

            return getattr(self, '_m_columns', None)

        @property
        def database(self):
            """Name of the database of the table."""
            if hasattr(self, '_m_database'):
                return self._m_database

            if self.layout.has_table_map:
                pass
                self._m_database = self._root.events[self.layout.table_map_event_index].body.database

            return getattr(self, '_m_database', None)

        @property
        def layout(self):
            """How the rows are laid out, and the table map that says so."""
            if hasattr(self, '_m_layout'):
                return self._m_layout

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_layout = MysqlBinlog.RowsLayout(self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_layout', None)

        @property
        def operation(self):
            """What was done with the rows."""
            if hasattr(self, '_m_operation'):
                return self._m_operation

            self._m_operation = KaitaiStream.resolve_enum(MysqlBinlog.RowOperation, self.head.operation_code)
            return getattr(self, '_m_operation', None)

        @property
        def rows(self):
            """Parsed on demand. Absent if the table map is not in the file, or does not give the width
            of each column. A row without a present column has no bytes, and is not shown: an insert
            of defaults only, under `binlog_row_image=MINIMAL`.
            """
            if hasattr(self, '_m_rows'):
                return self._m_rows

            if self.layout.is_row_sized:
                pass
                _pos = self._io.pos()
                self._io.seek(self._io.size() - len(self.row_data))
                self._m_rows = []
                i = 0
                while not self._io.is_eof():
                    self._m_rows.append(MysqlBinlog.Row(self._io, self, self._root))
                    i += 1

                self._io.seek(_pos)

            return getattr(self, '_m_rows', None)

        @property
        def table(self):
            """Name of the table."""
            if hasattr(self, '_m_table'):
                return self._m_table

            if self.layout.has_table_map:
                pass
                self._m_table = self._root.events[self.layout.table_map_event_index].body.table

            return getattr(self, '_m_table', None)

        @property
        def table_id(self):
            """The number of the table in the table map."""
            if hasattr(self, '_m_table_id'):
                return self._m_table_id

            self._m_table_id = (self.head.table_id_low + self.head.table_id_high * 4294967296 if self._root.events[self._parent.format_index].body.len_table_id == 6 else self.head.table_id_low)
            return getattr(self, '_m_table_id', None)

        @property
        def title(self):
            """For the label. The Web IDE visits instances in the order of their names, and exports those
            that are evaluated by then. This one comes last, so the table map and the rows that it
            needs stay closed nodes.
            """
            if hasattr(self, '_m_title'):
                return self._m_title

            self._m_title = ((((self.database + u".") + self.table if self.layout.has_table_map else u"table " + str(self.table_id)) + u": ") + str(self.layout.num_rows)) + u" rows"
            return getattr(self, '_m_title', None)


    class RowsFlags(KaitaiStruct):
        """The flags of a rows event.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L889
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowsFlags, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_statement_end = self._io.read_bits_int_le(1) != 0
            self.is_no_foreign_key_checks = self._io.read_bits_int_le(1) != 0
            self.is_relaxed_unique_checks = self._io.read_bits_int_le(1) != 0
            self.has_complete_rows = self._io.read_bits_int_le(1) != 0
            self.is_sql_foreign_key = self._io.read_bits_int_le(1) != 0
            self.reserved = self._io.read_bits_int_le(2)
            self.is_no_check_constraints = self._io.read_bits_int_le(1) != 0
            self.reserved2 = self._io.read_bits_int_le(8)


        def _fetch_instances(self):
            pass


    class RowsHead(KaitaiStruct):
        """The first fields of a rows event: its table, flags and present columns.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L728
        """
        def __init__(self, operation_code, version, is_compressed, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowsHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.operation_code = operation_code
            self.version = version
            self.is_compressed = is_compressed
            self._read()

        def _read(self):
            self.table_id_low = self._io.read_u4le()
            if  ((self.version == 2) or (self._root.events[self._parent._parent.format_index].body.len_table_id == 6)) :
                pass
                self.table_id_high = self._io.read_u2le()

            self.flags = self._io.read_u2le()
            if self.version == 2:
                pass
                self.len_extra_row_info = self._io.read_u2le()
                if not self.len_extra_row_info >= 2:
                    raise kaitaistruct.ValidationLessThanError(2, self.len_extra_row_info, self._io, u"/types/rows_head/seq/3")

            if  ((self.version == 2) and (self.len_extra_row_info > 2)) :
                pass
                self._raw_extra_row_info = self._io.read_bytes(self.len_extra_row_info - 2)
                _io__raw_extra_row_info = KaitaiStream(BytesIO(self._raw_extra_row_info))
                self.extra_row_info = MysqlBinlog.ExtraRowInfos(_io__raw_extra_row_info, self, self._root)

            self.num_columns = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.columns_present_bitmap = self._io.read_bytes((self.num_columns.value + 7) // 8)
            if  ((self.operation_code & 1 != 0) and (self.version > 0)) :
                pass
                self.columns_present_bitmap_after = self._io.read_bytes((self.num_columns.value + 7) // 8)



        def _fetch_instances(self):
            pass
            if  ((self.version == 2) or (self._root.events[self._parent._parent.format_index].body.len_table_id == 6)) :
                pass

            if self.version == 2:
                pass

            if  ((self.version == 2) and (self.len_extra_row_info > 2)) :
                pass
                self.extra_row_info._fetch_instances()

            self.num_columns._fetch_instances()
            if  ((self.operation_code & 1 != 0) and (self.version > 0)) :
                pass

            _ = self.flag_bits
            if hasattr(self, '_m_flag_bits'):
                pass
                self._m_flag_bits._fetch_instances()


        @property
        def flag_bits(self):
            """The flags, each by its name."""
            if hasattr(self, '_m_flag_bits'):
                return self._m_flag_bits

            _pos = self._io.pos()
            self._io.seek(self._root.events[self._parent._parent.format_index].body.len_table_id)
            self._m_flag_bits = MysqlBinlog.RowsFlags(self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_flag_bits', None)


    class RowsLayout(KaitaiStruct):
        """How the rows of an event are laid out.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L763
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.RowsLayout, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.table_map_probes
            if hasattr(self, '_m_table_map_probes'):
                pass
                for i in range(len(self._m_table_map_probes)):
                    pass
                    self._m_table_map_probes[i]._fetch_instances()



        @property
        def has_table_map(self):
            """The table map is in the file, in the same statement."""
            if hasattr(self, '_m_has_table_map'):
                return self._m_has_table_map

            self._m_has_table_map = self.table_map_probes[-1].is_match
            return getattr(self, '_m_has_table_map', None)

        @property
        def has_wide_table_map(self):
            """There is a table map, it has as many columns as the event says, and holds more than their
            types.
            """
            if hasattr(self, '_m_has_wide_table_map'):
                return self._m_has_wide_table_map

            self._m_has_wide_table_map = ( ((self._root.events[self.table_map_event_index].body.num_columns.value - self._parent.head.num_columns.value == 0) and (len(self._root.events[self.table_map_event_index].body.details) > 0))  if self.has_table_map else False)
            return getattr(self, '_m_has_wide_table_map', None)

        @property
        def is_row_sized(self):
            """The width of each column is known, so the end of each row is too."""
            if hasattr(self, '_m_is_row_sized'):
                return self._m_is_row_sized

            self._m_is_row_sized = ( ((len(self._parent.column_layouts) == self._parent.head.num_columns.value) and (self._parent.column_layouts[-1].is_row_sized) and ( ((self._parent.column_layouts[-1].next_present_index > 0) or ( ((self._parent.head.operation_code & 1 != 0) and (self._parent.column_layouts[-1].next_present_index_after > 0)) )) ))  if  ((self._parent.head.version > 0) and ((not (self._parent.head.is_compressed))) and (self.has_wide_table_map) and (self._parent.head.num_columns.value > 0))  else False)
            return getattr(self, '_m_is_row_sized', None)

        @property
        def num_json_columns(self):
            """Of the table, whether present in the row images or not."""
            if hasattr(self, '_m_num_json_columns'):
                return self._m_num_json_columns

            self._m_num_json_columns = (self._parent.column_layouts[-1].next_json_index if  ((self.has_wide_table_map) and (self._parent.head.num_columns.value > 0))  else 0)
            return getattr(self, '_m_num_json_columns', None)

        @property
        def num_rows(self):
            """Number of `rows_event.rows`."""
            if hasattr(self, '_m_num_rows'):
                return self._m_num_rows

            self._m_num_rows = (len(self._parent.rows) if self.is_row_sized else 0)
            return getattr(self, '_m_num_rows', None)

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
                _ = MysqlBinlog.TableMapProbe((self._parent._parent.table_map_index if i == 0 else self.table_map_probes[i - 1].prev_index), self._parent.table_id, self._io, self, self._root)
                self._m_table_map_probes.append(_)
                if _.is_done:
                    break
                i += 1
            self._io.seek(_pos)
            return getattr(self, '_m_table_map_probes', None)


    class RowsQueryEvent(KaitaiStruct):
        """The statement that made the rows which follow, for people. MySQL 5.6 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L1149
        """
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

        @property
        def text(self):
            """The statement for people."""
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.query).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class SessionFlags(KaitaiStruct):
        """Options of the session. The other bits are not logged.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/sql/query_options.h#L69
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.SessionFlags, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_bits_int_le(14)
            self.is_auto_is_null = self._io.read_bits_int_le(1) != 0
            self.reserved2 = self._io.read_bits_int_le(4)
            self.is_not_autocommit = self._io.read_bits_int_le(1) != 0
            self.reserved3 = self._io.read_bits_int_le(4)
            self.is_explicit_timestamp = self._io.read_bits_int_le(1) != 0
            self.reserved4 = self._io.read_bits_int_le(1) != 0
            self.is_no_foreign_key_checks = self._io.read_bits_int_le(1) != 0
            self.is_relaxed_unique_checks = self._io.read_bits_int_le(1) != 0
            self.is_if_exists = self._io.read_bits_int_le(1) != 0
            self.reserved5 = self._io.read_bits_int_le(1) != 0
            self.is_insert_history = self._io.read_bits_int_le(1) != 0
            self.reserved6 = self._io.read_bits_int_le(1) != 0


        def _fetch_instances(self):
            pass
            _ = self.value
            if hasattr(self, '_m_value'):
                pass


        @property
        def value(self):
            """All bits as one integer."""
            if hasattr(self, '_m_value'):
                return self._m_value

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_value = self._io.read_u4le()
            self._io.seek(_pos)
            return getattr(self, '_m_value', None)


    class SetMember(KaitaiStruct):
        """A member of a SET column."""
        def __init__(self, index, _io, _parent=None, _root=None):
            super(MysqlBinlog.SetMember, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.index = index
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass

        @property
        def is_in_value(self):
            """The value has the member."""
            if hasattr(self, '_m_is_in_value'):
                return self._m_is_in_value

            self._m_is_in_value = (KaitaiStream.byte_array_index(self._parent.bits.bytes, self.index // 8) >> self.index % 8 & 1 != 0 if self.index < self._parent.len_value * 8 else False)
            return getattr(self, '_m_is_in_value', None)

        @property
        def name(self):
            """In the character set of the column."""
            if hasattr(self, '_m_name'):
                return self._m_name

            if self.is_in_value:
                pass
                self._m_name = self._root.events[self._parent.table_map_event_index].body.optional_fields[self._parent.members_index].data.lists[self._parent.member_list_index].members[self.index].bytes

            return getattr(self, '_m_name', None)


    class SetValue(KaitaiStruct):
        """SET.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L8379
        """
        def __init__(self, len_value, column_index, _io, _parent=None, _root=None):
            super(MysqlBinlog.SetValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_value = len_value
            self.column_index = column_index
            self._read()

        def _read(self):
            self.bits = MysqlBinlog.UintLe(self.len_value, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.bits._fetch_instances()
            _ = self.members
            if hasattr(self, '_m_members'):
                pass
                for i in range(len(self._m_members)):
                    pass
                    self._m_members[i]._fetch_instances()



        @property
        def member_list_index(self):
            """As in the table map."""
            if hasattr(self, '_m_member_list_index'):
                return self._m_member_list_index

            self._m_member_list_index = self._root.events[self.table_map_event_index].body.column_layouts[self.column_index].member_list_index
            return getattr(self, '_m_member_list_index', None)

        @property
        def members(self):
            """All members of the column, those that are not in the value without a name."""
            if hasattr(self, '_m_members'):
                return self._m_members

            if (self.member_list_index < len(self._root.events[self.table_map_event_index].body.optional_fields[self.members_index].data.lists) if self.members_index >= 0 else False):
                pass
                _pos = self._io.pos()
                self._io.seek(0)
                self._m_members = []
                for i in range(self._root.events[self.table_map_event_index].body.optional_fields[self.members_index].data.lists[self.member_list_index].num_members.value):
                    self._m_members.append(MysqlBinlog.SetMember(i, self._io, self, self._root))

                self._io.seek(_pos)

            return getattr(self, '_m_members', None)

        @property
        def members_index(self):
            """As in the table map."""
            if hasattr(self, '_m_members_index'):
                return self._m_members_index

            self._m_members_index = self._root.events[self.table_map_event_index].body.column_layouts[self.column_index].members_index
            return getattr(self, '_m_members_index', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def table_map_event_index(self):
            """Index of the table map in `_root.events`."""
            if hasattr(self, '_m_table_map_event_index'):
                return self._m_table_map_event_index

            self._m_table_map_event_index = self._parent._parent._parent.layout.table_map_event_index
            return getattr(self, '_m_table_map_event_index', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = self.bits.value
            return getattr(self, '_m_value', None)


    class ShortBytes(KaitaiStruct):
        """Bytes with a length of one byte before them.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/libbinlogevents/include/load_data_events.h#L439
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.ShortBytes, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_bytes = self._io.read_u1()
            self.bytes = self._io.read_bytes(self.len_bytes)


        def _fetch_instances(self):
            pass


    class ShortValue(KaitaiStruct):
        """SMALLINT.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10299
        """
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
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if  ((self.is_unsigned) or (self.raw < 32768))  else self.raw - 65536)
            return getattr(self, '_m_value', None)


    class SignedLonglong(KaitaiStruct):
        """In two parts, since the JavaScript runtime reads some negative integers of eight bytes wrong.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L10332
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.SignedLonglong, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.low = self._io.read_u4le()
            self.high = self._io.read_s4le()


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.high * 4294967296 + self.low)
            return getattr(self, '_m_value', None)


    class SlaveEvent(KaitaiStruct):
        """Was meant to name the source of a replica; never written.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-5.7.18/sql/log_event.h#L178
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.SlaveEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.position = self._io.read_u8le()
            self.port = self._io.read_u2le()
            self.host = self._io.read_bytes_term(0, False, True, True)
            self.log_file = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class SqlModes(KaitaiStruct):
        """One bit for each mode of `sql_mode`. The header comment of the server lists MODE_ANSI to
        MODE_HIGH_NOT_PRECEDENCE one bit too high.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/system_variables.h#L129
        
        
        .. seealso::
           Source - https://mariadb.com/kb/en/sql-mode/
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.SqlModes, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_real_as_float = self._io.read_bits_int_le(1) != 0
            self.is_pipes_as_concat = self._io.read_bits_int_le(1) != 0
            self.is_ansi_quotes = self._io.read_bits_int_le(1) != 0
            self.is_ignore_space = self._io.read_bits_int_le(1) != 0
            self.is_ignore_bad_table_options = self._io.read_bits_int_le(1) != 0
            self.is_only_full_group_by = self._io.read_bits_int_le(1) != 0
            self.is_no_unsigned_subtraction = self._io.read_bits_int_le(1) != 0
            self.is_no_dir_in_create = self._io.read_bits_int_le(1) != 0
            self.is_postgresql = self._io.read_bits_int_le(1) != 0
            self.is_oracle = self._io.read_bits_int_le(1) != 0
            self.is_mssql = self._io.read_bits_int_le(1) != 0
            self.is_db2 = self._io.read_bits_int_le(1) != 0
            self.is_maxdb = self._io.read_bits_int_le(1) != 0
            self.is_no_key_options = self._io.read_bits_int_le(1) != 0
            self.is_no_table_options = self._io.read_bits_int_le(1) != 0
            self.is_no_field_options = self._io.read_bits_int_le(1) != 0
            self.is_mysql323 = self._io.read_bits_int_le(1) != 0
            self.is_mysql40 = self._io.read_bits_int_le(1) != 0
            self.is_ansi = self._io.read_bits_int_le(1) != 0
            self.is_no_auto_value_on_zero = self._io.read_bits_int_le(1) != 0
            self.is_no_backslash_escapes = self._io.read_bits_int_le(1) != 0
            self.is_strict_trans_tables = self._io.read_bits_int_le(1) != 0
            self.is_strict_all_tables = self._io.read_bits_int_le(1) != 0
            self.is_no_zero_in_date = self._io.read_bits_int_le(1) != 0
            self.is_no_zero_date = self._io.read_bits_int_le(1) != 0
            self.is_invalid_dates = self._io.read_bits_int_le(1) != 0
            self.is_error_for_division_by_zero = self._io.read_bits_int_le(1) != 0
            self.is_traditional = self._io.read_bits_int_le(1) != 0
            self.is_no_auto_create_user = self._io.read_bits_int_le(1) != 0
            self.is_high_not_precedence = self._io.read_bits_int_le(1) != 0
            self.is_no_engine_substitution = self._io.read_bits_int_le(1) != 0
            self.is_pad_char_to_full_length = self._io.read_bits_int_le(1) != 0
            self.mode_32 = self._io.read_bits_int_le(1) != 0
            self.mode_33 = self._io.read_bits_int_le(1) != 0
            self.is_time_round_fractional = self._io.read_bits_int_le(1) != 0
            self.reserved = self._io.read_bits_int_le(29)


        def _fetch_instances(self):
            pass
            _ = self.value
            if hasattr(self, '_m_value'):
                pass


        @property
        def value(self):
            """All bits as one integer."""
            if hasattr(self, '_m_value'):
                return self._m_value

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_value = self._io.read_u8le()
            self._io.seek(_pos)
            return getattr(self, '_m_value', None)


    class StartEncryptionEvent(KaitaiStruct):
        """Every event after this one is encrypted, each on its own. MariaDB 10.1.7 and later. Neither
        the key nor the cipher's mode is in the file. (MySQL encrypts the whole file, its magic
        included.)
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L2763
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.StartEncryptionEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.scheme = self._io.read_u1()
            self.key_version = self._io.read_u4le()
            self.nonce = self._io.read_bytes(12)


        def _fetch_instances(self):
            pass


    class StatusVar(KaitaiStruct):
        """A part of the session's state that the statement depends on. The values have no length: the
        part after an unknown key stays raw.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L157
        """
        def __init__(self, client_collation, _io, _parent=None, _root=None):
            super(MysqlBinlog.StatusVar, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.client_collation = client_collation
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

        @property
        def next_client_collation(self):
            if hasattr(self, '_m_next_client_collation'):
                return self._m_next_client_collation

            self._m_next_client_collation = (self.value.character_set_client if self.key == MysqlBinlog.StatusVarKey.charset else self.client_collation)
            return getattr(self, '_m_next_client_collation', None)


    class StatusVars(KaitaiStruct):
        """The state of the session that a statement depends on.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L124
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.StatusVars, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.vars = []
            i = 0
            while not self._io.is_eof():
                self.vars.append(MysqlBinlog.StatusVar((0 if i == 0 else self.vars[i - 1].next_client_collation), self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            for i in range(len(self.vars)):
                pass
                self.vars[i]._fetch_instances()

            _ = self.client
            if hasattr(self, '_m_client'):
                pass
                self._m_client._fetch_instances()


        @property
        def client(self):
            """Of the character set of the client."""
            if hasattr(self, '_m_client'):
                return self._m_client

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_client = MysqlBinlog.CharacterSet(self.client_collation, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_client', None)

        @property
        def client_collation(self):
            """Id of the collation of the client's character set; 0 if it is not logged."""
            if hasattr(self, '_m_client_collation'):
                return self._m_client_collation

            self._m_client_collation = (self.vars[-1].next_client_collation if len(self.vars) > 0 else 0)
            return getattr(self, '_m_client_collation', None)

        @property
        def is_utf8(self):
            if hasattr(self, '_m_is_utf8'):
                return self._m_is_utf8

            self._m_is_utf8 =  ((self.client_collation == 0) or (self.client.is_utf8)) 
            return getattr(self, '_m_is_utf8', None)


    class StopEvent(KaitaiStruct):
        """The server was shut down.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L373
        """
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
        """CHAR, VARCHAR, TEXT and the binary types like them, in the character set of the column.
        Trailing spaces of a CHAR and trailing zero bytes of a BINARY are not logged.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L6769
        """
        def __init__(self, len_len_value, collation, _io, _parent=None, _root=None):
            super(MysqlBinlog.StringValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_len_value = len_len_value
            self.collation = collation
            self._read()

        def _read(self):
            self.len_value = MysqlBinlog.UintLe(self.len_len_value, self._io, self, self._root)
            self.value = self._io.read_bytes(self.len_value.value)


        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()

        @property
        def is_binary(self):
            """BINARY, VARBINARY, BLOB; also VECTOR, UUID, INET4 and INET6 of MariaDB."""
            if hasattr(self, '_m_is_binary'):
                return self._m_is_binary

            self._m_is_binary = self.collation == 63
            return getattr(self, '_m_is_binary', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)


    class TableMapEvent(KaitaiStruct):
        """Gives a number to a table and the types of its columns. The rows events of the same statement
        refer to it. A table gets a new number when its definition changes; after a restart, a number
        can belong to another table.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L75
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TableMapEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.head = MysqlBinlog.TableMapHead(self._io, self, self._root)
            self.num_columns = MysqlBinlog.PackedInt(self._io, self, self._root)
            self.column_types = self._io.read_bytes(self.num_columns.value)
            self.details = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            self.head._fetch_instances()
            self.num_columns._fetch_instances()
            _ = self.column_layouts
            if hasattr(self, '_m_column_layouts'):
                pass
                for i in range(len(self._m_column_layouts)):
                    pass
                    self._m_column_layouts[i]._fetch_instances()


            _ = self.columns
            if hasattr(self, '_m_columns'):
                pass
                for i in range(len(self._m_columns)):
                    pass
                    self._m_columns[i]._fetch_instances()


            _ = self.layout
            if hasattr(self, '_m_layout'):
                pass
                self._m_layout._fetch_instances()

            _ = self.nullable_bitmap
            if hasattr(self, '_m_nullable_bitmap'):
                pass

            _ = self.optional_fields
            if hasattr(self, '_m_optional_fields'):
                pass
                for i in range(len(self._m_optional_fields)):
                    pass
                    self._m_optional_fields[i]._fetch_instances()



        @property
        def column_layouts(self):
            """How `columns` are worked out: the metadata of each, and its place in the optional fields.
            Rows are read by these, since a column that is shown is a step further.
            """
            if hasattr(self, '_m_column_layouts'):
                return self._m_column_layouts

            if self.layout.has_column_metadata:
                pass
                _pos = self._io.pos()
                self._io.seek(self.layout.ofs_details + self.layout.len_column_metadata.len)
                self._m_column_layouts = []
                for i in range(self.num_columns.value):
                    self._m_column_layouts.append(MysqlBinlog.ColumnLayout(i, KaitaiStream.byte_array_index(self.column_types, i), (0 if i == 0 else self.column_layouts[i - 1].next_numeric_index), (0 if i == 0 else self.column_layouts[i - 1].next_character_index), (0 if i == 0 else self.column_layouts[i - 1].next_enum_index), (0 if i == 0 else self.column_layouts[i - 1].next_set_index), self._io, self, self._root))

                self._io.seek(_pos)

            return getattr(self, '_m_column_layouts', None)

        @property
        def columns(self):
            """The columns of the table, in its order."""
            if hasattr(self, '_m_columns'):
                return self._m_columns

            if self.layout.has_column_metadata:
                pass
                _pos = self._io.pos()
                self._io.seek(self.layout.ofs_details + self.layout.len_column_metadata.len)
                self._m_columns = []
                for i in range(len(self.column_layouts)):
                    self._m_columns.append(MysqlBinlog.Column(i, self._io, self, self._root))

                self._io.seek(_pos)

            return getattr(self, '_m_columns', None)

        @property
        def database(self):
            """Name of the database."""
            if hasattr(self, '_m_database'):
                return self._m_database

            self._m_database = (self.head.database_name).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_database', None)

        @property
        def layout(self):
            """Offsets of the metadata of the columns, and which optional fields there are."""
            if hasattr(self, '_m_layout'):
                return self._m_layout

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_layout = MysqlBinlog.TableMapLayout(self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_layout', None)

        @property
        def nullable_bitmap(self):
            """One bit for each column, from the lowest bit of the first byte on; 1 if it may be NULL."""
            if hasattr(self, '_m_nullable_bitmap'):
                return self._m_nullable_bitmap

            if self.layout.has_column_metadata:
                pass
                _pos = self._io.pos()
                self._io.seek(self.layout.ofs_nullable_bitmap)
                self._m_nullable_bitmap = self._io.read_bytes((self.num_columns.value + 7) // 8)
                self._io.seek(_pos)

            return getattr(self, '_m_nullable_bitmap', None)

        @property
        def optional_fields(self):
            """A list of fields in any order. Bits of their bitmaps go from the highest bit of the first
            byte on. MySQL 8.0.1, MariaDB 10.5 and later. What is there depends on
            `binlog_row_metadata`: MINIMAL or FULL in MySQL; NO_LOG (the default: nothing), MINIMAL or
            FULL in MariaDB.
            """
            if hasattr(self, '_m_optional_fields'):
                return self._m_optional_fields

            _pos = self._io.pos()
            self._io.seek((self.layout.ofs_nullable_bitmap + len(self.nullable_bitmap) if self.layout.has_column_metadata else self._io.size()))
            self._m_optional_fields = []
            i = 0
            while not self._io.is_eof():
                self._m_optional_fields.append(MysqlBinlog.OptionalMetadataField(i, (-1 if i == 0 else self.optional_fields[i - 1].next_signedness_index), (-1 if i == 0 else self.optional_fields[i - 1].next_default_charset_index), (-1 if i == 0 else self.optional_fields[i - 1].next_column_charset_index), (-1 if i == 0 else self.optional_fields[i - 1].next_column_names_index), (-1 if i == 0 else self.optional_fields[i - 1].next_enum_members_index), (-1 if i == 0 else self.optional_fields[i - 1].next_set_members_index), self._io, self, self._root))
                i += 1

            self._io.seek(_pos)
            return getattr(self, '_m_optional_fields', None)

        @property
        def table(self):
            """Name of the table."""
            if hasattr(self, '_m_table'):
                return self._m_table

            self._m_table = (self.head.table_name).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_table', None)

        @property
        def table_id(self):
            """The number by which rows events name the table."""
            if hasattr(self, '_m_table_id'):
                return self._m_table_id

            self._m_table_id = (self.head.table_id_low + self.head.table_id_high * 4294967296 if self._root.events[self._parent.format_index].body.len_table_id == 6 else self.head.table_id_low)
            return getattr(self, '_m_table_id', None)


    class TableMapFlags(KaitaiStruct):
        """The flags of a table map.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.h#L4901
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TableMapFlags, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_bit_len_exact = self._io.read_bits_int_le(1) != 0
            self.is_referred_fk_db = self._io.read_bits_int_le(1) != 0
            self.has_generated_invisible_primary_key = self._io.read_bits_int_le(1) != 0
            self.reserved = self._io.read_bits_int_le(11)
            self.has_triggers = self._io.read_bits_int_le(1) != 0
            self.reserved2 = self._io.read_bits_int_le(1) != 0


        def _fetch_instances(self):
            pass


    class TableMapHead(KaitaiStruct):
        """The first fields of a table map.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/rows_event.h#L80
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TableMapHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.table_id_low = self._io.read_u4le()
            if self._root.events[self._parent._parent.format_index].body.len_table_id == 6:
                pass
                self.table_id_high = self._io.read_u2le()

            self.flags = self._io.read_u2le()
            self.len_database_name = self._io.read_u1()
            self.database_name = self._io.read_bytes(self.len_database_name)
            self.database_name_end = self._io.read_u1()
            if not self.database_name_end == 0:
                raise kaitaistruct.ValidationNotEqualError(0, self.database_name_end, self._io, u"/types/table_map_head/seq/5")
            self.len_table_name = self._io.read_u1()
            self.table_name = self._io.read_bytes(self.len_table_name)
            self.table_name_end = self._io.read_u1()
            if not self.table_name_end == 0:
                raise kaitaistruct.ValidationNotEqualError(0, self.table_name_end, self._io, u"/types/table_map_head/seq/8")


        def _fetch_instances(self):
            pass
            if self._root.events[self._parent._parent.format_index].body.len_table_id == 6:
                pass

            _ = self.flag_bits
            if hasattr(self, '_m_flag_bits'):
                pass
                self._m_flag_bits._fetch_instances()


        @property
        def flag_bits(self):
            if hasattr(self, '_m_flag_bits'):
                return self._m_flag_bits

            _pos = self._io.pos()
            self._io.seek(self._root.events[self._parent._parent.format_index].body.len_table_id)
            self._m_flag_bits = MysqlBinlog.TableMapFlags(self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_flag_bits', None)


    class TableMapLayout(KaitaiStruct):
        """Offsets of the metadata of the columns, and which optional fields there are."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TableMapLayout, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.len_column_metadata
            if hasattr(self, '_m_len_column_metadata'):
                pass
                self._m_len_column_metadata._fetch_instances()


        @property
        def column_charset_index(self):
            """As `signedness_index`, of COLUMN_CHARSET."""
            if hasattr(self, '_m_column_charset_index'):
                return self._m_column_charset_index

            self._m_column_charset_index = (self._parent.optional_fields[-1].next_column_charset_index if len(self._parent.optional_fields) > 0 else -1)
            return getattr(self, '_m_column_charset_index', None)

        @property
        def column_names_index(self):
            """As `signedness_index`, of COLUMN_NAME."""
            if hasattr(self, '_m_column_names_index'):
                return self._m_column_names_index

            self._m_column_names_index = (self._parent.optional_fields[-1].next_column_names_index if len(self._parent.optional_fields) > 0 else -1)
            return getattr(self, '_m_column_names_index', None)

        @property
        def default_charset_index(self):
            """As `signedness_index`, of DEFAULT_CHARSET."""
            if hasattr(self, '_m_default_charset_index'):
                return self._m_default_charset_index

            self._m_default_charset_index = (self._parent.optional_fields[-1].next_default_charset_index if len(self._parent.optional_fields) > 0 else -1)
            return getattr(self, '_m_default_charset_index', None)

        @property
        def enum_members_index(self):
            """As `signedness_index`, of ENUM_STR_VALUE."""
            if hasattr(self, '_m_enum_members_index'):
                return self._m_enum_members_index

            self._m_enum_members_index = (self._parent.optional_fields[-1].next_enum_members_index if len(self._parent.optional_fields) > 0 else -1)
            return getattr(self, '_m_enum_members_index', None)

        @property
        def has_column_metadata(self):
            """The table map has metadata of its columns, not only their types."""
            if hasattr(self, '_m_has_column_metadata'):
                return self._m_has_column_metadata

            self._m_has_column_metadata = len(self._parent.details) > 0
            return getattr(self, '_m_has_column_metadata', None)

        @property
        def len_column_metadata(self):
            if hasattr(self, '_m_len_column_metadata'):
                return self._m_len_column_metadata

            if self.has_column_metadata:
                pass
                _pos = self._io.pos()
                self._io.seek(self.ofs_details)
                self._m_len_column_metadata = MysqlBinlog.PackedInt(self._io, self, self._root)
                self._io.seek(_pos)

            return getattr(self, '_m_len_column_metadata', None)

        @property
        def ofs_details(self):
            """Offset of `details` in the body."""
            if hasattr(self, '_m_ofs_details'):
                return self._m_ofs_details

            self._m_ofs_details = (self._io.size() - len(self._parent.details))
            return getattr(self, '_m_ofs_details', None)

        @property
        def ofs_nullable_bitmap(self):
            """Offset of `nullable_bitmap` in the body."""
            if hasattr(self, '_m_ofs_nullable_bitmap'):
                return self._m_ofs_nullable_bitmap

            self._m_ofs_nullable_bitmap = ((self.ofs_details + self.len_column_metadata.len) + self.len_column_metadata.value if (self.len_column_metadata.value <= len(self._parent.details) if self.has_column_metadata else False) else self._io.size())
            return getattr(self, '_m_ofs_nullable_bitmap', None)

        @property
        def set_members_index(self):
            """As `signedness_index`, of SET_STR_VALUE."""
            if hasattr(self, '_m_set_members_index'):
                return self._m_set_members_index

            self._m_set_members_index = (self._parent.optional_fields[-1].next_set_members_index if len(self._parent.optional_fields) > 0 else -1)
            return getattr(self, '_m_set_members_index', None)

        @property
        def signedness_index(self):
            """Index of that field in `optional_fields`; -1 if it is not logged. The same holds for the
            next five.
            """
            if hasattr(self, '_m_signedness_index'):
                return self._m_signedness_index

            self._m_signedness_index = (self._parent.optional_fields[-1].next_signedness_index if len(self._parent.optional_fields) > 0 else -1)
            return getattr(self, '_m_signedness_index', None)


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
            """The search ends here."""
            if hasattr(self, '_m_is_done'):
                return self._m_is_done

            self._m_is_done =  ((self.event_index < 0) or (self.is_match)) 
            return getattr(self, '_m_is_done', None)

        @property
        def is_match(self):
            """This is the wanted table map."""
            if hasattr(self, '_m_is_match'):
                return self._m_is_match

            self._m_is_match = (False if self.event_index < 0 else self._root.events[self.event_index].body.table_id == self.wanted_table_id)
            return getattr(self, '_m_is_match', None)

        @property
        def prev_index(self):
            """The table map to look at next, or -1."""
            if hasattr(self, '_m_prev_index'):
                return self._m_prev_index

            if self.event_index >= 0:
                pass
                self._m_prev_index = self._root.events[self.event_index].table_map_index

            return getattr(self, '_m_prev_index', None)


    class TextValue(KaitaiStruct):
        """CHAR, VARCHAR and TEXT in UTF-8.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L7354
        """
        def __init__(self, len_len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.TextValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_len_value = len_len_value
            self._read()

        def _read(self):
            self.len_value = MysqlBinlog.UintLe(self.len_len_value, self._io, self, self._root)
            self.value = self._io.read_bytes(self.len_value.value)


        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.text
            return getattr(self, '_m_plain', None)

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.value).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class Time2Value(KaitaiStruct):
        """TIME of MySQL 5.6.4, MariaDB 10.1 and later, from -838:59:59 to 838:59:59. Whole and fraction
        are one big-endian number with a bias; a negative time has to be negated as a whole.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1737
        """
        def __init__(self, num_digits, _io, _parent=None, _root=None):
            super(MysqlBinlog.Time2Value, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self._read()

        def _read(self):
            self.whole = self._io.read_bits_int_be(24)
            self.fraction = MysqlBinlog.UintBe((self.num_digits + 1) // 2, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.fraction._fetch_instances()
            _ = self.time_part
            if hasattr(self, '_m_time_part'):
                pass
                self._m_time_part._fetch_instances()


        @property
        def is_negative(self):
            """The time is negative."""
            if hasattr(self, '_m_is_negative'):
                return self._m_is_negative

            self._m_is_negative = self.whole < 8388608
            return getattr(self, '_m_is_negative', None)

        @property
        def magnitude(self):
            """The time without its sign, in units of the fraction."""
            if hasattr(self, '_m_magnitude'):
                return self._m_magnitude

            self._m_magnitude = ((8388608 - self.whole) * self.span - self.fraction.value if self.is_negative else (self.whole - 8388608) * self.span + self.fraction.value)
            return getattr(self, '_m_magnitude', None)

        @property
        def micros(self):
            if hasattr(self, '_m_micros'):
                return self._m_micros

            self._m_micros = ((self.magnitude % self.span) * (10000 if self.num_digits <= 2 else (100 if self.num_digits <= 4 else 1)))
            return getattr(self, '_m_micros', None)

        @property
        def packed(self):
            """Hours times 4096, plus minutes times 64, plus seconds."""
            if hasattr(self, '_m_packed'):
                return self._m_packed

            self._m_packed = (self.magnitude // self.span)
            return getattr(self, '_m_packed', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def span(self):
            """Number of values that the bytes of the fraction can have."""
            if hasattr(self, '_m_span'):
                return self._m_span

            self._m_span = (1 if self.num_digits == 0 else (256 if self.num_digits <= 2 else (65536 if self.num_digits <= 4 else 16777216)))
            return getattr(self, '_m_span', None)

        @property
        def time_part(self):
            if hasattr(self, '_m_time_part'):
                return self._m_time_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_time_part = MysqlBinlog.Clock((self.packed // 4096), (self.packed // 64) % 64, self.packed % 64, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_time_part', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((u"-" if self.is_negative else u"") + self.time_part.text) + (u"" if self.num_digits == 0 else u"." + str(self.micros + 1000000)[1:self.num_digits + 1])
            return getattr(self, '_m_value', None)


    class TimeValue(KaitaiStruct):
        """TIME of older servers; see `time2_value`.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5372
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TimeValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw = self._io.read_bits_int_le(24)


        def _fetch_instances(self):
            pass
            _ = self.time_part
            if hasattr(self, '_m_time_part'):
                pass
                self._m_time_part._fetch_instances()


        @property
        def digits(self):
            if hasattr(self, '_m_digits'):
                return self._m_digits

            self._m_digits = (self.raw if self.raw < 8388608 else 16777216 - self.raw)
            return getattr(self, '_m_digits', None)

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def time_part(self):
            if hasattr(self, '_m_time_part'):
                return self._m_time_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_time_part = MysqlBinlog.Clock(self.digits // 10000, (self.digits // 100) % 100, self.digits % 100, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_time_part', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (u"" if self.raw < 8388608 else u"-") + self.time_part.text
            return getattr(self, '_m_value', None)


    class Timestamp2Value(KaitaiStruct):
        """TIMESTAMP of MySQL 5.6.4, MariaDB 10.1 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L2050
        """
        def __init__(self, num_digits, _io, _parent=None, _root=None):
            super(MysqlBinlog.Timestamp2Value, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_digits = num_digits
            self._read()

        def _read(self):
            self.seconds = self._io.read_u4be()
            self.fraction = MysqlBinlog.Fraction(self.num_digits, self._io, self, self._root)
            self.utc = MysqlBinlog.UtcTime(self.seconds, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.fraction._fetch_instances()
            self.utc._fetch_instances()

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            """In UTC."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (u"1970-01-01 00:00:00" if  ((self.seconds == 0) and (self.fraction.micros != 0))  else self.utc.text) + self.fraction.text
            return getattr(self, '_m_value', None)


    class TimestampValue(KaitaiStruct):
        """TIMESTAMP of older servers; see `timestamp2_value`.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5020
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TimestampValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.seconds = self._io.read_u4le()
            self.utc = MysqlBinlog.UtcTime(self.seconds, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.utc._fetch_instances()

        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            """In UTC."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = self.utc.text
            return getattr(self, '_m_value', None)


    class TinyValue(KaitaiStruct):
        """TINYINT.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L3254
        """
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
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if  ((self.is_unsigned) or (self.raw < 128))  else self.raw - 256)
            return getattr(self, '_m_value', None)


    class TransactionContextEvent(KaitaiStruct):
        """What Group Replication certifies a transaction by. MySQL 5.7 and later; in relay logs of its
        applier.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1413
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TransactionContextEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_server_uuid = self._io.read_u1()
            self.thread_id = self._io.read_u4le()
            self.is_gtid_specified = self._io.read_u1()
            self.len_snapshot = self._io.read_u4le()
            self.num_writes = self._io.read_u4le()
            self.num_reads = self._io.read_u4le()
            self.server_uuid = self._io.read_bytes(self.len_server_uuid)
            self._raw_snapshot = self._io.read_bytes(self.len_snapshot)
            _io__raw_snapshot = KaitaiStream(BytesIO(self._raw_snapshot))
            self.snapshot = MysqlBinlog.PreviousGtidsEvent(_io__raw_snapshot, self, self._root)
            self.writes = []
            for i in range(self.num_writes):
                self.writes.append(MysqlBinlog.LongBytes(self._io, self, self._root))

            self.reads = []
            for i in range(self.num_reads):
                self.reads.append(MysqlBinlog.LongBytes(self._io, self, self._root))



        def _fetch_instances(self):
            pass
            self.snapshot._fetch_instances()
            for i in range(len(self.writes)):
                pass
                self.writes[i]._fetch_instances()

            for i in range(len(self.reads)):
                pass
                self.reads[i]._fetch_instances()



    class TransactionPayloadEvent(KaitaiStruct):
        """A whole transaction except its GTID, compressed: its events, one after the other, each with a
        header of 19 bytes and without checksum. MySQL 8.0.20 and later, under
        `binlog_transaction_compression`. The format description announces a post-header for it that
        is not there.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L735
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.TransactionPayloadEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.fields = []
            i = 0
            while True:
                _ = MysqlBinlog.PayloadField(self._io, self, self._root)
                self.fields.append(_)
                if _.is_end:
                    break
                i += 1
            self.payload = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            for i in range(len(self.fields)):
                pass
                self.fields[i]._fetch_instances()



    class UintBe(KaitaiStruct):
        """An unsigned integer, highest byte first.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/mysys/my_time.cc#L1986
        """
        def __init__(self, len_bytes, _io, _parent=None, _root=None):
            super(MysqlBinlog.UintBe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_bytes = len_bytes
            self._read()

        def _read(self):
            self.bytes = self._io.read_bytes(self.len_bytes)


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((((((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 1) & 255) if self.len_bytes > 0 else 0) + ((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 2) & 255) * 256 if self.len_bytes > 1 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 3) & 255) * 65536 if self.len_bytes > 2 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 4) & 255) * 16777216 if self.len_bytes > 3 else 0)) + (((((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 5) & 255) if self.len_bytes > 4 else 0) + ((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 6) & 255) * 256 if self.len_bytes > 5 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 7) & 255) * 65536 if self.len_bytes > 6 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, self.len_bytes - 8) & 255) * 16777216 if self.len_bytes > 7 else 0)) * 4294967296)
            return getattr(self, '_m_value', None)


    class UintLe(KaitaiStruct):
        """An unsigned integer, lowest byte first.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L6947
        """
        def __init__(self, len_bytes, _io, _parent=None, _root=None):
            super(MysqlBinlog.UintLe, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_bytes = len_bytes
            self._read()

        def _read(self):
            self.bytes = self._io.read_bytes(self.len_bytes)


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            """Each half is exact in a double, so JavaScript rounds once."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((((((KaitaiStream.byte_array_index(self.bytes, 0) & 255) if self.len_bytes > 0 else 0) + ((KaitaiStream.byte_array_index(self.bytes, 1) & 255) * 256 if self.len_bytes > 1 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, 2) & 255) * 65536 if self.len_bytes > 2 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, 3) & 255) * 16777216 if self.len_bytes > 3 else 0)) + (((((KaitaiStream.byte_array_index(self.bytes, 4) & 255) if self.len_bytes > 4 else 0) + ((KaitaiStream.byte_array_index(self.bytes, 5) & 255) * 256 if self.len_bytes > 5 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, 6) & 255) * 65536 if self.len_bytes > 6 else 0)) + ((KaitaiStream.byte_array_index(self.bytes, 7) & 255) * 16777216 if self.len_bytes > 7 else 0)) * 4294967296)
            return getattr(self, '_m_value', None)


    class UserVarDecimal(KaitaiStruct):
        """A user variable that is a DECIMAL.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.UserVarDecimal, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.precision = self._io.read_u1()
            self.scale = self._io.read_u1()
            if not self.scale <= self.precision:
                raise kaitaistruct.ValidationGreaterThanError(self.precision, self.scale, self._io, u"/types/user_var_decimal/seq/1")
            self.value = MysqlBinlog.DecimalValue(self.precision, self.scale, self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.value._fetch_instances()


    class UserVarEvent(KaitaiStruct):
        """Value of a user variable for the next statement. MySQL 4.1 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.UserVarEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_name = self._io.read_u4le()
            self.name = self._io.read_bytes(self.len_name)
            self.is_null = self._io.read_u1()
            if self.is_null == 0:
                pass
                self.value_type = KaitaiStream.resolve_enum(MysqlBinlog.UserVarType, self._io.read_u1())

            if self.is_null == 0:
                pass
                self.collation = self._io.read_u4le()

            if self.is_null == 0:
                pass
                self.len_value = self._io.read_u4le()

            if self.is_null == 0:
                pass
                _on = self.value_type
                if _on == MysqlBinlog.UserVarType.decimal:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.UserVarDecimal(_io__raw_value, self, self._root)
                elif _on == MysqlBinlog.UserVarType.int:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.SignedLonglong(_io__raw_value, self, self._root)
                elif _on == MysqlBinlog.UserVarType.real:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.DoubleValue(_io__raw_value, self, self._root)
                elif _on == MysqlBinlog.UserVarType.string:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.UserVarString(_io__raw_value, self, self._root)
                else:
                    pass
                    self._raw_value = self._io.read_bytes(self.len_value)
                    _io__raw_value = KaitaiStream(BytesIO(self._raw_value))
                    self.value = MysqlBinlog.RawBytes(_io__raw_value, self, self._root)

            if self.is_null == 0:
                pass
                self.attributes = self._io.read_bytes_full()



        def _fetch_instances(self):
            pass
            if self.is_null == 0:
                pass

            if self.is_null == 0:
                pass

            if self.is_null == 0:
                pass

            if self.is_null == 0:
                pass
                _on = self.value_type
                if _on == MysqlBinlog.UserVarType.decimal:
                    pass
                    self.value._fetch_instances()
                elif _on == MysqlBinlog.UserVarType.int:
                    pass
                    self.value._fetch_instances()
                elif _on == MysqlBinlog.UserVarType.real:
                    pass
                    self.value._fetch_instances()
                elif _on == MysqlBinlog.UserVarType.string:
                    pass
                    self.value._fetch_instances()
                else:
                    pass
                    self.value._fetch_instances()

            if self.is_null == 0:
                pass


        @property
        def is_unsigned(self):
            if hasattr(self, '_m_is_unsigned'):
                return self._m_is_unsigned

            self._m_is_unsigned = (KaitaiStream.byte_array_index(self.attributes, 0) == 1 if  ((self.is_null == 0) and (len(self.attributes) > 0))  else False)
            return getattr(self, '_m_is_unsigned', None)


    class UserVarString(KaitaiStruct):
        """A user variable that is text.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/statement_events.h#L737
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.UserVarString, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class UtcTime(KaitaiStruct):
        """Seconds as date and time. Years begin with March here, so that the leap day is the last one of
        a year.
        """
        def __init__(self, seconds, _io, _parent=None, _root=None):
            super(MysqlBinlog.UtcTime, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.seconds = seconds
            self._read()

        def _read(self):
            pass


        def _fetch_instances(self):
            pass
            _ = self.date_part
            if hasattr(self, '_m_date_part'):
                pass
                self._m_date_part._fetch_instances()

            _ = self.time_part
            if hasattr(self, '_m_time_part'):
                pass
                self._m_time_part._fetch_instances()


        @property
        def date_part(self):
            if hasattr(self, '_m_date_part'):
                return self._m_date_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_date_part = MysqlBinlog.CalendarDate(self.year, self.month, self.day, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_date_part', None)

        @property
        def day(self):
            if hasattr(self, '_m_day'):
                return self._m_day

            self._m_day = (self.day_of_year - (153 * self.month_of_year + 2) // 5) + 1
            return getattr(self, '_m_day', None)

        @property
        def day_of_era(self):
            """Days in a period of 400 years."""
            if hasattr(self, '_m_day_of_era'):
                return self._m_day_of_era

            self._m_day_of_era = self.days % 146097
            return getattr(self, '_m_day_of_era', None)

        @property
        def day_of_year(self):
            """From the first of March, from 0."""
            if hasattr(self, '_m_day_of_year'):
                return self._m_day_of_year

            self._m_day_of_year = self.day_of_era - ((365 * self.year_of_era + self.year_of_era // 4) - self.year_of_era // 100)
            return getattr(self, '_m_day_of_year', None)

        @property
        def days(self):
            """Since 0000-03-01."""
            if hasattr(self, '_m_days'):
                return self._m_days

            self._m_days = (self.seconds // 86400 + 719468)
            return getattr(self, '_m_days', None)

        @property
        def era(self):
            """Number of 400 years."""
            if hasattr(self, '_m_era'):
                return self._m_era

            self._m_era = self.days // 146097
            return getattr(self, '_m_era', None)

        @property
        def month(self):
            if hasattr(self, '_m_month'):
                return self._m_month

            self._m_month = (self.month_of_year + 3 if self.month_of_year < 10 else self.month_of_year - 9)
            return getattr(self, '_m_month', None)

        @property
        def month_of_year(self):
            """0 for March."""
            if hasattr(self, '_m_month_of_year'):
                return self._m_month_of_year

            self._m_month_of_year = (5 * self.day_of_year + 2) // 153
            return getattr(self, '_m_month_of_year', None)

        @property
        def second_of_day(self):
            """Without a remainder, which C++ takes of 32 bits only."""
            if hasattr(self, '_m_second_of_day'):
                return self._m_second_of_day

            self._m_second_of_day = (self.seconds - (self.seconds // 86400) * 86400)
            return getattr(self, '_m_second_of_day', None)

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (u"0000-00-00 00:00:00" if self.seconds == 0 else (self.date_part.text + u" ") + self.time_part.text)
            return getattr(self, '_m_text', None)

        @property
        def time_part(self):
            if hasattr(self, '_m_time_part'):
                return self._m_time_part

            _pos = self._io.pos()
            self._io.seek(0)
            self._m_time_part = MysqlBinlog.Clock(self.second_of_day // 3600, (self.second_of_day // 60) % 60, self.second_of_day % 60, self._io, self, self._root)
            self._io.seek(_pos)
            return getattr(self, '_m_time_part', None)

        @property
        def year(self):
            if hasattr(self, '_m_year'):
                return self._m_year

            self._m_year = (self.year_of_era + self.era * 400) + (1 if self.month <= 2 else 0)
            return getattr(self, '_m_year', None)

        @property
        def year_of_era(self):
            """Years in that period."""
            if hasattr(self, '_m_year_of_era'):
                return self._m_year_of_era

            self._m_year_of_era = (((self.day_of_era - self.day_of_era // 1460) + self.day_of_era // 36524) - self.day_of_era // 146096) // 365
            return getattr(self, '_m_year_of_era', None)


    class VectorValue(KaitaiStruct):
        """VECTOR of MySQL 9.0 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-9.7.2/sql/field.h#L3791
        """
        def __init__(self, len_len_value, _io, _parent=None, _root=None):
            super(MysqlBinlog.VectorValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.len_len_value = len_len_value
            self._read()

        def _read(self):
            self.len_value = MysqlBinlog.UintLe(self.len_len_value, self._io, self, self._root)
            self.elements = []
            for i in range((self.len_value.value // 4)):
                self.elements.append(self._io.read_f4le())



        def _fetch_instances(self):
            pass
            self.len_value._fetch_instances()
            for i in range(len(self.elements)):
                pass


        @property
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.elements
            return getattr(self, '_m_plain', None)


    class ViewChangeEvent(KaitaiStruct):
        """Members have joined or left the group. MySQL 5.7 and later, until 8.3.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L1533
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.ViewChangeEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.view_id = KaitaiStream.bytes_terminate(self._io.read_bytes(40), 0, False)
            self.sequence_number = self._io.read_u8le()
            self.num_certification_infos = self._io.read_u4le()
            self.certification_infos = []
            for i in range(self.num_certification_infos):
                self.certification_infos.append(MysqlBinlog.CertificationInfo(self._io, self, self._root))



        def _fetch_instances(self):
            pass
            for i in range(len(self.certification_infos)):
                pass
                self.certification_infos[i]._fetch_instances()



    class Vlint(KaitaiStruct):
        """An integer of one to nine bytes. The number of 1 bits at the low end of the first byte is the
        number of bytes that follow; the other bits, little-endian, are the value.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L198
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
        def half(self):
            """Of `value`."""
            if hasattr(self, '_m_half'):
                return self._m_half

            self._m_half = (self.tail_low // 2 + self.tail[7] * 36028797018963968 if self.num_tail == 8 else (self.value // 2))
            return getattr(self, '_m_half', None)

        @property
        def is_odd(self):
            """`value` is odd, which marks a negative number."""
            if hasattr(self, '_m_is_odd'):
                return self._m_is_odd

            self._m_is_odd = (self.tail_low % 2 if self.num_tail == 8 else self.value % 2) != 0
            return getattr(self, '_m_is_odd', None)

        @property
        def num_tail(self):
            """Bytes behind the first one."""
            if hasattr(self, '_m_num_tail'):
                return self._m_num_tail

            self._m_num_tail = (0 if self.first & 1 == 0 else (1 if self.first & 3 == 1 else (2 if self.first & 7 == 3 else (3 if self.first & 15 == 7 else (4 if self.first & 31 == 15 else (5 if self.first & 63 == 31 else (6 if self.first & 127 == 63 else (7 if self.first == 127 else 8))))))))
            return getattr(self, '_m_num_tail', None)

        @property
        def signed_value(self):
            """For the fields that are signed."""
            if hasattr(self, '_m_signed_value'):
                return self._m_signed_value

            self._m_signed_value = (-1 - self.half if self.is_odd else self.half)
            return getattr(self, '_m_signed_value', None)

        @property
        def tail_low(self):
            """All but the eighth byte, since many languages have no integer for all of them."""
            if hasattr(self, '_m_tail_low'):
                return self._m_tail_low

            self._m_tail_low = (((((((self.tail[0] if self.num_tail > 0 else 0) + (self.tail[1] * 256 if self.num_tail > 1 else 0)) + (self.tail[2] * 65536 if self.num_tail > 2 else 0)) + (self.tail[3] * 16777216 if self.num_tail > 3 else 0)) + (self.tail[4] * 4294967296 if self.num_tail > 4 else 0)) + (self.tail[5] * 1099511627776 if self.num_tail > 5 else 0)) + (self.tail[6] * 281474976710656 if self.num_tail > 6 else 0))
            return getattr(self, '_m_tail_low', None)

        @property
        def tail_value(self):
            """The bytes behind the first one as a number."""
            if hasattr(self, '_m_tail_value'):
                return self._m_tail_value

            self._m_tail_value = (self.tail_low + (self.tail[7] * 72057594037927936 if self.num_tail > 7 else 0))
            return getattr(self, '_m_tail_value', None)

        @property
        def value(self):
            """As an unsigned integer."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = ((self.first // 2) if self.num_tail == 0 else ((self.first // 4) + self.tail_value * 64 if self.num_tail == 1 else ((self.first // 8) + self.tail_value * 32 if self.num_tail == 2 else ((self.first // 16) + self.tail_value * 16 if self.num_tail == 3 else ((self.first // 32) + self.tail_value * 8 if self.num_tail == 4 else ((self.first // 64) + self.tail_value * 4 if self.num_tail == 5 else ((self.first // 128) + self.tail_value * 2 if self.num_tail == 6 else self.tail_value)))))))
            return getattr(self, '_m_value', None)


    class VlintStr(KaitaiStruct):
        """Text with an integer of variable length before it, its length.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L190
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.VlintStr, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.len_text = MysqlBinlog.Vlint(self._io, self, self._root)
            self.bytes = self._io.read_bytes(self.len_text.value)


        def _fetch_instances(self):
            pass
            self.len_text._fetch_instances()

        @property
        def text(self):
            if hasattr(self, '_m_text'):
                return self._m_text

            self._m_text = (self.bytes).decode(u"UTF-8", u"replace")
            return getattr(self, '_m_text', None)


    class VlintUuid(KaitaiStruct):
        """A UUID, each of its bytes as an integer of its own.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.8/libs/mysql/serialization/readme.md#L185
        """
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
        """Name of a distributed transaction.
        
        .. seealso::
           Source - https://github.com/MariaDB/server/blob/mariadb-10.11.18/sql/log_event.cc#L2687
        """
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


    class XaPrepareEvent(KaitaiStruct):
        """Ends the prepared part of a distributed transaction, which another one commits or rolls back
        later. MySQL 5.7.7, MariaDB 10.5 and later.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L553
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.XaPrepareEvent, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_one_phase = self._io.read_u1()
            self.xid = MysqlBinlog.XaPrepareId(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.xid._fetch_instances()


    class XaPrepareId(KaitaiStruct):
        """Name of a distributed transaction.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L596
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MysqlBinlog.XaPrepareId, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.format_id = self._io.read_s4le()
            self.len_gtrid = self._io.read_u4le()
            if not self.len_gtrid <= 64:
                raise kaitaistruct.ValidationGreaterThanError(64, self.len_gtrid, self._io, u"/types/xa_prepare_id/seq/1")
            self.len_bqual = self._io.read_u4le()
            if not self.len_bqual <= 64:
                raise kaitaistruct.ValidationGreaterThanError(64, self.len_bqual, self._io, u"/types/xa_prepare_id/seq/2")
            self.gtrid = self._io.read_bytes(self.len_gtrid)
            self.bqual = self._io.read_bytes(self.len_bqual)


        def _fetch_instances(self):
            pass


    class XidEvent(KaitaiStruct):
        """Commits a transaction.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.4.6/libs/mysql/binlog/event/control_events.h#L501
        """
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
        """YEAR.
        
        .. seealso::
           Source - https://github.com/mysql/mysql-server/blob/mysql-8.0.39/sql/field.cc#L5617
        """
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
        def plain(self):
            if hasattr(self, '_m_plain'):
                return self._m_plain

            self._m_plain = self.value
            return getattr(self, '_m_plain', None)

        @property
        def value(self):
            """From 1901 to 2155, or 0."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (0 if self.raw == 0 else 1900 + self.raw)
            return getattr(self, '_m_value', None)


    @property
    def first_type_code(self):
        if hasattr(self, '_m_first_type_code'):
            return self._m_first_type_code

        if self.len_file >= 23:
            pass
            _pos = self._io.pos()
            self._io.seek(8)
            self._m_first_type_code = self._io.read_u1()
            self._io.seek(_pos)

        return getattr(self, '_m_first_type_code', None)

    @property
    def len_file(self):
        if hasattr(self, '_m_len_file'):
            return self._m_len_file

        self._m_len_file = self._io.size()
        return getattr(self, '_m_len_file', None)

    @property
    def len_first_event(self):
        if hasattr(self, '_m_len_first_event'):
            return self._m_len_first_event

        if self.len_file >= 23:
            pass
            _pos = self._io.pos()
            self._io.seek(13)
            self._m_len_first_event = self._io.read_u4le()
            self._io.seek(_pos)

        return getattr(self, '_m_len_first_event', None)

    @property
    def len_header(self):
        """Bytes of an event header up to `event.data`. 13 in MySQL 3.23, whose first event is shorter
        than any later one.
        """
        if hasattr(self, '_m_len_header'):
            return self._m_len_header

        self._m_len_header = (13 if  ((self.len_file >= 23) and (self.first_type_code == 1) and (self.len_first_event < 75))  else 19)
        return getattr(self, '_m_len_header', None)

    @property
    def ofs_trailing(self):
        """Offset of the byte after the last event."""
        if hasattr(self, '_m_ofs_trailing'):
            return self._m_ofs_trailing

        self._m_ofs_trailing = (4 if len(self.events) == 0 else (self.events[-1].ofs_event + (13 if self.events[-1].table_map_index == -2 else self.len_header)) + len(self.events[-1].data))
        return getattr(self, '_m_ofs_trailing', None)

    @property
    def trailing(self):
        """The start of an event header that the end of the file cuts. Empty in a whole file."""
        if hasattr(self, '_m_trailing'):
            return self._m_trailing

        _pos = self._io.pos()
        self._io.seek(self.ofs_trailing)
        self._m_trailing = self._io.read_bytes_full()
        self._io.seek(_pos)
        return getattr(self, '_m_trailing', None)


