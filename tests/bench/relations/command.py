"""How well `relate` tells what a newer statement does to an older one, by writer.

A wrong retirement is a "replaces" for anything but a replacement. Of the writers kept apart only
counts are printed. With --sessions, the statements of the labelled sessions are compared with the
nearest earlier ones of their file, which nearly never replace one another.
"""

import argparse
import heapq
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from bench.capture.labelled import read_sessions
from bench.relations import fit
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Relation, Wording, relate

_FOLDER: Final = Path(__file__).parent
_SESSIONS: Final = _FOLDER.parent / "capture" / "sessions" / "train"
_KEPT_APART: Final = frozenset({"fred", "gina"})
_REVERSALS: Final = "short-choices"
_NEAREST: Final = 5
_QUIET: Final = ("both_true", "tentative", "refines", "duplicate", "unrelated")
_SAYS_THE_SAME: Final = frozenset({"duplicate", "refines"})


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of a writer, and what it should be and is related as."""

    writer: str
    older: str
    newer: str
    wanted: str
    marker: bool
    found: Relation


def main(arguments: list[str]) -> None:
    """Print the figures of all writers, or of those that are named."""
    parser = argparse.ArgumentParser(prog="bench relations", description=__doc__)
    known = sorted(file.stem for file in _FOLDER.glob("*.jsonl"))
    parser.add_argument("writers", nargs="*", default=known, metavar="WRITER")
    parser.add_argument("--errors", action="store_true", help="print the pairs that are wrong")
    parser.add_argument("--sessions", action="store_true", help="compare statements of sessions")
    parser.add_argument("--fit", action="store_true", help="fit what is asked, and write it")
    parser.add_argument("--near", type=Path, metavar="DIR", help="fit on these sessions, too")
    asked = parser.parse_args(arguments)
    if asked.fit:
        _fit(known, [_SESSIONS, *filter(None, [asked.near])])
        return
    for writer in asked.writers:
        started = time.process_time()
        pairs = _read(writer)
        spent = 1_000 * (time.process_time() - started) / max(1, len(pairs))
        apart = ", kept apart" if writer in _KEPT_APART else ""
        print(f"\n{writer}{apart}: {len(pairs)} pairs, {spent:.2f} ms each")
        print("\n".join(_figures(pairs)))
        if asked.errors and not apart:
            print("\n".join(_errors(pairs)))
    if asked.sessions:
        _compare_sessions(show=asked.errors)


def _read(writer: str) -> list[Pair]:
    lines = (_FOLDER / f"{writer}.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Pair(
            writer,
            each["older"],
            each["newer"],
            each["relation"],
            each["marker"],
            relate(Wording(each["newer"]), Wording(each["older"])),
        )
        for each in map(json.loads, lines)
    ]


def _figures(pairs: Sequence[Pair]) -> list[str]:
    lines: list[str] = []
    for name, some in (
        ("contradictions", [each for each in pairs if each.wanted == "replaces"]),
        ("  with a marker", [each for each in pairs if each.wanted == "replaces" and each.marker]),
        ("  without", [each for each in pairs if each.wanted == "replaces" and not each.marker]),
    ):
        found = Counter(each.found for each in some)
        retired, asked, total = found["replaces"], found["uncertain"], max(1, len(some))
        lines.append(
            f"{name}: {retired} of {len(some)} retired ({retired / total:.2f}), {asked} asked "
            f"(together {(retired + asked) / total:.2f}), {len(some) - retired - asked} missed"
        )
    wrong = Counter(
        each.wanted for each in pairs if each.found == "replaces" and each.wanted != "replaces"
    )
    reversed_ones = ("replaces", "constraint_conflict")
    taken = sum(each.found in _SAYS_THE_SAME for each in pairs if each.wanted in reversed_ones)
    lines += [
        f"wrong retirements: {wrong.total()} {dict(wrong) or ''}".rstrip(),
        f"reversals taken for the same: {taken}",
        f"constraint conflicts asked: {_asked(pairs, 'constraint_conflict')}",
        "false questions: " + ", ".join(f"{name} {_asked(pairs, name)}" for name in _QUIET),
    ]
    return lines


def _asked(pairs: Sequence[Pair], wanted: str) -> str:
    some = [each for each in pairs if each.wanted == wanted]
    asked = sum(each.found == "uncertain" for each in some)
    return f"{asked} of {len(some)}"


def _errors(pairs: Sequence[Pair]) -> list[str]:
    return [
        f"{each.wanted} -> {each.found}{' (marker)' if each.marker else ''}: "
        f"{each.older} >> {each.newer}"
        for each in pairs
        if not _is_right(each)
    ]


def _is_right(pair: Pair) -> bool:
    match pair.wanted:
        case "replaces":
            return pair.found == "replaces"
        case "constraint_conflict":
            return pair.found == "uncertain"
        case _:
            return pair.found not in {"replaces", "uncertain"}


def _compare_sessions(*, show: bool) -> None:
    found: Counter[Relation] = Counter()
    for file, older, newer in _near_pairs(_SESSIONS):
        relation = relate(Wording(newer), Wording(older))
        found[relation] += 1
        if show and relation == "replaces":
            print(f"{file}: {older} >> {newer}")
    print(f"\nstatements of sessions and their nearest earlier ones: {dict(found)}")


def _near_pairs(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield a file's name, an older statement and a newer one that is near it."""
    for file in sorted(folder.glob("*-*.txt")):
        said = [
            message.text[label.start : label.end]
            for session in read_sessions(file)
            for message in session.messages
            for label in message.labels
            if label.wanted in {"kept", "either"}
        ]
        for at, newer in enumerate(said):
            shares = ((topic_overlap(newer, older).share_of_all, older) for older in said[:at])
            for _, older in heapq.nlargest(_NEAREST, (each for each in shares if each[0] > 0)):
                yield file.stem, older, newer


def _fit(writers: Sequence[str], folders: Sequence[Path]) -> None:
    """Fit the score on all open pairs, and print how it does on each writer that it left out."""
    pairs = [each for writer in writers if writer not in _KEPT_APART for each in _read(writer)]
    contradicting = {"replaces", "constraint_conflict"}
    examples = [
        fit.Example(each.writer, each.older, each.newer, each.wanted in contradicting)
        for each in pairs
    ]
    examples += [
        fit.Example(folder.name, older, newer, contradicts=False, is_near=True)
        for folder in folders
        for file, older, newer in _near_pairs(folder)
        if file != _REVERSALS
    ]
    names, rows = fit.table(examples)
    for writer, scored in fit.without_each(examples, rows, partial(fit.fit, names)):
        print(f"\n{writer}, left out of the fit")
        print("\n".join(_figures([_by_score(pairs[at], odds) for at, odds in scored])))
    fitted = fit.fit(names, rows, examples)
    fitted.write()


def _by_score(pair: Pair, odds: float) -> Pair:
    """Return what a pair is related as if the score alone tells what is asked."""
    if pair.found == "replaces":
        return pair
    return replace(pair, found="uncertain" if odds >= 0 else "both_true")
