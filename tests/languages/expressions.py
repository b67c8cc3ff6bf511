"""The expression language of Kaitai Struct, as far as the schema uses it: text to trees and back.

A tree is a tuple that begins with the name of its kind:

    ("int", 5)  ("float", 0.5)  ("str", "a")  ("bool", True)  ("name", "len_body")
    ("label", "event_type", "query")  ("list", [tree, ...])
    ("attr", tree, "size")  ("index", tree, tree)  ("call", tree, "substring", [tree, ...])
    ("cast", tree, "u4")  ("not"|"-"|"~", tree)  (operator, tree, tree)  ("?", tree, tree, tree)
"""

import re
from typing import Any

Tree = tuple[Any, ...]

TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d+)?)
    | (?P<text>'[^']*'|"(?:[^"\\]|\\.)*")
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<sign>::|<<|>>|<=|>=|==|!=|[-+*/%&|^~<>?:().,\[\]])
    )""",
    re.VERBOSE,
)
# From those that bind least.
BINARY: list[set[str]] = [
    {"or"},
    {"and"},
    {"<", "<=", ">", ">=", "==", "!="},
    {"|"},
    {"^"},
    {"&"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
]
COMPARISONS = BINARY[2]
NOT_LEVEL = 2
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "0": "\0"}


class ExpressionError(ValueError):
    """A text is no expression that this module knows."""


def parse(text: str) -> Tree:
    """Return the tree of an expression; raises ExpressionError.

    >>> parse("_io.size >= 57 + n")
    ('>=', ('attr', ('name', '_io'), 'size'), ('+', ('int', 57), ('name', 'n')))
    """
    parser = _Parser(text)
    tree = parser.ternary()
    parser.end()
    return tree


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[tuple[str, str]] = []
        text = text.rstrip()
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise ExpressionError(f"{text!r}: unknown token at {at}")
            self._tokens.append((found.lastgroup, found[found.lastgroup]))
            at = found.end()
        self._tokens.append(("end", ""))
        self._at = 0

    def _peek(self) -> str:
        kind, text = self._tokens[self._at]
        return "" if kind == "text" else text

    def _next(self) -> tuple[str, str]:
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, text: str) -> bool:
        if self._peek() != text:
            return False
        self._at += 1
        return True

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise ExpressionError(f"{self._text!r}: {self._peek()!r} where {text!r} has to be")

    def end(self) -> None:
        if self._tokens[self._at][0] != "end":
            raise ExpressionError(f"{self._text!r}: {self._peek()!r} after the end")

    def ternary(self) -> Tree:
        tree = self._binary(0)
        if not self._take("?"):
            return tree
        yes = self.ternary()
        self._need(":")
        return ("?", tree, yes, self.ternary())

    def _binary(self, level: int) -> Tree:
        if level == NOT_LEVEL and self._take("not"):
            return ("not", self._binary(level))
        if level == len(BINARY):
            return self._unary()
        tree = self._binary(level + 1)
        while self._peek() in BINARY[level]:
            operator = self._next()[1]
            tree = (operator, tree, self._binary(level + 1))
        return tree

    def _unary(self) -> Tree:
        for sign in ("-", "~"):
            if self._take(sign):
                return (sign, self._unary())
        return self._postfix(self._atom())

    def _atom(self) -> Tree:
        kind, text = self._next()
        if kind == "number":
            return ("float", float(text)) if "." in text else ("int", int(text.replace("_", ""), 0))
        if kind == "text":
            inner = text[1:-1]
            if text[0] == '"':
                inner = re.sub(r"\\(.)", lambda found: ESCAPES[found[1]], inner)
            return ("str", inner)
        if text == "(":
            tree = self.ternary()
            self._need(")")
            return tree
        if text == "[":
            return ("list", self._items("]"))
        if text in ("true", "false"):
            return ("bool", text == "true")
        if kind == "word":
            if self._take("::"):
                return ("label", text, self._next()[1])
            return ("name", text)
        raise ExpressionError(f"{self._text!r}: {text!r} where a value has to be")

    def _items(self, end: str) -> list[Tree]:
        items: list[Tree] = []
        while not self._take(end):
            if items:
                self._need(",")
            items.append(self.ternary())
        return items

    def _postfix(self, tree: Tree) -> Tree:
        while True:
            if self._take("["):
                tree = ("index", tree, self.ternary())
                self._need("]")
            elif self._take("."):
                name = self._next()[1]
                if name == "as":
                    self._need("<")
                    tree = ("cast", tree, self._next()[1])
                    self._need(">")
                elif self._take("("):
                    tree = ("call", tree, name, self._items(")"))
                else:
                    tree = ("attr", tree, name)
            else:
                return tree


def render(tree: Tree) -> str:
    """Return an expression as text, each operation within parentheses.

    >>> render(parse("not a[1].b.as<u4> + 2 == 3 ? 'x' : y"))
    "((not ((a[1].b.as<u4> + 2) == 3)) ? 'x' : y)"
    """
    kind = tree[0]
    if kind in ("int", "float", "name"):
        return str(tree[1])
    if kind == "bool":
        return "true" if tree[1] else "false"
    if kind == "str":
        return _render_text(tree[1])
    if kind == "label":
        return f"{tree[1]}::{tree[2]}"
    if kind == "list":
        return f"[{', '.join(map(render, tree[1]))}]"
    if kind == "attr":
        return f"{_primary(tree[1])}.{tree[2]}"
    if kind == "index":
        return f"{_primary(tree[1])}[{render(tree[2])}]"
    if kind == "call":
        return f"{_primary(tree[1])}.{tree[2]}({', '.join(map(render, tree[3]))})"
    if kind == "cast":
        return f"{_primary(tree[1])}.as<{tree[2]}>"
    if kind == "not":
        return f"(not {render(tree[1])})"
    if kind in "-~" and len(tree) == 2:
        return f"({kind}{render(tree[1])})"
    if kind == "?":
        return f"({render(tree[1])} ? {render(tree[2])} : {render(tree[3])})"
    return f"({render(tree[1])} {kind} {render(tree[2])})"


def _primary(tree: Tree) -> str:
    text = render(tree)
    return f"({text})" if tree[0] in ("int", "float") else text


def _render_text(text: str) -> str:
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    escaped = "".join({v: f"\\{k}" for k, v in ESCAPES.items()}.get(it, it) for it in text)
    return f'"{escaped}"'
