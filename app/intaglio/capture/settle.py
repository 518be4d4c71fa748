"""What later turns of a session do to its earlier statements: repeat, replace or take back.

`bench capture` uses the same functions as the daemon.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.capture.values import StatementType
from intaglio.capture.wording import is_unsure
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Wording, cosine, relate
from intaglio.language.topics import topic_words

# Calibrated on the labelled sessions for training; decision record 0046. Turns are the user's.
_CORRECTED_WITHIN: Final = 6
_CORRECTED_SHARE: Final = 0.25
_REVERTED_WITHIN: Final = 1
_SECOND_THOUGHT_WITHIN: Final = 2
_TAKEN_BACK_WITHIN: Final = 2
_NAMED_WITHIN: Final = 8

# Whoever says this thinks better of something; a mere "no" more often corrects the agent.
_RECONSIDERS: Final = re.compile(
    r"(?:^|[.,;:!?…\n]|\b(?:hm+|oh|no|ah|ach|ay|ah))\s{0,16}(?:wait|hang on|hold on|"
    r"actually|or actually|warte|moment|halt|espera|attends|mejor|finalement)\b|"
    r"\b(?:changed? (?:my|our) minds?|on second thoughts?|correction|scratch|scrap|forget|"
    r"revert (?:that|it|this)|undo (?:that|it|this)|never ?mind|doch (?:nicht|lieber)|vergiss|"
    r"korrektur|olvida|correcci[oó]n|cambi[ée] de|oublie|réflexion|chang[ée] d'avis)\b|"
    r"等等|等一下|算了|改主意|不对|更正|说错|やっぱり?|やはり|待って|訂正",
    re.IGNORECASE,
)
# What takes back the user's own words also after a proposal of the agent, which a "no" denies.
_OWN_WORDS: Final = re.compile(
    r"\b(?:changed? (?:my|our) minds?|what i (?:just )?said|i take (?:that|it) back|my mistake|"
    r"on second thoughts?|correction|was ich (?:gerade )?gesagt habe|nehme ich zurück|korrektur|"
    r"lo que dije|retiro lo dicho|corrección|ce que j'ai dit|changé d'avis)\b"
    r"|改主意|说错|更正|刚才说|訂正|さっきの",
    re.IGNORECASE,
)
# "No sleeps in tests" forbids something; "no, keep it" answers.
_FORBIDS: Final = re.compile(r"no\s+(?!keep|use|we|let|i|it|the|stick|stay)\w", re.IGNORECASE)
# "Let's use Luxon" … "no, keep date-fns": the other choice needs no word in common.
_CHOOSES: Final = re.compile(
    r"\b(?:let's|lets|we'll|i'll|we|lass uns|wir|vamos|on)\s(?:\w+\s)?"
    r"(?:use|go with|switch|take|try|move|adopt|nehmen|benutzen|verwenden|con|usar|prend|utilise)\b"
    r"|用",
    re.IGNORECASE,
)
_RETURNS: Final = re.compile(
    r"(?:(?:let's|we|wir|on|mejor)\s)?"
    r"(?:keep|stick (?:with|to)|stay (?:with|on)|(?:go )?back to|bleib\w* beim?|seguimos con|"
    r"qu[eé]date con|garde|reste (?:avec|sur)|(?=还是用|继续用)\S{3})\s?"
    r"(?!(?:the|this|that|it|these|those|my|going|der|die|das|el|la|le)\b)\S+(?:\s\S+){0,2}$",
    re.IGNORECASE,
)
# Agreeing to a proposal: said before its consequences were seen.
_AGREES: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|fine|sure|alright|gut|ja|na gut|bueno|vale|bon|d'accord)\b|那|好)|"
    r"\b(?:is|are|sounds|ist|klingt) (?:fine|ok|okay|good|gut)\b",
    re.IGNORECASE,
)
_AGREES_LAST: Final = re.compile(
    r"(?:\b(?:then|dann|entonces|alors)\b|吧|好了)(?:\s{0,16}[.,;!。，].{0,600})?$", re.IGNORECASE
)
_DISMISSES: Final = re.compile(
    r"^(?:(?:no|nope|nah|ok|okay|wait|hm+|ugh|argh|sorry|actually|oh|ah|so|then|and|please|let's|"
    r"nein|moment|ach|und|espera|y|attends|et|non|hmm)[,.!\s]+){0,3}"
    r"(?:forget(?: about)?|scrap|scratch|ditch|never ?mind(?: about)?|vergiss|olvida|olvídate de|"
    r"oublie|忘了|别管)\s*+(?P<what>.+)$",
    re.IGNORECASE,
)
_SAID_ABOUT: Final = re.compile(
    r"\bwhat (?:i|we) (?:just )?said about (?P<what>[^,.;:!?\n]{1,100})", re.IGNORECASE
)
# "Forget the percentages, confidence is shown in words."
_LEAD: Final = re.compile(r"[^,.:;，：]{2,40}[,.:;，：]")
_PARTS: Final = re.compile(r"[.,;:!?。，；！？\n]+\s*")
_DISMISSAL_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a session.

    ``turn`` is the number of the user's message in the session, from 0. ``corrects`` is set if it
    begins by taking back what was said before; ``before`` is what stands before it in the message.
    ``answers_proposal`` is set if the agent's message before proposes or asks something.
    """

    key: str
    turn: int
    wording: Wording
    type: StatementType
    corrects: bool = False
    before: str = ""
    answers_proposal: bool = False

    @property
    def denies_proposal(self) -> bool:
        """Whether what it takes back is the agent's, not the user's own."""
        return self.answers_proposal and not _OWN_WORDS.search(self.opening)

    @property
    def reconsiders(self) -> bool:
        """Whether the user thinks better of something here."""
        return bool(_RECONSIDERS.search(self.opening))

    @property
    def opening(self) -> str:
        """What leads up to the statement, in the message and in its own first words."""
        lead = _LEAD.match(self.wording.text)
        return f"{self.before}\n{lead.group() if lead else ''}"


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Words that take back what was said before, without a new statement: "scratch that".

    ``answers_proposal`` as in `Said`.
    """

    turn: int
    text: str
    answers_proposal: bool = False


@dataclass(frozen=True, slots=True)
class Repeated:
    """A statement says the same as an earlier one."""

    key: str
    earlier: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """An earlier statement no longer holds; ``key`` holds instead."""

    earlier: str
    key: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An earlier statement was taken back; nothing holds instead."""

    earlier: str


