"""The generated histories of `bench commits`."""

import subprocess
from pathlib import Path

from bench.commits.generated import write_generated
from bench.commits.questions import repositories


def test_each_prompt_is_answered_by_one_commit_only_whose_phrases_no_other_has(
    tmp_path: Path,
) -> None:
    tasks = write_generated(tmp_path)
    assert sum(each.has_answer for each in tasks) >= 60
    assert sum(not each.has_answer for each in tasks) >= 40
    assert len(repositories(tasks)) >= 8
    for name in repositories(tasks):
        command = ("git", "-C", str(tmp_path / name), "log", "--format=%H%n%B%x00")
        log = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        messages = dict(each.strip().split("\n", 1) for each in log.split("\0") if each.strip())
        for task in (one for one in tasks if one.repository == name and one.has_answer):
            answering = {digits for digits, text in messages.items() if task.is_answered_by(text)}
            assert answering == task.commits, task.id
