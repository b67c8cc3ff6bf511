"""SQL scripts of hostile logs: nothing leaves its quotes, and no comment its line."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pyspark_adapter.sql_text.script import redo_statements, sql_rows, undo_statements
from tests.support import encoders
from tests.support.log_writer import DELETE_V2, UPDATE_V2, WRITE_V2, LoggedColumn, LogWriter, Rows

SIGNS = ("'", '"', "`", "\\", ";", "--", "-- ", "#", "/*", "*/", "/*!", "\n", "\r", "\t", "\0")
MORE_SIGNS = (
    "\x1a",
    "\x1b[2J",
    "%",
    "_",
    "DROP TABLE x",
    "\\!",
    "\\'",
    "''",
    "delimiter",
    "é",
    "中",
)
COLLATIONS = (63, 8, 255, 33, 11, 28, 13, 1, 35, 999)  # binary, latin1, utf8mb4, gbk, sjis, ucs2

# What a server and its client program leave as it is: text in quotes, names, and comments.
_QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`", re.DOTALL)
_INTRODUCED = re.compile(r"(?:\b_[a-z0-9]+ ?)?(?:\bx)?'Q'")


def hostile(rng: random.Random, signs: Sequence[str]) -> str:
    return "".join(rng.choices(signs, k=rng.randrange(1, 9)))


def skeleton(lines: Iterator[str]) -> list[str]:
    """Return lines without what is quoted; comments as dashes alone."""
    found = []
    for line in lines:
        assert "\n" not in line
        assert "\r" not in line
        if line.startswith("-- "):
            assert line.isprintable()
            found.append("--")
            continue
        found.append(_INTRODUCED.sub("Q", _QUOTED.sub("'Q'", line)))
    return found


def write_log(path: Path, texts: Sequence[str], data: Sequence[bytes], name: str) -> None:
    """Write an insert, an update and a delete of values of all kinds of text."""
    columns = [
        LoggedColumn(f"{name}{i}", 252, b"\2", collation=collation)
        for i, collation in enumerate(COLLATIONS[:-1])
    ]
    columns.append(LoggedColumn("json", 245, b"\4"))
    columns.append(LoggedColumn("enum", 254, b"\xf7\1", collation=255, members=(texts[0],)))
    values = [len(d).to_bytes(2, "little") + d for d in data]
    document = encoders.json_document({texts[0]: texts[1]})
    values += [len(document).to_bytes(4, "little") + document, b"\1"]
    other = [*values[:-1], b"\0"]
    log = LogWriter()
    log.begin()
    log.table_map(5, name, columns)
    present = [True] * len(columns)
    log.rows(5, Rows(WRITE_V2, [values], present))
    log.table_map(5, name, columns)
    log.rows(5, Rows(UPDATE_V2, [values, other], present, present))
    log.table_map(5, name, columns)
    log.rows(5, Rows(DELETE_V2, [other], present))
    log.commit()
    log.statement(f"ALTER TABLE x ADD y INT DEFAULT {texts[0]}")
    path.write_bytes(log.data)


@pytest.mark.parametrize("seed", range(30))
def test_a_script_has_the_same_form_whatever_the_log_holds(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)  # noqa: S311 - the same each time
    signs = SIGNS + MORE_SIGNS
    texts = [hostile(rng, signs) for _ in range(2)]
    data = [hostile(rng, signs).encode() + rng.randbytes(rng.randrange(3)) for _ in COLLATIONS[:-1]]
    name = hostile(rng, [sign for sign in signs if sign.isprintable()])
    forms = []
    (tmp_path / "plain").mkdir()
    (tmp_path / "evil\n; DROP TABLE x; --").mkdir()
    for folder, log in (
        ("plain", (["a b", "b"], [b"a"] * 9, "t")),
        ("evil\n; DROP TABLE x; --", (texts, data, name)),
    ):
        path = tmp_path / folder / ("log.000001" if folder == "plain" else "lo\ng;.000001")
        write_log(path, *log)
        forms.append(
            [
                skeleton(undo_statements(path, force=True)),
                skeleton(redo_statements(path, force=True)),
                skeleton(sql_rows(path)),
            ]
        )
    assert forms[0] == forms[1]


def test_the_form_of_a_script_shows_what_leaves_its_quotes() -> None:
    plain = skeleton(iter(["INSERT INTO `t` VALUES (_sjis x'41', 'a');"]))
    assert plain == skeleton(iter(["INSERT INTO `a``b` VALUES ('it''s', _latin1'\\\\');"]))
    for line in ("INSERT INTO `a`b` VALUES ('a', 'a');", "INSERT INTO `a` VALUES ('it's', 'a');"):
        assert plain != skeleton(iter([line]))
