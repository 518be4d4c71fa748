"""``bench hints``: whether questions that memories answer help recall, through the HTTP API.

Each data set is measured without such questions, with those that templates make, and with every
second question of the data set known beforehand, as if a model had guessed it. The guessed half
shows the most that questions can give. Of the other half, some are answered by a memory of which
another question is known, and the rest shows what it costs to have them.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from bench.hook_caller import Caller
from bench.recall import MIXED, Prepare, Report, Space, daemon_with, measure
from bench.recall_tally import Tally, difference_row
from fakes.daemon import Daemon
from intaglio.models.backlog import START_AFTER_S
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

# Looks, a second apart, at an empty queue.
_QUIET: Final = 8
_WITHIN_S: Final = 1_800
_LEARN: Final = (
    "INSERT INTO memory_hints(memory, question) SELECT seq, ? FROM memories WHERE id = ?"
)


def main(arguments: list[str]) -> None:
    """Compare on every data set that is named."""
    parser = argparse.ArgumentParser(prog="python3 app bench hints", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", help="default: the mixed set")
    for file in parser.parse_args(arguments).data or [MIXED]:
        spaces: list[Space] = json.loads(file.read_text(encoding="utf-8"))["spaces"]
        print(f"\n{file.name}")
        off = _measured("off", spaces, lambda _, __: None)
        templates = _measured("by templates", spaces, _wait_for_templates)
        guessed = _measured("half of them guessed", spaces, _learning(spaces))
        print()
        print(difference_row("templates - off", off.all, templates.all))
        for name, tally in off.categories.items():
            print(difference_row(f"  {name}", tally, templates.categories[name]))
        for name, places in _halves(spaces).items():
            print(difference_row(name, _only(off.all, places), _only(guessed.all, places)))


def _measured(mode: str, spaces: Sequence[Space], prepare: Prepare) -> Report:
    print(f"\nquestions: {mode}")
    hints = {"enabled": mode != "off", "templates": mode == "by templates"}
    with daemon_with({"memory": {"pipelineV2": {"hints": hints}}}) as daemon:
        return measure(daemon, spaces, prepare)


def _wait_for_templates(daemon: Daemon, _: object) -> None:
    """Wait until no memory waits for its questions."""
    time.sleep(START_AFTER_S)
    caller = Caller(daemon.port)
    end, quiet = time.monotonic() + _WITHIN_S, 0
    while quiet < _QUIET:
        now = json.loads(caller.get("/api/status"))["queue"]
        quiet = 0 if now["pending"] or now["leased"] else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("the questions weren't made in time")
        time.sleep(1)
    with closing(open_writer(daemon.paths.database)) as connection:
        count = WriteTx(connection).count("SELECT count(*) FROM memory_hints")
    print(f"{count} questions")


def _asked(spaces: Sequence[Space]) -> list[tuple[str, str, list[str]]]:
    """Return the space, the text and the gold of each question that has an answer."""
    return [
        (space["id"], question["query"], question["gold"])
        for space in spaces
        for question in space["questions"]
        if question["gold"]
    ]


def _halves(spaces: Sequence[Space]) -> dict[str, list[int]]:
    """Return the places of the questions that are guessed, of which a memory is, and of others."""
    asked = _asked(spaces)
    hinted = {(space, name) for space, _, gold in asked[::2] for name in gold}
    parts: dict[str, list[int]] = {"guessed - off": [], "its memory - off": [], "others - off": []}
    for place, (space, _, gold) in enumerate(asked):
        known = any((space, name) in hinted for name in gold)
        name = "its memory - off" if known else "others - off"
        parts["guessed - off" if place % 2 == 0 else name].append(place)
    return {name: places for name, places in parts.items() if places}


def _learning(spaces: Sequence[Space]) -> Prepare:
    """Return what indexes every second question that has an answer, for the memories with it."""

    def learn(daemon: Daemon, known: Mapping[str, Mapping[str, str]]) -> None:
        with closing(open_writer(daemon.paths.database)) as connection:
            tx = WriteTx(connection)
            tx.execute("BEGIN IMMEDIATE")
            for space, query, gold in _asked(spaces)[::2]:
                own = {name: memory for memory, name in known[space].items()}
                for name in gold:
                    tx.execute(_LEARN, (query, own.get(name, "")))
            tx.execute("COMMIT")

    return learn


def _only(tally: Tally, places: Sequence[int]) -> Tally:
    """Return the tally of some questions, by their places."""
    return Tally(
        {depth: [values[place] for place in places] for depth, values in tally.reached.items()},
        [tally.reciprocal[place] for place in places],
        [tally.returned[place] for place in places],
    )
