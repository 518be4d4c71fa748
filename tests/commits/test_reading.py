"""Commits are read from real repositories: what is stored of them, and in which steps."""

import shutil
from pathlib import Path

import pytest

from fakes.commits import CommitHouse, Written, commit_house, empty_repository, history
from fakes.git import git, output_of
from intaglio.commits import rows
from intaglio.commits.search_rows import containing
from intaglio.git.command import Git
from intaglio.redaction.redact import clean
from intaglio.store.tx import ReadTx

LONG = "Because the gateway drops idle connections after a minute."


async def test_a_commit_with_a_body_is_stored_with_its_date_files_and_places(
    house: CommitHouse, project: Written
) -> None:
    code = "def connect():\n    return 1\n"
    name = project.commit(f"net: keep alive\n\n{LONG}", ["src/net.py"], text=code)
    assert await house.read(project.folder) == 1
    [stored] = await house.stored(project.folder)
    assert (stored.hash, stored.kind, stored.subject) == (name, "commit", "net: keep alive")
    assert (stored.body, stored.files) == (LONG, ("src/net.py",))
    assert stored.committed_at == "2023-11-14T22:14:20.000Z"
    assert (stored.author, stored.symbols) == (None, ("connect",))


async def test_a_commit_with_only_a_subject_or_trailers_is_not_stored(
    house: CommitHouse, project: Written
) -> None:
    project.commit("fix a typo")
    project.commit("bump\n\nSigned-off-by: A <a@example.org>\nChange-Id: I123")
    assert await house.read(project.folder) == 0
    assert await house.stored() == []


async def test_trailers_are_left_out_of_the_body(house: CommitHouse, project: Written) -> None:
    project.commit(f"net: keep alive\n\n{LONG}\n\nFixes: #12\nReviewed-by: B <b@example.org>\n")
    await house.read(project.folder)
    [stored] = await house.stored()
    assert stored.body == f"{LONG}\n\nFixes: #12"


