"""Tells whether the user speaks in a paragraph that is written like a document.

Policies, guides and logs don't speak of an "I", and don't begin with "OK," or "You forgot".
Somebody who types four tidy lines does, and the lines around those words are typed, too. "We",
"you" and "please" say nothing: documents use them. Every pattern takes time linear in the text.
"""

import re
from collections.abc import Sequence
from itertools import compress
from typing import Final

# Case matters: "I" is no list mark, "mein" no name, and "my-app" is somebody's example.
_SPEAKS_OF_SELF: Final = re.compile(
    r"(?<![\w/.-])I(?:['\u2019](?:d|m|ve|ll)\b|(?= [a-z]))"
    r"|(?<![\w/.-])i(?:['\u2019](?:d|m|ve|ll)\b|(?= (?:want|need|think|would|don'?t|do|have|am|was|"
    r"will|like|see|get|can|just|mean|guess|wanna|did|said|already)\b))"
    r"|(?<![\w/.-])(?:[Mm]y|me|mine)(?![\w/-]|\.\w)"
    r"|\b(?:[Ii]ch|mir|mich|[Mm]eine?[mnrs]?)\b"
    r"|\b(?:[Yy]o|[Qq]uiero|[Qq]uisiera|[Nn]ecesito|[Pp]refiero)\b"
    r"|\b(?:[Jj]e|moi)\b|\b[Jj]['\u2019](?:ai|aimerais|utilise|veux)\b"
    r"|\b(?:[Яя]|мне|меня|мой|моя)\b|\b(?:[Cc]hcę|[Cc]hciałbym|[Pp]otrzebuję|mnie|mój|moje)\b"
    r"|(?<!自)我(?![们們方])|(?:私|僕|俺)(?=[はがのもにを])"
)
_TALKS_TO_AGENT: Final = re.compile(
    r"(?:ok(?:ay)?|yes|yeah|nope?|great|hmm+|sorry|perfect|nice|cool)(?:[,.!]|\s[a-z])|"
    r"(?:thanks|thank you|actually)[,.!]|"
    r"you (?:did|didn['\u2019]?t|made|got|said|forgot|missed|removed|broke|added|changed)\b|"
    r"(?:can|could|would|will) you\b|let['\u2019]?s\b|(?:kannst|könntest|würdest) du\b|lass uns\b|"
    r"(?:puedes|podrías|peux-tu|pourrais-tu|tu peux)\b",
    re.IGNORECASE,
)
# A ticket says it of its users.
_USER_STORY: Final = re.compile(r"as an? [^,.]{1,40},? I (?:want|can|need|should)\b", re.IGNORECASE)
# What speaks in the first person without being typed here: a chat, a ticket, a role, a README, and
# instructions that were planted.
_NAMED_SPEAKER: Final = re.compile(r"@?[A-Z\u00c0-\u00de][\w.\u00c0-\u024f-]{1,24}\s?[:：>]\s")
_OF_ANOTHER: Final = re.compile(
    r"\b(?:steps to reproduce|expected (?:result|behaviou?r)|acceptance criteria|"
    r"user stor(?:y|ies))\b"
    r"|^(?:i want you to |please )?(?:act|behave) as\b|^you are (?:now )?(?:an?|the) "
    r"|\b(?:ignore|disregard|forget|override)\b[^.!?]{0,20}\b(?:previous|prior|above|earlier|all|"
    r"any|every|your)\b[^.!?]{0,20}\b(?:instructions?|rules|prompts?|guidelines|constraints)\b"
    r"|\bi (?:built|wrote|created|made|started|maintain|developed) (?:this|the) [^.!?]{0,30}"
    r"\b(?:library|package|plugin|crate|module|framework|repo|repository|cli)\b",
    re.IGNORECASE,
)
# A file that the harness is to attach: "@docs/plan.md".
_MENTIONS_FILE: Final = re.compile(
    r"(?<![\w.@/])@(?:\.{1,2}/|[\w-]{1,60}/){0,8}[\w-]{1,80}\.[a-z]{1,5}\b"
)
# Shares of a paragraph's sentences. Lines of documents are seldom as long as those that are typed.
_MANY: Final = 0.4
_SOME: Final = 0.2
_LONG_LINE: Final = 160
_MAX_READ: Final = 600


def is_in_person(sentences: Sequence[str], longest_line: int, *, titled: bool) -> bool:
    """Whether enough of a paragraph's sentences speak of the user, or to the agent.

    What looks like a title must do so itself: "OK, read @docs/plan.md". If only the first sentences
    do, the rest may be a paste below the user's words.
    """
    if titled and not _is_spoken_to_agent(sentences[0][:_MAX_READ]):
        return False
    if sum(bool(_NAMED_SPEAKER.match(each)) for each in sentences) > 1 or any(
        _OF_ANOTHER.search(each[:_MAX_READ]) for each in sentences
    ):
        return False
    least = _SOME if longest_line >= _LONG_LINE and not titled else _MANY
    personal = [_is_personal(each) for each in sentences]
    # Documents name files as the harness is told to read them; only that is no voice.
    if all(_MENTIONS_FILE.search(each[:_MAX_READ]) for each in compress(sentences, personal)):
        return False
    count = sum(personal)
    return count > 1 and count >= least * len(sentences) and any(personal[len(personal) // 2 :])


def _is_personal(sentence: str) -> bool:
    read = sentence[:_MAX_READ]
    if _USER_STORY.match(read):
        return False
    return bool(_SPEAKS_OF_SELF.search(read)) or _is_spoken_to_agent(read)


def _is_spoken_to_agent(read: str) -> bool:
    return bool(_TALKS_TO_AGENT.match(read) or _MENTIONS_FILE.search(read))
