"""How `bench commits` judges what a prompt was told of commits."""

import json
from pathlib import Path

import pytest

from bench.commits.questions import FILE, CommitTask, read_tasks
from bench.commits.verdicts import CommitVerdict, judge, told_commits

HASH = "3fa21c7b" + "0" * 32
TASK = CommitTask("a", "shop", "symptom", "why?", frozenset({HASH}), ('keep the "raw" bytes',))
OTHER = "- (2 May 2024) decided in commit 11112222: “Use tabs. They are narrow.”"
RIGHT = "- (1 May 2024) decided in commit 3fa21c7b: “Read files whole. We keep the 'raw' bytes.”"


def verdict(*lines: str) -> CommitVerdict:
    return judge(TASK, "\n".join(("<intaglio-memory>", *lines, "</intaglio-memory>")))


def test_lines_of_commits_are_told_from_those_of_memories() -> None:
    memory = "- (decision, 1 May 2024) As commit 3fa21c7b says, files are read whole."
    reverted = "- (1 May, reverted on 3 May in 99998888) reverted in commit 11112222: “No.”"
    told = told_commits(f"{memory}\n{RIGHT}\n{reverted}")
    assert [each.hash for each in told] == ["3fa21c7b", "11112222"]


def test_an_answer_counts_wherever_it_stands_and_whatever_marks_it_has() -> None:
    told = verdict(OTHER, RIGHT)
    assert told.answered
    assert told.found
    assert not told.first
    assert verdict(RIGHT, OTHER).first


def test_the_right_commit_without_its_reason_is_no_answer() -> None:
    told = verdict("- (1 May 2024) decided in commit 3fa21c7b: “Read files whole.”")
    assert (told.found, told.first, told.answered) == (True, True, False)


def test_memories_alone_leave_a_prompt_silent() -> None:
    told = verdict("- (fact) Files are read whole: keep the raw bytes.")
    assert told.silent
    assert not told.answered
    assert told.tokens == 0


@pytest.mark.parametrize(("kind", "commits"), [("none", [HASH]), ("files", [])])
def test_a_kind_that_does_not_fit_is_refused(tmp_path: Path, kind: str, commits: list[str]) -> None:
    own = {"id": "a", "repository": "shop", "kind": kind, "prompt": "why?"}
    questions = {"questions": [own | {"commits": commits, "phrases": []}]}
    (tmp_path / FILE).write_text(json.dumps(questions))
    with pytest.raises(ValueError, match="don't fit"):
        read_tasks(tmp_path)
