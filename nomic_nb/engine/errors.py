"""Errors that the kit raises when a rule text cannot be read or an action is refused."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from copy import copy
from typing import NoReturn

from nomic_nb.engine import messages
from nomic_nb.engine.messages import Message, say

#: Whose lines are left out where an error is shown in a notebook.
_INSIDE = (__name__.partition(".")[0], "IPython", "contextlib")


class PlainRefusal(Exception):  # noqa: N818 - what errors have in common, and none by itself
    """An error caused by a player's input: a notebook shows the player's own lines and the message, and no other lines.

    Parameters
    ----------
    message : str
        The message, or the code of one that is made here.
    template : str, optional
        The sentence of the message with this code, as `say` takes it.
    **values : object
        Values to fill in.

    Attributes
    ----------
    code : str
        Short name of the refusal, which stays the same if the words change; empty if none exists.
    values : mapping of str to object
        Values filled into the sentence: names, numbers, the value found.

    Examples
    --------
    >>> error = WrongValue("no-such-side", "there is no side {side!r}", side="left")
    >>> str(error), error.code
    ("there is no side 'left'", 'no-such-side')
    """

    def __init__(self, message: str, template: str | None = None, /, **values: object) -> None:
        super().__init__(message if template is None else messages.say(message, template, **values))

    @property
    def _message(self) -> Message | None:
        """The `Message` with which the error was raised; None if it was raised without one."""
        return next(
            (candidate for candidate in (getattr(self, "message", ""), *self.args) if isinstance(candidate, Message)),
            None,
        )

    @property
    def code(self) -> str:
        """The code of the error's message, such as “rule-unknown”; empty if it has no message."""
        return self._message.code if self._message else ""

    @property
    def values(self) -> Mapping[str, object]:
        """The values that are filled into the error's message, by name."""
        return self._message.values if self._message else {}

    @property
    def said(self) -> Message:
        """The full text of the error, as a message with the error's code and values."""
        shown, inner = str(self), self._message
        message = Message(shown)
        message.code, message.values = self.code, self.values
        message.template = shown if inner is None else shown.replace(inner, inner.template)
        return message

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows for the error: the player's own lines and the message."""
        import traceback

        lines = []
        for frame, line in traceback.walk_tb(self.__traceback__):
            if str(frame.f_globals.get("__name__")).partition(".")[0] in _INSIDE:
                continue
            code = frame.f_code
            where = "" if code.co_name == "<module>" else f" in {code.co_name}"
            lines.append(f"line {line}{where}: {linecache.getline(code.co_filename, line).strip()}")
        return [*lines, f"{type(self).__name__}: {self}"]


def to_message(text: str) -> Message:
    """Return a text as a `Message`: itself if it is one, else a plain one with an empty code."""
    if not isinstance(text, Message):
        plain = Message(text)
        plain.code, plain.template, plain.values = "", text, {}
        return plain
    return text


class LawError(PlainRefusal, ValueError):
    """A clause, an expression or a rule file that cannot be read.

    Parameters
    ----------
    message, template, **values
        The problem, as in `PlainRefusal`.
    line, column : int
        Line and column of the problem in the given text, both counted from 1.
    found : str
        Text found there.
    expected : str
        Text expected there.
    text : str
        Line with the problem, shown with a mark under the column.
    offset : int, optional
        Place in the clause, counted from 0, while the clause is being read.

    Attributes
    ----------
    part : int or None
        Number of the change with the problem, counted from 1, if several are proposed together.
    example : str
        A complete clause of the kind that was probably meant, if one is known; otherwise empty.

    Examples
    --------
    >>> print(LawError("a bracket is not closed", line=2, column=7, found="the end", expected="')'"))
    line 2, column 7: a bracket is not closed; found the end; expected ')'
    """

    def __init__(
        self,
        message: str,
        template: str | None = None,
        /,
        *,
        line: int = 1,
        column: int = 1,
        found: str = "",
        expected: str = "",
        text: str = "",
        offset: int | None = None,
        **values: object,
    ) -> None:
        super().__init__(message, template, **values)
        self.message: Message = to_message(self.args[0])
        self.line, self.column, self.offset = line, column, offset
        self.found, self.expected, self.text = found, expected, text
        self.part: int | None = None
        self.example = ""

    def moved(self, lines: int, text: str | None = None) -> LawError:
        """Return a copy of the error with `lines` added to its line number, and `text`, if given, as the line shown.

        Parameters
        ----------
        lines : int
            Number of lines before the inner text.
        text : str, optional
            The enclosing line.
        """
        error = copy(self)
        error.line += lines
        error.text = self.text if text is None else text
        return error

    def __str__(self) -> str:
        sentence = f"line {self.line}, column {self.column}: {self.message}"
        sentence += f"; found {self.found}" if self.found else ""
        sentence += f"; expected {self.expected}" if self.expected else ""
        if self.text:
            sentence += f"\n    {self.text}\n    {' ' * (self.column - 1)}^"
        return sentence + (f"\n    for example: {self.example}" if self.example else "")


