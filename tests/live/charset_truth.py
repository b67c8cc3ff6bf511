"""The characters of the servers' character sets, asked for one by one.

`python -m tests.live.charset_truth SERVERS_FOLDER` writes `tests/golden/charsets.sha256` again: for
each character set how many characters it has, and the SHA-256 of the list of them, by MySQL.
"""

import hashlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from samples.truth import fetch_rows
from tests.live.servers import connect, running_server

GOLDEN = Path(__file__).parent.parent / "golden" / "charsets.sha256"

# Character sets in which sequences of two bytes are to be asked for, of three after 8f, of four.
PAIRS = frozenset({"big5", "sjis", "cp932", "euckr", "gb2312", "gbk", "gb18030", "ujis", "eucjpms"})
TRIPLES = frozenset({"ujis", "eucjpms"})
FOURS = frozenset({"gb18030"})

_BYTES = """
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 255),
    b (i, c) AS (SELECT i, UNHEX(LPAD(HEX(i), 2, '0')) FROM n)
"""


def conversions(connection: Any, charset: str, sequences: str) -> Iterator[tuple[bytes, str]]:
    """Yield byte sequences of a character set and what the server makes of them.

    Args:
        connection: to a server.
        charset: the character set.
        sequences: a SELECT of them, from tables `b (i, c)` of numbers and their bytes.
    """
    fetch_rows(connection, "SET sql_mode = ''")  # else what is not valid makes all of it NULL
    for sequence, converted in fetch_rows(
        connection,
        f"{_BYTES} SELECT HEX(s), HEX(CONVERT(CONVERT(s USING {charset}) USING utf8mb4))"  # noqa: S608
        f" FROM ({sequences}) AS t (s)",
    ):
        yield bytes.fromhex(sequence), bytes.fromhex(converted).decode("utf-8", "surrogatepass")


def characters(connection: Any, charset: str) -> dict[bytes, str]:
    """Return the characters of a set that is no Unicode's, by their bytes.

    The server makes a question mark of what is none, or U+FFFD, or nothing.
    """
    found: dict[bytes, str] = {}
    queries = ["SELECT c FROM b"]
    if charset in PAIRS:
        queries.append("SELECT CONCAT(x.c, y.c) FROM b x, b y")
    if charset in TRIPLES:
        queries.append("SELECT CONCAT(x'8f', x.c, y.c) FROM b x, b y")
    if charset in FOURS:
        fours = "SELECT CONCAT(x'{:02x}', x.c, y.c, z.c) FROM b x, b y, b z WHERE x.i BETWEEN 48"
        fours += " AND 57 AND y.i BETWEEN 129 AND 254 AND z.i BETWEEN 48 AND 57"
        queries += map(fours.format, range(0x81, 0xFF))
    for query in queries:
        for sequence, text in list(conversions(connection, charset, query)):
            if sequence[:1] in found:
                continue  # MySQL leaves out what follows and is none
            is_mark = text == "?" and sequence != b"?"
            is_undefined = text == "\ufffd" and len(sequence) < 4
            if len(text) == 1 and not is_mark and not is_undefined:
                found[sequence] = text
    return found


def summarize(found: Mapping[bytes, str]) -> str:
    """Return how many characters there are, and a digest of them."""
    lines = (f"{sequence.hex()} {found[sequence]}\n" for sequence in sorted(found))
    digest = hashlib.sha256("".join(lines).encode())
    return f"{len(found)} {digest.hexdigest()}"


def main(servers_folder: str) -> None:
    """Write the golden file."""
    with (
        running_server(Path(servers_folder), "mysql-latest", "charset-truth") as state,
        closing(connect(state)) as connection,
    ):
        names = fetch_rows(
            connection, "SELECT character_set_name FROM information_schema.character_sets"
        )
        unicode_names = ("ucs", "utf", "binary")
        lines = [
            f"{name} {summarize(characters(connection, name))}\n"
            for (name,) in sorted(names)
            if not name.startswith(unicode_names)
        ]
    GOLDEN.write_text("".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])
