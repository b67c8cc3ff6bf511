"""The table of languages in the documentation has what `make languages` found."""

from tests.inputs import SAMPLES
from tests.languages.table import ALWAYS, language_name, read_rows
from tests.languages.targets import BY_HAND, TESTED


def test_table_has_each_language() -> None:
    assert list(read_rows()) == [language_name(target) for target in [*TESTED, *BY_HAND]]


def test_languages_of_every_test_run_read_all_samples() -> None:
    rows = read_rows()
    tested = [rows[language_name(target)] for target in TESTED]
    assert [(row[1], row[4]) for row in tested] == [
        (f"{len(SAMPLES)} of {len(SAMPLES)}", ALWAYS) for _ in TESTED
    ]


def test_other_languages_were_run() -> None:
    rows = read_rows()
    for target in BY_HAND:
        _, read, versions, schema, checked = rows[language_name(target)]
        assert read
        assert versions
        assert schema
        assert checked.startswith("20")
        assert "does not build" not in read
