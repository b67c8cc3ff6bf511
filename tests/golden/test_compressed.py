"""A compressed transaction of another project's server, against the official tool's text."""

from pyspark_adapter import read_batches
from tests.inputs import CORPUS, need_corpus
from tests.truth.tool_text import Flavor, parse_tool_text

PAYLOAD_POS = 236  # as the text has it


def test_rows_are_those_that_the_tool_prints() -> None:
    need_corpus()
    path = CORPUS / "mysql-binlog-connector-java" / "mysql-bin.compressed"
    text = path.with_name(f"{path.name}.mysqlbinlog.txt").read_bytes()
    printed = parse_tool_text(text, Flavor.MYSQL)
    assert len(printed) == 2
    names = ("_change_type", "_start_pos")
    batches = read_batches(path, table="demo.movies", metadata_columns=names)
    rows = [list(row.values()) for batch in batches for row in batch.to_pylist()]
    for (change_type, start_pos, *cells), image in zip(rows, printed, strict=True):
        assert change_type == image.change_type.value
        assert start_pos == PAYLOAD_POS
        assert len(cells) == len(image.values) == 11
        for number, cell in enumerate(cells, start=1):
            if isinstance(cell, str):
                assert cell.encode() == image.decode_string(number)
            else:
                assert str(cell).encode() == image.values[number]
