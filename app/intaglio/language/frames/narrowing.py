"""Finds what a newer statement says of less, or of something else, than an older one; pure.

Whatever the clause of a change names and the older statement doesn't, the change may be about that
alone: such a change is asked about. Decision record 0079.
"""

from itertools import pairwise
from typing import Final

from intaglio.language.frames.comparison import Comparison
from intaglio.language.frames.lexicon import is_word, light_terms, marks
from intaglio.language.frames.values import Frame, Value

_AT_TIMES: Final = frozenset({"vague", "temporary"})
_OF_BEFORE: Final = frozenset({"past", "instead"})
_HANDED_OVER: Final = frozenset({"from", "to"})
_SHORTEST: Final = 4
_CASES: Final = ("prepositions", "tail_prepositions", "scopes", "scope_conditions")
_SMALL: Final = ("prepositions", "before_value", "determiners")


def names_more(found: Comparison) -> bool:
    """Whether the newer may be about a part, another subject, an occasion or another role."""
    return (
        found.given > 1
        or _happens_at_times(found)
        or _is_about_people_alone(found)
        or _ends_a_part(found)
        or _begins_with_another(found)
        or _gives_it_of_another(found)
        or _describes_its_subject(found)
        or _adds_a_case(found)
        or _does_it_with_another(found)
        or _inserts_a_word(found)
        or _is_compound(found)
    )


def _happens_at_times(found: Comparison) -> bool:
    """Whether it tells of occasions: "some weeks", "last Thursday it was sent as CSV"."""
    newer = found.newer
    if newer.marks & _AT_TIMES - found.older.marks:
        return True
    rejected = {newer.clauses[value.start] for value in newer.values if value.rejected}
    return newer.marks >= _OF_BEFORE and bool(rejected & newer.past_clauses)


def _is_about_people_alone(found: Comparison) -> bool:
    """Whether somebody leaves or moves, and nothing tells what: "Anna moved to Hamburg"."""
    people = {value.term for value in found.hits if "person" in value.classes}
    return bool(people) and len(people) == len(found.hits) and not found.shared - people


def _ends_a_part(found: Comparison) -> bool:
    """Whether the clause that ends or rejects something names what the older doesn't."""
    newer = found.newer
    gone = [value for value in newer.values if value.rejected]
    if "instead" in newer.marks or not (gone or "ended" in newer.marks or found.named_hits):
        return False
    starts = newer.starts
    about = {starts[term] for term in found.shared | found.named_hits if term in starts}
    clauses = {newer.clauses[at] for at in {value.start for value in gone} or about}
    end = len(newer.words)
    if gone and newer.marks >= _HANDED_OVER:
        end = min(value.end for value in gone)
    more = found.left_newer
    if "ended" in newer.marks:
        more |= found.implied_newer | found.incidental_newer
    return any(
        newer.clauses[starts[term]] in clauses and starts[term] < end
        for term in more
        if term in starts
    )


def _begins_with_another(found: Comparison) -> bool:
    """Whether it begins with something of its own: "the print view of the dashboard"."""
    starts = found.newer.starts
    return min(starts, key=starts.__getitem__, default="") in found.left_newer


def _gives_it_of_another(found: Comparison) -> bool:
    """Whether a value is only repeated, and the new one is of something else.

    "30 minutes of cooldown annoyed everybody, meetings last 45 minutes now."
    """
    newer, older = found.newer, found.older
    if not found.hits or any(value.rejected for value in newer.values):
        return False
    values = {value.start for value in older.values}
    begins = {term: at for term, at in older.starts.items() if at not in values}
    first = min(begins.values(), default=0)
    subject = {term for term, at in begins.items() if at == first}
    clauses = {newer.clauses[each.newer.start] for each in found.conflicts}
    named = {term for term, at in newer.starts.items() if newer.clauses[at] in clauses}
    named -= {value.term for value in newer.values}
    own = min(named, key=newer.starts.__getitem__, default="") not in found.shared
    return bool(named) and (own or not named & subject)