async def test_the_author_is_stored_only_if_the_settings_say_so(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{LONG}", options=["--author=Ada <ada@example.org>"])
    await house.read(project.folder)
    house.set(authors=True)
    project.commit(f"two\n\n{LONG}", options=["--author=Ada <ada@example.org>"])
    await house.read(project.folder)
    assert [(each.subject, each.author) for each in await house.stored()] == [
        ("two", "Ada"),
        ("one", None),
    ]


async def test_a_revert_names_what_it_takes_back(house: CommitHouse, project: Written) -> None:
    first = project.commit(f"cache: add\n\n{LONG}", ["a.txt"])
    project.run("revert", "--no-edit", first)
    await house.read(project.folder)
    stored = {each.subject: each for each in await house.stored()}
    revert = stored['Revert "cache: add"']
    assert (revert.kind, revert.reverts) == ("revert", first)


async def test_a_merge_is_told_as_such_with_the_files_that_it_brought(
    house: CommitHouse, project: Written
) -> None:
    project.commit("start", ["a.txt"])
    project.run("checkout", "-q", "-b", "topic")
    project.commit("work", ["topic.txt"])
    project.run("checkout", "-q", "main")
    project.commit("more", ["b.txt"])
    project.run("merge", "-q", "--no-ff", "-m", f"Merge the topic\n\n{LONG}", "topic")
    await house.read(project.folder)
    [merge] = await house.stored()
    assert (merge.kind, merge.files) == ("merge", ("topic.txt",))


async def test_the_next_reading_reads_only_what_is_new(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{LONG}")
    assert await house.read(project.folder) == 1
    # Without git, nothing but files can be read.
    program, house.git = house.git, Git(None)
    assert await house.read(project.folder) == 0
    assert (await house.state(project.folder)).stopped == ""
    house.git = program
    project.commit(f"two\n\n{LONG}")
    assert await house.read(project.folder) == 1
    assert await house.subjects() == ["two", "one"]


async def test_a_rewritten_history_removes_what_no_branch_leads_to(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{LONG}", ["a.txt"])
    project.commit(f"two\n\n{LONG}", ["b.txt"])
    await house.read(project.folder)
    project.moment += 60
    project.run("commit", "-q", "--amend", "-m", f"two, better\n\n{LONG}")
    await house.read(project.folder)
    assert await house.subjects() == ["two, better", "one"]


async def test_a_commit_of_another_branch_stays_while_that_exists(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{LONG}")
    project.run("checkout", "-q", "-b", "topic")
    project.commit(f"on the topic\n\n{LONG}")
    await house.read(project.folder)
    project.run("checkout", "-q", "main")
    await house.read(project.folder)
    assert await house.subjects() == ["on the topic", "one"]
    project.run("branch", "-q", "-D", "topic")
    project.commit(f"two\n\n{LONG}")
    house.bench.clock.forward(days=2)
    await house.read(project.folder)
    assert await house.subjects() == ["two", "one"]


async def test_only_the_newest_commits_are_kept(house: CommitHouse, project: Written) -> None:
    house.set(max_per_project=3)
    for number in range(5):
        project.commit(f"commit {number}\n\n{LONG}")
    await house.read(project.folder)
    assert await house.subjects() == ["commit 4", "commit 3", "commit 2"]
    project.commit(f"commit 5\n\n{LONG}")
    await house.read(project.folder)
    assert await house.subjects() == ["commit 5", "commit 4", "commit 3"]


async def test_a_reading_that_ran_out_of_time_is_continued(
    house: CommitHouse, project: Written
) -> None:
    git(project.folder, "fast-import", "--quiet", stdin=history(450))
    house.limit_s = 0
    await house.read(project.folder)
    assert len(await house.stored()) == 200
    assert (await house.state(project.folder)).stopped == "the rest is read later"
    project.run("reset", "-q", "--hard")
    project.commit(f"newest\n\n{LONG}")
    while (await house.state(project.folder)).stopped:
        assert await house.read(project.folder)
    assert len(set(await house.subjects())) == 451


@pytest.mark.parametrize("bare", [True, False])
async def test_a_shallow_clone_is_read_and_again_when_it_is_deepened(
    house: CommitHouse, project: Written, tmp_path: Path, *, bare: bool
) -> None:
    for number in range(4):
        project.commit(f"commit {number}\n\n{LONG}", [f"{number}.txt"])
    clone = tmp_path / "clone"
    kind = ["--bare"] if bare else []
    git(tmp_path, "clone", "-q", "--depth=2", *kind, project.folder.as_uri(), str(clone))
    await house.read(clone)
    stored = await house.stored(clone)
    # What the oldest one changed isn't known: its parent isn't there.
    assert [(each.subject, each.files) for each in stored] == [
        ("commit 3", ("3.txt",)),
        ("commit 2", ()),
    ]
    git(clone, "fetch", "-q", "--unshallow")
    await house.read(clone)
    assert len(await house.stored(clone)) == 4


async def test_a_detached_head_and_a_repository_without_commits_are_read(
    house: CommitHouse, project: Written
) -> None:
    assert await house.read(project.folder) == 0
    assert (await house.state(project.folder)).stopped == "it has no commits yet"
    first = project.commit(f"one\n\n{LONG}")
    project.commit(f"two\n\n{LONG}")
    project.run("checkout", "-q", "--detach", first)
    assert await house.read(project.folder) == 1
    assert await house.subjects() == ["one"]
    assert (await house.state(project.folder)).stopped == ""


async def test_packed_references_are_read(house: CommitHouse, project: Written) -> None:
    project.commit(f"one\n\n{LONG}")
    project.run("pack-refs", "--all")
    project.run("gc", "-q")
    assert await house.read(project.folder) == 1


async def test_a_folder_that_is_gone_takes_its_commits_along(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{LONG}", ["a.txt"])
    await house.read(project.folder)
    shutil.rmtree(project.folder)
    await house.read(project.folder)
    assert await house.stored() == []
    left = await house.bench.db.read(
        lambda tx: (
            tx.count("SELECT count(*) FROM commit_paths")
            + tx.count("SELECT count(*) FROM commit_files")
            + len(containing(tx, "gateway", 0, 1 << 40))
        )
    )
    assert left == 0
    assert (await house.state(project.folder)).stopped == "the folder isn't there"


async def test_secrets_are_taken_out_before_the_first_write(
    tmp_path: Path, project: Written
) -> None:
    secret = "ghp_" + "A1b2C3d4" * 5
    project.commit(f"use {secret}\n\npassword = {secret}", ["a.txt", f"keys/{secret}.txt"])
    async with commit_house(tmp_path / "guarded", clean) as house:
        await house.read(project.folder)
        [stored] = await house.stored()
        assert secret not in f"{stored}"
        assert stored.files == ("a.txt",)
    assert not any(
        secret.encode() in file.read_bytes() for file in (tmp_path / "guarded").glob("*.db*")
    )


async def test_long_messages_and_many_files_are_cut(house: CommitHouse, project: Written) -> None:
    body = "word " * 5_000
    project.commit(f"{'s' * 900}\n\n{body}", [f"f/{number}.txt" for number in range(250)])
    await house.read(project.folder)
    [stored] = await house.stored()
    assert (len(stored.subject), len(stored.files)) == (500, 200)
    assert len(stored.body) <= 8_000


async def test_a_worktree_shares_the_commits_of_its_repository(
    house: CommitHouse, project: Written, tmp_path: Path
) -> None:
    project.commit(f"one\n\n{LONG}")
    project.run("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    assert await house.read(tmp_path / "tree") == 1


async def test_a_submodule_and_a_repository_beside_its_folder_have_commits_of_their_own(
    house: CommitHouse, project: Written, tmp_path: Path
) -> None:
    project.commit(f"one\n\n{LONG}", ["a.txt"])
    outer = empty_repository(tmp_path / "outer")
    outer.run("submodule", "--quiet", "add", str(project.folder), "sub")
    outer.commit(f"outer\n\n{LONG}")
    assert await house.read(outer.folder / "sub") == 1
    [stored] = await house.stored(outer.folder / "sub")
    assert (stored.subject, stored.files) == ("one", ("a.txt",))
    await house.read(outer.folder)
    [stored] = await house.stored(outer.folder)
    assert (stored.subject, stored.files) == ("outer", (".gitmodules", "sub"))


async def test_the_rows_of_a_project_are_found_by_its_number(
    house: CommitHouse, project: Written, tmp_path: Path
) -> None:
    other = empty_repository(tmp_path / "other")
    other.commit(f"theirs\n\n{LONG}")
    project.commit(f"ours\n\n{LONG}")
    await house.read(other.folder)
    await house.read(project.folder)

    def find(tx: ReadTx) -> list[str]:
        number = rows.number_of(tx, str(project.folder))
        assert number is not None
        found = rows.read_many(tx, containing(tx, "gateway", *rows.rows_of(number)))
        return [each.subject for each in found]

    assert await house.bench.db.read(find) == ["ours"]


async def test_what_cannot_be_read_of_the_objects_is_said(
    house: CommitHouse, project: Written
) -> None:
    broken = project.commit(f"broken\n\n{LONG}")
    project.commit(f"its child\n\n{LONG}")
    project.commit(f"newer\n\n{LONG}")
    (project.folder / ".git/objects" / broken[:2] / broken[2:]).unlink()
    await house.read(project.folder)
    # Git looks at parents before it prints a commit.
    assert await house.subjects() == ["newer"]
    state = await house.state(project.folder)
    assert state.stopped.startswith("git failed with status 128")
    # What failed isn't tried again at once, but what is new is read.
    program, house.git = house.git, Git(None)
    assert await house.read(project.folder) == 0
    house.git = program
    project.commit(f"newest\n\n{LONG}")
    await house.read(project.folder)
    assert await house.subjects() == ["newest", "newer"]


async def test_commits_whose_trees_are_missing_are_stored_without_files(
    house: CommitHouse, project: Written
) -> None:
    project.commit(f"one\n\n{LONG}", ["a.txt"])
    tree = output_of(project.folder, "rev-parse", "HEAD^{tree}").strip()
    project.commit(f"two\n\n{LONG}", ["b.txt"])
    (project.folder / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert await house.read(project.folder) == 2
    assert [each.files for each in await house.stored()] == [(), ()]
    stopped = (await house.state(project.folder)).stopped
    assert stopped.startswith("not all files of commits are known: git failed")
