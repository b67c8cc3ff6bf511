"""The status variables of a statement as the assignments that the tools print for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark_adapter.charsets.charset import charset_of
from tests.truth.tool_text import Flavor

Assignments = dict[str, str]

# Collations that MariaDB sets for whole character sets, by id.
COLLATIONS = {
    2048: "utf8mb3_uca1400_ai_ci",
    2304: "utf8mb4_uca1400_ai_ci",
    2560: "ucs2_uca1400_ai_ci",
    2816: "utf16_uca1400_ai_ci",
    3072: "utf32_uca1400_ai_ci",
}
# What the tools print for a variable that is not in the event.
DEFAULTS = {
    "auto_increment_increment": "1",
    "auto_increment_offset": "1",
    "lc_time_names": "0",
    "collation_database": "DEFAULT",
}


def flag(value: object) -> str:
    """Return a flag as the tools print it."""
    return str(int(bool(value)))


def of_flags(value: Any, flavor: Flavor) -> Assignments:
    """Return what the bits of the session's options set."""
    bits = value.flag_bits
    found = {
        "foreign_key_checks": flag(not bits.is_no_foreign_key_checks),
        "sql_auto_is_null": flag(bits.is_auto_is_null),
        "unique_checks": flag(not bits.is_relaxed_unique_checks),
        "autocommit": flag(not bits.is_not_autocommit),
    }
    if flavor is Flavor.MARIADB:
        found["sql_if_exists"] = flag(bits.is_if_exists)
        found["explicit_defaults_for_timestamp"] = flag(bits.is_explicit_timestamp)
        found["system_versioning_insert_history"] = flag(bits.is_insert_history)
    return found


def of_charset(value: Any, flavor: Flavor) -> Assignments:
    """Return what the three collations set."""
    client = value.character_set_client
    return {
        "character_set_client": (
            str(charset_of(client)) if flavor is Flavor.MARIADB else str(client)
        ),
        "collation_connection": str(value.collation_connection),
        "collation_server": str(value.collation_server),
    }


def of_collations(value: Any) -> Assignments:
    """Return the default collations of character sets."""
    items = [f"{charset_of(i.character_set)}={COLLATIONS[i.collation]}" for i in value.items]
    return {"character_set_collations": ",".join(items)}


def of_variable(name: str, value: Any, flavor: Flavor) -> Assignments:
    """Return what one status variable sets; nothing for those that the tools do not print."""
    if name == "flags2":
        return of_flags(value, flavor)
    if name == "charset":
        return of_charset(value, flavor)
    if name == "character_set_collations":
        return of_collations(value)
    if name == "sql_mode":
        return {"sql_mode": str(value.sql_mode)}
    if name == "auto_increment":
        return {
            "auto_increment_increment": str(value.increment),
            "auto_increment_offset": str(value.offset),
        }
    if name == "time_zone":
        return {"time_zone": value.text}
    if name == "charset_database":
        return {"collation_database": str(value.value)}
    own = {"explicit_defaults_for_timestamp"} if flavor is Flavor.MYSQL else set()
    mysql = {"default_collation_for_utf8mb4", "sql_require_primary_key", "default_table_encryption"}
    if name == "lc_time_names" or name in own or (name in mysql and flavor is Flavor.MYSQL):
        return {name: str(value.value)}
    return {}


def variables_of(body: Any) -> Mapping[str, Any]:
    """Return the status variables of a statement by the names of their keys."""
    if not body.has_status_vars:
        return {}
    return {getattr(var.key, "name", str(var.key)): var.value for var in body.session.vars}


def assignments_of(body: Any, flavor: Flavor) -> Assignments:
    """Return all assignments that a statement depends on."""
    found = dict(DEFAULTS)
    for name, value in variables_of(body).items():
        found |= of_variable(name, value, flavor)
    return found
