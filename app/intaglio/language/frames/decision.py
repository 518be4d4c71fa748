"""Decides what a newer statement does to an older one, from their comparison; pure.

A wrong retirement hides what still holds, so typed values and the absence of left-over words carry
the safety; what isn't certain is asked. Decision record 0079.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from intaglio.language.frames.comparison import (
    Comparison,
    Conflict,
    is_usual_together,
)
from intaglio.language.frames.lexicon import (
    containers,
    contrasts,
    is_word,
    light_kinds,
    light_terms,
    light_things,
)
from intaglio.language.frames.narrowing import names_more
from intaglio.language.frames.values import Frame

Verdict: TypeAlias = Literal["replaces", "uncertain", "both_true"]

# In words, of which a Chinese character is half a one.
_ANCHORED: Final = 1
_BARELY_ANCHORED: Final = 0.5
_LEFT_WITH_HIT: Final = 1
_LEFT_WITH_CHANGE: Final = 3
_LEFT_TO_ASK: Final = 1
_LEFT_OF_CHANGED: Final = 2
_UNSETTLED: Final = frozenset({"tentative", "question"})
# What holds beside the older, for a while, or held once, changes nothing.
_BESIDE: Final = frozenset({"additive", "past", "temporary", "continues"})
_PAST: Final = frozenset({"past"})
_BESIDE_OLDER: Final = frozenset({"past", "temporary", "tentative"})
_CHANGED: Final = frozenset({"change", "ended"})
# "From now on" begins many a rule that changes nothing.
_REVERSED: Final = frozenset({"ended", "instead"})
_LEFT: Final = frozenset({"moves", "from", "to"})
_MOVED: Final = frozenset({"moves", "change"})
_BINDING: Final = frozenset({"constraint", "only"})
# "A database" is a kind, of which Redis is one.
_GENERIC: Final = frozenset({"storage_kind", "execution", "env_config", "hosting_model"})
_NEAR: Final = 2
_SCOPE: Final = 3
_BARE: Final = frozenset({"number"})
_IDENTIFIERS: Final = frozenset({"path", "file or host", "channel", "package"})
_DEFAULT: Final = "default"
_PRODUCTION: Final = frozenset({"production"})
_REJECTING: Final = frozenset({"rejects_next", "rejects_previous", "ended"})


def decide(found: Comparison, *, older_is_constraint: bool = False) -> Verdict | None:
    """Return what follows for the older statement; None if the two don't contradict each other."""
    contradicts = bool(found.hits or found.conflicts or found.term_hits or found.returned)
    if found.newer.marks & _UNSETTLED:
        return "both_true" if found.anchor or contradicts else None
    if _hold_elsewhere(found) or (contradicts and found.contrast):
        return "both_true"
    is_constraint = older_is_constraint or "constraint" in found.older.marks
    against = _against_constraint if is_constraint else _against_statement
    verdict = against(found, contradicts=contradicts)
    if verdict == "replaces" and names_more(found):
        return "uncertain"
    return "both_true" if verdict is None and contradicts else verdict


def _against_statement(found: Comparison, *, contradicts: bool) -> Verdict | None:
    if _says_how_many(found):
        return None
    if _ends_the_same(found) or _substitutes(found):
        return "replaces"
    if contradicts:
        return "replaces" if _contradicts_for_certain(found) else _ask(found)
    return _ask_without_values(found)


def _contradicts_for_certain(found: Comparison) -> bool:
    return _rejects_by_name(found) or _rejects_a_name(found) or _gives_another_value(found)


def _ask_without_values(found: Comparison) -> Verdict | None:
    asked = (
        _denies_the_same(found)
        or _forbids_what_was_free(found)
        or found.narrows
        or _may_change(found)
    )
    return "uncertain" if asked else None


def _says_how_many(found: Comparison) -> bool:
    """Whether the newer gives the number of what the older says loosely: "some weeks"."""
    newer, older = found.newer.marks, found.older.marks
    return "vague" in older and not ("vague" in newer or newer & _CHANGED or found.hits)


