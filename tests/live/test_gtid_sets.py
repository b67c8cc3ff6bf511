"""Sets of GTIDs hold what a server says that they hold."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pymysql
import pytest

from pyspark_adapter.options.gtid_set import GtidSet
from samples.truth import fetch_rows
from tests.live.servers import connect, running_server

pytestmark = pytest.mark.live

UUIDS = ("3e11fa47-71ca-11e1-9e33-c80aa9429562", "00010203-0405-0607-0809-0a0b0c0d0e0f")
TAGS = ("", "a", "tag_1")
HIGHEST = 12
NUM_SETS = 60


@pytest.fixture(scope="module")
def connection(servers_folder: Path) -> Iterator[Any]:
    with ExitStack() as stack:
        state = stack.enter_context(running_server(servers_folder, "mysql-latest", "gtid-sets"))
        yield stack.enter_context(closing(connect(state)))


def random_set(rng: random.Random) -> str:
    """Return a set as MySQL writes and takes it, tags and spaces and capitals among it."""
    parts = []
    for _ in range(rng.randint(1, 4)):
        pieces = [rng.choice(UUIDS)]
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.3:
                pieces.append(rng.choice(TAGS[1:]))
            first = rng.randint(1, HIGHEST)
            last = rng.randint(first, HIGHEST)
            pieces.append(rng.choice([f"{first}", f"{first}-{last}"]))
        parts.append(rng.choice([":", ":", " : "]).join(pieces))
    text = rng.choice([",", ", ", ",\n"]).join(parts)
    return text.upper() if rng.random() < 0.2 else text


@pytest.mark.parametrize("seed", range(3))
def test_a_set_holds_what_the_server_says(connection: Any, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    singles = [
        ":".join(filter(None, (uuid, tag, str(number))))
        for uuid in UUIDS
        for tag in TAGS
        for number in range(1, HIGHEST + 2)
    ]
    calls = ", ".join(["GTID_SUBSET(%s, %s)"] * len(singles))
    for _ in range(NUM_SETS):
        text = random_set(rng)
        arguments = [argument for single in singles for argument in (single, text)]
        ((*answers,),) = fetch_rows(connection, f"SELECT {calls}", *arguments)
        gtids = GtidSet.parse(text)
        ours = [single for single in singles if single in gtids]
        assert ours == [s for s, is_in in zip(singles, answers, strict=True) if is_in], text


# The other way round does not hold: the server takes parts that are empty and intervals that end
# before they begin.
@pytest.mark.parametrize("seed", range(3))
def test_what_the_server_refuses_is_refused(connection: Any, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    num_refused = num_taken = 0
    for _ in range(NUM_SETS):
        text = random_set(rng)
        for _ in range(rng.randint(1, 2)):
            k = rng.randrange(len(text))
            text = text[:k] + rng.choice(["", "-", ":", ",", "0", "g", "_", "."]) + text[k + 1 :]
        try:
            fetch_rows(connection, "SELECT GTID_SUBSET('', %s)", text)
        except pymysql.MySQLError:
            num_refused += 1
            with pytest.raises(ValueError, match=r"[a-z]"):
                GtidSet.parse(text)
        else:
            num_taken += 1
    assert num_refused > NUM_SETS // 4
    assert num_taken > 0
