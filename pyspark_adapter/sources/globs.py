r"""Patterns of paths, with the wildcards of Hadoop and Spark.

`*` matches any characters and `?` one, except slashes; `[a-c]` matches one of a set, and `[!a-c]`
or `[^a-c]` one outside it; `{a,b}` matches either; a backslash escapes the next character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyspark_adapter.errors import OptionError
from pyspark_adapter.sources.locations import Location, Storage, StoredFile

_WILDCARDS = re.compile(r"[*?\[{]")
# A set of characters after its bracket: the first member may be a bracket, too.
_SET = re.compile(r"([!^]?+)(.[^\]]*)\]", re.DOTALL)


def is_hidden(name: str) -> bool:
    """Return whether Spark ignores a file of a directory because of its name."""
    return name.startswith((".", "_")) or name.endswith("._COPYING_")


def has_wildcards(text: str) -> bool:
    """Return whether a text is a pattern."""
    return _WILDCARDS.search(text) is not None


def matches(pattern: str, name: str) -> bool:
    """Return whether a pattern without slashes matches a whole name.

    Raises:
        OptionError: if it has a set of characters that cannot be.

    >>> matches("binlog.{00000[1-3],*.gz}", "binlog.000002")
    True
    """
    return any(_compile(plain).fullmatch(name) for plain in _expand_braces(pattern))


def find_matches(storage: Storage, location: Location) -> list[StoredFile]:
    """Return the files and directories that match a location with a pattern in its path.

    Hidden ones are left out unless their part of the pattern begins with a dot or an underscore.

    Raises:
        OSError: if a directory cannot be listed.
        OptionError: as `matches`.
    """
    files: dict[Location, StoredFile] = {}
    root = location
    while root.parent != root:
        root = root.parent
    for path in _expand_braces(location.path):
        for file in _descend(storage, root, path.strip("/").split("/")):
            files[file.location] = file
    return sorted(files.values(), key=lambda file: file.location.path)


def _descend(storage: Storage, directory: Location, parts: list[str]) -> Iterator[StoredFile]:
    part, rest = parts[0], parts[1:]
    if not has_wildcards(part):
        child = directory.child(re.sub(r"\\(.)", r"\1", part))
        if rest:
            yield from _descend(storage, child, rest)
            return
        try:
            yield storage.look_up(child)
        except (FileNotFoundError, NotADirectoryError):
            return
        return
    try:
        entries = storage.list(directory)
    except (FileNotFoundError, NotADirectoryError):
        return
    pattern = _compile(part)
    for entry in entries:
        if not pattern.fullmatch(entry.location.name):
            continue
        if is_hidden(entry.name) and part[0] not in "._":
            continue
        if not rest:
            yield entry
        elif entry.is_directory:
            yield from _descend(storage, entry.location, rest)


def _expand_braces(pattern: str) -> Iterator[str]:
    """Expand a pattern with braces into patterns without them."""
    depth = start = 0
    cuts: list[int] = []
    i = 0
    while i < len(pattern):
        sign = pattern[i]
        if sign == "\\":
            i += 1
        elif sign == "{":
            if depth == 0:
                start, cuts = i, [i]
            depth += 1
        elif sign == "," and depth == 1:
            cuts.append(i)
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                cuts.append(i)
                for k in range(len(cuts) - 1):
                    choice = pattern[cuts[k] + 1 : cuts[k + 1]]
                    yield from _expand_braces(pattern[:start] + choice + pattern[i + 1 :])
                return
        i += 1
    yield pattern


def _compile(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern without braces."""
    parts = []
    i = 0
    while i < len(pattern):
        sign = pattern[i]
        i += 1
        if sign == "*":
            parts.append("[^/]*")
        elif sign == "?":
            parts.append("[^/]")
        elif sign == "\\" and i < len(pattern):
            parts.append(re.escape(pattern[i]))
            i += 1
        elif sign == "[" and (match := _SET.match(pattern, i)):
            members = re.sub(r"([\\\[\]^&~|])", r"\\\1", match[2])
            parts.append(f"[{'^' if match[1] else ''}{members}]")
            i = match.end()
        else:
            parts.append(re.escape(sign))
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error as error:
        raise OptionError(
            f"expected a pattern of names, with sets of characters such as [a-c], got {pattern}:"
            f" {error.msg}",
            value=pattern,
        ) from error
