"""Basic German cues: which phrases state a decision, a preference or a rule."""

import re
from typing import Final

from intaglio.capture.cue import Cue, CueType

_OPENER: Final = (
    r"(?:(?:ok(?:ay)?|ja|gut|also|und|aber|dann|bitte|wichtig|regel|hinweis|übrigens)"
    r"\b[,.:;!\u2013-]*\s+)*"
)
_DOUBT: Final = re.compile(
    r"\b(?:vielleicht|eventuell|evtl|könnten?|würden?|falls|wenn wir|ob wir|ob ich|angenommen|"
    r"sollen wir|sollten wir|ich glaube|ich denke|weiß nicht|unsicher|er sagt|sie sagt|laut|"
    r"angeblich|hat gesagt|haben gesagt|noch nicht|bevor wir|nachdem wir|weil wir)\b"
)
_QUESTION: Final = re.compile(
    rf"^{_OPENER}(?:was|wie|warum|wieso|wer|wo|wann|welche[rsnm]?|soll(?:en|ten)?|kannst|könnt|können|"
    r"hast|habt|haben wir|ist|sind|darf|dürfen|muss|müssen)\b(?!.*\b(?:immer|nie|niemals)\b)"
)
_TIMELESS: Final = r"(?:immer|niemals|nie(?: wieder)?|grundsätzlich|stets)"

_CUES: Final[tuple[tuple[CueType, re.Pattern[str], float], ...]] = (
    (
        "decision",
        re.compile(
            r"\bwir haben (?:uns )?(?:\S+\s+){0,12}?(?:entschieden|beschlossen|festgelegt|geeinigt|"
            r"verständigt)\b"
        ),
        0.6,
    ),
    (
        "decision",
        re.compile(rf"^{_OPENER}(?:entschieden|entscheidung|beschlossen|beschluss)\s*[:\u2013-]"),
        0.6,
    ),
    (
        "decision",
        re.compile(
            r"\b(?:lasst?|lass) uns (?:bei|auf|mit)? ?(?:\S+\s+){1,12}?(?:nehmen|bleiben|setzen|"
            r"umsteigen|weitermachen|festlegen)\b"
        ),
        0.5,
    ),
    (
        "decision",
        re.compile(
            r"\bwir (?:nehmen|verwenden|nutzen|benutzen|setzen auf|bleiben bei|setzen)\b.*"
            r"(?:\b(?:statt|anstatt|anstelle)\b|,\s*(?:und\s+)?nicht\b)"
        ),
        0.6,
    ),
    ("preference", re.compile(r"\bich (?:bevorzuge|präferiere|ziehe\b.*\bvor\b)"), 0.6),
    (
        "preference",
        re.compile(
            r"\b(?:mir (?:ist|sind|wäre|wären)|ich (?:mag|hab|habe|nutze|nehme))\b.*\blieber\b"
        ),
        0.5,
    ),
    ("preference", re.compile(rf"^(?:ok(?:ay)?,?\s+)?bitte (?:\S+\s+){{0,4}}?{_TIMELESS}\b"), 0.6),
    ("rule", re.compile(rf"^{_OPENER}{_TIMELESS}\s+(?:\S+\s+){{1,30}}\w+en\s*[.!]*$"), 0.6),
    (
        "rule",
        re.compile(
            r"\b(?:darf|dürfen|soll|sollen|muss|müssen)\b(?:\s+\S+){0,4}?\s+(?:niemals|nie|immer|"
            r"grundsätzlich|keinesfalls|auf keinen fall)\b"
        ),
        0.6,
    ),
    (
        "rule",
        re.compile(
            rf"^{_OPENER}(?:ab (?:jetzt|sofort|heute)|künftig|zukünftig|in zukunft|von nun an)\b,?"
            r"\s+"
            r"(?:bitte|immer|nie|niemals|nur|keine?n?|alle[sn]?|verwende\w*|nutze\w*|nehmen?|wir|schreib\w*|soll\w*)\b"
        ),
        0.6,
    ),
)


def cue_of(bare: str) -> Cue | None:
    """Classify a sentence in lower case with code and quotations blanked out."""
    if _DOUBT.search(bare) or _QUESTION.match(bare):
        return None
    for kind, pattern, confidence in _CUES:
        if pattern.search(bare):
            return Cue(kind, confidence)
    return None
