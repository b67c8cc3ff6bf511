"""Every column type, with its edges and random values, is read as the server selects it."""

import pytest

from samples.truth import fetch_rows
from tests.live.capture import SERVERS, LiveServer, write_and_capture
from tests.live.random_values import Values, source_of
from tests.live.value_cases import CASES, MARIADB_CASES, MYSQL_CASES
from tests.oracle.comparison import first_difference, rows_with_places

pytestmark = pytest.mark.live


STRICT = "STRICT_ALL_TABLES,ALLOW_INVALID_DATES"


def id_of(value: object) -> str:
    """Return the SQL type, shortened, as the name of a case."""
    return value[:40] if isinstance(value, str) else ""


def servers_of(flavor: str) -> pytest.MarkDecorator:
    """Run a test on the servers of one flavor only."""
    chosen = [server for server in SERVERS if server[0].startswith(flavor)]
    return pytest.mark.parametrize("server", chosen, indirect=True, ids="-".join)


def check(server: LiveServer, sql_type: str, values: Values, mode: str = STRICT) -> None:
    """Compare what is read with what the server selects, and with the schema."""
    fetch_rows(server.connection, "SET sql_mode = %s", mode)
    capture = write_and_capture(server, sql_type, values(source_of(sql_type)))
    assert {kind for kind, _, _ in capture.expected} >= {"insert", "delete"}
    assert capture.changes() == capture.expected
    assert not first_difference(capture.log, rows_with_places(capture.log))


@pytest.mark.parametrize(("sql_type", "values"), CASES, ids=id_of)
def test_values_are_those_of_select(server: LiveServer, sql_type: str, values: Values) -> None:
    check(server, sql_type, values)


@servers_of("mysql")
@pytest.mark.parametrize(("sql_type", "values"), MYSQL_CASES, ids=id_of)
def test_values_of_mysql_are_those_of_select(
    server: LiveServer, sql_type: str, values: Values
) -> None:
    check(server, sql_type, values)


@servers_of("mariadb")
@pytest.mark.parametrize(("sql_type", "values"), MARIADB_CASES, ids=id_of)
def test_values_of_mariadb_are_those_of_select(
    server: LiveServer, sql_type: str, values: Values
) -> None:
    check(server, sql_type, values)
