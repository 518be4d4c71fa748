"""Makes one statement of a question and its answer; pure.

The answer "Seven" to "How many retries should the client make?" is stored as "The client should
make seven retries."
Where no rule fits, the question stays beside its answer. Rules for English only.
"""

import re
from collections.abc import Callable
from typing import Final

from intaglio.capture.reply_words import pattern

_ASKS: Final = "?？؟ \u00a0"
_ENDS: Final = ".!?。！？"
_NP: Final = r"[^?,:;]{2,60}?"
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]], ...]] = (
    (
        re.compile(
            rf"(?:which|what) (?P<what>{_NP}) (?:should|shall|do|will) (?:we|i|it) use"
            r"(?P<rest>(?: (?:for|in|as|on|to) [^?]{2,120})?)\?*",
            re.IGNORECASE,
        ),
        lambda found, answer: f"Use {answer} as the {_bare(found['what'])}{found['rest']}.",
    ),
    (
        re.compile(
            r"(?:should|shall) (?:we|i) (?P<verb>use|keep|store|name|call|support) "
            r"[^?]{1,120}? or [^?]{1,80}?(?P<rest>(?: (?:for|in|as|on) [^?]{2,80})?)\?*",
            re.IGNORECASE,
        ),
        lambda found, answer: f"{found['verb'].capitalize()} {answer}{found['rest']}.",
    ),
    (
        re.compile(
            rf"what should (?P<what>(?:the|our|my) {_NP}) be(?: called| named)?\?*", re.IGNORECASE
        ),
        lambda found, answer: f"{_capital(found['what'])} should be {answer}.",
    ),
    (
        re.compile(rf"what should (?:we|i) (?:call|name) (?P<what>{_NP})\?*", re.IGNORECASE),
        lambda found, answer: f"Call {found['what']} {answer}.",
    ),
    (
        re.compile(
            rf"(?:what|which) (?P<verb>is|are) (?P<what>(?:the|our|your) {_NP})\?*", re.IGNORECASE
        ),
        lambda found, answer: f"{_capital(_ours(found['what']))} {found['verb']} {answer}.",
    ),
    (
        re.compile(
            rf"how (?:many|much) (?P<what>[\w-]+(?: [\w-]+)?) should "
            rf"(?P<who>(?:the|our|each|every|an?) {_NP}|we) "
            r"(?P<verb>make|have|keep|allow|use|do|send|run|store|support|hold|wait|show|get|serve)"
            r"(?P<rest>(?: [^?]{2,80})?)\?*",
            re.IGNORECASE,
        ),
        lambda found, answer: (
            f"{_capital(found['who'])} should {found['verb']} {_small(answer)} {found['what']}"
            f"{found['rest']}."
        ),
    ),
    (
        re.compile(
            r"(?:where|when|how often|how long|who) should "
            rf"(?P<what>(?:the|our|each|every|an?) {_NP}) "
            r"(?P<verb>be [a-z]+|live|go|run|start|stay|take|last|wait|expire)\?*",
            re.IGNORECASE,
        ),
        lambda found, answer: f"{_capital(found['what'])} should {found['verb']} {_small(answer)}.",
    ),
)
_SAYS_NO_MORE: Final = re.compile(r"[^.!?\n,;:]{1,80}")


def answered(question: str, answer: str) -> str:
    """Return a question and its answer as one text that stands alone."""
    asked, said = question.strip(), answer.strip()
    plain = said.rstrip(_ENDS).rstrip()
    if _SAYS_NO_MORE.fullmatch(plain):
        for form, state in _FORMS:
            found = form.fullmatch(asked.replace("\u2019", "'"))
            if found is not None:
                return state(found, plain)
    end = "" if said.endswith(tuple(_ENDS)) else "."
    dash = "" if said.lower().startswith(("yes", "no")) else "– "
    return f"{asked} {dash}{said}{end}"


def is_open_question(text: str) -> bool:
    """Whether a question asks for something that holds, rather than for what to do next."""
    asked = text.replace("\u2019", "'").lstrip(" \t-*•¿")
    return (
        pattern("open_questions").match(asked) is not None
        and pattern("next_questions").search(asked) is None
    )


def _bare(noun: str) -> str:
    return re.sub(r"^(?:the|our|a|an)\s", "", noun, flags=re.IGNORECASE)


def _ours(noun: str) -> str:
    return re.sub(r"^your\b", "our", noun, flags=re.IGNORECASE)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _small(text: str) -> str:
    """Return it with a small letter where it doesn't begin a name."""
    return text if text[1:2].isupper() or not text.isascii() else f"{text[:1].lower()}{text[1:]}"
