"""What some servers have and others have not."""

from enum import Enum

NEVER = (1 << 30,)


class Feature(Enum):
    """Something that not all servers have: since which MySQL, and since which MariaDB."""

    # MariaDB 10.4.20 has them, but SELECT of some values ends in "ZLIB: Input data corrupted".
    COMPRESSED_COLUMNS = "VARCHAR(9) COMPRESSED", NEVER, (10, 5)
    CAST_AS_YEAR = "CAST(2026 AS YEAR)", (8, 0, 22), NEVER
    COMPRESSED_EVENTS = "log_bin_compress", NEVER, (10, 2)
    DETACHED_XA = "other work between XA PREPARE and its end", (8, 0, 29), NEVER
    FRACTIONS = "fractions of seconds", (5, 6), (5, 3)
    GB18030 = "character set gb18030", (5, 7), NEVER
    GENERATED_COLUMNS = "AS (...) STORED", (5, 7), (10, 2)
    INVISIBLE_COLUMNS = "INVISIBLE", (8, 0, 23), (10, 3)
    INVISIBLE_KEYS = "sql_generate_invisible_primary_key", (8, 0, 30), NEVER
    JSON = "type JSON", (5, 7), (10, 2)
    JSON_TABLE = "JSON_TABLE", (8, 0, 4), NEVER
    # MySQL 5.7 shows the double 1.0 of a document as 1, like an integer.
    SHOWN_DOUBLES = "doubles of documents are told from integers", (8, 0), (5, 1)
    LATE_TIMESTAMPS = "TIMESTAMP after 2038", NEVER, (11, 5)
    LOGGED_CASCADES = "changes of foreign keys in the log", (9, 6), NEVER
    # MariaDB 10.1 leaves them out if one UPDATE changes several tables.
    LOGGED_ON_UPDATE = "ON UPDATE CURRENT_TIMESTAMP in MINIMAL images", (5, 5), (10, 2)
    LOGGED_XA = "XA in events of its own, in one phase too", (5, 7), NEVER
    LONG_SCALE = "DECIMAL(38,38)", NEVER, (10, 2)
    METADATA = "binlog_row_metadata", (8, 0), (10, 5)
    NEW_WORDS = "SHOW BINARY LOG STATUS", (8, 2), NEVER
    ROW_IMAGES = "binlog_row_image", (5, 6), (10, 1)
    SHAPE_FUNCTIONS = "ST_GeomFromText", (5, 6), (5, 3)
    UTF16LE = "character set utf16le", (5, 6), (10, 0)
    UTF8MB3 = "utf8mb3 as a name", (8, 0), (10, 6)
    # MariaDB 10.2 logs NULL for them, or whatever is in its memory.
    VIRTUAL_VALUES = "values of AS (...) VIRTUAL in the log", (5, 7), (10, 3)
    VECTOR = "type VECTOR", (9, 0), (11, 7)

    def __init__(self, _what: str, mysql: tuple[int, ...], mariadb: tuple[int, ...]) -> None:
        self._since = {"mysql": mysql, "mariadb": mariadb}

    def is_in(self, flavor: str, release: tuple[int, ...]) -> bool:
        """Return whether a release of `mysql` or `mariadb` has it."""
        return release >= self._since[flavor]
