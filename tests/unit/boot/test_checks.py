"""The checks: all run, each prints its result, and the last line sums up."""

import sys
from pathlib import Path

import pytest

from boot.checks import Check, run_checks

FINE = Check("fine", (sys.executable, "-c", "print('nothing to see')"))
BROKEN = Check("broken", (sys.executable, "-c", "print('line 7 is wrong'); raise SystemExit(3)"))


def test_all_checks_run_when_the_first_fails(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_checks((BROKEN, FINE)) == 1
    said = capfd.readouterr().out.splitlines()
    assert any(line.startswith("failed broken") for line in said)
    assert any(line.startswith("ok     fine") for line in said)
    assert said[-2:] == ["failed: broken", "checks: 1 passed, 1 failed"]


def test_a_failing_check_shows_its_output(capfd: pytest.CaptureFixture[str]) -> None:
    run_checks((BROKEN,))
    assert "line 7 is wrong" in capfd.readouterr().out


def test_a_passing_check_prints_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_checks((FINE,)) == 0
    said = capfd.readouterr().out.splitlines()
    assert len(said) == 2
    assert said[-1] == "checks: 1 passed, 0 failed"


def test_a_streamed_check_prints_its_output_before_its_result(
    capfd: pytest.CaptureFixture[str],
) -> None:
    run_checks((), FINE)
    said = capfd.readouterr().out.splitlines()
    assert said[0] == "nothing to see"
    assert said[1].startswith("ok     fine")


def test_a_streamed_check_runs_beside_the_others_and_prints_last(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    waits = f"while not __import__('os').path.exists({str(mark)!r}): pass"
    quiet = Check("quiet", (sys.executable, "-c", waits))
    loud = Check("loud", (sys.executable, "-c", f"print('at work'); open({str(mark)!r}, 'w')"))
    assert run_checks((quiet,), loud) == 0
    said = capfd.readouterr().out.splitlines()
    assert said[0].startswith("ok     quiet")
    assert said[1] == "at work"
    assert said[2].startswith("ok     loud")


def test_a_failing_streamed_check_is_named_at_the_end(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_checks((FINE,), BROKEN) == 1
    assert capfd.readouterr().out.splitlines()[-2] == "failed: broken"


def test_a_check_that_passed_runs_again_only_when_its_sources_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boot.process.WORK", tmp_path / "work")
    monkeypatch.setattr("boot.checks.ROOT", tmp_path)
    source, runs = tmp_path / "one.py", tmp_path / "runs"
    source.write_text("x = 1")
    passes = f"'1' in open({str(source)!r}).read()"
    script = f"open({str(runs)!r}, 'a').write('x'); raise SystemExit(not {passes})"
    check = Check("slow one", (sys.executable, "-c", script), sources=("*.py",))

    results = [run_checks((check,)), run_checks((check,))]
    source.write_text("x = 2")
    # What failed is run again, too.
    results += [run_checks((check,)), run_checks((check,))]

    assert results == [0, 0, 1, 1]
    assert runs.read_text() == "xxx"