class IllegalAction(PlainRefusal):
    """An action that is not allowed by the rules or at this point in the game. The game stays exactly as it was.

    Parameters
    ----------
    message, template, **values
        Reason for the refusal, as in `PlainRefusal`.
    rule : int or str, optional
        Number of the rule that forbids it; None if no rule does.
    options : sequence of str
        Actions that are possible instead.

    Examples
    --------
    >>> raise IllegalAction("it is Ben's turn", rule=201, options=["Ben: propose"])
    Traceback (most recent call last):
    ...
    nomic_nb.engine.errors.IllegalAction: it is Ben's turn (rule 201). Possible now: Ben: propose
    """

    def __init__(
        self,
        message: str,
        template: str | None = None,
        /,
        *,
        rule: int | str | None = None,
        options: Sequence[str] = (),
        **values: object,
    ) -> None:
        super().__init__(message, template, **values)
        self.message: Message = to_message(self.args[0])
        self.rule, self.options = rule, tuple(options)

    def __str__(self) -> str:
        sentence = self.message if self.rule is None else f"{self.message} (rule {self.rule})"
        if self.options:
            shown = "; ".join(self.options[:3])
            sentence += f"{'' if sentence[-1:] in '.?!' else '.'} Possible now: {shown}" + (
                "; …" if len(self.options) > 3 else ""
            )
        return sentence


class WrongArgument(PlainRefusal, TypeError):  # noqa: N818 - an answer, not a fault
    """An argument of the wrong kind, or too many or too few arguments; the message says what is accepted."""


def refuse_copying(thing: object) -> NoReturn:
    """Refuse to pickle or copy a thing; a class takes it as its `__reduce__`.

    Raises
    ------
    WrongArgument
        Always.
    """
    raise WrongArgument(
        say(
            "not-copied",
            "{kind} objects can’t be pickled or copied. To pass a game on, save it and load it. To play on from a "
            "copy, fork the game, or make a trial of it to try something out",
            kind=type(thing).__name__,
        )
    )


class WrongValue(PlainRefusal, ValueError):  # noqa: N818 - an answer, not a fault
    """A value of the right kind that cannot be used; the message says what would be right."""


class NoSuchName(PlainRefusal, AttributeError):  # noqa: N818 - an answer, not a fault
    """A name that does not exist; the message suggests what may be meant."""


class FileMissing(PlainRefusal, FileNotFoundError):  # noqa: N818 - an answer, not a fault
    """A file or folder that does not exist."""


class FileUnusable(PlainRefusal, OSError):  # noqa: N818 - an answer, not a fault
    """A file that cannot be read or written; the message says why."""


class OutOfRange(PlainRefusal, IndexError):  # noqa: N818 - an answer, not a fault
    """An index that is out of range; the message says how many there are."""


class NotThere(PlainRefusal, KeyError):  # noqa: N818 - an answer, not a fault
    """A number or a name that does not exist; the message says what exists."""

    def __str__(self) -> str:
        return str(self.args[0])


class RecordError(PlainRefusal, ValueError):
    """A saved game that cannot be loaded, or a file that cannot be written.

    Parameters
    ----------
    message, template, **values
        The problem, and what would be right, as in `PlainRefusal`.
    line : int, optional
        Line of the file, counted from 1.
    """

    def __init__(
        self, message: str, template: str | None = None, /, *, line: int | None = None, **values: object
    ) -> None:
        super().__init__(message, template, **values)
        self.message, self.line = to_message(self.args[0]), line
        if line is not None:
            self.args = (f"line {line}: {self.message}",)
