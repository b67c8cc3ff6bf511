"""A cursor over the tokens of a statement."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark_adapter.ddl.sql_tokens import END, NotUnderstoodError, Token, TokenKind
from pyspark_adapter.options.table_name import TableName


class SqlCursor:
    """Takes tokens in order; never goes back.

    Args:
        tokens: the statement, END last.

    Attributes:
        peek: the next token.
    """

    def __init__(self, tokens: Iterator[Token]) -> None:
        self._tokens = tokens
        self._ahead: list[Token] = []
        self.peek = next(tokens, END)

    @property
    def is_at_end(self) -> bool:
        """Whether the statement ends here."""
        return self.peek.kind is TokenKind.END

    @property
    def is_at_end_of_item(self) -> bool:
        """Whether the next token ends an item of a list, the list or the statement."""
        peek = self.peek
        return peek.kind is TokenKind.END or (
            peek.kind is TokenKind.SIGN and peek.text in (",", ")", ";")
        )

    def take(self) -> Token:
        """Return the next token and move past it; raises NotUnderstoodError at the end."""
        token = self.peek
        if token.kind is TokenKind.END:
            raise NotUnderstoodError("the statement ends too early")
        self.peek = self._ahead.pop() if self._ahead else next(self._tokens, END)
        return token

    def peek_second(self) -> Token:
        """Return the token after the next one."""
        if not self._ahead:
            self._ahead.append(next(self._tokens, END))
        return self._ahead[-1]

    def accept(self, *words: str) -> bool:
        """Skip the next token if it is one of some keywords; return whether it was."""
        if self.peek.is_word(*words):
            self.take()
            return True
        return False

    def accept_sign(self, sign: str) -> bool:
        """Skip the next token if it is this sign; return whether it was."""
        if self.peek.is_sign(sign):
            self.take()
            return True
        return False

    def accept_all(self, *words: str) -> bool:
        """Skip keywords that only occur together, such as IF EXISTS; return whether they did.

        Raises:
            NotUnderstoodError: if the first follows and the others do not.
        """
        if not self.accept(words[0]):
            return False
        for word in words[1:]:
            self.expect(word)
        return True

    def expect(self, *words: str) -> str:
        """Skip one of some keywords and return it in capitals; raises NotUnderstoodError."""
        token = self.take()
        if not token.is_word(*words):
            raise NotUnderstoodError(f"{token.text} where {' or '.join(words)} is expected")
        return token.text.upper()

    def take_word(self) -> str:
        """Return a keyword in capitals; raises NotUnderstoodError if something else follows."""
        token = self.take()
        if token.kind is not TokenKind.WORD:
            raise NotUnderstoodError(f"{token.text} where a word is expected")
        return token.text.upper()

    def take_name(self) -> str:
        """Return a name; the last part if it has several, as in `MODIFY t.c INT` or `.c INT`.

        Raises:
            NotUnderstoodError: if something else follows.
        """
        self.accept_sign(".")
        name = self._take_part()
        while self.accept_sign("."):
            name = self._take_part()
        return name

    def _take_part(self) -> str:
        token = self.take()
        if token.kind not in (TokenKind.WORD, TokenKind.NAME):
            raise NotUnderstoodError(f"{token.text} where a name is expected")
        try:
            token.text.encode()
        except UnicodeEncodeError as error:
            raise NotUnderstoodError("a name that is not valid in its character set") from error
        return token.text

    def take_table_name(self, database: str) -> TableName:
        """Return the name of a table; its database is the one passed if it names none.

        Raises:
            NotUnderstoodError: if something else follows.
        """
        self.accept_sign(".")  # of ODBC: the default database
        first = self._take_part()
        return (
            TableName(first, self._take_part())
            if self.accept_sign(".")
            else TableName(database, first)
        )

    def take_brackets(self) -> list[Token]:
        """Return the tokens between an opening bracket and its closing one.

        Raises:
            NotUnderstoodError: if there is no opening bracket here, or no closing one.
        """
        if not self.accept_sign("("):
            raise NotUnderstoodError(f"{self.peek.text} where ( is expected")
        tokens: list[Token] = []
        depth = 1
        while True:
            token = self.take()
            if token.kind is TokenKind.SIGN:
                depth += {"(": 1, ")": -1}.get(token.text, 0)
                if depth == 0:
                    return tokens
            tokens.append(token)

    def skip_item(self) -> None:
        """Skip the rest of an item of a list."""
        while not self.is_at_end_of_item:
            if self.peek.is_sign("("):
                self.take_brackets()
            else:
                self.take()
