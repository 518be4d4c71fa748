"""Labelled sessions of other people are read from outside the repository, whatever is in them."""

from pathlib import Path

import pytest

from bench.capture import command
from bench.capture.labelled import read_sessions
from bench.capture.real_sessions import fold_of, read_real

GOOD = "# pl-x-1 | web\nU: [[rule: Zawsze testuj.]] teraz\nA: see [[memory:12]]\nU: ok\n"


def test_a_malformed_session_is_left_out_with_a_warning(tmp_path: Path) -> None:
    bad = "# en-x-2 | web\nU: [[rule: open\n# en-x-3 | web\nU: {{talk: hi}}\n"
    (tmp_path / "some.txt").write_text(GOOD + bad, encoding="utf-8")
    (tmp_path / "some-sources.txt").write_text("pl-x-1\tAnna/shop\tx\n", encoding="utf-8")
    warnings: list[str] = []
    (found,) = read_real([tmp_path], warnings.append)
    assert (found.session.id, found.session.language, found.owner) == ("pl-x-1", "pl", "anna")
    assert found.session.messages[1].text == "see [[memory:12]]"
    assert [("en-x-2" in one or "open" in one, "en-x-3" in one) for one in warnings] == [
        (True, False),
        (False, True),
    ]


def test_a_malformed_session_of_our_own_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("# en-a-1 | web\nA: [[rule: never]]\n", encoding="utf-8")
    with pytest.raises(ValueError, match="marks in an agent's message"):
        read_sessions(file)


def test_all_of_an_owners_sessions_are_in_one_fold() -> None:
    assert len({fold_of("anna"), fold_of("anna")}) == 1
    assert len({fold_of(f"owner {number}") for number in range(50)}) > 1


def test_nothing_is_trained_without_real_sessions() -> None:
    with pytest.raises(SystemExit, match="--real"):
        command.main(["--train"])
