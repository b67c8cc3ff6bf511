"""The recipes of `docs/format/recipes.md` print the same changes, as many as the server made."""

from functools import cache

import pytest

from tests.inputs import SAMPLES
from tests.languages.left_out import need_toolchain
from tests.languages.recipes import PAGE, RECIPES_BY_HAND, RUN, TARGETS, printed

BESIDE_PYTHON = [name for name in RUN if name not in ("python", *RECIPES_BY_HAND)]


@cache
def python_lines() -> list[str]:
    """Return what the recipe in Python prints."""
    return printed("python")


def test_each_change_is_printed() -> None:
    changes = sum(SAMPLES["mysql-9.7-shop"]["row_changes"]["shop.orders"].values())
    assert len(python_lines()) == changes
    assert {line.split()[0] for line in python_lines()} == {"WRITE", "UPDATE", "DELETE"}


@pytest.mark.parametrize("language", BESIDE_PYTHON)
def test_languages_print_the_same(language: str) -> None:
    need_toolchain(TARGETS[language])
    assert printed(language) == python_lines()


def test_each_recipe_is_run() -> None:
    assert PAGE.read_text(encoding="utf-8").count("\n## ") == len(RUN)
