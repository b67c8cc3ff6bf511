"""Why a change cannot become SQL, and why there is no script: all reasons, each once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pyspark_adapter.errors import EventSite, UnsupportedError

MOST_LISTED: Final = 1000  # refusals of different kinds, and statements

_ADVICE: Final = "the page Undo of the documentation lists what can be done"
# What can be done, as Python spells it; the command line has flags in the place of these.
NARROW: Final = (
    "if they do not belong to the accident, read that alone: starting_position,"
    " starting_timestamp or include_gtids, ending_position, and tables"
)
REBUILD: Final = (
    "rebuild_cascades=True adds what foreign keys did to rows, as far as all logs from the creation"
    " of their tables on tell it"
)
FORCE: Final = "force=True gives the SQL of the rows anyway"


class CannotWriteError(Exception):
    """A value or a change that no SQL statement gives back exactly.

    `script` collects these and raises one of our errors that lists them all.

    Attributes:
        reason: the missing thing, and what to do.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Refusals:
    """Reasons why there is no script, each with how often and where first.

    Attributes:
        reasons: how often and where first, by text.
        can_be_forced: whether the option `force` overrides all of them.
        can_be_rebuilt: whether some are of foreign keys.
        can_be_narrowed: whether some are of statements, which a smaller range may not have.
    """

    reasons: dict[str, tuple[int, EventSite]] = field(default_factory=dict)
    can_be_forced: bool = True
    can_be_narrowed: bool = False
    can_be_rebuilt: bool = False

    def add(
        self, reason: str, site: EventSite, *, count: int = 1, can_be_forced: bool = False
    ) -> None:
        """Add a reason."""
        self.can_be_forced &= can_be_forced
        before, first = self.reasons.get(reason, (0, site))
        if before or len(self.reasons) < MOST_LISTED:
            self.reasons[reason] = before + count, first

    def check(self, verb: str) -> None:
        """Raise if there is one; raises UnsupportedError, with all of them."""
        if not self.reasons:
            return
        lines = [
            f"{reason} ({count:,} times, first at {site})" if count > 1 else f"{reason} ({site})"
            for reason, (count, site) in self.reasons.items()
        ]
        if self.can_be_narrowed:
            lines.append(NARROW)
        if self.can_be_rebuilt:
            lines.append(REBUILD)
        if self.can_be_forced:
            lines.append(FORCE)
        error = UnsupportedError(f"{verb} gives no SQL: {'; '.join(lines)}", advice=_ADVICE)
        error.reasons = tuple(lines)
        raise error
