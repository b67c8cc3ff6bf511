"""Columns of text in each character set, shapes, vectors, compressed values, old temporals."""

from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tests.support import encoders
from tests.support.log_writer import LoggedColumn
from tests.support.typed_column import Draw, TypedColumn

# Each character set with one of its collations, Python's codec, and characters that both have;
# `charsets.md` lists where the codecs differ from the server.
CHARSETS: dict[str, tuple[int, str, str]] = {
    "big5": (1, "big5", "中文許功蓋測試一丁"),
    "latin2": (9, "iso8859-2", "Příliš žluťoučký kůň"),
    "cp850": (4, "cp850", "señorÆØÅ║░"),
    "latin1": (8, "cp1252", "äöüß€™Ÿé"),
    "hp8": (6, "hp_roman8", "ÀÂÈÊëêñšÅ"),
    "koi8r": (7, "koi8_r", "Приветмир║"),
    "ascii": (11, "ascii", "~}|{z@[]"),
    "ujis": (12, "euc_jp", "日本語表示ｱｲｳ丂"),
    "sjis": (13, "shift_jis", "日本語表示ソ能ｱｲｳ"),
    "cp1251": (51, "cp1251", "ПриветмирЇ№"),
    "hebrew": (16, "iso8859-8", "שלום"),
    "tis620": (18, "tis_620", "ประเทศไทย฿"),
    "euckr": (19, "cp949", "한국어똠방각하"),
    "latin7": (41, "iso8859-13", "ąčęėįšųūž"),
    "koi8u": (22, "koi8_u", "ЇжакҐє"),
    "gb2312": (24, "gb2312", "中文简体"),
    "greek": (25, "iso8859-7", "Ελλάδαώ"),
    "cp1250": (26, "cp1250", "žluťoučký€"),
    "gbk": (28, "gbk", "中文許功碁丂"),
    "cp1257": (59, "cp1257", "ąčęėįšų€"),
    "latin5": (30, "iso8859-9", "ığüşöçİ"),
    "utf8mb3": (33, "utf-8", "é日本\uffff"),
    "ucs2": (35, "utf-16-be", "é日本\ue000\uffff"),
    "cp866": (36, "cp866", "Привет║ё"),
    "macce": (38, "mac_latin2", "žluťoučký†"),
    "macroman": (39, "mac_roman", "señorπ∂†"),
    "cp852": (40, "cp852", "žluťoučký║"),
    "utf8mb4": (255, "utf-8", "é日本😀\U0010ffff"),
    "utf16": (54, "utf-16-be", "é日😀\ud7ff\ue000\U00010000\U0010ffff"),
    "utf16le": (56, "utf-16-le", "é日😀\ud7ff\ue000\U00010000\U0010ffff"),
    "cp1256": (57, "cp1256", "سلامپ€"),
    "utf32": (60, "utf-32-be", "é日😀\ud7ff\ue000\U00010000\U0010ffff"),
    "cp932": (95, "cp932", "日本語①髙ソ能ｱｲｳ"),
    "eucjpms": (97, "euc_jp", "日本語表示ｱｲｳ丂"),
    "gb18030": (248, "gb18030", "中文€𠀀😀\ue5e5\u0080\U00010000\U0010ffff"),
}


@st.composite
def _texts(draw: Draw) -> TypedColumn:
    collation, codec, letters = CHARSETS[draw(st.sampled_from(sorted(CHARSETS)))]
    column = LoggedColumn("v", 252, b"\x02", False, collation)
    values = st.text(letters + "aZ 09", max_size=40)
    return TypedColumn(column, values, lambda v: encoders.prefixed(v.encode(codec), 2))


