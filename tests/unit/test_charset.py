"""Character sets: the collation ids of `charsets.md`, "Table", and text of those that are read."""

import pytest

from pyspark_adapter.charset import charset_of, decode_text
from pyspark_adapter.errors import UnsupportedError


# The default collations of each character set, and some at the edges of the ranges.
@pytest.mark.parametrize(
    ("collations", "charset"),
    [
        ((1, 84, 1025, 1108), "big5"),
        ((9, 2, 21, 27, 77), "latin2"),
        ((3, 69), "dec8"),
        ((4, 80), "cp850"),
        ((8, 5, 15, 31, 47, 48, 49, 94, 1032, 1071), "latin1"),
        ((6, 72), "hp8"),
        ((7, 74), "koi8r"),
        ((10, 82), "swe7"),
        ((11, 65, 1035, 1089), "ascii"),
        ((12, 91), "ujis"),
        ((13, 88), "sjis"),
        ((51, 14, 23, 50, 52), "cp1251"),
        ((16, 71), "hebrew"),
        ((18, 89), "tis620"),
        ((19, 85), "euckr"),
        ((41, 20, 42, 79), "latin7"),
        ((22, 75), "koi8u"),
        ((24, 86), "gb2312"),
        ((25, 70), "greek"),
        ((26, 34, 44, 66, 99), "cp1250"),
        ((28, 87), "gbk"),
        ((59, 29, 58), "cp1257"),
        ((30, 78), "latin5"),
        ((32, 64), "armscii8"),
        ((33, 76, 83, 192, 215, 223, 2048, 2215, 2247), "utf8mb3"),
        ((35, 90, 128, 151, 159, 2560, 2759), "ucs2"),
        ((36, 68), "cp866"),
        ((37, 73), "keybcs2"),
        ((38, 43), "macce"),
        ((39, 53), "macroman"),
        ((40, 81), "cp852"),
        ((255, 45, 46, 224, 247, 271, 273, 309, 323, 2304, 2503), "utf8mb4"),
        ((54, 55, 101, 124, 2816, 3015), "utf16"),
        ((56, 62), "utf16le"),
        ((57, 67), "cp1256"),
        ((60, 61, 160, 183, 3072, 3271), "utf32"),
        ((63,), "binary"),
        ((92, 93), "geostd8"),
        ((95, 96), "cp932"),
        ((97, 98), "eucjpms"),
        ((248, 249, 250), "gb18030"),
    ],
)
def test_collation_has_its_charset(collations: tuple[int, ...], charset: str) -> None:
    assert {charset_of(collation) for collation in collations} == {charset}


@pytest.mark.parametrize("collation", [0, -1, 17, 100, 125, 251, 272, 299, 324, 1024, 3328, 65535])
def test_unknown_collation_has_none(collation: int) -> None:
    assert charset_of(collation) is None


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("utf8mb4", "c5 be f0 9f 98 80", "ž😀"),
        ("utf8mb3", "c3 a9", "é"),
        ("ascii", "61 00 7f", "a\x00\x7f"),
        ("latin1", "e9 80 99 9f", "é€™Ÿ"),
        ("latin1", "ff a0", "ÿ\xa0"),
        ("utf8mb4", "", ""),
        # The first three bytes are no mark of order that is taken off.
        ("utf8mb4", "ef bb bf 61", "\ufeffa"),
    ],
)
def test_text(charset: str, data: str, text: str) -> None:
    assert decode_text(bytes.fromhex(data), charset) == text


# cp1252 leaves five bytes out, which the server takes as the characters of their own number.
def test_latin1_is_that_of_the_server() -> None:
    undefined = bytes.fromhex("81 8d 8f 90 9d")
    assert decode_text(undefined, "latin1") == "\x81\x8d\x8f\x90\x9d"
    others = bytes(byte for byte in range(256) if byte not in undefined)
    assert decode_text(others, "latin1") == others.decode("cp1252")


@pytest.mark.parametrize(
    ("charset", "data"),
    [
        ("utf8mb4", "c3"),
        ("utf8mb4", "c3 28"),
        ("utf8mb4", "c0 80"),  # longer than it needs to be
        ("utf8mb4", "ed a0 80"),  # half of a pair
        ("utf8mb4", "f4 90 80 80"),  # beyond U+10FFFF
        ("ascii", "80"),
    ],
)
def test_invalid_text_is_an_error(charset: str, data: str) -> None:
    with pytest.raises(UnicodeDecodeError):
        decode_text(bytes.fromhex(data), charset)


@pytest.mark.parametrize("charset", ["utf16", "gbk", "binary", "klingon"])
def test_other_charsets_are_not_read(charset: str) -> None:
    with pytest.raises(UnsupportedError, match=f"text of character set {charset}"):
        decode_text(b"a", charset)
