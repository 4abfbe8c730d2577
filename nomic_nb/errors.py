"""What the kit says when a rule text cannot be read or an action is refused."""

from __future__ import annotations

from collections.abc import Sequence


class LawError(ValueError):
    """A clause, an expression or a rule file that cannot be read.

    Parameters
    ----------
    message : str
        What is wrong.
    line, column : int
        Where it is, both counted from 1 in the text that was handed in.
    found : str
        What stands there.
    expected : str
        What could stand there.
    text : str
        The line at fault, shown with a mark under the column.

    Examples
    --------
    >>> print(LawError("a bracket is not closed", line=2, column=7, found="the end", expected="')'"))
    line 2, column 7: a bracket is not closed; found the end; expected ')'
    """

    #: Where it is in the clause, counted from 0, while that is being read.
    offset: int | None = None

    def __init__(
        self,
        message: str,
        *,
        line: int = 1,
        column: int = 1,
        found: str = "",
        expected: str = "",
        text: str = "",
    ) -> None:
        self.message, self.line, self.column = message, line, column
        self.found, self.expected, self.text = found, expected, text
        super().__init__(message)

    def moved(self, lines: int = 0, columns: int = 0, text: str | None = None) -> LawError:
        """Return the same error as seen from the text that encloses this one.

        Parameters
        ----------
        lines, columns : int
            How far down and to the right the inner text begins.
        text : str, optional
            The enclosing line.
        """
        return LawError(
            self.message,
            line=self.line + lines,
            column=self.column + (columns if self.line == 1 else 0),
            found=self.found,
            expected=self.expected,
            text=self.text if text is None else text,
        )

    def __str__(self) -> str:
        parts = [f"line {self.line}, column {self.column}: {self.message}"]
        if self.found:
            parts.append(f"found {self.found}")
        if self.expected:
            parts.append(f"expected {self.expected}")
        said = "; ".join(parts)
        if self.text:
            said += f"\n    {self.text}\n    {' ' * (self.column - 1)}^"
        return said


class IllegalAction(Exception):  # noqa: N818 - the public name
    """An action that the law, or the state of play, does not allow. The game stays exactly as it was.

    Parameters
    ----------
    message : str
        Why it is refused.
    rule : int or str, optional
        Number of the rule that forbids it; None where no rule is concerned.
    options : sequence of str
        What is open instead.

    Examples
    --------
    >>> raise IllegalAction("it is Ben's turn", rule=201, options=["Ben: propose"])
    Traceback (most recent call last):
    ...
    nomic_nb.errors.IllegalAction: it is Ben's turn (rule 201). Open now: Ben: propose
    """

    def __init__(self, message: str, *, rule: int | str | None = None, options: Sequence[str] = ()) -> None:
        self.message, self.rule, self.options = message, rule, tuple(options)
        super().__init__(message)

    def __str__(self) -> str:
        said = self.message if self.rule is None else f"{self.message} (rule {self.rule})"
        if self.options:
            shown = "; ".join(self.options[:12])
            said += f"{'' if said[-1:] in '.?!' else '.'} Open now: {shown}" + ("; …" if len(self.options) > 12 else "")
        return said


class NotThere(KeyError):  # noqa: N818 - an answer, not a fault
    """Nothing has this number, or this name; the message says what there is."""

    def __str__(self) -> str:
        return str(self.args[0])


class RecordError(ValueError):
    """A saved game that cannot be loaded.

    Parameters
    ----------
    message : str
        What is wrong and what would be right.
    line : int, optional
        Line of the file, counted from 1.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message if line is None else f"line {line}: {message}")
