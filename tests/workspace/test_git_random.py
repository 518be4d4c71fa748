"""Two machines edit, commit and sync at random: no line that was written is lost on its machine."""

import random
from pathlib import Path

import pytest

from fakes.git import git
from fakes.workspace_git import GitWorkspace, git_workspace
from intaglio.workspace.git.operations import PullDone
from intaglio.workspace.git.repository_state import GitProblem

pytestmark = pytest.mark.slow

ROUNDS = 120
NAMES = ("AGENTS.md", "SOUL.md", "memory/2026-03-04.md", "memory/2026-03-05.md")
_STEPS = ("edit", "commit and push", "commit", "pull", "pull")


def second_machine(first: GitWorkspace) -> GitWorkspace:
    second = GitWorkspace(first.folder / "second")
    git(first.folder, "clone", "-q", str(first.bare), str(second.own))
    return second


def edit(workspace: GitWorkspace, token: str, source: random.Random) -> None:
    """Add a line to a file, anywhere in it."""
    name = source.choice(NAMES)
    file = workspace.own / name
    lines = file.read_text().splitlines() if file.exists() else []
    lines.insert(source.randint(0, len(lines)), token)
    workspace.write(name, "".join(f"{line}\n" for line in lines))


def everything(workspace: GitWorkspace) -> str:
    """Return all that the user still has: their files, and what git would find for them."""
    files = [each.read_text() for each in workspace.own.rglob("*.md")]
    log = workspace.git("log", "-p", "--all", "-m", "--format=%H")
    stashes = workspace.git("stash", "list", "-p", "-m")
    return "\n".join((*files, log, stashes))


def merge_by_hand(workspace: GitWorkspace) -> None:
    """Do what the user is told to do: merge both sides; what is here wins."""
    git(workspace.own, "add", "-A")
    git(workspace.own, "commit", "-q", "--allow-empty", "-m", "by hand")
    git(workspace.own, "merge", "-q", "-X", "ours", "-m", "merged", "refs/remotes/origin/main")


@pytest.mark.parametrize("seed", range(2))
def test_nothing_that_was_written_is_lost(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)  # noqa: S311 - a test's own choices
    first = git_workspace(tmp_path).with_remote()
    machines = (first, second_machine(first))
    written: tuple[list[str], list[str]] = ([], [])
    stashed = diverged = moved = 0
    for number in range(ROUNDS):
        which = source.randrange(2)
        machine = machines[which]
        match source.choice(_STEPS):
            case "edit":
                written[which].append(f"line {number} of {which}")
                edit(machine, written[which][-1], source)
            case "commit":
                machine.commit()
            case "commit and push":
                machine.commit()
                machine.repository.push()
            case _:
                done = machine.repository.pull()
                assert isinstance(done, PullDone | GitProblem)
                if isinstance(done, PullDone):
                    moved += bool(done.changes)
                    stashed += bool(done.stash)
                elif "both have commits of their own" in done.text:
                    diverged += 1
                    merge_by_hand(machine)
                else:
                    assert "is here too" in done.text, done.text
                    machine.commit()
        found = everything(machine)
        assert [line for line in written[which] if line not in found] == []
        assert "<<<<<<<" not in "".join(each.read_text() for each in machine.own.rglob("*.md"))
    assert min(moved, diverged, stashed) > 0