@st.composite
def _members(draw: Draw) -> TypedColumn:
    """ENUM of up to 65,535 members, which may be in any character set."""
    collation, codec, letters = CHARSETS[draw(st.sampled_from(sorted(CHARSETS)))]
    count = draw(st.sampled_from([1, 255, 256, 300, 1000]))
    members = tuple(f"{letters[i % len(letters)]}{i}".encode(codec) for i in range(count))
    width = 1 if count < 256 else 2
    column = LoggedColumn("v", 254, bytes([247, width]), False, collation, members)
    return TypedColumn(
        column,
        st.integers(0, count),
        lambda value: encoders.integer(value, width),
        lambda value: members[value - 1].decode(codec) if value else "",
    )


@st.composite
def _compressed(draw: Draw) -> TypedColumn:
    """TEXT and VARCHAR, or their binary kin, each value in one of the ways of the server."""
    is_varchar, is_binary = draw(st.booleans()), draw(st.booleans())
    type_code, metadata = (141, b"\xff\x7f") if is_varchar else (140, b"\x02")
    ways = st.fixed_dictionaries(
        {"is_deflated": st.booleans(), "is_raw": st.booleans(), "len_length": st.integers(2, 7)}
    )
    collation, codec, letters = (63, "", "") if is_binary else CHARSETS["utf16"]
    values: st.SearchStrategy[Any] = st.binary(max_size=300) if is_binary else st.text(letters)
    repeated = st.tuples(values, st.integers(0, 20)).map(lambda pair: pair[0] * pair[1])

    def encode(pair: tuple[Any, dict[str, Any]]) -> bytes:
        value, way = pair
        data = value if is_binary else value.encode(codec)
        return encoders.prefixed(encoders.compressed(data, **way), 2)

    return TypedColumn(
        LoggedColumn("v", type_code, metadata, False, collation),
        st.tuples(repeated, ways),
        encode,
        lambda pair: pair[0],
    )


_SRIDS = st.sampled_from([0, 4326, 2**31, 2**32 - 1])
_GEOMETRIES = TypedColumn(
    LoggedColumn("v", 255, b"\x04"),
    st.just(()) | st.tuples(_SRIDS, st.binary(min_size=5, max_size=60)),
    # Of no bytes at all, as a mode that is not strict stores what it was not given.
    lambda value: encoders.prefixed(encoders.geometry(*value) if value else b"", 4),
    lambda value: dict(zip(("srid", "wkb"), value or (None, b""), strict=True)),
)
_VECTORS = TypedColumn(
    LoggedColumn("v", 242, b"\x04", False, 63),
    st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), max_size=20),
    lambda value: encoders.prefixed(encoders.vector(value), 4),
)
_OLD_TIMESTAMPS = TypedColumn(
    LoggedColumn("v", 7),
    st.sampled_from([1, 2**31 - 1, 2**32 - 1]) | st.integers(1, 2**32 - 1),
    encoders.old_timestamp,
    lambda seconds: seconds * 1_000_000,
)
_OLD_DATETIMES = TypedColumn(
    LoggedColumn("v", 12),
    st.datetimes(datetime(1, 1, 1)).map(lambda moment: moment.replace(microsecond=0)),
    encoders.old_datetime,
)
_MOST_SECONDS = 838 * 3600 + 59 * 60 + 59
_OLD_TIMES = TypedColumn(
    LoggedColumn("v", 11),
    st.sampled_from([0, -1, _MOST_SECONDS, -_MOST_SECONDS])
    | st.integers(-_MOST_SECONDS, _MOST_SECONDS),
    encoders.old_time,
    lambda seconds: timedelta(seconds=seconds),
)

MORE_COLUMNS: dict[str, st.SearchStrategy[TypedColumn]] = {
    "text in a charset": _texts(),
    "enum in a charset": _members(),
    "compressed": _compressed(),
    "geometry": st.just(_GEOMETRIES),
    "vector": st.just(_VECTORS),
    "old timestamp": st.just(_OLD_TIMESTAMPS),
    "old datetime": st.just(_OLD_DATETIMES),
    "old time": st.just(_OLD_TIMES),
}
