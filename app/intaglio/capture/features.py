"""Describes each sentence in numbers: phrases, form, and place in the message."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from intaglio.capture.phrases import phrase_table, section_names
from intaglio.capture.values import Clause
from intaglio.language.tokens import count_words, is_cjk, pairs, words

if TYPE_CHECKING:
    FloatMatrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]

_CODE: Final = re.compile(r"`[^`]+`")
_PATH: Final = re.compile(
    r"(?<![\w/])[\w.@~-]{0,600}/[\w./*@-]+|\b[\w-]{1,600}\.[a-z]{1,5}\b|--?[a-z][\w-]+"
)
_IDENTIFIER: Final = re.compile(
    r"\b(?:[a-z]+_[a-z_]+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\w+\(\)|[A-Z]{2,}\w*)\b"
)
_NUMBER: Final = re.compile(r"\d")
_CAPITAL: Final = re.compile(r"(?<=[\w,] )[A-Z][a-z]+")
_QUOTE: Final = re.compile(r"[\"“”„«»「」『』]")
_QUESTION: Final = re.compile(r"[?？¿]|吗[。！]?$|呢[。！]?$|ですか|ますか")
_PLURAL: Final = re.compile(
    r"(?!this|yes|its|has|does|was|as|us|thanks|is|always|lets|perhaps|plus|"
    r"looks|works|seems|sounds|needs|makes|guess|pass|less|unless|towards|sometimes)[a-z-]{3,}s"
)
_THIRD_PERSON: Final = re.compile(
    r"(?!this|yes|its|was|as|us|thanks|always|lets|less|unless|plus)[a-z-]{2,}s"
)
_PAST_VERB: Final = re.compile(
    r"\b(?:\w{2,}ed|was|were|had|did|went|got|made|said|took|came|saw|found|broke|lost|spent|ran|"
    r"wrote|thought|began|kept|forgot|cost|hat|hatte|war|wurde|ging|kam)\b",
    re.IGNORECASE,
)
_PROGRESSIVE: Final = re.compile(
    r"\b(?:is|are|'s|'re|'m|am|keeps?)\s(?:\w+\s)?\w{2,}ing\b", re.IGNORECASE
)
_DETERMINER: Final = re.compile(
    r"\b(?:the|a|an|der|die|das|ein|eine|el|la|los|las|un|una|le|les|une)\b", re.IGNORECASE
)
_PRONOUN: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|you|it|it's|he|she|they|this|that|that's|these|those|them|me|ich|du|"
    r"er|es|das|yo|tú|eso|esto|je|tu|il|elle|ça|c'est)\b",
    re.IGNORECASE,
)
_COPULA: Final = re.compile(
    r"\b(?:is|are|'s|'re|ist|sind|es|son|está|están|est|sont)\b|是|です", re.IGNORECASE
)
_PASSIVE: Final = re.compile(
    r"\b(?:is|are|gets?|be|wird|werden)\s(?:\w+\s){0,3}?\w+(?:ed|en|t)\b|\bse \w+[ae]n?\b",
    re.IGNORECASE,
)
_MODAL: Final = re.compile(
    r"\b(?:must|should|can|may|shall|will|need|needs|has to|have to|muss|soll|darf|kann|debe|puede|"
    r"doit|peut)\b",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|without|\w+n't|nicht|kein\w*|nie|nunca|nada|sin|ne|pas|jamais|sans)\b|不|没|别|ない|ません",
    re.IGNORECASE,
)
_INTERJECTIONS: Final = frozenset(
    (
        *(
            "oh",
            "ah",
            "hm",
            "hmm",
            "ugh",
            "argh",
            "wow",
            "whoa",
            "lol",
            "haha",
            "hey",
            "hi",
            "hello",
        ),
        *("hiya", "heya", "moin", "hallo", "hola", "salut", "bonjour", "yay", "phew", "puh", "uff"),
        *("boah", "naja", "tja", "eh", "ooh", "nice", "great", "sweet", "cool", "thanks", "merci"),
        *("danke", "gracias", "ok", "okay", "yes", "yeah", "no", "nope", "right"),
    )
)
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_CONTEXT: Final = (
    "conditional",
    "question_word",
    "tentative",
    "reported",
    "other_team",
    "past",
    "once",
    "task",
    "sarcasm",
    "correct",
    "withdraw",
    "remember",
    "when",
    "prefer",
    "we",
)
_FORM: Final = (
    "words",
    "short",
    "long",
    "question",
    "exclaims",
    "colon",
    "ellipsis",
    "code",
    "path",
    "identifier",
    "number",
    "capital",
    "quotation",
    "parenthesis",
    "comma",
    "item",
    "document",
    "introduced",
    "block_lines",
    "block_items",
    "foreign",
    "formal",
    "titled",
    "letter",
    "letter_above",
    "message_lines",
    "first_line",
    "last_line",
    "later_line",
    "foreign_above",
    "cited",
    "after_citation",
    "first",
    "last",
    "position",
    "alone",
    "clauses",
    "message_words",
    "message_questions",
    "before_asks",
    "before_length",
    "no_before",
    "shared_before",
    "capital_start",
    "ends_dot",
    "plural_start",
    "capital_word_start",
    "lower_start",
    "third_person",
    "past_verb",
    "progressive",
    "determiner",
    "specific",
    "no_pronoun",
    "copula",
    "passive",
    "modal",
    "negated",
    "pronoun_start",
    "interjection_start",
    "lang_en",
    "lang_de",
    "lang_es",
    "lang_fr",
    "lang_zh",
    "lang_ja",
)


def feature_names() -> tuple[str, ...]:
    """Return the name of each column of `describe`."""
    sections = section_names()
    return (
        *sections,
        *(f"{name}^" for name in sections),
        *_FORM,
        *(f"{name}<" for name in (*_CONTEXT, "question")),
        *(f"{name}>" for name in (*_CONTEXT, "question")),
    )


def describe(clauses: Sequence[Clause], before: str) -> "FloatMatrix":
    """Return one row per clause, float32; ``before`` is the agent's preceding message."""
    sections = section_names()
    count = len(clauses)
    if not count:
        return np.zeros((0, len(feature_names())), dtype=np.float32)
    found = np.zeros((count, len(sections)), dtype=np.float32)
    begins = np.zeros((count, len(sections)), dtype=np.float32)
    for row, clause in enumerate(clauses):
        bare = clause.bare.replace("\u2019", "'")
        for column, expression in enumerate(phrase_table(clause.language).expressions):
            match = expression.search(bare)
            if match is not None:
                found[row, column] = 1
                begins[row, column] = match.start() <= 1
    form = _forms(clauses, before)
    context = np.concatenate(
        [
            found[:, [sections.index(name) for name in _CONTEXT]],
            form[:, [_FORM.index("question")]],
        ],
        axis=1,
    )
    earlier = np.zeros_like(context)
    earlier[1:] = context[:-1]
    later = np.zeros_like(context)
    later[:-1] = context[1:]
    return np.concatenate([found, begins, form, earlier, later], axis=1)


