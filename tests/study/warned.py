"""What people are warned of, asserted by codes and values: how it is worded is pinned once, in the golden sentences."""

from collections.abc import Iterable

from nomic_nb.study.review.remarks import draft_warnings, remarks_of_warnings


def draft_remarks(state, player, change):
    """Return what whoever is still writing a change is warned of."""
    return remarks_of_warnings(*draft_warnings(state, player, change))


def codes(review) -> list[str]:
    """Return the codes of the checks that found something."""
    return [sign.code for sign in review.warnings]


def signs_of(shown) -> Iterable:
    """Return the warnings of a review, or those that the remarks on a proposal sum up."""
    return shown.warnings if hasattr(shown, "warnings") else [sign for one in shown for sign in one.signs]


def told(shown, name="") -> list[tuple[str, dict[str, object]]]:
    """Return what the warnings of a kind, or a check, rest on: codes with their values, as text but for numbers."""
    return [
        (
            sign.evidence.code,
            {key: one if isinstance(one, int) else str(one) for key, one in sign.evidence.values.items()},
        )
        for sign in signs_of(shown)
        if name in ("", sign.kind, sign.code)
    ]


def warned(shown, code, **values) -> bool:
    """Tell whether a warning rests on what has this code, and these among its values."""
    return any(one == code and values.items() <= there.items() for one, there in told(shown))
