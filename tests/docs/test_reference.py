"""What the documentation says of types, options and targets is what the code does."""

import inspect
import re
from ipaddress import ip_address
from uuid import UUID

import pytest

from docs.type_table import describe_types
from pyspark_adapter import errors, read_batches, read_schema
from pyspark_adapter.options.binlog_options import OPTIONS
from pyspark_adapter.spark.types import to_spark_schema
from tests.docs.pages import PAGES
from tests.inputs import ROOT, SAMPLES, expected_tables, sample_path

TYPED_SAMPLES = ("mysql-9.7-types", "mariadb-11.8-types-full")


def documented_types() -> dict[str, str]:
    """Return the Spark type of each SQL type, as the table of the documentation says."""
    types = {}
    for line in describe_types().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            types.update(dict.fromkeys(re.findall(r"`([^`]+)`", cells[0]), cells[1]))
    return types


def documented_name(sql_type: str) -> str:
    """Return the name under which the table has a type such as `bigint(20) unsigned`."""
    name = re.sub(r"\(.*\)", "", sql_type.replace(" zerofill", "")).upper()
    if name.split()[0] in ("DECIMAL", "FLOAT", "DOUBLE"):
        name = name.split()[0]
    return "DECIMAL(p,s)" if name == "DECIMAL" else name


def documented_type(sql_type: str) -> str:
    """Return what the table says of a type, with its exceptions."""
    documented = documented_types()[documented_name(sql_type)]
    digits = re.match(r"decimal\((\d+),(\d+)\)", sql_type)
    if digits is not None:
        return f"decimal({digits[1]},{digits[2]})" if int(digits[1]) <= 38 else "string"
    return "decimal(20,0)" if sql_type == "bit(64)" else documented


@pytest.mark.parametrize("name", TYPED_SAMPLES)
def test_types_are_what_a_read_gives(name: str) -> None:
    found = {}
    for table, truth in expected_tables(SAMPLES[name]).items():
        schema = read_schema(sample_path(name), table=table, metadata_columns="")
        given = {field.name: field.dataType.simpleString() for field in to_spark_schema(schema)}
        for column in truth["columns"]:
            found[column["type"]] = given[column["name"]]
    assert len(found) > 40
    assert found == {sql_type: documented_type(sql_type) for sql_type in found}


def test_bytes_of_uuids_and_addresses_are_in_the_order_of_their_text() -> None:
    """MariaDB stores most UUIDs in another order; the log has them as they are written.

    This log names its columns: without the option `ddl` there are bytes.
    """
    written = re.findall(
        r"\d, '(.{36})', '([\d.]+)', '(\S+)'",
        (ROOT / "samples/sql/special/mariadb-types.sql").read_text(encoding="utf-8"),
    )
    batches = read_batches(
        sample_path("mariadb-11.8-own-types"), table="owntypes118.addresses", metadata_columns=[]
    )
    rows = [row for batch in batches for row in batch.to_pylist() if row["u"] is not None]
    assert len(written) == 3
    for given, (digits, *addresses) in zip(rows, written, strict=False):
        assert given["u"] == UUID(digits).bytes
        assert [given["i4"], given["i6"]] == [ip_address(text).packed for text in addresses]


ERRORS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, Exception) and kind is not errors.BinlogError
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_an_error_has_its_cause_and_what_to_do(error: type[Exception]) -> None:
    described = inspect.cleandoc(error.__doc__ or "").partition("\n\nAttributes:")[0]
    cause, cure = described.split("\n\n")
    assert cause.endswith(".")
    assert cure.endswith(".")
    for name in re.findall(r"option[s]? `(\w+)`", cure):
        assert name in {option.spark_name for option in OPTIONS}


def test_make_targets_that_are_named_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pages = [*PAGES, ROOT / "CONTRIBUTING.md"]
    texts = "".join(page.read_text(encoding="utf-8") for page in pages)
    targets = set(re.findall(r"(?:^(?:    |\$ )?|`)make ([a-z]+)\b(?! [a-z])", texts, re.MULTILINE))
    assert {"run", "test", "bench"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
