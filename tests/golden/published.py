"""Logs that others have published, compared with what the official tools print of their rows.

`python -m tests.golden.published FOLDER SERVERS`: folders of the logs and of installed servers.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark_adapter import BinlogError, list_tables
from samples.tool_runner import run_tool_on_file
from tests.corpus.logs import Log, flavor_of
from tests.corpus.tally import Place, Tally
from tests.golden.printed_rows import compare_rows
from tests.live.servers import ServerError


def compare_log(path: Path, servers: Path, folder: Path) -> Tally:
    """Compare the rows of a log, and their number."""
    data = path.read_bytes()
    tool = "mariadb-binlog" if b"MariaDB" in data[:200] else "mysqlbinlog"
    text = folder / "text"
    text.write_bytes(run_tool_on_file(servers, tool, data, must_succeed=True))
    tally = compare_rows(Log(path.name, path, text, flavor_of(tool), tool, is_complete=True))
    num_changes = sum(t.num_changes for t in list_tables(path, on_statement_events="ignore"))
    printed = sum(
        map(text.read_bytes().count, (b"### INSERT INTO", b"### UPDATE", b"### DELETE F"))
    )
    tally.check("changes", Place(path.name, 0, 0), printed, num_changes)
    return tally


def main(folder: str, servers: str) -> int:
    """Compare the logs of a folder; return 1 if one differs."""
    total, num_logs = Tally(), 0
    with TemporaryDirectory() as texts:
        for path in sorted(Path(folder).iterdir()):
            try:
                total.add(compare_log(path, Path(servers).resolve(), Path(texts)))
                num_logs += 1
            except (BinlogError, ServerError) as error:
                print(f"{path.name}: {str(error).splitlines()[0]}")  # noqa: T201
    print(f"{num_logs} logs; compared: {total.compared}; differences: {total.differences}")  # noqa: T201
    return int(bool(total.differences))


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