SettleEffect: TypeAlias = Repeated | Replaced | Withdrawn


def settle(
    earlier: Sequence[Said], new: Said | TakenBack, *, guesses: bool = True
) -> tuple[SettleEffect, ...]:
    """Return what ``new`` does to the session's statements that still hold, oldest first.

    A correction that shares no word with any of them is taken to mean the latest one, unless
    ``guesses`` is off: when a session is read again, the one that it meant may no longer hold.
    """
    if isinstance(new, TakenBack):
        target = _taken_back(earlier, new)
        return (Withdrawn(target.key),) if target else ()
    relations = [(old, relate(new.wording, old.wording)) for old in reversed(earlier)]
    thinks_better = new.reconsiders or (new.corrects and not new.answers_proposal)
    replaced = [
        Replaced(old.key, new.key)
        for old, found in relations
        if found == "replaces" or (found == "uncertain" and thinks_better)
    ]
    repeated = [Repeated(new.key, old.key) for old, found in relations if found == "duplicate"]
    if is_unsure(new.wording.text):
        # "Maybe we should use date-fns instead" decides nothing yet.
        return tuple(repeated[:1])
    if replaced or repeated:
        return (*replaced, *repeated[:1])
    if new.reconsiders or (new.corrects and not _FORBIDS.match(new.wording.text)):
        target = _corrected(earlier, new, guesses=guesses)
    else:
        target = _second_thought(earlier, new)
    return (Replaced(target.key, new.key),) if target else ()


