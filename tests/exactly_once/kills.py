"""What is killed."""

from __future__ import annotations

import random
from enum import Enum

from tests.exactly_once.configurations import MIRRORED
from tests.exactly_once.processes import Role
from tests.replay.configurations import Configuration


class Kill(Enum):
    """What is killed."""

    DRIVER = "driver"
    JVM = "jvm"
    ALL = "all"
    WRITTEN = "written"  # the driver, when Delta has a batch and Spark does not know it yet
    PLANNER = "planner"
    WORKER = "worker"
    MIRROR = "mirror"  # what copies the logs, where that is not the server itself


ROLES = {
    Kill.DRIVER: Role.DRIVER,
    Kill.JVM: Role.JVM,
    Kill.PLANNER: Role.PLANNER,
    Kill.WORKER: Role.WORKER,
}
TWICE_AS_OFTEN = (Kill.PLANNER, Kill.WORKER, Kill.MIRROR)
ENDING = (Kill.DRIVER, Kill.JVM, Kill.ALL, Kill.WRITTEN)  # the program has to be begun again


def choose_kills(configuration: Configuration, seed: int, count: int) -> list[Kill]:
    source = random.Random(seed)  # noqa: S311 - to do the same again
    is_mirrored = configuration.name == MIRRORED
    possible = [kill for kill in Kill if is_mirrored or kill is not Kill.MIRROR]
    weights = [2 if kill in TWICE_AS_OFTEN else 1 for kill in possible]
    return source.choices(possible, weights, k=count)
