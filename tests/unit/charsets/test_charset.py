"""Character sets: the collation ids of `charsets.md`, "Table", and text in them."""

import pytest

from pyspark_adapter.charsets.charset import CHARSETS, charset_of, decode_text
from pyspark_adapter.charsets.maps import MAPPED_CHARSETS, character_map
from pyspark_adapter.ddl.sql_session import SqlSession
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
        # As MySQL 9.7 and MariaDB 11.8 select them with HEX; see samples/expected.
        ("big5", "a4a4a4e5b35ca55cbb5c", "中文許功蓋"),
        ("gb2312", "d6d0cec4", "中文"),
        ("gbk", "d6d0cec4d453b9a6", "中文許功"),
        ("sjis", "93fa967b8cea955c8ea6b1b2b3", "日本語表示ｱｲｳ"),
        ("cp932", "93fa967b8cea8740fbfc", "日本語①髙"),
        ("ujis", "c6fccbdcb8ec8eb18eb28eb3", "日本語ｱｲｳ"),
        ("eucjpms", "c6fccbdcb8ecada1", "日本語①"),
        ("euckr", "c7d1b1b9beee", "한국어"),
        # Where Python's codecs differ: `charsets.md`, "Table".
        ("big5", "f9d6", "碁"),
        ("ujis", "a1c0 f5a1 8ff5a1", "\\\ue000\ue3ac"),
        ("sjis", "815f", "\\"),
        ("hebrew", "af", "\u203e"),
        ("koi8u", "95", "\u2022"),
        ("greek", "a1 a2", "\u02bd\u02bc"),
        ("cp866", "fc fd", "\u207f\xb2"),
        ("eucjpms", "a1c1 a1dd a2cc", "\uff5e\uff0d\uffe2"),
        ("gb18030", "a8bc 8135f437", "\u1e3f\ue7c7"),
        ("gb18030", "90308130 e3329a35", "\U00010000\U0010ffff"),
        # Without a codec in Python: `charsets.md`, "Charsets without a Python codec".
        ("armscii8", "a2 a4 b2 b3 fd fe", "§)\u0531\u0561\u0586\u2019"),
        ("dec8", "a8 d7 dd f7 fd", "\xa4\u0152\u0178\u0153\xff"),
        ("geostd8", "80 97 c0 e5 fd", "\u20ac\u2014\u10d0\u10f5\u2116"),
        ("keybcs2", "80 ad ae ff", "\u010c\xa1\xab\xa0"),
        ("swe7", "40 5b 5c 5d 5e 60 7b 7c 7d 7e", "ÉÄÖÅÜéäöåü"),
        ("ucs2", "0061 00e9 65e5", "aé日"),
        ("utf16", "0061 d83d de00", "a😀"),
        ("utf16le", "6100 3dd8 00de", "a😀"),
        ("utf32", "00000061 0001f600", "a😀"),
        # The first three bytes are text, not a byte order mark.
        ("utf8mb4", "ef bb bf 61", "\ufeffa"),
    ],
)
def test_text(charset: str, data: str, text: str) -> None:
    assert decode_text(bytes.fromhex(data), charset) == text


# cp1252 has no character for five bytes; the server maps each to the same code point.
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
        ("utf8mb4", "c0 80"),  # overlong
        ("utf8mb4", "ed a0 80"),  # a lone surrogate
        ("utf8mb4", "f4 90 80 80"),  # beyond U+10FFFF
        ("ascii", "80"),
        ("cp1256", "c0"),
        ("greek", "a4"),
        ("tis620", "db"),
        ("swe7", "7f"),
        ("big5", "a15a"),
        ("big5", "a4"),
        ("cp932", "80"),
        ("sjis", "8130"),
        ("gb18030", "8131"),
        ("gb18030", "fe39fe39"),
        ("ucs2", "d800"),
        ("ucs2", "d83d de00"),  # a surrogate pair, which UCS-2 does not have
        ("ucs2", "0061 00"),
        ("utf16", "de00"),
        ("utf16", "d83d 0061"),
        ("utf16", "d83d"),
        ("utf16le", "6100 3d"),
        ("utf32", "00110000"),
        ("utf32", "0000d800"),
        ("utf32", "000061"),
    ],
)
def test_invalid_text_is_an_error(charset: str, data: str) -> None:
    with pytest.raises(UnicodeDecodeError):
        decode_text(bytes.fromhex(data), charset)


# UTF-8: the Unicode Standard 15, tables 3-8 to 3-11. The others: MariaDB 11.8, which puts a `?` in
# the same places, `SELECT CONVERT(CONVERT(x'80a1' USING big5) USING utf8mb4)` and so on.
@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("utf8mb4", "c0 af e0 80 bf f0 81 82 41", "????????A"),
        ("utf8mb4", "ed a0 80 ed bf bf ed af 41", "????????A"),
        ("utf8mb4", "f4 91 92 93 ff 41 80 bf 42", "?????A??B"),
        ("utf8mb4", "e1 80 e2 f0 91 92 f1 bf 41", "????A"),
        ("ascii", "61 80 ff 62", "a??b"),
        ("swe7", "41 7f 80 42", "A??B"),
        ("cp1256", "61 c0 62", "a?b"),
        ("big5", "80 a1 5a 61", "??a"),  # a two-byte sequence after a single byte
        ("big5", "a4 61 a4 20 a4", "兀? ?"),
        ("sjis", "81 30 fd 41", "?0?A"),
        ("ujis", "8f a1 a1 8f a1 41", "???A"),
        ("gbk", "ff fe fe 41", "??A"),
        ("eucjpms", "80 a9 a1 61", "??a"),
        ("ucs2", "d8 00 00 61 dc", "?a?"),
    ],
)
def test_what_is_not_valid_is_replaced(charset: str, data: str, text: str) -> None:
    assert decode_text(bytes.fromhex(data), charset, replaces=True) == text.replace("?", "\ufffd")


@pytest.mark.parametrize("charset", ["binary", "klingon", ""])
def test_what_is_no_charset_of_text_is_not_read(charset: str) -> None:
    with pytest.raises(UnsupportedError, match=f"text of character set {charset}"):
        decode_text(b"a", charset)


@pytest.mark.parametrize("charset", sorted(set(CHARSETS) - {"binary"}))
def test_ascii_is_ascii(charset: str) -> None:
    units = {"ucs2": 2, "utf16": 2, "utf32": 4}.get(charset, 1)
    data = "".join(f"{'00' * (units - 1)}{ord(letter):02x}" for letter in "aZ 0,/")
    if charset == "utf16le":
        data = "".join(f"{ord(letter):02x}00" for letter in "aZ 0,/")
    assert decode_text(bytes.fromhex(data), charset) == "aZ 0,/"
    assert decode_text(b"", charset) == ""


@pytest.mark.parametrize("charset", sorted(MAPPED_CHARSETS))
def test_statements_are_decoded_as_their_sequences_are(charset: str) -> None:
    """Bytes that are no character become lone surrogates, whatever comes before and after."""
    found = character_map(charset)
    one = bytes([*range(0x21), *range(0x7B, 0x100), *range(0x7B, 0x100), *range(0x30, 0x7B)])
    for text in (one, one[::-1], one[::3] + one[::5], b""):
        assert SqlSession(client_charset=charset).decode(text) == "".join(
            found.character(sequence) or "".join(chr(0xDC00 + byte) for byte in sequence)
            for sequence in found.sequences.findall(text)
        )
