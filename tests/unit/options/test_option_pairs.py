"""Options that need another one, or exclude it."""

from dataclasses import replace

import pytest

from pyspark_adapter import BinlogOptions, OptionError, TableName
from tests.unit.options.test_options import SERVER, TRUSTING


def test_a_form_of_rows_excludes_a_table() -> None:
    with pytest.raises(OptionError, match="got 'variant'") as caught:
        BinlogOptions(table=TableName("shop", "orders"), row="variant")
    assert caught.value.option == "row"


def test_events_have_no_table() -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions(view="events", table=TableName("shop", "orders"))
    assert caught.value.option == "table"
    assert caught.value.value == "shop.orders"


@pytest.mark.parametrize(
    ("name", "text"), [("databases", "d"), ("tables", "d.t,`e`.*"), ("change_types", "insert")]
)
def test_events_are_of_no_table_and_no_kind(name: str, text: str) -> None:
    with pytest.raises(OptionError, match="no value with option view events"):
        BinlogOptions(view="events", **{name: text})  # type: ignore[arg-type]


def test_a_table_is_shown_as_text() -> None:
    with pytest.raises(OptionError, match=r"option view events, got 'd\.t'$"):
        BinlogOptions(view="events", table="d.t")  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "text"), [("databases", "d"), ("tables", "d.t,`e`.*")])
def test_one_table_has_no_patterns(name: str, text: str) -> None:
    table = TableName("d", "t")
    with pytest.raises(OptionError) as caught:
        BinlogOptions(table=table, **{name: text})  # type: ignore[arg-type]
    assert (caught.value.option, caught.value.value) == (name, text)


@pytest.mark.parametrize(
    ("given", "option", "reason"),
    [
        ({"user": "reader"}, "user", "without option host"),
        ({"sslCa": "ca.pem"}, "sslCa", "without option host"),
        ({"host": "db1"}, "user", "with option host"),
        ({**SERVER, "pathGlobFilter": "b*"}, "pathGlobFilter", "with option host"),
        ({**SERVER, "recursiveFileLookup": "true"}, "recursiveFileLookup", "with option host"),
        ({**SERVER, "modifiedAfter": "2026-01-31"}, "modifiedAfter", "with option host"),
        ({**SERVER, "modifiedBefore": "2026-01-31"}, "modifiedBefore", "with option host"),
        ({**SERVER, "sslCa": "ca.pem"}, "sslCa", "with option sslMode PREFERRED, which trusts any"),
        (
            {**SERVER, "sslCa": "ca.pem", "sslMode": "REQUIRED"},
            "sslCa",
            "with option sslMode REQUIRED, which trusts any",
        ),
        ({**SERVER, "sslCert": "own.pem"}, "sslCert", "with option sslMode PREFERRED, which"),
        (
            {**SERVER, "sslCert": "own.pem", "sslMode": "DISABLED"},
            "sslCert",
            "with option sslMode DISABLED, which allows",
        ),
        ({**TRUSTING, "sslKey": "own.key"}, "sslKey", "without option sslCert"),
        ({"allowPublicKeyRetrieval": "true"}, "allowPublicKeyRetrieval", "without option host"),
        ({"enableCleartextPlugin": "true"}, "enableCleartextPlugin", "without option host"),
        *(
            (
                {**SERVER, "sslMode": mode, "enableCleartextPlugin": "true"},
                "enableCleartextPlugin",
                "without option sslMode VERIFY_IDENTITY, or VERIFY_CA and option sslCa",
            )
            for mode in ("DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA")
        ),
        (
            {**SERVER, "allowPublicKeyRetrieval": "true", "serverRsaPublicKeyFile": "key.pem"},
            "serverRsaPublicKeyFile",
            "with option allowPublicKeyRetrieval, which accepts any key",
        ),
    ],
)
def test_files_and_servers_have_options_of_their_own(
    given: dict[str, str], option: str, reason: str
) -> None:
    with pytest.raises(OptionError, match=reason) as caught:
        BinlogOptions.from_spark(given)
    assert caught.value.option == option


@pytest.mark.parametrize(
    ("host", "port", "expected"),
    [
        ("db1", None, ("db1", 3306)),
        ("db1", 3307, ("db1", 3307)),
        ("db1:3307", None, ("db1", 3307)),
        ("db1:3307", 3307, ("db1", 3307)),
        ("10.0.0.1:3307", None, ("10.0.0.1", 3307)),
        ("::1", 3307, ("::1", 3307)),
        ("fe80::1%eth0", None, ("fe80::1%eth0", 3306)),
        ("[::1]", 3307, ("::1", 3307)),
        ("[fe80::1%eth0]:3307", None, ("fe80::1%eth0", 3307)),
    ],
)
def test_the_host_may_name_the_port(host: str, port: int | None, expected: tuple[str, int]) -> None:
    options = BinlogOptions(host=host, port=port, user="reader")
    assert (options.host, options.port) == expected
    assert replace(options) == options


@pytest.mark.parametrize(
    ("host", "port", "option"),
    [
        ("db1:3307", 3306, "port"),
        ("[::1]:3307", 3308, "port"),
        *((host, None, "host") for host in ("db1:", "db1:x", "db1:0", "db1:65536", ":3307")),
        *((host, None, "host") for host in ("[::1", "[]", "[::1]3307", "[::1]:", "a]b")),
    ],
)
def test_a_host_with_another_port_is_refused(host: str, port: int | None, option: str) -> None:
    with pytest.raises(OptionError) as caught:
        BinlogOptions(host=host, port=port, user="reader")
    assert caught.value.option == option