def _against_constraint(found: Comparison, *, contradicts: bool) -> Verdict | None:
    """Ask about what may break a constraint; it is never replaced."""
    if contradicts:
        return "uncertain" if found.anchor >= _ANCHORED or found.hits else "both_true"
    if _denies_the_same(found):
        return "uncertain"
    said_outright = "constraint" in found.older.marks
    negative = found.newer.marks & (_REJECTING | {"constraint", "denies"})
    same_subject = found.anchor >= _ANCHORED and (
        found.anchor >= found.weight_older or found.weight_older <= _LEFT_TO_ASK
    )
    says_more = bool(found.left_newer) or _permits(found.newer)
    if said_outright and not negative and same_subject and says_more:
        return "uncertain"
    return None


def _denies_the_same(found: Comparison) -> bool:
    """Whether one denies what the other says, in the same words."""
    return (
        denies_alone(found)
        and not found.equal
        and found.anchor >= _ANCHORED
        and not found.weight_newer
        and found.weight_older <= _LEFT_TO_ASK
        and not _is_beside(found)
    )


def _ends_the_same(found: Comparison) -> bool:
    """Whether the newer says in the same words that what the older says has changed."""
    return (
        bool(found.newer.marks & _CHANGED)
        and bool(found.newer.marks & (_REJECTING | {"denies", "constraint"}))
        and not found.newer.conditional
        and (found.anchor > _ANCHORED or not (found.left_newer or found.left_older))
        and not (found.weight_older or found.do_otherwise)
        and not (found.newer.soft - found.older.soft) & contrasts().keys()
        and _denies_the_same(found)
    )


def _substitutes(found: Comparison) -> bool:
    """Whether a change puts one word in the place of another: "now rounded to tenths"."""
    newer, older = found.newer, found.older
    sides = (
        (newer, found.left_newer | found.implied_newer | found.incidental_newer),
        (older, found.left_older | found.incidental_older),
    )
    if not newer.marks & _CHANGED or _is_beside(found) or found.contrast or found.equal:
        return False
    if found.anchor <= _ANCHORED or not found.anchors or newer.places != older.places:
        return False
    before = [
        frame.words[frame.terms[term] - 1]
        for frame, left in sides
        for term in left
        if frame.terms.get(term, 0)
    ]
    one_each = all(len(left) == 1 for _, left in sides) and len(before) == len(sides)
    return one_each and before[0] == before[1] and is_word("choosing", before[0])


def _permits(frame: Frame) -> bool:
    return any(is_word("permissions", word) for word in frame.words)


def _forbids_what_was_free(found: Comparison) -> bool:
    """Whether the newer makes a must, in the same words, of what the older leaves free."""
    return (
        _permits(found.older)
        and bool(found.newer.marks & _BINDING)
        and found.anchor >= _ANCHORED
        and found.weight_newer <= _LEFT_TO_ASK
        and found.weight_older <= _LEFT_TO_ASK
    )


def _may_change(found: Comparison) -> bool:
    """Whether the newer may give something else, of no known kind, in the place of the older's."""
    newer = found.newer
    if found.anchor < _ANCHORED or not (found.left_newer and found.left_older):
        return False
    if _is_beside(found) or newer.marks & {"denies"}:
        return False
    if newer.marks & _REVERSED or newer.marks >= _MOVED:
        return found.weight_newer <= _LEFT_WITH_CHANGE and found.weight_older <= _LEFT_OF_CHANGED
    return _differ_in_values_alone(found) and not _is_another_thing(found, weighed=False)


def _differ_in_values_alone(found: Comparison) -> bool:
    """Whether nothing but values of different kinds tells them apart: a bucket, a database."""
    named = 0
    for frame, left in ((found.newer, found.left_newer), (found.older, found.left_older)):
        values = {
            value.term
            for value in frame.values
            if not (value.modifies or value.weak or value.classes.keys() & _GENERIC)
        }
        if not left & values or left - values - light_terms():
            return False
        named += bool(left - values)
    return named <= 1


