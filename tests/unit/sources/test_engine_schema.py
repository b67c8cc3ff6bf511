"""The schema of MariaDB's engine binlogs parses what the writer for tests makes."""

from dataclasses import asdict
from typing import Any

import pytest
from mariadb_engine_binlog import MariadbEngineBinlog

from tests.support.engine_binlog import EngineBinlogWriter
from tests.support.engine_folders import SIZES, Sizes, write_workload
from tests.support.engine_pages import Position, crc32c

Record = tuple[int, bytes, Position]
_SKIPPED = (2, 4)


class Recording(EngineBinlogWriter):
    """Keeps the records as they were handed to the pages, without those of states and fillers."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.records: list[Record] = []
        append = self.pages.append

        def keep(record_type: int, data: bytes, *rest: Any) -> Position:
            position = append(record_type, data, *rest)
            self.records.append((record_type, data, position))
            return position

        self.pages.append = keep  # type: ignore[assignment, method-assign]


def parsed_records(files: dict[int, MariadbEngineBinlog]) -> tuple[list[Record], list[bytes]]:
    """Return the records of files as their chunks have them, and the data of the GTID states."""
    records: list[tuple[int, bytearray, Position]] = []
    states: list[bytearray] = []
    for file_no, parsed in files.items():
        for number, page in enumerate(parsed.pages):
            offset = (number + 1) * parsed.len_page
            for chunk in page.chunks:
                if chunk.is_end:
                    break
                code = chunk.record_type.value
                data = chunk._raw_data
                assert len(data) == chunk.len_data
                if code in _SKIPPED:
                    if code == 2:
                        states += [] if chunk.is_continuation else [bytearray()]
                        states[-1].extend(data)
                elif chunk.is_continuation:
                    assert records[-1][0] == code
                    records[-1][1].extend(data)
                else:
                    records.append((code, bytearray(data), Position(file_no, offset)))
                offset += 3 + chunk.len_data
    return [(code, bytes(data), at) for code, data, at in records], [bytes(s) for s in states]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_records_and_checksums(sizes: Sizes) -> None:
    writer = Recording(**asdict(sizes))
    write_workload(writer, 1, 60 if sizes.page_size < 4096 else 12)
    on_disk = writer.pages.on_disk(num_empty=2)
    files = {number: MariadbEngineBinlog.from_bytes(data) for number, data in on_disk.items()}
    records, states = parsed_records(files)
    assert records == writer.records
    assert states or sizes.pages_per_file == 2, sizes
    for number, data in on_disk.items():
        parsed = files[number]
        if not any(data):
            assert not parsed.has_page_size
            continue
        assert parsed.trailing == b""
        assert parsed.header.file_no == number
        assert parsed.len_page == sizes.page_size
        assert parsed.num_pages == len(data) // sizes.page_size
        assert parsed.header.checksum == crc32c(data[:508])
        for index, page in enumerate(parsed.pages):
            start = (index + 1) * sizes.page_size
            content = data[start : start + sizes.page_size - 4]
            assert page.checksum == (crc32c(content) if any(content) else 0)


def test_heads_of_records() -> None:
    """What a commit, a node, a state and XA refer to, each whole in its chunk."""
    writer = Recording(page_size=16384, pages_per_file=4, state_interval=1, cache_size=2000)
    write_workload(writer, 3)
    kinds = MariadbEngineBinlog.RecordType
    commits: list[Any] = []
    found: dict[Any, int] = {}
    for data in writer.pages.on_disk(num_empty=0).values():
        for page in MariadbEngineBinlog.from_bytes(data).pages:
            for chunk in page.chunks:
                if chunk.is_end or chunk.is_continuation:
                    continue
                found[chunk.record_type] = found.get(chunk.record_type, 0) + 1
                start = chunk.data
                if chunk.record_type is kinds.commit:
                    commits.append(start)
                elif chunk.record_type is kinds.gtid_state and chunk.is_last:
                    assert len(start.gtids) == start.num_gtids.value
                    assert {gtid.domain_id.value for gtid in start.gtids} <= {0, 1, 2}
                elif chunk.record_type is kinds.xa_prepare and chunk.is_last:
                    assert start.num_engines == 1
                    assert start.xid.gtrid.startswith(b"xa")
                    assert (start.xid.bqual, start.nodes.is_used) == (b"b", True)
    assert {kinds.commit, kinds.gtid_state, kinds.out_of_band, kinds.xa_complete} <= set(found)
    assert found[kinds.xa_prepare] > 2
    assert len(commits) == len(writer.groups)
    positions = {at: data for code, data, at in writer.records if code == 3}
    trees = [start.first_set for start in commits if start.first_set.is_used]
    assert len(trees) > 5
    for nodes in trees:
        first, last = (
            Position(at.file_no.value, at.offset.value)
            for at in (nodes.first_node, nodes.last_root)
        )
        assert positions[first][0] == 0
        assert (positions[last][0] >> 3) == nodes.num_nodes.value - 1 or nodes.num_nodes.value > 31


def test_integers_of_all_lengths() -> None:
    numbers = {"00": 0, "08": 1, "f8": 31, "01 01": 32, "f9 ff": 8191, "02 00 01": 8192}
    numbers |= {"07 00 00 00 00 00 00 01 00": 1 << 53, "ff ff ff ff ff ff ff ff 07": (1 << 64) - 1}
    for text, number in numbers.items():
        data = bytes.fromhex(text)
        parsed = MariadbEngineBinlog.CompressedInt.from_bytes(data)
        assert (parsed.is_whole, parsed.value) == (True, number)
        for length in range(len(data)):
            assert not MariadbEngineBinlog.CompressedInt.from_bytes(data[:length]).is_whole


def test_a_cut_file_parses_up_to_the_cut() -> None:
    writer = Recording(page_size=512, pages_per_file=8, cache_size=200)
    write_workload(writer, 1, 10)
    (data, *_) = writer.pages.on_disk(num_empty=0).values()
    whole = MariadbEngineBinlog.from_bytes(data)
    for length in range(0, len(data), 77):
        parsed = MariadbEngineBinlog.from_bytes(data[:length])
        num_whole = max(length // 512 - 1, 0)
        assert [page.checksum for page in parsed.pages] == [
            page.checksum for page in whole.pages[:num_whole]
        ]
        assert len(parsed.trailing) in (length % 512, length)