def _describes_its_subject(found: Comparison) -> bool:
    """Whether a word of its own tells which is meant: "the back door", "names of minors"."""
    newer, older = found.newer, found.older
    same = (*found.hits, *found.equal)
    told = {value.start for value in newer.values if any(map(value.has_key_of, same))}
    told |= {each.newer.start for each in found.conflicts}
    starts = {at for term, at in newer.starts.items() if term in found.shared}
    # "Public API" is one term.
    starts |= {
        at + 1
        for term, at in newer.starts.items()
        if term in found.shared
        and older.words[older.starts.get(term, 0)] in newer.words[at + 1 : at + 2]
    }
    described = {value.start for value in newer.values if value.end in starts}
    described |= {at - 1 for at in starts if at and _begins_phrase(newer, at - 1)}
    described |= {at + 2 for at in starts if _has_complement(newer, at)}
    return any(
        _is_description(newer.words[at])
        and not any(word.startswith(newer.words[at]) for word in older.words)
        for at in described - told
    )


def _has_complement(frame: Frame, at: int) -> bool:
    behind = frame.words[at + 1 : at + 3]
    return len(behind) > 1 and is_word("prepositions", behind[0])


def _adds_a_case(found: Comparison) -> bool:
    """Whether a clause behind tells when or where: "at ten, on match days"."""
    newer = found.newer
    return any(
        any(is_word(kind, newer.words[at]) for kind in _CASES)
        and newer.clauses[at] > newer.clauses[max(0, at - 2)]
        and any(
            newer.clauses[place] == newer.clauses[at] and term not in found.shared
            for term, place in newer.starts.items()
        )
        for at in range(1, len(newer.words))
    )


def _begins_phrase(frame: Frame, at: int) -> bool:
    """Whether a noun may begin here: behind an article, or where the statement begins."""
    if not at:
        said = frame.words[0].endswith("ed") or marks().at(frame.words[:1])
        return "ended" in frame.marks or not said
    return is_word("determiners", frame.words[at - 1])


def _is_description(word: str) -> bool:
    small = any(is_word(kind, word) for kind in ("new_thing", *_SMALL))
    return word.isalpha() and not small


def _does_it_with_another(found: Comparison) -> bool:
    """Whether it names an object: "we meet customers at 14:00", "no longer deploy big changes"."""
    newer = found.newer
    starts = newer.starts
    values = [each.newer.start for each in found.conflicts]
    values += [value.start for value in newer.values if value.rejected]
    if not values:
        return False
    if not found.left_older and any(
        starts[term] < max(values) for term in found.left_newer & light_terms() if term in starts
    ):
        return True
    ended = "ended" in newer.marks
    return ended and any(_has_object(found, value) for value in newer.values if value.rejected)


def _has_object(found: Comparison, value: Value) -> bool:
    """Whether something stands between what both name and what is rejected."""
    newer = found.newer
    begin = max(
        (
            newer.starts[term]
            for term in found.shared
            if newer.starts.get(term, value.start) < value.start
        ),
        default=value.start,
    )
    between = newer.words[begin + 1 : value.start]
    return not any(is_word("negators", word) for word in between) and any(
        word.isalpha()
        and word not in found.older.words
        and not any(is_word(kind, word) for kind in _SMALL)
        for word in between
    )


def _is_compound(found: Comparison) -> bool:
    """Whether it puts a word before what the older names: "preorders", "Jugendtraining"."""
    newer, older = found.newer, found.older
    names = {older.words[at] for at in older.terms.values()} | older.terms.keys()
    return any(
        newer.words[at] != name and newer.words[at].endswith(name)
        for at in newer.terms.values()
        for name in names
        if len(name) > _SHORTEST
    )


def _inserts_a_word(found: Comparison) -> bool:
    """Whether a word stands between neighbours of the older: "we play finals at eight"."""
    if "ended" in found.newer.marks:
        return False
    newer, older = ("", *found.newer.words), ("", *found.older.words)
    neighbours = set(pairwise(older))
    begins = {0, *(at + 1 for term, at in found.newer.starts.items() if term in found.shared)}
    return any(
        at in begins and (before, behind) in neighbours and _is_new(word, older)
        for at, (before, word, behind) in enumerate(zip(newer, newer[1:], newer[2:], strict=False))
    )


def _is_new(word: str, older: tuple[str, ...]) -> bool:
    small = any(is_word(kind, word) for kind in (*_SMALL, "passive", "new_thing", "negators"))
    known = small or word in older or marks().at((word,))
    return word.isalpha() and len(word) > 1 and not known
