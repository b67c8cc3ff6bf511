"""A sample: the server, its options, the SQL, and how the log ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

SAMPLES_FOLDER = Path(__file__).parent
SQL_FOLDER = SAMPLES_FOLDER / "sql"
EXPECTED_FOLDER = SAMPLES_FOLDER / "expected"
MANIFEST = SAMPLES_FOLDER / "manifest.json"
GOLDEN_FOLDER = SAMPLES_FOLDER.parent / "tests" / "golden"
LOG_SUFFIX = ".000001"


class LogEnd(StrEnum):
    """How the log was closed before it was copied."""

    ROTATE = "rotate"  # FLUSH BINARY LOGS: the usual end of a log of a running server
    STOP = "stop"  # shutdown of the server
    OPEN = "open"  # not closed: copied while the server writes it, with the in-use flag


class TextFrom(StrEnum):
    """Where the official tool reads the log."""

    FILE = "file"
    SERVER = "server"  # it cannot decrypt files; the server sends it plain events


@dataclass(frozen=True)
class Sample:
    """One log to make.

    Attributes:
        name: File name without the numeric suffix; begins with the server's version.
        shows: One sentence: what the log demonstrates.
        server: Name of the installed server.
        database: Database that the script creates and uses; no two samples share one.
        sql: SQL files below `samples/sql`, run in this order.
        options: Server options.
        folder: Subfolder of `samples`; empty for logs that the main job reads.
        end: How the log is finished.
        tool: The official tool whose text is kept.
        text_from: Where that tool reads the log.
        tool_fails: Why the tool cannot read the whole log, so that its text ends early.
        data_files: Files that the server's data folder needs.
        hidden_changes: Why the client sees other row changes than the log; empty if both must
            agree.
        diverging: Tables whose rows differ from the result of the logged changes, with reasons.
    """

    name: str
    shows: str
    server: str
    database: str
    sql: tuple[str, ...]
    options: Mapping[str, str | None] = field(default_factory=dict)
    folder: str = ""
    end: LogEnd = LogEnd.ROTATE
    tool: str = "mysqlbinlog"
    text_from: TextFrom = TextFrom.FILE
    tool_fails: str = ""
    data_files: Mapping[str, str] = field(default_factory=dict)
    hidden_changes: str = ""
    diverging: Mapping[str, str] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """Return the path of the log below `samples`, as the manifest has it."""
        return str(Path(self.folder) / (self.name + LOG_SUFFIX))

    @property
    def path(self) -> Path:
        """Return the path of the log."""
        return SAMPLES_FOLDER / self.file

    @property
    def expected(self) -> Path:
        """Return the path of the tables' rows as the server selects them."""
        return EXPECTED_FOLDER / f"{self.name}.json"
