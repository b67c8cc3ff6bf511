"""How callers spell the options that messages refer to.

A message refers to an option by the word "option" and its name in Spark: `option batchRows`. The
edge that shows the message, Python, Spark or the command line, puts in its own spelling.
"""

from __future__ import annotations

import re
from typing import Final

_REFERENCE: Final = re.compile(r"(?<=\boption )[a-z]+(?:[A-Z][a-z]+)+\b")


def spark_name(name: str) -> str:
    """Return how Spark spells an option that Python spells so.

    >>> spark_name("max_event_bytes")
    'maxEventBytes'
    """
    return re.sub("_(.)", lambda match: match[1].upper(), name)


def python_name(name: str) -> str:
    """Return how Python spells an option that Spark spells so.

    >>> python_name("maxEventBytes")
    'max_event_bytes'
    """
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", name)


def in_python(text: str) -> str:
    """Return a message with the options that it refers to as Python spells them.

    >>> in_python("option maxEventBytes: expected an integer")
    'option max_event_bytes: expected an integer'
    """
    return _REFERENCE.sub(lambda match: python_name(match[0]), text)
