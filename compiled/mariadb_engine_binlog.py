# Compiler: kaitai-struct-compiler 0.11.0; command: make compile
# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class MariadbEngineBinlog(KaitaiStruct):
    """The container of the binary log that MariaDB 12.3 and later write with `binlog_storage_engine=innodb`, in
    files named `binlog-000000.ibb` and so on. The events in it are those of `mysql_binlog.ksy`, without checksums.
    
    A file is a sequence of pages; page 0 is its header. The other pages hold chunks, and the last four bytes of
    each page are its CRC-32C. One or more chunks make a record, which may go on in the next page and file. Events
    cross chunks and records, so this schema shows their bytes and does not parse them.
    
    Files are allocated before they are used: pages of zeros, page 0 included, are empty and no damage.
    
    From the published format and the source of the server; not yet tried on files of a server.
    
    Lengths and offsets are in bytes, unless a field says otherwise.
    
    .. seealso::
       Source - https://github.com/MariaDB/server/blob/282795d4b292838de5e17b6a747fd4e24be9b512/Docs/replication/binlog.md#documentation-of-the-binlog-file-format
    """

    class RecordType(IntEnum):
        commit = 1
        gtid_state = 2
        out_of_band = 3
        filler = 4
        xa_prepare = 5
        xa_complete = 6
        continuation = 64
    def __init__(self, _io, _parent=None, _root=None):
        super(MariadbEngineBinlog, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        if self._io.size() >= self.len_page:
            pass
            self._raw_header = self._io.read_bytes(self.len_page)
            _io__raw_header = KaitaiStream(BytesIO(self._raw_header))
            self.header = MariadbEngineBinlog.Header(_io__raw_header, self, self._root)

        self._raw_pages = []
        self.pages = []
        for i in range((self.num_pages - 1 if self.num_pages > 1 else 0)):
            self._raw_pages.append(self._io.read_bytes(self.len_page))
            _io__raw_pages = KaitaiStream(BytesIO(self._raw_pages[i]))
            self.pages.append(MariadbEngineBinlog.Page(_io__raw_pages, self, self._root))

        self.trailing = self._io.read_bytes_full()


    def _fetch_instances(self):
        pass
        if self._io.size() >= self.len_page:
            pass
            self.header._fetch_instances()

        for i in range(len(self.pages)):
            pass
            self.pages[i]._fetch_instances()

        _ = self.start_log2_len_page
        if hasattr(self, '_m_start_log2_len_page'):
            pass

        _ = self.start_magic
        if hasattr(self, '_m_start_magic'):
            pass


    class BytesOfRecord(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.BytesOfRecord, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.content = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass


    class Chunk(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.Chunk, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.type_byte = self._io.read_u1()
            if (not (self.is_end)):
                pass
                self.len_data = self._io.read_u2le()

            if (not (self.is_end)):
                pass
                _on = self.first_type
                if _on == MariadbEngineBinlog.RecordType.commit:
                    pass
                    self._raw_data = self._io.read_bytes(self.len_data)
                    _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                    self.data = MariadbEngineBinlog.CommitStart(_io__raw_data, self, self._root)
                elif _on == MariadbEngineBinlog.RecordType.gtid_state:
                    pass
                    self._raw_data = self._io.read_bytes(self.len_data)
                    _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                    self.data = MariadbEngineBinlog.GtidStateStart(_io__raw_data, self, self._root)
                elif _on == MariadbEngineBinlog.RecordType.out_of_band:
                    pass
                    self._raw_data = self._io.read_bytes(self.len_data)
                    _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                    self.data = MariadbEngineBinlog.OutOfBandStart(_io__raw_data, self, self._root)
                elif _on == MariadbEngineBinlog.RecordType.xa_complete:
                    pass
                    self._raw_data = self._io.read_bytes(self.len_data)
                    _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                    self.data = MariadbEngineBinlog.XaCompleteStart(_io__raw_data, self, self._root)
                elif _on == MariadbEngineBinlog.RecordType.xa_prepare:
                    pass
                    self._raw_data = self._io.read_bytes(self.len_data)
                    _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                    self.data = MariadbEngineBinlog.XaPrepareStart(_io__raw_data, self, self._root)
                else:
                    pass
                    self._raw_data = self._io.read_bytes(self.len_data)
                    _io__raw_data = KaitaiStream(BytesIO(self._raw_data))
                    self.data = MariadbEngineBinlog.BytesOfRecord(_io__raw_data, self, self._root)



        def _fetch_instances(self):
            pass
            if (not (self.is_end)):
                pass

            if (not (self.is_end)):
                pass
                _on = self.first_type
                if _on == MariadbEngineBinlog.RecordType.commit:
                    pass
                    self.data._fetch_instances()
                elif _on == MariadbEngineBinlog.RecordType.gtid_state:
                    pass
                    self.data._fetch_instances()
                elif _on == MariadbEngineBinlog.RecordType.out_of_band:
                    pass
                    self.data._fetch_instances()
                elif _on == MariadbEngineBinlog.RecordType.xa_complete:
                    pass
                    self.data._fetch_instances()
                elif _on == MariadbEngineBinlog.RecordType.xa_prepare:
                    pass
                    self.data._fetch_instances()
                else:
                    pass
                    self.data._fetch_instances()


        @property
        def first_type(self):
            """The type of the record that the chunk begins."""
            if hasattr(self, '_m_first_type'):
                return self._m_first_type

            self._m_first_type = (MariadbEngineBinlog.RecordType.continuation if  ((self.is_end) or (self.is_continuation))  else self.record_type)
            return getattr(self, '_m_first_type', None)

        @property
        def is_continuation(self):
            if hasattr(self, '_m_is_continuation'):
                return self._m_is_continuation

            self._m_is_continuation = self.type_byte & 128 != 0
            return getattr(self, '_m_is_continuation', None)

        @property
        def is_end(self):
            """Zero where the log ends. 255 is padding, where fewer than four bytes are left in the page."""
            if hasattr(self, '_m_is_end'):
                return self._m_is_end

            self._m_is_end =  ((self.type_byte == 0) or (self.type_byte == 255)) 
            return getattr(self, '_m_is_end', None)

        @property
        def is_last(self):
            """Whether it ends its record."""
            if hasattr(self, '_m_is_last'):
                return self._m_is_last

            self._m_is_last = self.type_byte & 64 != 0
            return getattr(self, '_m_is_last', None)

        @property
        def record_type(self):
            if hasattr(self, '_m_record_type'):
                return self._m_record_type

            if (not (self.is_end)):
                pass
                self._m_record_type = KaitaiStream.resolve_enum(MariadbEngineBinlog.RecordType, self.type_byte & 63)

            return getattr(self, '_m_record_type', None)


    class CommitStart(KaitaiStruct):
        """A transaction, or another group of events. Its events are those of the record, then those of the
        out-of-band records of both sets. The fields may be cut by the end of the chunk, as in all records.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.CommitStart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.first_set = MariadbEngineBinlog.NodeSet(self._io, self, self._root)
            if self.first_set.is_used:
                pass
                self.second_set = MariadbEngineBinlog.NodeSet(self._io, self, self._root)

            self.events = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            self.first_set._fetch_instances()
            if self.first_set.is_used:
                pass
                self.second_set._fetch_instances()



    class CompressedInt(KaitaiStruct):
        """The lowest three bits of the first byte tell the length: n - 1 bytes, and 7 for 9. All bytes are one
        little-endian number; the others of its bits are the value. The end of the chunk may cut it.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.CompressedInt, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.first = []
            for i in range((0 if self._io.is_eof() else 1)):
                self.first.append(self._io.read_u1())

            self.rest = []
            for i in range((self.len_rest if self.len_rest < self._io.size() - self._io.pos() else self._io.size() - self._io.pos())):
                self.rest.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.first)):
                pass

            for i in range(len(self.rest)):
                pass


        @property
        def is_whole(self):
            if hasattr(self, '_m_is_whole'):
                return self._m_is_whole

            self._m_is_whole =  ((len(self.first) == 1) and (len(self.rest) == self.len_rest)) 
            return getattr(self, '_m_is_whole', None)

        @property
        def len_rest(self):
            if hasattr(self, '_m_len_rest'):
                return self._m_len_rest

            self._m_len_rest = (0 if len(self.first) == 0 else (8 if self.first[0] & 7 == 7 else self.first[0] & 7))
            return getattr(self, '_m_len_rest', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            if self.is_whole:
                pass
                self._m_value = (((((((self.first[0] // 8 + (self.rest[0] * 32 if self.len_rest > 0 else 0)) + (self.rest[1] * 8192 if self.len_rest > 1 else 0)) + (self.rest[2] * 2097152 if self.len_rest > 2 else 0)) + (self.rest[3] * 536870912 if self.len_rest > 3 else 0)) + (self.rest[4] * 137438953472 if self.len_rest > 4 else 0)) + (self.rest[5] * 35184372088832 if self.len_rest > 5 else 0)) + (self.rest[6] * 9007199254740992 if self.len_rest > 6 else 0)) + (self.rest[7] * 2305843009213693952 if self.len_rest > 7 else 0)

            return getattr(self, '_m_value', None)


    class Gtid(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.Gtid, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.domain_id = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)
            self.server_id = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)
            self.sequence_no = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.domain_id._fetch_instances()
            self.server_id._fetch_instances()
            self.sequence_no._fetch_instances()


    class GtidStateStart(KaitaiStruct):
        """The last GTIDs of each domain. On page 1 all of them; later the difference to that. A state may be
        longer than the chunk, and so have more GTIDs than are shown.
        """
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.GtidStateStart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.num_gtids = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)
            self.pending_xa = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)
            self.gtids = []
            i = 0
            while not self._io.is_eof():
                self.gtids.append(MariadbEngineBinlog.Gtid(self._io, self, self._root))
                i += 1



        def _fetch_instances(self):
            pass
            self.num_gtids._fetch_instances()
            self.pending_xa._fetch_instances()
            for i in range(len(self.gtids)):
                pass
                self.gtids[i]._fetch_instances()



    class Header(KaitaiStruct):
        """Page 0. All zeros if the file is allocated and not yet in use."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.Header, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.magic = self._io.read_u4le()
            self.log2_len_page = self._io.read_u4le()
            self.version_major = self._io.read_u4le()
            self.version_minor = self._io.read_u4le()
            self.file_no = self._io.read_u8le()
            self.num_pages_begun = self._io.read_u8le()
            self.start_lsn = self._io.read_u8le()
            self.state_interval = self._io.read_u8le()
            self.first_referenced_file_no = self._io.read_u8le()
            self.first_pending_xa_file_no = self._io.read_u8le()
            self.reserved = self._io.read_bytes(444)
            self.checksum = self._io.read_u4le()
            if self._io.size() > 512:
                pass
                self.unused = self._io.read_bytes(self._io.size() - 516)

            if self._io.size() > 512:
                pass
                self.page_checksum = self._io.read_u4le()



        def _fetch_instances(self):
            pass
            if self._io.size() > 512:
                pass

            if self._io.size() > 512:
                pass


        @property
        def is_used(self):
            if hasattr(self, '_m_is_used'):
                return self._m_is_used

            self._m_is_used = self.magic == 17694462
            return getattr(self, '_m_is_used', None)


    class NodeSet(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.NodeSet, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.num_nodes = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)
            if self.is_used:
                pass
                self.first_node = MariadbEngineBinlog.Pointer(self._io, self, self._root)

            if self.is_used:
                pass
                self.last_root = MariadbEngineBinlog.Pointer(self._io, self, self._root)



        def _fetch_instances(self):
            pass
            self.num_nodes._fetch_instances()
            if self.is_used:
                pass
                self.first_node._fetch_instances()

            if self.is_used:
                pass
                self.last_root._fetch_instances()


        @property
        def is_used(self):
            if hasattr(self, '_m_is_used'):
                return self._m_is_used

            self._m_is_used =  ((self.num_nodes.is_whole) and (self.num_nodes.value > 0)) 
            return getattr(self, '_m_is_used', None)


    class OutOfBandStart(KaitaiStruct):
        """A part of a large group. Records of a group are nodes of perfect binary trees."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.OutOfBandStart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.node_no = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)
            self.left = MariadbEngineBinlog.Pointer(self._io, self, self._root)
            self.right = MariadbEngineBinlog.Pointer(self._io, self, self._root)
            self.events = self._io.read_bytes_full()


        def _fetch_instances(self):
            pass
            self.node_no._fetch_instances()
            self.left._fetch_instances()
            self.right._fetch_instances()


    class Page(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.Page, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.chunks = []
            i = 0
            while True:
                _ = MariadbEngineBinlog.Chunk(self._io, self, self._root)
                self.chunks.append(_)
                if  ((_.is_end) or (self.len_content == self._io.pos())) :
                    break
                i += 1
            self.unused = self._io.read_bytes((self.len_content - self._io.pos() if self.len_content > self._io.pos() else 0))
            self.checksum = self._io.read_u4le()


        def _fetch_instances(self):
            pass
            for i in range(len(self.chunks)):
                pass
                self.chunks[i]._fetch_instances()


        @property
        def len_content(self):
            if hasattr(self, '_m_len_content'):
                return self._m_len_content

            self._m_len_content = self._io.size() - 4
            return getattr(self, '_m_len_content', None)


    class Pointer(KaitaiStruct):
        """The place of a record. Both zero for none."""
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.Pointer, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.file_no = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)
            self.offset = MariadbEngineBinlog.CompressedInt(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.file_no._fetch_instances()
            self.offset._fetch_instances()


    class XaCompleteStart(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.XaCompleteStart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if (not (self._io.is_eof())):
                pass
                self.flags = self._io.read_u1()

            self.xid = MariadbEngineBinlog.Xid(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            if (not (self._io.is_eof())):
                pass

            self.xid._fetch_instances()


    class XaPrepareStart(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.XaPrepareStart, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if (not (self._io.is_eof())):
                pass
                self.num_engines = self._io.read_u1()

            self.xid = MariadbEngineBinlog.Xid(self._io, self, self._root)
            self.nodes = MariadbEngineBinlog.NodeSet(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            if (not (self._io.is_eof())):
                pass

            self.xid._fetch_instances()
            self.nodes._fetch_instances()


    class Xid(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(MariadbEngineBinlog.Xid, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            if self._io.size() - self._io.pos() >= 4:
                pass
                self.format_id = self._io.read_u4le()

            if (not (self._io.is_eof())):
                pass
                self.len_gtrid = self._io.read_u1()

            if (not (self._io.is_eof())):
                pass
                self.len_bqual = self._io.read_u1()

            if self.is_whole:
                pass
                self.gtrid = self._io.read_bytes(self.len_gtrid)

            if self.is_whole:
                pass
                self.bqual = self._io.read_bytes(self.len_bqual)



        def _fetch_instances(self):
            pass
            if self._io.size() - self._io.pos() >= 4:
                pass

            if (not (self._io.is_eof())):
                pass

            if (not (self._io.is_eof())):
                pass

            if self.is_whole:
                pass

            if self.is_whole:
                pass


        @property
        def is_whole(self):
            if hasattr(self, '_m_is_whole'):
                return self._m_is_whole

            self._m_is_whole =  ((self._io.size() >= 7) and (self._io.size() - 7 >= self.len_gtrid + self.len_bqual)) 
            return getattr(self, '_m_is_whole', None)


    @property
    def has_page_size(self):
        if hasattr(self, '_m_has_page_size'):
            return self._m_has_page_size

        self._m_has_page_size =  ((self._io.size() >= 8) and (self.start_magic == 17694462) and (self.start_log2_len_page >= 9) and (self.start_log2_len_page <= 16)) 
        return getattr(self, '_m_has_page_size', None)

    @property
    def len_page(self):
        """As the header has it; that of all servers so far, if the file is not in use."""
        if hasattr(self, '_m_len_page'):
            return self._m_len_page

        self._m_len_page = (1 << self.start_log2_len_page if self.has_page_size else 16384)
        return getattr(self, '_m_len_page', None)

    @property
    def num_pages(self):
        if hasattr(self, '_m_num_pages'):
            return self._m_num_pages

        self._m_num_pages = self._io.size() // self.len_page
        return getattr(self, '_m_num_pages', None)

    @property
    def start_log2_len_page(self):
        if hasattr(self, '_m_start_log2_len_page'):
            return self._m_start_log2_len_page

        if self._io.size() >= 8:
            pass
            _pos = self._io.pos()
            self._io.seek(4)
            self._m_start_log2_len_page = self._io.read_u4le()
            self._io.seek(_pos)

        return getattr(self, '_m_start_log2_len_page', None)

    @property
    def start_magic(self):
        if hasattr(self, '_m_start_magic'):
            return self._m_start_magic

        if self._io.size() >= 8:
            pass
            _pos = self._io.pos()
            self._io.seek(0)
            self._m_start_magic = self._io.read_u4le()
            self._io.seek(_pos)

        return getattr(self, '_m_start_magic', None)


