"""Compares a file's statements with those of its last version; pure."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from intaglio.base.text import normal_form
from intaglio.language.overlap import overlap
from intaglio.language.topics import topic_words
from intaglio.memory_files.values import FileLine, KnownLine, LineChanges

# An edit leaves this share of all words; what has less in common is another statement.
_MIN_SHARE: Final = 0.5
_MOST_COMPARED: Final = 100


def line_changes(
    lines: Sequence[FileLine], known: Sequence[KnownLine], contents: Mapping[str, str]
) -> LineChanges:
    """Return what has changed; ``contents`` are those of the known statements, by their ids.

    A statement that moved to another heading, or that has most words of one that went, is an edit.
    """
    before = {each.id: each for each in known}
    now = {each.id for each in lines}
    new = [each for each in lines if each.id not in before]
    gone = [each for each in known if each.id not in now and each.removed_at is None]
    edited = _edits(new, gone, contents)
    old_ids = {old.id for old, _ in edited}
    new_ids = {line.id for _, line in edited}
    returned = [
        (before[each.id], each)
        for each in lines
        if each.id in before and before[each.id].removed_at is not None
    ]
    return LineChanges(
        added=tuple(each for each in new if each.id not in new_ids),
        edited=tuple(edited),
        returned=tuple(returned),
        removed=tuple(each for each in gone if each.id not in old_ids),
    )


def _edits(
    new: Sequence[FileLine], gone: Sequence[KnownLine], contents: Mapping[str, str]
) -> list[tuple[KnownLine, FileLine]]:
    left = {each.id: each for each in gone if each.id in contents}
    same = {normal_form(contents[each.id]): each for each in left.values()}
    found: list[tuple[KnownLine, FileLine]] = []
    for line in new:
        old = same.get(normal_form(line.content))
        if old is not None and left.pop(old.id, None) is not None:
            found.append((old, line))
    matched = {line.id for _, line in found}
    words = {each: topic_words(contents[each]) for each in islice(left, _MOST_COMPARED)}
    for line in islice((each for each in new if each.id not in matched), _MOST_COMPARED):
        own = topic_words(line.content)
        shares = {each: overlap(own, words[each]).share_of_all for each in words if each in left}
        nearest = max(shares, key=lambda each: shares[each], default=None)
        if nearest is not None and shares[nearest] >= _MIN_SHARE:
            found.append((left.pop(nearest), line))
    return found