def _forms(clauses: Sequence[Clause], before: str) -> "FloatMatrix":
    count = len(clauses)
    lengths = [count_words(clause.text) for clause in clauses]
    total = sum(lengths)
    asked = [bool(_QUESTION.search(clause.bare)) for clause in clauses]
    said = _tokens(before[:4000])
    last_line = max(clause.line for clause in clauses)
    rows: list[list[float]] = []
    for index, clause in enumerate(clauses):
        text, bare = clause.text, clause.bare
        tokens = _tokens(text)
        shared = len(tokens & said) / max(1, len(tokens))
        rows.append(
            [
                min(lengths[index], 40) / 10,
                lengths[index] <= 4,  # noqa: PLR2004 - a number of words
                lengths[index] > 25,  # noqa: PLR2004 - a number of words
                asked[index],
                bare.endswith(("!", "！")),
                bare.endswith((":", "：")),
                "..." in bare or "…" in bare,
                bool(_CODE.search(text)),
                bool(_PATH.search(text)),
                bool(_IDENTIFIER.search(text)),
                bool(_NUMBER.search(text)),
                bool(_CAPITAL.search(text)),
                bool(_QUOTE.search(text)),
                "(" in bare or "（" in bare,
                bare.count(",") + bare.count("，") + bare.count("、"),
                clause.item,
                clause.block.document,
                clause.block.introduced,
                min(clause.block.lines, 12) / 4,
                min(clause.block.items, 12) / 4,
                clause.block.foreign,
                clause.block.formal,
                clause.block.titled,
                clause.block.letter,
                any(one.block.letter for one in clauses[:index]),
                min(last_line + 1, 12) / 4,
                clause.line == 0,
                clause.line == clause.block.lines - 1,
                min(clause.line, 6) / 3,
                any(one.block.foreign > 0 for one in clauses[:index]),
                clause.cited,
                clause.after_citation,
                index == 0,
                index == count - 1,
                index / count,
                count == 1,
                min(count, 20) / 5,
                min(total, 400) / 100,
                sum(asked) > 0,
                before.rstrip().endswith(("?", "？")),
                min(len(before), 2000) / 500,
                not before,
                shared,
                text[:1].isupper(),
                text.endswith((".", "。")),
                *_grammar(bare),
                *(clause.language == name for name in ("en", "de", "es", "fr", "zh", "ja")),
            ]
        )
    return np.array(rows, dtype=np.float32)


def _grammar(bare: str) -> list[float]:
    """Describe an English clause's grammar roughly; for others, it is a few words in common."""
    words = bare.lower().replace("\u2019", "'").split()
    first = words[0].strip(",.:;") if words else ""
    rest = words[1:]
    return [
        bool(_PLURAL.fullmatch(first)),
        bare[:1].isupper() and not words[0].startswith("i'") and first != "i",
        bare[:1].islower(),
        any(_THIRD_PERSON.fullmatch(word.strip(",.")) for word in rest[:6]),
        bool(_PAST_VERB.search(bare)),
        bool(_PROGRESSIVE.search(bare)),
        min(3, len(_DETERMINER.findall(bare))),
        first in ("the", "der", "die", "das", "el", "la", "le", "les", "los"),
        not _PRONOUN.search(bare),
        bool(_COPULA.search(bare)),
        bool(_PASSIVE.search(bare)),
        bool(_MODAL.search(bare)),
        bool(_NEGATED.search(bare)),
        bool(_PRONOUN.match(bare)),
        first in _INTERJECTIONS,
    ]


def _tokens(text: str) -> set[str]:
    return {
        part for word in words(text.lower()) for part in (pairs(word) if is_cjk(word) else (word,))
    }
