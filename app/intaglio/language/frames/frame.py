"""Reads a statement as a frame; pure, about 200 µs for a sentence that wasn't read before."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from intaglio.language.frames import rejections
from intaglio.language.frames.lexicon import (
    Entry,
    base_form,
    given_names,
    implied_nouns,
    is_conjugated,
    is_imperfect,
    is_word,
    light_kinds,
    marks,
    phrases,
    soft_stems,
    term_of,
    tool_classes,
)
from intaglio.language.frames.quantities import Quantity, quantities
from intaglio.language.frames.tokens import FrameToken, split
from intaglio.language.frames.values import Frame, Value
from intaglio.language.negation import without_answer
from intaglio.language.stems import stem
from intaglio.language.tokens import is_cjk

_INSTANCE: Final = re.compile(
    r"[a-z]{1,3}[0-9][a-z]{0,3}\.(?:nano|micro|small|medium|large|[0-9]{0,2}xlarge|metal)"
)
_COLOR: Final = re.compile(r"#[0-9a-f]{6}(?:[0-9a-f]{2})?")
_CACHED: Final = 2_048
_MAX_CHARS: Final = 600
_LONGEST_MARK: Final = 6
_COUNTED_TOKENS: Final = 4
_COUNTED_NOUNS: Final = 2
_REJECTED_TERMS: Final = 3
_RATE_TOKENS: Final = 3
_CHANGES: Final = frozenset({"change", "moves"})
_PASSING: Final = ("past", "temporary", "additive", "change", "moves")
_PLACES: Final = frozenset({"path", "affix", "file or host"})
_NE_TOKENS: Final = 5
_ENDED: Final = ("ended", "change", "rejects_next")
_NEAR: Final = 2
_REACH: Final = 4
_SHORTEST_NAME: Final = 3
_SCOPE_TOKENS: Final = 3
_WEEK: Final = 604_800.0
_YEARS: Final = range(1_900, 2_100)
_QUESTION: Final = frozenset("?？")
# What says no more than that something changed names nothing.
_SAID_BY_MARKS: Final = (
    *("change", "rejects_next", "rejects_previous", "ended", "constraint", "tentative", "past"),
    *("temporary", "continues"),
)
_DOERS: Final = ("er", "ers", "or", "ors")
_DIGITS_OF: Final = ("stellig", "stellige", "stelligen", "stelliger")


@lru_cache(_CACHED)
def frame(text: str) -> Frame:
    """Return the frame of a statement; of a long one, that of its beginning."""
    return _Reader(split(without_answer(text[:_MAX_CHARS]))).read()


@dataclass(slots=True)
class _Reader:
    tokens: tuple[FrameToken, ...]
    words: tuple[str, ...] = ()
    spans: dict[str, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict[str, list[tuple[int, int]]](list)
    )
    values: list[Value] = field(default_factory=list[Value])
    terms: dict[str, int] = field(default_factory=dict[str, int])
    term_at: dict[int, str] = field(default_factory=dict[int, str])
    parts: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    written: dict[str, str] = field(default_factory=dict[str, str])
    verbs: dict[str, int] = field(default_factory=dict[str, int])
    soft: set[str] = field(default_factory=set[str])
    places: set[str] = field(default_factory=set[str])
    hidden: set[int] = field(default_factory=set[int])
    aside: set[str] = field(default_factory=set[str])
    said: set[int] = field(default_factory=set[int])

    def read(self) -> Frame:
        self.words = tuple(token.form for token in self.tokens)
        clauses = tuple(self._clauses())
        self._find_marks()
        self._drop_misread_marks()
        self._find_limits()
        self._hide("reason")
        conditional = self._hide("condition")
        self._find_contents()
        self._find_people()
        # "Eight in the morning" is one time; "the morning standup is at eight" names another.
        clocks = [value for value in self.values if "clock" in value.classes]
        self.values = (
            [
                value
                for value in self.values
                if "part_of_day" not in value.classes
                or not any(
                    value.end == clock.start
                    or value.end + 1 == clock.start
                    or value.start > clock.start
                    for clock in clocks
                )
            ]
            if clocks
            else self.values
        )
        found = rejections.find(self.tokens, clauses, self.spans)
        return Frame(
            words=self.words,
            clauses=clauses,
            values=tuple(map(found.apply, self.values)),
            terms=self.terms,
            starts=self._starts(),
            soft=frozenset(self.soft),
            verbs=self.verbs,
            parts=self.parts,
            written=self.written,
            aside=frozenset(self.aside),
            universal=frozenset(self._universal()),
            past_clauses=frozenset(clauses[start] for start, _ in self.spans.get("past", ())),
            scopes=frozenset(self._scopes()),
            rejected=tuple(self._terms_in(found.zones)),
            outright=tuple(self._terms_in(found.outright)),
            marks=frozenset(self.spans),
            places=frozenset(self.places),
            conditional=conditional,
        )

    def _clauses(self) -> Iterator[int]:
        number = 0
        for token in self.tokens:
            number += token.breaks
            yield number

    def _find_marks(self) -> None:
        index = marks()
        for start, word in enumerate(self.words):
            for length in range(1, min(_LONGEST_MARK, len(self.words) - start) + 1):
                for role in index.at(self.words[start : start + length]) or ():
                    self.spans[role].append((start, start + length))
            if word.endswith("n't"):
                self.spans["rejects_next"].append((start, start + 1))
            elif word in _QUESTION:
                self.spans["question"].append((start, start + 1))

    def _drop_misread_marks(self) -> None:
        """Leave out what isn't meant so: "as of this sprint", "too slow", "was replaced"."""
        changes = (*self.spans.get("change", ()), *self.spans.get("rejects_next", ()))
        begun = {start for start, _ in changes}
        for role in _PASSING:
            if role not in self.spans:
                continue
            left = [
                (start, end)
                for start, end in self.spans[role]
                if (
                    role in _CHANGES
                    or not any(
                        one <= start and end <= other and other - one > end - start
                        for one, other in changes
                    )
                )
                and not self._is_misread(role, start, end, begun)
            ]
            if left:
                self.spans[role] = left
            else:
                del self.spans[role]

    def _is_misread(self, role: str, start: int, end: int, changes: set[int]) -> bool:
        if role in _CHANGES:
            before = self.words[start - 1] if start else ""
            return is_word("habits", self.words[start]) and is_word("present_passive", before)
        if role == "additive" and is_word("degrees", self.words[start]):
            return end < len(self.words) and not self.tokens[end].breaks
        return (
            role == "past"
            and is_word("passive", self.words[start])
            and bool(changes & {end, end + 1})
        )

    def _find_limits(self) -> None:
        """Find limits that no phrase tells: "only X may", "no X in Y"."""
        words = self.words
        if any(is_word("only", word) for word in words):
            self.spans["only"].append((0, 0))
        if self.spans.get("only") and any(is_word("permitting", word) for word in words):
            self.spans["constraint"].append((0, 0))
        if words and is_word("forbidding", words[0]) and not self.spans.get("ended"):
            self.spans["constraint"].append((0, 0))

        for at, word in enumerate(words):
            if is_word("french_ne", word):
                self._find_french_end(at)
            elif is_word("vague", word):
                self.spans["vague"].append((at, at + 1))
            elif is_imperfect(word):
                self.spans["past"].append((at, at + 1))
            elif is_word("gone", word) and self._is_gone(at):
                for role in ("rejects_previous", "ended", "change"):
                    self.spans[role].append((at, at + 1))

    def _is_gone(self, at: int) -> bool:
        before = self.words[at - 1] if at else ""
        behind = self.words[at + 1] if at + 1 < len(self.words) else ""
        return not (is_word("not_gone_before", before) or is_word("not_gone_behind", behind))

    def _find_french_end(self, at: int) -> None:
        """Read the "plus" of "ne valide plus": no longer, and not more."""
        for place in range(at + 1, min(at + _NE_TOKENS, len(self.words))):
            if self.words[place] == "plus":
                for role in ("additive", "range"):
                    left = [span for span in self.spans.get(role, ()) if span[0] != place]
                    if left:
                        self.spans[role] = left
                    else:
                        self.spans.pop(role, None)
                subject = self.words[at - 1] if at else ""
                roles = ("change", "rejects_next") if is_word("french_we", subject) else _ENDED
                for role in roles:
                    self.spans[role].append((place, place + 1))

    def _hide(self, role: str) -> bool:
        """Leave out what follows a mark in its clause; return whether it narrows what is said."""
        narrows = False
        for start, end in self.spans.get(role, ()):
            if is_word("scope_conditions", self.words[start]):
                narrows = True
                continue
            if start and is_word("cleft", self.words[start - 1]):
                continue
            for at in range(end, len(self.words)):
                if self.tokens[at].breaks:
                    break
                self.hidden.add(at)
                self._add_aside(at)
        return narrows

    def _add_aside(self, at: int) -> None:
        entry = phrases().at(self.words[at : at + 1])
        if entry is not None and entry.term:
            self.aside.add(entry.term)
        elif entry is None and stem(self.words[at]) not in soft_stems():
            self.aside.add(base_form(self.words[at]))

    def _find_contents(self) -> None:
        numbers = {each.start: each for each in quantities(self.words)}
        self.said = {
            at
            for role in _SAID_BY_MARKS
            for start, end in self.spans.get(role, ())
            for at in range(start, end)
        }
        at = 0
        while at < len(self.words):
            if at in self.hidden or self.tokens[at].breaks:
                at += 1
                continue
            at = self._read(at, numbers.get(at), said=at in self.said)

    def _read(self, at: int, number: Quantity | None, *, said: bool) -> int:
        """Read what begins at a token; return where it ends."""
        found = phrases().longest(self.words, at)
        if found is not None and (
            (found[1].values and number is None)
            or (number is not None and at + found[0] > number.end)
        ):
            return self._add_phrase(at, *found)
        if number is not None:
            return self._add_quantity(number)
        if self._is_letter(at):
            self._add_term(f"{self.words[at - 1]} {self.words[at]}", at)
            return at + 1
        if said:
            self.soft.add(base_form(self.words[at]))
        elif found is not None and not (found[1].soft and found[0] == 1 and self.tokens[at].whole):
            return self._add_phrase(at, *found)
        else:
            self._add_word(at)
        return at + 1

    def _is_letter(self, at: int) -> bool:
        """Whether a capital letter names one of several: "hall B"."""
        text = self.tokens[at].text
        if not at or len(text) != 1 or not ("A" <= text <= "Z") or self.tokens[at].starts:
            return False
        before = self.words[at - 1]
        entry = phrases().at((before,))
        return before.isalpha() and not (entry is not None and entry.soft)

    def _add_phrase(self, at: int, length: int, entry: Entry) -> int:
        end = at + length
        if entry.place and not (end < len(self.words) and is_word("data_layers", self.words[end])):
            self.places.add(entry.place)
        elif entry.values:
            if entry.soft:
                self.soft.update(map(base_form, self.words[at:end]))
            # Of "each push", the push is what it is about.
            said = (
                self.words[end - 1 : end] if "trigger_event" in entry.values else self.words[at:end]
            )
            term = entry.term or term_of(" ".join(said))
            classes = dict(entry.values)
            if "weekday" in classes and at and is_word("each", self.words[at - 1]):
                classes["time or period"] = f"{_WEEK:g}"
            self.values.append(
                Value(
                    classes,
                    at,
                    end,
                    "" if entry.soft and not entry.term and not self._is_capital(at) else term,
                    weak=entry.weak,
                    modifies=self._is_noun_at(end, entry.values),
                )
            )
        elif entry.term:
            self._add_term(entry.term, at)
            if length > 1:
                self._add_parts(entry.term, at, end)
            else:
                self.written.setdefault(entry.term, base_form(self.words[at]))
        else:
            self.soft.update(map(base_form, self.words[at:end]))
        return end

    def _find_people(self) -> None:
        """Take a capitalised word for a person beside what only people do; find who left."""
        self._find_titled_people()
        doing = [at for at, term in self.term_at.items() if is_word("person_roles", term)]
        for at, token in enumerate(self.tokens) if doing else ():
            named = token.form in given_names()[0] and at not in self.term_at
            unknown = self.term_at.get(at) == base_form(token.form)
            if (unknown or named) and self._is_name_beside(at, doing):
                self.values = [each for each in self.values if each.start != at]
                self.values.append(Value({"person": token.form}, at, at + 1, token.form))
                term = self.term_at.pop(at, "")
                if self.terms.get(term) == at:
                    del self.terms[term]
        self.values.sort(key=lambda value: value.start)
        for value in self.values:
            if "person" in value.classes and any(
                is_word("leaving", word) for word in self.words[value.end : value.end + _NEAR]
            ):
                self.spans["rejects_previous"].append((value.end, value.end + 1))
                self.spans["change"].append((value.end, value.end + 1))

    def _find_titled_people(self) -> None:
        """Take for people whom a title precedes: "Frau Kern"."""
        for at in range(len(self.tokens) - 1):
            name = self.tokens[at + 1]
            if (
                is_word("titles", self.words[at])
                and self.tokens[at].text.istitle()
                and (name.text.istitle() and len(name.text) >= _SHORTEST_NAME)
            ):
                for place in (at, at + 1):
                    term = self.term_at.pop(place, "")
                    if self.terms.get(term) == place:
                        del self.terms[term]
                self.values = [each for each in self.values if each.start not in (at, at + 1)]
                self.values.append(Value({"person": name.form}, at, at + 2, name.form))

    def _is_name_beside(self, at: int, doing: list[int]) -> bool:
        text = self.tokens[at].text
        known = self.words[at] in given_names()[0]
        if not (known or text.istitle()) or len(text) < _SHORTEST_NAME:
            return False
        if not known and phrases().at((self.words[at],)):
            return False
        before = self.words[at - 1] if at else ""
        return any(
            at < role <= at + _NEAR
            or (role < at <= role + _REACH and is_word("before_person", before))
            for role in doing
        )

    def _add_parts(self, term: str, start: int, end: int) -> None:
        """Keep the terms of the words of a compound; a turn of phrase ("listens on") has none."""
        found: dict[str, int] = {}
        for at in range(start, end):
            entry = phrases().at(self.words[at : at + 1])
            if is_cjk(self.words[at]) or (entry is not None and entry.soft and not entry.term):
                return
            found[entry.term if entry and entry.term else base_form(self.words[at])] = at
        self.parts[term] = found

    def _is_noun_at(self, at: int, classes: Mapping[str, str]) -> bool:
        """Whether a noun stands here that these classes don't imply."""
        if at >= len(self.words) or self.tokens[at].breaks or at in self.hidden:
            return False
        found = phrases().longest(self.words, at)
        if found is None:
            word = self.words[at]
            is_verb = at in self.said or stem(word) in soft_stems()
            return word.isalpha() and not (is_cjk(word) or is_verb or word.endswith(("ly", "ed")))
        entry = found[1]
        if not entry.term or entry.soft:
            return False
        if entry.term in light_kinds() and classes.keys() & tool_classes():
            return False
        return not any(entry.term in implied_nouns().get(name, ()) for name in classes)

    def _add_quantity(self, one: Quantity) -> int:
        measure, key = one.measure, f"{one.number:g}"
        before = self.values[-1] if self.values else None
        if self._is_rate(one, before):
            self._add_term(f"per {key}", one.start)
        elif measure == "version" or (not measure and self._is_version(one, before)):
            self._add_version(one, before)
        elif not measure and one.number in _YEARS and "," not in one.text:
            self._add_term(key, one.start)
        elif not measure:
            self._add_count(one, key)
        else:
            classes = {measure: key}
            if measure == "period" or (measure == "time" and not self._is_duration(one.start)):
                classes["time or period"] = key
            self.values.append(Value(classes, one.start, one.end, key, number=one.written))
        return one.end

    def _is_duration(self, at: int) -> bool:
        """Whether it tells how long something takes, and so not how often it happens."""
        return any(is_word("durations", word) for word in self.words[max(0, at - _NEAR) : at])

    def _is_rate(self, one: Quantity, before: Value | None) -> bool:
        return (
            one.measure in {"time", "period"}
            and before is not None
            and one.start - before.end <= _RATE_TOKENS
            and any(name.startswith(("count ", "times")) for name in before.classes)
            and (one.measure == "period" or is_word("rates", self.words[one.start]))
        )

    def _is_version(self, one: Quantity, before: Value | None) -> bool:
        if one.start and is_word("version_words", self.words[one.start - 1]):
            return True
        return (
            one.text != ""
            and before is not None
            and before.end == one.start
            and (not before.weak or self.tokens[before.start].text[0].isupper())
            and any(is_word("versioned", name) for name in before.classes)
        )

    def _add_version(self, one: Quantity, before: Value | None) -> None:
        text = one.text or f"{one.number:g}"
        if before is not None and 0 <= one.start - before.end <= 1:
            self.values[-1] = replace(before, version=text)
        else:
            self.values.append(Value({"version": text}, one.start, one.end, text))

    def _add_count(self, one: Quantity, key: str) -> None:
        before = self.words[one.start - 1] if one.start else ""
        nouns = self._counted(one.end)
        if one.text and (
            is_word("labels", before) or is_word("labels", self.term_at.get(one.start - 1, ""))
        ):
            self._add_term(f"{before} {key}", one.start)
        elif one.number == 1 and not one.text and is_word("before_the_one", before):
            return
        elif nouns or one.text or one.number != 1:
            # A "one" that counts nothing stands for something else: "the android ones".
            classes = {f"count {noun}": key for noun in nouns} or {"number": key}
            self.values.append(Value(classes, one.start, one.end, key, number=one.number))

    def _counted(self, start: int) -> list[str]:
        """Return the terms that a number before ``start`` may count."""
        nouns: list[str] = []
        at = start
        while at < min(len(self.words), start + _COUNTED_TOKENS) and len(nouns) < _COUNTED_NOUNS:
            word = self.words[at]
            if self.tokens[at].breaks or at in self.hidden or word[0].isdigit():
                break
            found = phrases().longest(self.words, at)
            length, entry = found or (1, None)
            if entry is not None and (entry.soft or entry.place) and not entry.term:
                if nouns or is_word("count_stops", word):
                    break
            elif entry is not None:
                nouns.append(entry.term or " ".join(map(stem, self.words[at : at + length])))
            else:
                nouns.append(stem(word))
            at += length
        return nouns

    def _add_word(self, at: int) -> None:
        token, word = self.tokens[at], self.words[at]
        names, ordinary = given_names()
        if _COLOR.fullmatch(word):
            before = self.values[-1] if self.values else None
            if before is None or before.end != at or "color" not in before.classes:
                self.values.append(Value({"color": word}, at, at + 1, word))
        elif token.whole or word[0] in "#@":
            self.values.append(Value({_kind_of_name(word): word}, at, at + 1, word))
        elif word in names and (
            word not in ordinary or (token.text[0].isupper() and not token.starts)
        ):
            self.values.append(Value({"person": word}, at, at + 1, word))
        elif word.endswith(_DIGITS_OF):
            digits = word.partition(_DIGITS_OF[0])[0]
            self.values.append(Value({"count digit": digits}, at, at + 1, word))
        elif (stem(word) in soft_stems() or is_conjugated(word)) and not self._is_name_of_doing(at):
            self.soft.add(base_form(word))
            self.verbs.setdefault(stem(word), at)
        elif any(map(str.isalnum, word)):
            self._add_term(base_form(word), at)

    def _is_capital(self, at: int) -> bool:
        token = self.tokens[at]
        return token.text[0].isupper() and not token.starts

    def _is_name_of_doing(self, at: int) -> bool:
        """Whether a form of a verb names a thing: "the loader", "the rendering service"."""
        word = self.words[at]
        if word.endswith(_DOERS):
            return True
        if self._is_capital(at):
            return True
        before = self.words[at - 1] if at else ""
        if not word.endswith("ing"):
            return is_word("determiners", before) and self._is_bare_noun_at(at + 1)
        return not (is_word("before_ing", before) or before.endswith("'re"))

    def _is_bare_noun_at(self, at: int) -> bool:
        """Whether a noun ends here what a determiner began: "the design tickets"."""
        if at >= len(self.words) or self.tokens[at].breaks or not self.words[at].isalpha():
            return False
        entry = phrases().at(self.words[at : at + 1])
        if entry is not None:
            return bool(entry.term)
        return stem(self.words[at]) not in soft_stems() and not is_conjugated(self.words[at])

    def _add_term(self, term: str, at: int) -> None:
        self.terms.setdefault(term, at)
        self.term_at[at] = term

    def _starts(self) -> dict[str, int]:
        found = {value.term: value.start for value in self.values} | self.terms
        for parts in self.parts.values():
            for part, at in parts.items():
                found.setdefault(part, at)
        return found

    def _universal(self) -> Iterator[str]:
        for term, at in self.terms.items():
            before = self.words[max(0, at - _SCOPE_TOKENS) : at]
            if any(is_word("universal", word) for word in before) and any(
                is_word("prepositions", word) for word in before
            ):
                yield term

    def _scopes(self) -> Iterator[str]:
        for value in self.values:
            inside = value.start and is_word("path_scopes", self.words[value.start - 1])
            if inside and value.classes.keys() & _PLACES:
                yield value.term
        for term, at in self.terms.items():
            if any(is_word("scopes", word) for word in self.words[max(0, at - _SCOPE_TOKENS) : at]):
                yield term

    def _terms_in(self, zones: tuple[range, ...]) -> Iterator[frozenset[str]]:
        for zone in zones:
            found = frozenset(self.term_at[at] for at in zone if at in self.term_at)
            if 0 < len(found) <= _REJECTED_TERMS:
                yield found


def _kind_of_name(word: str) -> str:
    """Return the class of a name as code writes it."""
    if word[0] == "#":
        return "channel"
    if word[0] == "@":
        return "package" if "/" in word else "person"
    if word[-1] in "-_/" and len(word) > 1 and not word.startswith("/"):
        return "affix"
    if "/" in word:
        return "path"
    if _INSTANCE.fullmatch(word):
        return "instance_type"
    return "cloud_region" if "-" in word and word[-1].isalnum() else "file or host"
