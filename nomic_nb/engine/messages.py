"""Messages to people: a code and values, with the sentence that they form."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Templates of another language by their code, or by the English text if that has no code.
TRANSLATIONS: dict[str, str] = {}


class Message(str):
    """A sentence that keeps its code and the values filled into it.

    Attributes
    ----------
    code : str
        Short name of the message. Equal codes mean the same, whatever the wording; programs and tests compare them.
    template : str
        The sentence with its places in braces.
    values : mapping of str to object
        The values filled in, by name.

    Examples
    --------
    >>> message = say("turn-of-another", "it is {player}’s turn", player="Ben")
    >>> print(message)
    it is Ben’s turn
    >>> message.code, dict(message.values)
    ('turn-of-another', {'player': 'Ben'})
    """

    code: str
    template: str
    values: Mapping[str, object]

    def embed_in(self, template: str, **more: object) -> Message:
        """Return a longer message: `template` with this message for ``{message}`` and with `more` filled in.

        Examples
        --------
        >>> inner = say("no-such-rule", "there is no rule {rule}", rule=999)
        >>> outer = inner.embed_in("part {part}: {message}", part=2)
        >>> print(outer)
        part 2: there is no rule 999
        >>> outer.code, outer.values["rule"], outer.values["part"]
        ('no-such-rule', 999, 2)
        """
        template = TRANSLATIONS.get(template, template)
        message = Message(template.format(message=self, **more))
        message.code, message.template = self.code, template.replace("{message}", self.template)
        message.values = MappingProxyType({**self.values, **more})
        return message


def say(code: str, template: str, /, **values: object) -> Message:
    """Return a message with a code such as “rule-unknown”: a template filled with values.

    Parameters
    ----------
    code : str
        Short name of the message, as words with hyphens, such as ``turn-of-another``; no other template has it.
    template : str
        The sentence, with the names of the values in braces.
    **values : object
        Values to fill in. A text is shown unchanged, so put quotation marks in the template around text from strangers.
    """
    template = TRANSLATIONS.get(code, template)
    message = Message(template.format_map(values) if values else template)
    message.code, message.template, message.values = code, template, MappingProxyType(values)
    return message
