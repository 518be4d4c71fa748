"""Finds what an agent says that it did or is about to do; pure.

Every pattern takes time linear in the text.
"""

import re
from typing import Final

from intaglio.capture.agent_sentences import last_sentences, unformatted
from intaglio.language.topics import topic_words

_READ_SENTENCES: Final = 24
_MIN_CHARS: Final = 16
_MAX_CHARS: Final = 260
# Of more attempts in one message, nobody can tell which one "that" is.
_MOST: Final = 2
_LEAD: Final = (
    r"^(?:[-*•]\s+|\d{1,2}[.)]\s+)?(?>(?:(?:ok(?:ay)?|alright|great|done|sure|perfect|good|so|now|then|"
    r"next|finally|also|first|understood|right|you're right|instead)[,.!:–—-]?\s+){0,2})"
)
_CHANGED: Final = (
    r"(?:switched|changed|replaced|added|moved|updated|set|made|wrapped|enabled|disabled|removed|"
    r"rewrote|rewritten|refactored|increased|reduced|lowered|raised|bumped|upgraded|downgraded|"
    r"converted|introduced|implemented|put|split|merged|cached|parallelized|pinned|configured|"
    r"turned|migrated|applied|used|swapped|dropped|extracted|inlined|patched|reworked|tried|fixed|"
    r"created|built|wired|hooked|registered|installed|limited|batched|queued|debounced|memoized|renamed|deleted)"
)
_CHANGES: Final = (
    r"(?:switch|change|replace|add|move|update|set|make|wrap|enable|disable|remove|rewrite|refactor|"
    r"increase|reduce|lower|raise|bump|upgrade|downgrade|convert|introduce|implement|put|split|"
    r"merge|cache|parallelize|pin|configure|turn|migrate|apply|use|swap|drop|extract|inline|patch|"
    r"rework|try|fix|create|build|wire|hook|register|install|limit|batch|queue|debounce|memoize|rename|delete)"
)
_ADVERB: Final = r"(?: now| just| also| therefore| instead| then| already| first| simply){0,2}"
_WILL: Final = (
    r"(?:(?:i|we)(?:'ll| will|'m going to| am going to|'re going to|'d| would| can| could| should)|"
    r"let me|let's|(?:should|shall|could) (?:i|we)|"
    r"(?:i|we) (?:suggest|propose|recommend)(?: that)?(?: we| to)?|"
    r"(?:the|my) (?:fix|solution|plan|approach|idea|proposal) (?:is|was) to)"
)
_ACTS: Final = re.compile(
    rf"{_LEAD}(?:(?:i|we)(?:'ve| have)?{_ADVERB} {_CHANGED}|{_WILL}{_ADVERB} {_CHANGES}"
    rf"|{_CHANGED}) \S"
    r"|(?:^|[，。])(?:我(?:已经|把|将|会|来)|已(?:经)?|改为|改成|换成|使用)",
    re.IGNORECASE,
)


def attempt_in(before: str, words: str) -> str:
    """Return the agent's sentence on what it did or proposes; empty if it isn't clear which one.

    ``words`` are the user's about it: of several sentences, the one that shares a topic counts.
    """
    found = [
        one.text.lstrip("-*• \t")
        for one in last_sentences(unformatted(before), _READ_SENTENCES)
        if _MIN_CHARS <= len(one.text) <= _MAX_CHARS
        and _ACTS.search(one.text.replace("\u2019", "'"))
    ]
    if len(found) == 1:
        return found[0]
    said = topic_words(words)
    shared = [len(topic_words(one) & said) for one in found]
    best = max(shared, default=0)
    if best and shared.count(best) == 1:
        return found[shared.index(best)]
    return found[0] if 1 < len(found) <= _MOST else ""
