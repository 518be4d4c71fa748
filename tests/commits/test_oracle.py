"""After any changes of a repository, what is stored is what git itself says is there."""

import random
from collections.abc import Callable

import pytest

from fakes.commits import CommitHouse, Written
from fakes.git import output_of

_STEPS = 14
BODY = "Because it matters."


class _Changes:
    """Random changes of a repository, as people make them."""

    def __init__(self, project: Written, dice: random.Random) -> None:
        self._project = project
        self._dice = dice
        self._count = 0
        self._actions: tuple[Callable[[], None], ...] = (
            self._commit,
            self._commit,
            self._commit_subject,
            self._amend,
            self._reset,
            self._switch,
            self._merge,
            self._revert,
            self._squash,
            self._delete_branches,
            self._collect,
        )

    def next(self) -> None:
        self._dice.choice(self._actions)()

    def _message(self) -> str:
        self._count += 1
        return f"change {self._count}\n\n{BODY} {self._count}"

    def _commit(self) -> None:
        self._project.commit(self._message(), [f"{self._dice.randrange(5)}.txt"])

    def _commit_subject(self) -> None:
        self._count += 1
        self._project.commit(f"only a subject {self._count}")

    def _amend(self) -> None:
        self._project.run("commit", "-q", "--amend", "--allow-empty", "-m", self._message())

    def _reset(self) -> None:
        ancestors = self._log("HEAD")
        self._project.run("reset", "-q", "--hard", self._dice.choice(ancestors[:4]))

    def _switch(self) -> None:
        if self._dice.random() < 0.5:
            self._count += 1
            self._project.run("checkout", "-q", "-b", f"topic-{self._count}")
        else:
            self._project.run("checkout", "-q", self._dice.choice(self._branches()))

    def _merge(self) -> None:
        other = self._dice.choice(self._branches())
        message = self._message()
        self._project.run("merge", "-q", "--no-ff", "-X", "ours", "-m", message, other)

    def _revert(self) -> None:
        self._commit()
        self._project.run("revert", "--no-edit", "HEAD")

    def _squash(self) -> None:
        if len(self._log("HEAD")) > 2:
            self._project.run("reset", "-q", "--soft", "HEAD~1")
            self._amend()

    def _delete_branches(self) -> None:
        current = self._text("symbolic-ref", "--short", "HEAD")
        for branch in self._branches():
            if branch != current:
                self._project.run("branch", "-q", "-D", branch)

    def _collect(self) -> None:
        self._project.run("reflog", "expire", "--expire=now", "--all")
        self._project.run("gc", "-q", "--prune=now")

    def _branches(self) -> list[str]:
        return self._text("for-each-ref", "--format=%(refname:short)", "refs/heads").split()

    def _log(self, *which: str) -> list[str]:
        return self._text("log", "--format=%H", *which).split()

    def _text(self, *arguments: str) -> str:
        return output_of(self._project.folder, *arguments).strip()

    def with_body(self, *which: str) -> set[str]:
        """Ask git for the commits with a body."""
        found = self._text("log", "--format=%H%x1f%b%x1e", *which).split("\x1e")
        pairs = [each.strip().partition("\x1f") for each in found]
        return {name for name, _, body in pairs if body.strip()}


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_stored_is_what_git_leads_to(
    house: CommitHouse, project: Written, seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311 - a repeatable roll, no secret
    changes = _Changes(project, dice)
    project.commit("start", ["0.txt"])
    project.commit(f"first\n\n{BODY}", ["1.txt"])
    for step in range(_STEPS):
        changes.next()
        if dice.random() < 0.3:
            continue
        house.bench.clock.forward(days=2)
        await house.read(project.folder)
        stored = {each.hash for each in await house.stored()}
        below = changes.with_body("HEAD")
        reachable = changes.with_body("HEAD", "--branches")
        assert below <= stored <= reachable, step
        assert (await house.state(project.folder)).stopped == ""
        assert (await house.upkeep.status(str(project.folder))).stored == len(stored)
    for each in await house.stored():
        files = output_of(
            project.folder,
            *("diff-tree", "-r", "--root", "--no-commit-id", "--name-only", "-m"),
            *("--first-parent", each.hash),
        )
        assert each.files == tuple(sorted(files.split()))