def _ask(found: Comparison) -> Verdict:
    """Ask about what contradicts the older one, unless both may well be true."""
    if _is_beside(found) and not (found.hits or found.named_hits):
        return "both_true"
    close = found.weight_newer <= _LEFT_TO_ASK and found.weight_older <= _LEFT_TO_ASK
    if not (found.hits or found.conflicts or found.named_hits):
        return "uncertain" if close else "both_true"
    said = found.hits or found.named_hits or found.newer.marks & _CHANGED
    if not said and _is_another_thing(found):
        return "both_true"
    return "uncertain" if found.anchor >= _ANCHORED or close else "both_true"


def _is_another_thing(found: Comparison, *, weighed: bool = True) -> bool:
    """Whether the newer names a subject of its own: "the csrf cookie", "for physiotherapy"."""
    newer = found.newer
    apart = found.weight_newer and found.weight_older and found.anchor < _ANCHORED
    if found.given > 1 or (weighed and apart) or found.left_newer & newer.scopes:
        return True
    if _name_two_things(found):
        return True
    starts = sorted((at, term) for term, at in newer.starts.items() if term)
    return any(
        term in found.left_newer and following in found.shared and behind - at <= _NEAR
        for (at, term), (behind, following) in pairwise(starts)
    )


def denies_alone(found: Comparison) -> bool:
    """Whether one of two statements denies, rejects or ends something, and the other doesn't."""
    both = (found.newer.marks, found.older.marks)
    one, other = (bool(marks & (_REJECTING | {"denies"})) for marks in both)
    return one != other


def _hold_elsewhere(found: Comparison) -> bool:
    """Whether they speak of different environments; production is meant where none is named."""
    newer, older = found.newer, found.older
    if newer.places == older.places or newer.places ^ older.places == _PRODUCTION:
        return False
    return bool(newer.places) or not newer.marks & _CHANGED


def _is_beside(found: Comparison) -> bool:
    newer, older = found.newer, found.older
    beside = newer.marks & _BESIDE
    if newer.marks & _CHANGED and found.conflicts:
        told = {newer.clauses[each.newer.start] for each in found.conflicts}
        if not told & newer.past_clauses:
            # "Sessions live in Postgres, Redis was too slow."
            beside -= _PAST
    return bool(
        beside
        or older.marks & _BESIDE_OLDER
        or newer.conditional
        or "range" in newer.marks ^ older.marks
    )


def _rejects_by_name(found: Comparison) -> bool:
    """Whether the newer says of a value of the older that it doesn't hold any more."""
    newer, older = found.newer, found.older
    if not found.hits or newer.conditional or "temporary" in newer.marks:
        return False
    if newer.places != older.places:
        return False
    if _rejects_in_part(found) or not (found.shared or _names_nothing_else(found)):
        return False
    few = found.weight_newer <= _LEFT_WITH_HIT and not _tell_two_things(found)
    few = few and ("ended" not in newer.marks or _rejects_nothing_else(found))
    if few and (found.anchor >= _ANCHORED or not found.weight_newer):
        return True
    if not newer.marks & _CHANGED or _is_beside(found):
        return False
    exact = any(value.classes.keys() & _IDENTIFIERS for value in found.hits)
    return exact or _rejects_nothing_else(found)


def _names_nothing_else(found: Comparison) -> bool:
    """Whether the clauses that reject a value name nothing beside it: "Celery is gone"."""
    newer = found.newer
    clauses = {newer.clauses[value.start] for value in newer.values if value.rejected}
    return bool(clauses) and not any(newer.clauses[at] in clauses for at in newer.terms.values())


def _tell_two_things(found: Comparison) -> bool:
    """Whether each says something of its own, or the newer is about a part: "hotfix deploys"."""
    if found.weight_older and (found.weight_newer or found.implied_newer):
        return True
    return _narrows_the_subject(found) or (bool(found.weight_newer) and _begins_anew(found))


