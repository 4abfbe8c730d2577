"""Warnings that a change is hard to read, or that the law does not decide with it."""

from __future__ import annotations

import re

from nomic_nb.engine.law.clauses import SetClause, TrackClause
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import group_pairs, join_words
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.renumbering import rules_named_in_wording
from nomic_nb.study.review.warnings.registry import Messages, check

#: Words of a wording, and of one sentence, beyond which it is long.
LONG, LONG_SENTENCE = 200, 60
#: Words that leave open how much, when or what.
_VAGUE = re.compile(
    r"\b("
    r"adequate|and so on|appropriate|as needed|etc|fair|fairly|frequently|generally|good(?! for)|"
    r"(?<!how )(?<!so )(?<!as )(?<!that )many|normally|(?<!most )(?<!more )often|probably|properly|rarely|reasonable|"
    r"reasonably|several(?! (?:players )?(?:are|is|have|has|tie|share)\b)|should|some(?! of (?:their|the|those)\b)|"
    r"somehow|sometimes|(?<!as )soon|suitable|usually"
    r")\b",
    re.IGNORECASE,
)
#: Of a series that everybody can continue, such as “2, 4, 6 and so on”, the words that would be vague.
_SERIES = re.compile(r"(?<=[\ds] )and so on|(?<=[dts\d], )and so on|(?<=seat )and so on", re.IGNORECASE)
#: Keys, or their first words, that are about one subject although they begin differently.
_SUBJECTS = {
    "moves": {"may.move", "capture", "castling", "check", "move", "passant", "piece", "promotion", "royal"},
    "turn": {"may.begin_turn", "may.end_turn", "may.skip"},
    "vote": {"may.call_vote", "may.close_vote", "may.vote"},
}
_CLAUSE = re.compile(
    r"^(?:on ([a-z_]+)(?: .*)?:|(?:whenever|offer) .*:|set [a-z_]+\.[a-z_]+ to |track \w+ per |forbid \w+ when ).*",
    re.M,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n\s*(?=[-*•]|\d+[.)])")


@check("unreadable", "unclear", cost="read")
def warn_of_unreadable_clauses(run: DryRun) -> Messages:
    """Warn that the proposal's clauses cannot be read.

    Write them as the error says; `writing` has all clauses.

    Example: nb.enact("Twelve.", "set dissent.points too 12")
    """
    if run.error is not None:
        yield say("clauses-unreadable", "its clauses can’t be read: {error}", error=str(run.error).splitlines()[0])


@check("no-clauses", "unclear", cost="read")
def warn_of_no_clauses(run: DryRun) -> Messages:
    """Warn that the proposed rule has no clauses, so players have to apply it themselves.

    Write clauses below the wording if the game should enforce it.

    Example: nb.enact("Whoever rolls a six makes tea.")
    """
    for changed_rule, change in run.changes_with_rules:
        if change.kind in ("enact", "amend") and changed_rule.new and not changed_rule.new.clauses:
            if changed_rule.old is not None and changed_rule.old.clauses:
                yield say("clauses-taken-away", "it removes the clauses, so from then on players apply it themselves")
            elif change.wording:
                yield say("without-clauses", "it has no clauses, so players apply it themselves")


@check("clause-in-wording", "mismatch", cost="read")
def warn_of_clause_in_wording(run: DryRun) -> Messages:
    r"""Warn that a line of the proposal's wording looks like a clause, which the game does not enforce there.

    Move it to the clauses: below a line `law:` in a cell, or into their box in a panel.

    Example: nb.enact("Gifts.\non adopted: award 5 points to playing")
    """
    for _, change in run.changes_with_rules:
        found = _CLAUSE.search(change.wording or "")
        if found and (not found[1] or found[1] in language().vocabulary.events):
            yield say(
                "clause-in-wording",
                "“{line}” is in its wording, so the game does not enforce it; clauses belong below a line law:",
                line=found[0][:80],
            )


