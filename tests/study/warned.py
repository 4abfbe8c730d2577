"""What a review warns of, asserted by codes and values: how it is worded is pinned once, in the golden sentences."""


def codes(review):
    """Return the codes of the checks that found something."""
    return [sign.code for sign in review.warnings]


def found(review, code, said="", **values):
    """Return the warnings of a check, those alone whose evidence has this code and these among its values."""
    return [
        sign
        for sign in review.warnings
        if sign.code == code and said in ("", sign.evidence.code)
        and all(str(sign.evidence.values.get(name)) == str(value) for name, value in values.items())
    ]  # fmt: skip


def warned(review, code, said="", **values):
    """Expect such a warning."""
    assert found(review, code, said, **values), "\n".join(
        f"{sign.code} {sign.evidence.code} {dict(sign.evidence.values)}" for sign in review.warnings
    )
