"""Names of folders, made of the names of databases and tables."""

from __future__ import annotations

import hashlib
import re
from typing import Final

# Bytes. Most file systems take 255; local Spark writes checksums as `.NAME.crc`.
_MAX_NAME: Final = 240

_OTHERS: Final = re.compile(rb"[^0-9A-Za-z_$-]|^_")


def folder_name(*names: str) -> str:
    """Return the name of a folder for a table (database and table) or for a database.

    The folder is a single one, not hidden from Spark: the result is ASCII, has no separator, does
    not begin with a dot or an underscore, and is at most 240 bytes long. Other names give another
    folder, also where a file system takes capitals and small letters as equal.

    Bytes of UTF-8 other than letters, digits, `_`, `-` and `$` become `%` and two digits; `%empty`
    stands for an empty name. After `~` a hexadecimal number says which letters are capitals. A long
    name is cut, and ends in `~~` and 160 bits of its SHA-256.

    >>> folder_name("shop", "a/b"), folder_name("shop.state"), folder_name("", "")
    ('shop.a%2Fb', 'shop%2Estate', '%empty.%empty')
    >>> folder_name("shop", "Orders")
    'shop.Orders~10'
    """
    name = ".".join(_escaped(part) or "%empty" for part in names)
    letters = re.sub(r"%(?:[0-9A-F]{2}|empty)|[^A-Za-z]", "", name)
    capitals = sum(letter.isupper() << place for place, letter in enumerate(letters))
    marked = f"{name}~{capitals:x}" if capitals else name
    if len(marked) <= _MAX_NAME:
        return marked
    digest = hashlib.sha256(name.encode()).hexdigest()[:40]
    return f"{name[: _MAX_NAME - len(digest) - 2]}~~{digest}"


def _escaped(name: str) -> str:
    # Lone surrogates are in names of the user's own; those of logs have none.
    data = name.encode(errors="surrogatepass")
    return _OTHERS.sub(lambda match: b"%%%02X" % ord(match[0]), data).decode()
