"""How well `relate` tells what a newer statement does to an older one, by writer.

A wrong retirement is a "replaces" for anything but a replacement. Of the writers kept apart only
counts are printed. The cross-encoder reads each pair, unless --rules-alone is given. With
--sessions, the statements of the labelled sessions are compared with the nearest earlier ones of
their file, which nearly never replace one another.
"""

import argparse
import heapq
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from bench.capture.labelled import read_sessions
from intaglio.base.paths import built_folder
from intaglio.domain.statement_pairs import StatementPair
from intaglio.inference.runtime import CrossEncoderRuntime
from intaglio.language.frames.weighing import can_read
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Relation, Wording, relate

_FOLDER: Final = Path(__file__).parent
_SESSIONS: Final = _FOLDER.parent / "capture" / "sessions" / "train"
_KEPT_APART: Final = frozenset({"fred", "gina", "hana"})
# Thresholds are chosen on them.
_UNTRAINED: Final = frozenset({"iris", "jonas"})
_REVERSALS: Final = "short-choices"
_NEAREST: Final = 5
_QUIET: Final = ("both_true", "tentative", "refines", "duplicate", "unrelated")
_SAYS_THE_SAME: Final = frozenset({"duplicate", "refines"})


ReadPair: TypeAlias = Callable[[StatementPair], float | None]


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
    parser.add_argument("--near", type=Path, metavar="DIR", help="these labelled sessions, too")
    parser.add_argument(
        "--train", type=Path, metavar="WEIGHTS", help="train the cross-encoder anew"
    )
    parser.add_argument("--rules-alone", action="store_true", help="without the cross-encoder")
    asked = parser.parse_args(arguments)
    if asked.train:
        _train(asked.train, asked.near)
        return
    read = (
        _unread if asked.rules_alone else CrossEncoderRuntime(built_folder("model")).contradiction
    )
    for writer in asked.writers:
        started = time.process_time()
        pairs = _read(writer, read)
        spent = 1_000 * (time.process_time() - started) / max(1, len(pairs))
        apart = ", kept apart" if writer in _KEPT_APART else ""
        print(f"\n{writer}{apart}: {len(pairs)} pairs, {spent:.2f} ms each")
        print("\n".join(_figures(pairs)))
        if asked.errors and not apart:
            print("\n".join(_errors(pairs)))
    if asked.sessions:
        for folder in filter(None, [_SESSIONS, asked.near]):
            _compare_sessions(folder, read, show=asked.errors)


def _unread(_: StatementPair) -> None:
    return None


def _read(writer: str, read: ReadPair = _unread) -> list[Pair]:
    lines = (_FOLDER / f"{writer}.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Pair(
            writer,
            each["older"],
            each["newer"],
            each["relation"],
            each["marker"],
            _relation(each["older"], each["newer"], read),
        )
        for each in map(json.loads, lines)
    ]


def _relation(older: str, newer: str, read: ReadPair) -> Relation:
    pair = StatementPair(older, newer)
    return relate(
        Wording(newer), Wording(older), contradiction=read(pair) if can_read(pair) else None
    )


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


def _compare_sessions(folder: Path, read: ReadPair, *, show: bool) -> None:
    found: Counter[Relation] = Counter()
    for file, older, newer in near_pairs(folder):
        relation = _relation(older, newer, read)
        found[relation] += 1
        if show and relation == "replaces":
            print(f"{file}: {older} >> {newer}")
    print(f"\nstatements of {folder.name} and their nearest earlier ones: {dict(found)}")


def near_pairs(folder: Path) -> Iterator[tuple[str, str, str]]:
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


def _train(weights: Path, sessions: Path | None) -> None:
    """Train the cross-encoder on pairs made up for it, those of open writers, and near ones."""
    # Only this needs JAX, which set-up doesn't install.
    from bench.relations.train import Trainer, made_up, pairs_of  # noqa: PLC0415 - see above

    near = [
        (older, newer, "both_true")
        for folder in filter(None, [_SESSIONS, sessions])
        for file, older, newer in near_pairs(folder)
        if file != _REVERSALS
    ]
    written = [
        (each.older, each.newer, each.wanted)
        for writer in sorted(file.stem for file in _FOLDER.glob("*.jsonl"))
        if writer not in _KEPT_APART | _UNTRAINED
        for each in _read(writer)
    ]
    trainer = Trainer(weights)
    trainer.write(trainer.train([*made_up(), *pairs_of(written), *pairs_of(near)]))
