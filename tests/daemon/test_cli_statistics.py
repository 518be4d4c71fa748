"""`intaglio stats` with a running daemon."""

import csv
import json
from collections.abc import Generator

import pytest

from fakes.shell import Shell, shell_of


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("stats")) as running:
        running.start()
        assert running("stats").stdout == "Nothing to count yet.\n"
        running("remember", "Lantern uses SQLite.", "--project", "/work/lantern")
        yield running


def test_a_sentence_and_the_days_are_printed(shell: Shell) -> None:
    shown = shell("stats").stdout.splitlines()
    assert shown[0] == (
        "In the last 7 days, Intaglio learned 1 memory in 1 project; no agent has been told it yet."
    )
    total = next(line for line in shown if line.startswith("Total"))
    assert total.split()[1:6] == ["1", "0", "0", "0", "0"]
    assert any(line.split() == ["lantern", "1", "learned", "0", "told"] for line in shown)


def test_the_same_is_printed_as_json_and_csv(shell: Shell) -> None:
    found = json.loads(shell("stats", "--range", "30", "--project", "lantern", "--json").stdout)
    assert (found["totals"]["learned"], len(found["points"])) == (1, 30)
    rows = list(csv.DictReader(shell("stats", "--csv").stdout.splitlines()))
    assert [row["project"] for row in rows if row["learned"] == "1"] == ["/work/lantern"]


def test_two_formats_at_once_are_wrong_usage(shell: Shell) -> None:
    assert shell("stats", "--json", "--csv").returncode == 2