def settle_session(
    said: Sequence[Said | TakenBack], *, guesses: bool = True
) -> tuple[SettleEffect, ...]:
    """Return every effect within a session, in the order of what was said; see `settle`."""
    holding: dict[str, Said] = {}
    effects: list[SettleEffect] = []
    for new in said:
        found = settle(tuple(holding.values()), new, guesses=guesses)
        effects += found
        for effect in found:
            if not isinstance(effect, Repeated):
                holding.pop(effect.earlier, None)
        if isinstance(new, Said) and not any(isinstance(effect, Repeated) for effect in found):
            holding[new.key] = new
    return tuple(effects)


def dismissed(clause: str) -> str:
    """Return what a clause dismisses by name ("forget the percentages"), or an empty text."""
    match = _DISMISSES.match(clause.strip()) if len(clause) <= _DISMISSAL_CHARS else None
    return match["what"] if match else ""


def _corrected(earlier: Sequence[Said], new: Said, *, guesses: bool) -> Said | None:
    """Return the statement that a correction replaces; often it corrects only the agent."""
    near = [old for old in earlier if 0 < new.turn - old.turn <= _CORRECTED_WITHIN]
    named = _dismissed_before(new)
    if named:
        return next((old for old in reversed(near) if _is_about(named, old)), None)
    if new.denies_proposal:
        return None
    scored = [(score, old.turn, old) for old in near if (score := _on_topic(new, old)) > 0]
    if scored:
        return max(scored, key=lambda each: each[:2])[2]
    latest = near[-1] if near else None
    if (
        guesses
        and latest is not None
        and (new.reconsiders or _returns_from(latest, new))
        and new.turn - latest.turn <= _REVERTED_WITHIN
        and latest.type == new.type
    ):
        return latest
    return None


def _returns_from(old: Said, new: Said) -> bool:
    """Whether a "no, keep X" can only mean what was chosen instead of X just before."""
    return bool(_CHOOSES.search(old.wording.text) and _RETURNS.match(new.wording.text))


def _second_thought(earlier: Sequence[Said], new: Said) -> Said | None:
    """Return what was agreed to a moment ago and is decided otherwise at once: "Redis then"."""
    for old in reversed(earlier):
        if 0 < new.turn - old.turn <= _SECOND_THOUGHT_WITHIN and old.type == new.type:
            told = _AGREES.search(old.wording.text) or _AGREES_LAST.search(old.wording.text)
            share = max(
                topic_overlap(new.wording.text, old.wording.text).share,
                topic_overlap(old.wording.text, new.before).share_of_left,
            )
            if told and share >= _CORRECTED_SHARE:
                return old
    return None


def _dismissed_before(new: Said) -> frozenset[str]:
    """Return the topic words of what was dismissed in the same message, before the statement."""
    dismissals = (dismissed(part) for part in _PARTS.split(new.opening))
    return topic_words(" ".join(found for found in dismissals if found))


def _is_about(named: frozenset[str], old: Said) -> bool:
    return bool(named & topic_words(old.wording.text))


def _on_topic(new: Said, old: Said) -> float:
    """Return how surely both are about the same; vectors of other languages are too much alike."""
    share = topic_overlap(new.wording.text, old.wording.text).share
    return share + (cosine(new.wording, old.wording) or 0.0) if share >= _CORRECTED_SHARE else 0.0


def _taken_back(earlier: Sequence[Said], new: TakenBack) -> Said | None:
    said = _SAID_ABOUT.search(new.text)
    own = said is None and bool(_OWN_WORDS.search(new.text))
    what = said["what"] if said else "" if own else dismissed(new.text)
    if new.answers_proposal and not (own or what):
        return None
    named = frozenset[str]() if own else topic_words(what or new.text)
    for old in reversed(earlier):
        distance = new.turn - old.turn
        if distance < 0:
            continue
        if named:
            if distance <= _NAMED_WITHIN and _is_about(named, old):
                return old
        elif distance <= _TAKEN_BACK_WITHIN:
            return old
    return None
