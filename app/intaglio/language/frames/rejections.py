"""Finds what a statement says doesn't hold any more; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from intaglio.language.frames.lexicon import is_word
from intaglio.language.frames.tokens import FrameToken
from intaglio.language.frames.values import Value

Spans: TypeAlias = Mapping[str, Sequence[tuple[int, int]]]
"""Where the phrases of each role of ``marks.txt`` stand: first token, and the one behind."""

_REJECTED_TOKENS: Final = 6
_LEFT_TOKENS: Final = 3
_REACH: Final = 6
_AND_NOT: Final = 2
_AUXILIARY: Final = 2


@dataclass(frozen=True, slots=True)
class Rejections:
    """The ranges of tokens that a statement rejects, denies, or rejects as the choice before."""

    zones: tuple[range, ...]
    denied: tuple[range, ...]
    outright: tuple[range, ...]

    def apply(self, value: Value) -> Value:
        """Mark a value that is rejected or denied."""
        return replace(
            value,
            rejected=any(value.start in zone for zone in self.zones),
            denied=any(value.start in zone for zone in self.denied),
        )


def find(tokens: Sequence[FrameToken], clauses: Sequence[int], spans: Spans) -> Rejections:
    """Return what the marks of a statement reject."""
    reader = _Zones(tokens, clauses, spans)
    zones = [*reader.behind(), *reader.before(), *reader.ended(), *reader.left()]
    outright = [*reader.outright(), *reader.left(), *reader.gone()]
    zones, outright = (
        [zone for zone in some if reader.is_current(zone)] for some in (zones, outright)
    )
    return Rejections(tuple(zones), tuple(reader.denied()), tuple(outright))


@dataclass(frozen=True, slots=True)
class _Zones:
    tokens: Sequence[FrameToken]
    clauses: Sequence[int]
    spans: Spans

    def behind(self) -> list[range]:
        """Return what follows "instead of", "drop", "not"."""
        return [
            self._first_thing(end) if self._negates(start, end) else self._up_to_stop(end)
            for start, end in self.spans.get("rejects_next", ())
            if not self._is_passive(start, end)
        ]

    def outright(self) -> list[range]:
        """Return what follows "instead of", which was the choice before."""
        return [self._up_to_stop(end) for _, end in self.spans.get("instead", ())]

    def before(self) -> list[range]:
        """Return what stands before "is gone", "was replaced by"."""
        longer = self.spans.get("rejects_next", ())
        found: list[range] = []
        passive = [span for span in longer if self._is_passive(*span)]
        for start, end in (*self.spans.get("rejects_previous", ()), *passive):
            if any(begin == start and stop > end for begin, stop in longer):
                continue
            first = start
            if first > 1 and self.tokens[first - 1].breaks and self._by_pronoun(start):
                first -= 1
            while first and not self.tokens[first - 1].breaks:
                first -= 1
            found.append(range(first, start))
        return found

    def gone(self) -> list[range]:
        """Return what is gone altogether; of "no longer" only what is done has ended."""
        ended = set(self.spans.get("ended", ()))
        names = [span for span in self.spans.get("rejects_previous", ()) if span not in ended]
        return _Zones(self.tokens, self.clauses, {**self.spans, "rejects_previous": names}).before()

    def is_current(self, zone: range) -> bool:
        """Whether what is rejected isn't one of before: "the old wiki is gone"."""
        return not any(
            is_word("former", token.form) for token in self.tokens[zone.start : zone.stop]
        )

    def ended(self) -> list[range]:
        """Return the clauses that say "no longer"."""
        return [self._clause(start) for start, _ in self.spans.get("ended", ())]

    def left(self) -> list[range]:
        """Return where "moved from X to Y" names X; without such a verb it is a range."""
        if not self.spans.get("moves"):
            return []
        targets = [start for start, _ in self.spans.get("to", ())]
        found: list[range] = []
        for start, end in self.spans.get("from", ()):
            behind = [at for at in targets if end < at <= end + _REACH]
            if behind:
                found.append(range(end, behind[0]))
            elif any(start - _REACH <= at < start for at in targets):
                found.append(self._up_to_stop(end, _LEFT_TOKENS))
        return found

    def denied(self) -> list[range]:
        """Return the rest of each clause behind its "not"."""
        negations = [span for span in self.spans.get("rejects_next", ()) if self._negates(*span)]
        return [
            range(end, self._clause(start).stop)
            for start, end in (*negations, *self.spans.get("denies", ()))
        ]

    def _negates(self, start: int, end: int) -> bool:
        last = self.tokens[end - 1].form
        return last.endswith("n't") or (is_word("negators", last) and end - start <= _AND_NOT)

    def _first_thing(self, start: int) -> range:
        end = start
        while end < len(self.tokens) and is_word("before_value", self.tokens[end].form):
            end += 1
        return range(start, end + 1)

    def _is_passive(self, start: int, end: int) -> bool:
        """Whether it is said of what stands before it: "Redux has finally been dropped"."""
        if self._negates(start, end) or not is_word(
            "rejecting_participles", self.tokens[start].form
        ):
            return False
        before = [token.form for token in self.tokens[max(0, start - _AUXILIARY) : start]]
        return any(is_word("passive", word) for word in before)

    def _by_pronoun(self, start: int) -> bool:
        return is_word("by_pronoun", self.tokens[start].form)

    def _up_to_stop(self, start: int, most: int = _REJECTED_TOKENS) -> range:
        stops = {at for role in ("to", "with") for at, _ in self.spans.get(role, ())}
        end = start
        while end < len(self.tokens) and is_word("new_thing", self.tokens[end].form):
            end += 1
        start = end
        while end < len(self.tokens) and end - start < most:
            token = self.tokens[end]
            anew = is_word("joins", token.form) or end in stops or is_word("new_thing", token.form)
            if token.breaks or (anew and end > start):
                break
            end += 1
        return range(start, end)

    def _clause(self, at: int) -> range:
        inside = [place for place, number in enumerate(self.clauses) if number == self.clauses[at]]
        return range(inside[0], inside[-1] + 1)
