"""The samples as they lie in the checkout: files, manifest and README tell the same."""

import hashlib
import json
from typing import Any

import pytest

from samples.catalog import SAMPLES
from samples.event_headers import summarize_log
from samples.make import MAX_SAMPLE
from samples.readme import README, replace_table
from samples.sample import LOG_SUFFIX, SAMPLES_FOLDER, SQL_FOLDER
from tests.golden.test_tool_text import MANIFEST, ROOT, by_name, images_of
from tests.languages.digests import PUBLISHED

MAX_ALL_SAMPLES = 3 * 1024 * 1024
IN_MAIN_FOLDER = [entry for entry in MANIFEST if "/" not in entry["file"]]


def test_manifest_has_the_samples_of_the_catalog_in_their_order() -> None:
    assert [entry["name"] for entry in MANIFEST] == [sample.name for sample in SAMPLES]
    assert [entry["file"] for entry in MANIFEST] == [sample.file for sample in SAMPLES]
    for entry, sample in zip(MANIFEST, SAMPLES, strict=True):
        made_from = {"options": dict(sample.options), "sql": list(sample.sql), "end": sample.end}
        assert {key: entry[key] for key in made_from} == made_from, "make the sample again"


def test_no_log_text_or_table_file_lacks_its_sample() -> None:
    logs = {
        str(path.relative_to(SAMPLES_FOLDER)) for path in SAMPLES_FOLDER.rglob(f"*{LOG_SUFFIX}")
    }
    assert logs == {entry["file"] for entry in MANIFEST}
    expected = {str(path.relative_to(SAMPLES_FOLDER)) for path in SAMPLES_FOLDER.glob("expected/*")}
    digests = str(PUBLISHED.relative_to(SAMPLES_FOLDER))
    assert expected == {digests, *(entry["expected"] for entry in MANIFEST)}
    texts = {str(path.relative_to(ROOT)) for path in ROOT.glob("tests/golden/*.txt*")}
    assert texts == {entry["golden"] for entry in MANIFEST}


def test_every_sql_file_is_used() -> None:
    files = {str(path.relative_to(SQL_FOLDER)) for path in SQL_FOLDER.rglob("*.sql")}
    assert files == {name for sample in SAMPLES for name in sample.sql}


@pytest.mark.parametrize("entry", MANIFEST, ids=by_name)
def test_log_is_the_one_of_the_manifest(entry: dict[str, Any]) -> None:
    log = (SAMPLES_FOLDER / entry["file"]).read_bytes()
    assert entry["file"].endswith(LOG_SUFFIX)
    assert (len(log), hashlib.sha256(log).hexdigest()) == (entry["size"], entry["sha256"])
    summary = summarize_log(log)
    assert summary.events == entry["events"]
    assert summary.server_version == ("" if not summary.events else entry["server_version"])
    assert (summary.checksum, summary.in_use) == (entry["checksum"], entry["in_use"])


def test_samples_are_small() -> None:
    sizes = [entry["size"] for entry in MANIFEST]
    assert max(sizes) <= MAX_SAMPLE
    assert sum(sizes) <= MAX_ALL_SAMPLES


@pytest.mark.parametrize("entry", MANIFEST, ids=by_name)
def test_tables_are_those_of_the_manifest(entry: dict[str, Any]) -> None:
    expected = json.loads((SAMPLES_FOLDER / entry["expected"]).read_text("utf-8"))
    num_rows = {name: len(table["rows"]) for name, table in expected.items()}
    assert num_rows == {name: table["num_rows"] for name, table in entry["tables"].items()}


def test_databases_of_samples_differ() -> None:
    databases = [{name.split(".")[0] for name in entry["tables"]} for entry in MANIFEST]
    assert sum(len(names) for names in databases) == len(set().union(*databases))


@pytest.mark.parametrize("entry", IN_MAIN_FOLDER, ids=by_name)
def test_tables_of_the_main_folder_have_one_shape(entry: dict[str, Any]) -> None:
    shapes: dict[tuple[str, str, int], str] = {}
    for image in images_of(entry):
        for number, text in image.types.items():
            shape = text.rpartition(" is_null=")[0]
            column = (image.database_name, image.table_name, number)
            assert shapes.setdefault(column, shape) == shape


def test_readme_lists_the_samples() -> None:
    text = README.read_text("utf-8")
    assert text == replace_table(text, MANIFEST)