def _rejects_in_part(found: Comparison) -> bool:
    """Whether it is rejected in one case only: "no longer on Fridays before holidays"."""
    newer = found.newer
    starts = newer.starts
    rejected = [value for value in newer.values if value.rejected]
    clauses = {newer.clauses[value.start] for value in rejected}
    end = _end_of_left(newer)
    left = {
        term
        for term in found.left_newer
        if term in starts and newer.clauses[starts[term]] in clauses and starts[term] < end
    }
    return _scoped(newer, frozenset(left), found.shared)


def _end_of_left(newer: Frame) -> int:
    """Return where "from X to Y" has named X: what follows is the new choice, whatever it is."""
    ends = [value.end for value in newer.values if value.rejected]
    return min(ends) if ends and newer.marks >= _LEFT else len(newer.words)


def _rejects_a_name(found: Comparison) -> bool:
    """Whether the newer rejects a name of the older that is of no known kind, about the same."""
    newer, older = found.newer, found.older
    if not found.named_hits or _is_beside(found) or newer.places != older.places:
        return False
    about = found.shared - found.named_hits - found.term_hits - light_terms()
    if not about:
        few = found.weight_newer <= _LEFT_WITH_HIT and found.weight_older <= _LEFT_OF_CHANGED
        one_sided = not (found.weight_newer and found.weight_older)
        few = few and one_sided
        return not newer.conditional and (few or _rejects_no_other_name(found))
    return bool(about) and not _begins_anew(found) and not found.left_newer & newer.scopes


def _rejects_no_other_name(found: Comparison) -> bool:
    """Whether the clauses that reject names of the older say nothing else: "dropped mpv"."""
    newer = found.newer
    starts = newer.starts
    clauses = {newer.clauses[starts[term]] for term in found.named_hits if term in starts}
    left = found.left_newer - light_terms()
    return bool(clauses) and not any(
        newer.clauses[starts[term]] in clauses for term in left if term in starts
    )


def _rejects_nothing_else(found: Comparison) -> bool:
    """Whether the clause in which a value is rejected says nothing else: "Celery is gone"."""
    newer = found.newer
    starts = newer.starts
    clauses = {newer.clauses[value.start] for value in newer.values if value.rejected}
    end = _end_of_left(newer)
    left = found.left_newer - light_terms()
    return not left & newer.scopes and not any(
        newer.clauses[starts[term]] in clauses and starts[term] < end
        for term in left
        if term in starts
    )


def _gives_another_value(found: Comparison) -> bool:
    """Whether the newer gives another value in otherwise the same statement."""
    newer, older = found.newer, found.older
    if found.modified or _is_beside(found) or newer.places != older.places:
        return False
    anchored = found.anchor >= _BARELY_ANCHORED and (found.anchors or found.hits)
    if not (anchored and _is_one_value(found) and _is_labelled(found)):
        return False
    if found.weight_newer or found.weight_older or "additive" in older.marks:
        return False
    return not (_is_about_another(found) if newer.marks & _CHANGED else _narrows_the_subject(found))


def _is_about_another(found: Comparison) -> bool:
    """Whether other values tell which thing is meant: "the French site", "rack 2"."""
    bare = any(each.classes == _BARE for each in found.conflicts)
    modify = [each for each in found.conflicts if each.newer.modifies and each.older.modifies]
    others = len(found.conflicts) - len(modify)
    if (bare or modify) and found.given > 1 and others:
        return True
    starts, end = found.newer.starts, _end_of_left(found.newer)
    left = frozenset(term for term in found.left_newer if starts.get(term, end) < end)
    return _scoped(found.newer, left, found.shared)


