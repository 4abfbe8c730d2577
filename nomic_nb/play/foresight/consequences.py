"""What rules can ask of a change at hand beside the boards: what it contradicts, and what people have to say."""

from __future__ import annotations

from nomic_nb.law.values import TEXT, TRUTH, Ref, Value, list_of
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import EVERYTHING, Fact, Function
from nomic_nb.play.cases import RULE
from nomic_nb.play.foresight.supposing import supposed_by
from nomic_nb.play.state import state_of

#: The function whose answer no machine can find.
FOR_PEOPLE = "for_people"


def _contradicted(view: View) -> Value:
    """Return the stronger rules that the change at hand would say otherwise than in every case."""
    before = state_of(view).rules
    supposed = supposed_by(view)
    after = supposed.state.rules
    if supposed.doubt and after is before:  # what it sets off may be open: what stands in the book is not
        raise Undecided(f"what comes of it is open: {supposed.doubt}")
    found: dict[int, None] = {}
    for id, why in after.void.items():
        if id not in before.void and why.against is not None and why.against in after.rules:
            found[why.against] = None
            rule, on = after.rules[why.against], f" on {why.key}" if why.key else ""
            view.evidence["contradicted"] = f"it contradicts rule {rule.number} “{rule.title}”{on}"
    return tuple(Ref("rule", id) for id in found)


def _for_people(_: View, text: Value) -> Value:
    raise Undecided(f"it is for people to say {text}")


FACTS = (
    Fact("contradicted", list_of(RULE), "the stronger rules against which the change at hand would be void", EVERYTHING,
         _contradicted, ("proposal",)),
)  # fmt: skip

FUNCTIONS = (
    Function(FOR_PEOPLE, (TEXT,), TRUTH, "whether people say yes to this, which no machine can tell, such as whether "
             "a wording reaches back: whoever is asked says whether it is so", _for_people, reads=EVERYTHING),
)  # fmt: skip
