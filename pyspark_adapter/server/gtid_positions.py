"""Which logs of a MariaDB server hold the transactions after some GTIDs."""

from __future__ import annotations

import re
from typing import Final

_GTID: Final = re.compile(r"(\d+)-(\d+)-(\d+)")


def has_all_after(before: str, gtids: str) -> bool:
    """Return whether all transactions after some GTIDs are in a log or in later ones.

    Args:
        before: the GTID_LIST of the log: for each domain and server the last transaction in earlier
            logs; the last one of a domain comes after the others of it.
        gtids: the last transaction of each domain that is not needed.

    Raises:
        ValueError: if one of them is not such a list.

    Source: `contains_all_slave_gtid` of the server's `sql/sql_repl.cc`, MariaDB 11.8.

    >>> has_all_after("[0-1-42]", "0-1-41"), has_all_after("[0-1-42]", "0-1-42")
    (False, True)
    """
    after = {domain: (server, number) for domain, server, number in _parse(gtids)}
    logged = _parse(before.strip().removeprefix("[").removesuffix("]"))
    last_of = {domain: server for domain, server, _ in logged}
    for domain, server, number in logged:
        if domain not in after:
            return False
        its_server, its_number = after[domain]
        if server == its_server and (
            its_number < number or (its_number == number and last_of[domain] != server)
        ):
            return False
    return True


def _parse(text: str) -> list[tuple[int, int, int]]:
    found = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        match = _GTID.fullmatch(part)
        if match is None:
            raise ValueError(part)
        found.append((int(match[1]), int(match[2]), int(match[3])))
    return found