def _is_labelled(found: Comparison) -> bool:
    """Whether bare numbers are of the same: "GPIO 26", or nothing else is said."""
    if any(each.classes != _BARE for each in found.conflicts):
        return True
    if not (found.left_newer or found.left_older):
        return True
    return all(
        _follows(found.newer, each.newer.start, found.shared)
        or _follows(found.older, each.older.start, found.shared)
        for each in found.conflicts
    )


def _follows(frame: Frame, at: int, shared: frozenset[str]) -> bool:
    starts = frame.starts
    return any(0 < at - starts[term] <= _NEAR for term in shared if term in starts)


def _is_one_value(found: Comparison) -> bool:
    """Whether one value stands in the place of one of which there is only one at a time."""
    newer, older = found.newer, found.older
    sure = [each for each in found.conflicts if not (each.newer.modifies or each.older.modifies)]
    changed = bool(newer.marks & _CHANGED)
    if not sure or (found.given_of_a_kind if changed else found.given) > 1:
        return False
    if changed or "exclusive" in newer.marks:
        return True
    is_default = _DEFAULT in newer.words and _DEFAULT in older.words
    one = is_default or (_are_done_in_one_way(found) and not _are_languages(sure))
    return one or not all(map(is_usual_together, sure))


def _are_languages(conflicts: Sequence[Conflict]) -> bool:
    return any("programming_language" in each.classes for each in conflicts)


def _are_done_in_one_way(found: Comparison) -> bool:
    """Whether both tell how the same is stored or written: in one format only."""
    return all(
        any(is_word("single_verbs", stem) for stem in (*frame.soft, *frame.written.values()))
        for frame in (found.newer, found.older)
    )


def _name_two_things(found: Comparison) -> bool:
    """Whether each names a thing of its own: users and teams, "the nightly build"."""
    if found.left_newer & light_things() and found.left_older & light_things():
        return True
    if _describes(found.newer, found.left_newer, found.shared) and _describes(
        found.older, found.left_older, found.shared
    ):
        return True
    return _is_about_a_part(found)


def _narrows_the_subject(found: Comparison) -> bool:
    """Whether either is about a part of what both name: "the legacy importer", "in halls"."""
    if _name_two_things(found) or found.described:
        return True
    return any(
        _describes(frame, left, found.shared) or _scoped(frame, left, found.shared)
        for frame, left in ((found.newer, found.left_newer), (found.older, found.left_older))
    )


def _scoped(frame: Frame, left: frozenset[str], shared: frozenset[str]) -> bool:
    """Whether a word alone stands behind a preposition, and isn't where everything is."""
    starts = frame.starts
    common = {at for term, at in starts.items() if term in shared}
    return any(
        _stands_behind_preposition(frame, starts[term], common)
        for term in left - containers()
        if term in starts
    )


def _stands_behind_preposition(frame: Frame, at: int, shared: set[int]) -> bool:
    for before in range(at - 1, max(-1, at - 1 - _SCOPE), -1):
        if before in shared:
            return False
        if is_word("prepositions", frame.words[before]):
            return not (before and is_word("as", frame.words[before - 1]))
    return False


def _describes(frame: Frame, left: frozenset[str], shared: frozenset[str]) -> bool:
    """Whether a word alone stands right before a noun that both share."""
    starts = frame.starts
    common = {at for term, at in frame.terms.items() if term in shared}
    return any(starts.get(term, -_NEAR) + 1 in common for term in left - light_kinds())


def _is_about_a_part(found: Comparison) -> bool:
    """Whether the newer is about a part of what both share: "Within a mod, scripts …"."""
    newer = found.newer
    if not (newer.words and is_word("prepositions", newer.words[0])):
        return False
    heads = sorted((at, term) for term, at in newer.terms.items() if newer.clauses[at])
    return bool(heads) and heads[0][1] in found.left_newer


def _begins_anew(found: Comparison) -> bool:
    """Whether the newer begins with something that the older doesn't name."""
    starts = sorted((at, term) for term, at in found.newer.starts.items() if term)
    return bool(starts) and starts[0][1] in found.left_newer - light_terms()
