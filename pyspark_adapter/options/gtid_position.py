"""The transactions before a position of a server's logs, as a set that holds on other servers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pyspark_adapter.options.gtid_set import ANY_SERVER, GtidSet, Ranges, Source, complement, merged

# Of MySQL: UUID and tag.
MySqlSource = tuple[str, str]


@dataclass(frozen=True)
class GtidPosition:
    """Transactions of MySQL as a set, of MariaDB as the last one of each domain.

    The last transaction of a domain stands for all of the domain with lower sequence numbers.

    Attributes:
        sets: of MySQL, the numbers of each source.
        last: of MariaDB, server and sequence number of the last transaction of each domain.

    >>> delivered = GtidPosition.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5")
    >>> GtidPosition.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:4-9").minus(delivered).text
    '3e11fa47-71ca-11e1-9e33-c80aa9429562:6-9'
    """

    sets: Mapping[MySqlSource, Ranges] = field(default_factory=dict)
    last: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> GtidPosition:
        """Parse `gtid_executed` of MySQL or `gtid_binlog_pos` of MariaDB; both may be empty.

        Raises:
            ValueError: for another text.
        """
        text = "".join(text.split())
        if not text:
            return cls()
        GtidSet.parse_position(text)
        sets: dict[MySqlSource, Ranges] = {}
        last: dict[int, tuple[int, int]] = {}
        for (first, second), ranges in GtidSet.parse(text).entries:
            if isinstance(first, int):
                last[first] = int(second), ranges[0][0]
            else:
                sets[first, str(second)] = ranges
        return cls(sets, last)

    @property
    def text(self) -> str:
        """The transactions as the servers print them."""
        parts = [f"{domain}-{server}-{n}" for domain, (server, n) in sorted(self.last.items())]
        uuid = ""
        for (source, tag), ranges in sorted(self.sets.items()):
            numbers = ":".join(f"{a}-{b}" if a < b else f"{a}" for a, b in ranges)
            numbers = f"{tag}:{numbers}" if tag else numbers
            if source == uuid:
                parts[-1] += f":{numbers}"
            else:
                parts.append(f"{source}:{numbers}")
            uuid = source
        return ",".join(parts)

    @property
    def as_set(self) -> GtidSet:
        """The transactions as filters take them."""
        entries: list[tuple[Source, Ranges]] = [*self.sets.items()]
        entries += [((domain, ANY_SERVER), ((0, n),)) for domain, (_, n) in self.last.items()]
        return GtidSet(tuple(entries))

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.sets or self.last)

    def union(self, other: GtidPosition) -> GtidPosition:
        """Return the transactions of both."""
        numbers = [(source, span) for source, spans in other.sets.items() for span in spans]
        return self.with_numbers(numbers).with_last(other.last)

    def with_numbers(self, numbers: Iterable[tuple[MySqlSource, tuple[int, int]]]) -> GtidPosition:
        """Return it with transactions of MySQL: ranges of numbers, first and last inclusive."""
        added: dict[MySqlSource, list[tuple[int, int]]] = {}
        for source, span in numbers:
            added.setdefault(source, []).append(span)
        sets = dict(self.sets)
        for source, spans in added.items():
            sets[source] = tuple(merged([*sets.get(source, ()), *spans]))
        return GtidPosition(sets, self.last)

    def with_last(self, last: Mapping[int, tuple[int, int]]) -> GtidPosition:
        """Return it with transactions of MariaDB, up to one in each of some domains."""
        newer = dict(self.last)
        for domain, (server, number) in last.items():
            if domain not in newer or newer[domain][1] < number:
                newer[domain] = server, number
        return GtidPosition(self.sets, newer)

    def minus(self, other: GtidPosition) -> GtidPosition:
        """Return the transactions that the other lacks; of MariaDB the domains that go further.

        Two transactions of a domain with one number, of two servers, are different ones.
        """
        sets: dict[MySqlSource, Ranges] = {}
        for source, ranges in self.sets.items():
            there = other.sets.get(source, ())
            rest = [gap for span in ranges for gap in complement(there, span)]
            if rest:
                sets[source] = tuple(rest)
        last: dict[int, tuple[int, int]] = {}
        for domain, (server, number) in self.last.items():
            their_server, reached = other.last.get(domain, (server, -1))
            if reached < number or (reached == number and their_server != server):
                last[domain] = server, number
        return GtidPosition(sets, last)

    def minus_set(self, gtids: GtidSet) -> GtidPosition:
        """Return the transactions that a set lacks; of MariaDB the domains whose last one it lacks.

        >>> GtidPosition.parse("0-1-42").minus_set(GtidSet.parse("0-1-1-41")).text
        '0-1-42'
        """
        left: dict[MySqlSource, Ranges] = {}
        for (first, second), ranges in gtids.entries:
            if isinstance(first, str):
                left[first, str(second)] = ranges
        last = {
            domain: (server, number)
            for domain, (server, number) in self.last.items()
            if f"{domain}-{server}-{number}" not in gtids
        }
        return GtidPosition(GtidPosition(self.sets).minus(GtidPosition(left)).sets, last)