@check("vague", "unclear", cost="read")
def warn_of_vague_wording(run: DryRun) -> Messages:
    """Warn that the proposal's wording is long, or uses vague words.

    Say how much, when and what; split a long rule in two.

    Example: nb.enact("Players should be reasonable, and so on.")
    """
    for _, change in run.changes_with_rules:
        if change.kind not in ("enact", "amend"):
            continue
        wording = change.wording or ""
        words = len(wording.split())
        if words > LONG:
            yield say("wording-long", "its wording is long: {words} words", words=words)
        for sentence in map(str.split, _SENTENCE.split(wording)):
            if len(sentence) > LONG_SENTENCE:
                begin = " ".join(sentence[:6])
                yield say(
                    "sentence-long", "one sentence has {words} words: “{begin} …”", words=len(sentence), begin=begin
                )
        left_open = dict.fromkeys(word.lower() for word in _VAGUE.findall(_SERIES.sub("", wording)))
        if left_open:
            quoted = join_words([f"“{word}”" for word in left_open])
            yield say("words-vague", "it uses vague words: {words}", words=quoted)


def _subject(key: str) -> str:
    """Return what a key is about: its first word, or one subject that it shares with others."""
    first = key.partition(".")[0]
    return next((subject for subject, keys in _SUBJECTS.items() if {key, first} & keys), first)


@check("several-changes", cost="read")
def warn_of_several_subjects(run: DryRun) -> Messages:
    r"""Warn that the proposal is about several subjects, or about several rules.

    Propose several changes, or one change in several parts, with `nb.together`.

    Example: nb.enact("Much.", "set win.points to 50\nset dissent.points to 12")
    """
    for rule, change in run.changes_with_rules:
        setting = [clause for clause in rule.added_and_removed_clauses if isinstance(clause, SetClause)]
        subjects = group_pairs((_subject(key), key) for key in dict.fromkeys(clause.key for clause in setting))
        tracked = {clause.counter for clause in rule.added_and_removed_clauses if isinstance(clause, TrackClause)}
        words = group_pairs((_subject(clause.key), part.words) for clause in setting for part in clause.expressions)
        shared = (tracked | {"turn", "circuit", "now"}).intersection(
            *[set().union(*each) for each in words.values()]
        )  # which makes them one subject
        if len(subjects) > 1 and not shared:
            named = join_words([", ".join(subject) for subject in subjects.values()])
            yield say(
                "subjects-several",
                "its clauses are about {count} different subjects: {subjects}",
                count=len(subjects),
                subjects=named,
            )
        own = {change.target, rule.new.number if rule.new else None}
        spoken_of = (
            tuple(dict.fromkeys(str(number) for number, _ in rules_named_in_wording(sentence) if number not in own))
            for sentence in _SENTENCE.split(change.wording or "")
        )
        apart = list(dict.fromkeys(filter(None, spoken_of)))
        if len(apart) > 1:
            yield say(
                "sentences-of-different-rules",
                "its sentences are about different rules: {rules}",
                rules="; ".join(map(join_words, apart)),
            )


@check("ambiguous", cost="law")
def warn_of_undecided_law(run: DryRun) -> Messages:
    r"""Warn that with the change, the rules conflict, or no longer settle something that they settled before.

    Write which rule takes precedence, or add a clause for the case.

    Example: nb.amend(203, law="set vote.quota to 2\nset vote.quota to 3 while turn > 0")
    """
    silent = {f"no rule says what {changed.key} is" for changed in run.turned if changed.new.outcome == "silent"}
    reasons = set()
    for term in run.turned:
        new = term.new
        if new.outcome == "torn" and term.old.outcome != "torn":
            rules = "; ".join(f"rule {source.rule.number}: {source.clause.words}" for source in new.sources)
            yield say("law-torn", "the rules conflict on {where} ({rules})", where=term.term_and_case, rules=rules)
        elif new.outcome == "undecided" and term.old.outcome != "undecided" and (term.key, new.reason) not in reasons:
            reasons.add((term.key, new.reason))
            if "depends on itself" not in new.reason and not any(why in new.reason for why in silent):
                yield say(
                    "law-undecided",
                    "the rules don’t settle {where}: {reason}",
                    where=term.term_and_case,
                    reason=new.reason,
                )


@check("rounding", "ambiguous", cost="law")
def warn_of_rounding(run: DryRun) -> Messages:
    """Warn that the proposal's clauses round numbers, and no rule says how to round a half.

    Set `score.half`.

    Example: nb.enact("Half.", "on enacted: award rounded(5 / 2) points to mover")
    """
    for clause in run.new_clauses if run.law.is_silent_on("score.half") else ():
        if any(clause.calls("rounded")):
            yield say(
                "half-unrounded",
                'no rule says how “{clause}” rounds a half: add `set score.half to "up"`, or "down", or "even"',
                clause=clause,
            )
