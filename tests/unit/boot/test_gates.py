"""The gates: all run, each says how it went, and the last line sums up."""

import sys

import pytest

from boot.gates import Gate, pass_gates

FINE = Gate("fine", (sys.executable, "-c", "print('nothing to see')"))
BROKEN = Gate("broken", (sys.executable, "-c", "print('line 7 is wrong'); raise SystemExit(3)"))


def test_all_gates_run_when_the_first_fails(capfd: pytest.CaptureFixture[str]) -> None:
    assert pass_gates((BROKEN, FINE)) == 1
    said = capfd.readouterr().out.splitlines()
    assert any(line.startswith("failed broken") for line in said)
    assert any(line.startswith("ok     fine") for line in said)
    assert said[-2:] == ["failed: broken", "gates: 1 passed, 1 failed"]


def test_a_gate_that_fails_shows_what_it_said(capfd: pytest.CaptureFixture[str]) -> None:
    pass_gates((BROKEN,))
    assert "line 7 is wrong" in capfd.readouterr().out


def test_a_gate_that_passes_says_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert pass_gates((FINE,)) == 0
    said = capfd.readouterr().out.splitlines()
    assert len(said) == 2
    assert said[-1] == "gates: 1 passed, 0 failed"


def test_a_followed_gate_speaks_before_its_verdict(capfd: pytest.CaptureFixture[str]) -> None:
    pass_gates((), (FINE,))
    said = capfd.readouterr().out.splitlines()
    assert said[0] == "nothing to see"
    assert said[1].startswith("ok     fine")
