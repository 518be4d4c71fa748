"""Further inputs: prompts of programs, what holds everywhere, and what a session's project is."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from cases.disk import bare, forge, make_repository, make_submodule, make_worktree
from cases.stage import Record, Stage, check, further, prompt, records_of, reply
from fakes.git import git, repository

RULE: Final = "From now on we run all migrations with Flyway, never by hand."
REMOTE: Final = "git@example.org:acme/app.git"


def _cases(kind: str) -> list[object]:
    return [pytest.param(case, id=case["id"]) for case in further(kind)]


@pytest.mark.parametrize("case", _cases("role_prompts"))
async def test_a_programs_prompt_becomes_no_rule(stage: Stage, case: Record) -> None:
    shop = make_repository(stage.home / "shop")
    await stage.say(shop, *records_of({"marks": "headless", **case}))
    await check(stage, case)
    told = await stage.start(shop)
    assert not [word for word in case["not_saved"] if word in told]


@pytest.mark.parametrize("case", _cases("persons_of_programs"))
async def test_a_persons_words_are_captured_whatever_passed_them_on(
    stage: Stage, case: Record
) -> None:
    await stage.say(make_repository(stage.home / "shop"), *records_of(case))
    await check(stage, case)


@pytest.mark.parametrize("case", _cases("only_here"))
async def test_everywhere_within_a_project_belongs_to_it(stage: Stage, case: Record) -> None:
    shop = stage.folder()
    await stage.say(shop, *records_of(case))
    captured = await stage.captured()
    assert captured
    assert {each["project"] for each in captured} == {str(shop)}
    assert str(case["prompt"]) not in await stage.start(stage.folder("blog"))


@pytest.mark.parametrize("case", _cases("all_projects"))
async def test_words_that_name_several_projects_hold_for_all(stage: Stage, case: Record) -> None:
    await stage.say(stage.folder(), *records_of(case))
    captured = await stage.captured()
    assert captured
    assert {each["project"] for each in captured} == {None}


class TestTheProjectIsWhereTheSessionStarted:
    """The agent's own way through the folders doesn't matter."""

    async def said_in(self, stage: Stage, start: Path, place: Path) -> None:
        """Start in one folder, and say the rule once the agent has gone to another."""
        await stage.hook("SessionStart", "s1", start, source="startup")
        stage.write("s1", start, [prompt("Have a look."), reply()])
        await stage.hook("Stop", "s1", start)
        await stage.hook("UserPromptSubmit", "s1", place, prompt=RULE)
        stage.write("s1", place, [prompt(RULE), reply()])
        await stage.finish("s1", place)

    @pytest.mark.parametrize(
        "place", ["../blog", "vendor/lib", "third_party/sub", "../..", "../shop-old/x", "deep/er"]
    )
    @pytest.mark.parametrize("kind", ["repository", "plain folder"])
    async def test_a_folder_the_agent_enters_is_not_the_project(
        self, stage: Stage, kind: str, place: str
    ) -> None:
        shop = stage.home / "work" / "shop"
        if kind == "repository":
            make_repository(shop, REMOTE)
        else:
            shop.mkdir(parents=True)
        make_repository(stage.home / "work" / "blog", "git@example.org:acme/blog.git")
        make_repository(shop / "vendor" / "lib", "git@example.org:other/lib.git")
        if kind == "repository":
            make_submodule(shop, "third_party/sub", "git@example.org:other/sub.git")
        entered = stage.home.joinpath("work", "shop", place).resolve()
        entered.mkdir(parents=True, exist_ok=True)
        await self.said_in(stage, shop, entered)
        assert {each["project"] for each in await stage.captured()} == {str(shop)}
        assert RULE in await stage.start(shop)

    async def test_a_worktree_the_agent_made_is_not_the_project(self, stage: Stage) -> None:
        shop = make_repository(stage.home / "work" / "shop", REMOTE)
        other = make_repository(stage.home / "work" / "blog", "git@example.org:acme/blog.git")
        tree = make_worktree(other, stage.home / "work" / "blog-tree")
        await self.said_in(stage, shop, tree)
        assert {each["project"] for each in await stage.captured()} == {str(shop)}

    async def test_without_a_start_the_transcript_names_the_project(self, stage: Stage) -> None:
        shop, soups = stage.folder("shop"), stage.folder("shop/soups")
        stage.write("s1", shop, [prompt("Have a look."), reply()])
        stage.write("s1", soups, [prompt(RULE), reply()])
        await stage.finish("s1", soups)
        assert {each["project"] for each in await stage.captured()} == {str(shop)}

    @pytest.mark.parametrize("name", ["notes", "work/shop", "Documents/My letters"])
    async def test_a_repository_in_the_home_is_not_that_of_plain_folders_in_it(
        self, stage: Stage, name: str
    ) -> None:
        make_repository(stage.home, "git@example.org:me/dotfiles.git")
        notes = stage.home / name
        notes.mkdir(parents=True)
        await stage.say(notes, prompt(RULE), reply())
        assert {each["project"] for each in await stage.captured()} == {str(notes)}
        other = stage.home / "other"
        other.mkdir()
        assert RULE not in await stage.start(other)
        assert RULE in await stage.start(notes)

    async def test_a_folder_of_a_repository_is_the_repository(self, stage: Stage) -> None:
        shop = make_repository(stage.home / "work" / "shop")
        web = shop / "packages" / "web"
        web.mkdir(parents=True)
        await self.said_in(stage, web, web)
        assert {each["project"] for each in await stage.captured()} == {str(shop)}


class TestMovedProjects:
    """A project that moved keeps its memory, and no other gets it."""

    async def remember(self, stage: Stage, project: Path, text: str = RULE) -> None:
        await stage.remember(text, project)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (REMOTE, REMOTE),
            (REMOTE, "https://example.org/acme/app"),
            ("https://user:x@example.org/acme/app.git", "ssh://git@example.org/acme/app.git"),
            ("git@EXAMPLE.org:acme/app.git", REMOTE),
        ],
    )
    @pytest.mark.parametrize("place", ["work/app", "code/renamed", "a/b/c/app"])
    async def test_the_remote_tells_which_one_it_was(
        self, stage: Stage, before: str, after: str, place: str
    ) -> None:
        old = make_repository(stage.home / "code" / "app", before)
        await self.remember(stage, old)
        shutil.rmtree(old)
        new = make_repository(stage.home / place, after)
        told = await stage.start(new)
        assert RULE in told or "moved" in told

    async def test_the_first_commit_tells_which_one_it_was(self, stage: Stage) -> None:
        old = repository(stage.home / "code" / "app")
        git(old, "commit", "-q", "--allow-empty", "-m", "second")
        await self.remember(stage, old)
        # Seen once, as a session would.
        await stage.start(old)
        new = stage.home / "elsewhere" / "renamed"
        new.parent.mkdir()
        shutil.move(old, new)
        told = await stage.start(new)
        assert RULE in told or "moved" in told

    async def test_two_projects_moved_together_keep_their_memories(self, stage: Stage) -> None:
        names = ("app", "site")
        for name in names:
            remote = f"git@example.org:acme/{name}.git"
            old = make_repository(stage.home / "code" / name, remote)
            await self.remember(stage, old, f"Always name the owner of the {name} in its docs.")
        shutil.move(stage.home / "code", stage.home / "src")
        for name, other in zip(names, reversed(names), strict=True):
            told = await stage.start(stage.home / "src" / name)
            assert f"owner of the {name}" in told or "moved" in told
            assert f"owner of the {other}" not in told

    @pytest.mark.parametrize("same_name", [True, False])
    async def test_a_copy_has_no_memories_while_the_old_folder_is_there(
        self, stage: Stage, *, same_name: bool
    ) -> None:
        old = make_repository(stage.home / "code" / "app", REMOTE)
        await self.remember(stage, old)
        copy = stage.home / "copies" / ("app" if same_name else "app2")
        shutil.copytree(old, copy)
        await stage.start(copy)
        assert {each["project"] for each in await stage.memories()} == {str(old)}
        assert RULE in await stage.start(old)

    async def test_an_ambiguous_missing_project_is_only_offered(self, stage: Stage) -> None:
        gone = [make_repository(stage.home / name / "app", REMOTE) for name in ("a", "b")]
        for number, old in enumerate(gone):
            await self.remember(stage, old, f"Always keep variant {number} of the schema.")
            shutil.rmtree(old)
        new = make_repository(stage.home / "c" / "app", REMOTE)
        told = await stage.start(new)
        assert not ("variant 0" in told and "variant 1" in told)
        projects = {each["project"] for each in await stage.memories()}
        assert projects & {str(old) for old in gone}

    @pytest.mark.parametrize(
        "remote", ["git@example.org:someone/app.git", "git@other.org:acme/app"]
    )
    async def test_the_name_alone_is_not_enough_where_the_remote_differs(
        self, stage: Stage, remote: str
    ) -> None:
        old = make_repository(stage.home / "code" / "app", REMOTE)
        await self.remember(stage, old)
        shutil.rmtree(old)
        other = make_repository(stage.home / "work" / "app", remote)
        assert RULE not in await stage.start(other)
        assert {each["project"] for each in await stage.memories()} == {str(old)}

    async def test_memories_of_the_new_and_old_place_are_joined(self, stage: Stage) -> None:
        old = make_repository(stage.home / "code" / "app", REMOTE)
        await stage.say(old, prompt(RULE), reply())
        new = stage.home / "work" / "app"
        new.parent.mkdir()
        shutil.move(old, new)
        await stage.start(new)
        later = "We decided to sign every release."
        await stage.say(new, prompt(later), reply())
        told = await stage.start(new)
        assert later in told
        assert RULE in told or "moved" in told


class TestForgedWorktrees:
    """A folder that only claims to be a project's working tree is told nothing of it."""

    async def victim(self, stage: Stage) -> Path:
        shop = make_repository(stage.home / "work" / "shop", REMOTE)
        await stage.api.remember(RULE, project=str(shop), type="rule")
        return shop

    async def assert_foreign(self, stage: Stage, folder: Path) -> None:
        assert "Flyway" not in await stage.start(folder)
        assert "Flyway" not in await stage.ask(folder, "How do we run migrations?")
        text, _ = await stage.tool("memory_search", {"query": "Flyway migrations"}, folder)
        assert "by hand" not in text
        await stage.say(folder, prompt("We decided to use Oracle for all tables."), reply())
        shop = str(stage.home / "work" / "shop")
        assert [each["content"] for each in await stage.captured() if each["project"] == shop] == [
            RULE
        ]

    @pytest.mark.parametrize("own", ["own", ".hidden/entry", "worktrees/feature", "a b"])
    @pytest.mark.parametrize("relative", [True, False])
    async def test_a_forged_entry_that_names_the_repository_is_refused(
        self, stage: Stage, own: str, *, relative: bool
    ) -> None:
        shop = await self.victim(stage)
        folder = stage.home / "downloads" / "game"
        up = "/".join([".."] * (2 + len(Path(own).parts)))
        common = f"{up}/work/shop/.git" if relative else str(shop / ".git")
        await self.assert_foreign(stage, forge(folder, common, own))

    async def test_a_forged_entry_named_like_a_real_one_is_refused(self, stage: Stage) -> None:
        shop = await self.victim(stage)
        make_worktree(shop, stage.home / "work" / "shop-feature")
        folder = stage.home / "downloads" / "game"
        await self.assert_foreign(stage, forge(folder, str(shop / ".git"), "worktrees/feature"))

    async def test_a_pointer_to_another_trees_entry_is_refused(self, stage: Stage) -> None:
        shop = await self.victim(stage)
        make_worktree(shop, stage.home / "work" / "shop-feature")
        folder = stage.folder("game")
        entry = shop / ".git" / "worktrees" / "feature"
        (folder / ".git").write_text(f"gitdir: {entry}\n", encoding="utf-8")
        await self.assert_foreign(stage, folder)

    async def test_a_pointer_to_the_repository_itself_is_refused(self, stage: Stage) -> None:
        shop = await self.victim(stage)
        folder = stage.folder("game")
        (folder / ".git").write_text(f"gitdir: {shop / '.git'}\n", encoding="utf-8")
        await self.assert_foreign(stage, folder)

    async def test_a_common_folder_behind_a_link_is_refused(self, stage: Stage) -> None:
        shop = await self.victim(stage)
        folder = forge(stage.home / "downloads" / "game", "link")
        (folder / "own" / "link").symlink_to(shop / ".git")
        await self.assert_foreign(stage, folder)

    async def test_a_forged_repository_of_the_projects_tree_is_refused(self, stage: Stage) -> None:
        shop = await self.victim(stage)
        folder = stage.folder("game")
        own = bare(folder / "store")
        (own / "config").write_text(f"[core]\n\tworktree = {shop}\n", encoding="utf-8")
        (folder / ".git").write_text(f"gitdir: {own}\n", encoding="utf-8")
        await self.assert_foreign(stage, folder)

    async def test_a_chain_of_forged_entries_is_refused(self, stage: Stage) -> None:
        shop = await self.victim(stage)
        folder = forge(stage.home / "downloads" / "game", "../middle")
        middle = folder / "middle"
        bare(middle)
        (middle / "commondir").write_text(f"{shop / '.git'}\n", encoding="utf-8")
        await self.assert_foreign(stage, folder)

    async def test_a_real_worktree_is_the_project(self, stage: Stage) -> None:
        shop = await self.victim(stage)
        tree = make_worktree(shop, stage.home / "work" / "shop-feature")
        assert RULE in await stage.start(tree)

    async def test_a_worktree_made_by_git_is_the_project(self, stage: Stage) -> None:
        shop = repository(stage.home / "work" / "shop")
        await stage.api.remember(RULE, project=str(shop), type="rule")
        tree = stage.home / "work" / "shop-feature"
        git(shop, "worktree", "add", "-q", str(tree))
        assert RULE in await stage.start(tree)
