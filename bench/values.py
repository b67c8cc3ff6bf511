"""SQL expressions for realistic values of a row number, the same in every run.

They read the column `h`: the 128 hex digits of `sha2(row number, 512)`. Expressions on the same
digits correlate, so each column uses its own digits.
"""

# German and French words: real strings are not pure ASCII either.
WORDS = (
    *("amber", "blanket", "copper", "delivery", "evening", "forest", "garden", "harbour"),
    *("island", "journey", "kitchen", "lantern", "morning", "northern", "orange", "paper"),
    *("quality", "river", "silver", "travel", "under", "velvet", "winter", "yellow"),
    *("bag", "cup", "lamp", "of", "with", "for", "Größe", "café"),
)
_QUOTED_WORDS = ", ".join(f"'{word}'" for word in WORDS)
_PER_MILLION = 1_000_000


def hash_of(row_number: str) -> str:
    """Return the expression for `h`."""
    return f"sha2({row_number}, 512)"


def number(at: int, len_digits: int = 7) -> str:
    """Return an unsigned integer of up to 28 bits from the hex digits that start at `at`."""
    return f"CAST(CONV(SUBSTR(h, {at}, {len_digits}), 16, 10) AS UNSIGNED)"


def signed(at: int, limit: int) -> str:
    """Return a signed integer from -limit to limit."""
    return f"(CAST({number(at)} % {2 * limit + 1} AS SIGNED) - {limit})"


def fixed_point(at: int, scale: int) -> str:
    """Return a signed decimal with up to nine digits and this many behind the point."""
    # A division would round to four more digits.
    return f"({signed(at, 99_999_999)} * 0.{1:0{scale}})"


def real(at: int) -> str:
    """Return a signed double whose digits fill the mantissa."""
    return f"(CAST({signed(at, 99_999_999)} AS DOUBLE) / 977)"


def moment(at: int, fsp: int) -> str:
    """Return a datetime of the years 2020 to 2024 with `fsp` digits of fraction."""
    micros = f"{number(at + 7, 5)} % {_PER_MILLION} DIV {10 ** (6 - fsp)} * {10 ** (6 - fsp)}"
    seconds = f"{number(at)} % 157680000"
    return (
        f"(TIMESTAMP'2020-01-01 00:00:00' + INTERVAL ({seconds}) SECOND"
        f" + INTERVAL ({micros}) MICROSECOND)"
    )


def day(at: int) -> str:
    """Return a date of the years 1990 to 2039."""
    return f"(DATE'1990-01-01' + INTERVAL ({number(at, 5)} % 18262) DAY)"


def word(at: int) -> str:
    """Return one of the words."""
    return f"ELT(1 + {number(at, 2)} % {len(WORDS)}, {_QUOTED_WORDS})"


def phrase(at: int, fewest: int, most: int) -> str:
    """Return `fewest` to `most` words, each from two hex digits, with spaces between."""
    words = [word(at + 2 * k) for k in range(fewest)]
    words += [
        f"IF({number(at + 2 * k, 1)} < 8, {word(at + 2 * k)}, NULL)" for k in range(fewest, most)
    ]
    return f"CONCAT_WS(' ', {', '.join(words)})"


def member(at: int, members: tuple[str, ...]) -> str:
    """Return one of the members, as for an ENUM."""
    quoted = ", ".join(f"'{name}'" for name in members)
    return f"ELT(1 + {number(at, 2)} % {len(members)}, {quoted})"


def document(at: int) -> str:
    """Return a JSON object of five keys: string, integer, double, array, boolean."""
    return (
        f"JSON_OBJECT('sku', UPPER(SUBSTR(h, {at}, 10)), 'qty', {signed(at, 999)},"
        f" 'price', {number(at + 3, 5)} / 64e0, 'tags', JSON_ARRAY({word(at)}, {word(at + 4)}),"
        f" 'gift', {number(at + 1, 1)} < 4)"
    )


def or_null(at: int, expression: str) -> str:
    """Return the expression, or NULL in 13 of 256 rows (5 %)."""
    return f"IF({number(at, 2)} < 13, NULL, {expression})"
