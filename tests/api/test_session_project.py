"""A session belongs to the project it was started in: real repositories, Claude Code's hooks."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.forged_projects import own_folder
from fakes.git import git, repository

MIGRATIONS = "From now on we run all migrations with Flyway, never by hand."
GRAMS = "We always give amounts in grams."
SPONSORS = "We decided to leave out all sponsored recipes."


@dataclass
class Session:
    """One session of Claude Code, whose ``cwd`` follows its agent."""

    api: Api
    home: Path
    id: str = "s1"
    lines: list[str] = field(default_factory=list[str])

    @property
    def transcript(self) -> Path:
        return self.home / ".claude/projects/-x" / f"{self.id}.jsonl"

    async def report(
        self, event: str, cwd: Path | str, project_dir: str | None = None, **more: object
    ) -> str:
        body = {
            "hook_event_name": event,
            "session_id": self.id,
            "cwd": str(cwd),
            "transcript_path": str(self.transcript),
            **more,
        }
        headers = {"authorization": f"Bearer {self.api.install.hook_token}"}
        if project_dir is not None:
            headers["x-intaglio-project-dir"] = project_dir
        path = "/api/hooks/native/claude-code"
        reply = await self.api.client.post(path, json=body, headers=headers)
        assert reply.status_code == 200, reply.text
        return reply.text

    def say(self, text: str, cwd: Path | str) -> None:
        record = {
            "type": "user",
            "uuid": f"{self.id}-{len(self.lines)}",
            "sessionId": self.id,
            "timestamp": "2026-11-25T10:00:00.000Z",
            "cwd": str(cwd),
            "message": {"role": "user", "content": text},
        }
        self.lines.append(json.dumps(record))
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.transcript.write_text("\n".join(self.lines) + "\n")

    async def decide(self, text: str, cwd: Path | str) -> None:
        """Let the user say something while the agent stands somewhere."""
        self.say(text, cwd)
        await self.report("Stop", cwd)


@pytest.fixture
def session(api: Api, own_home: Path) -> Session:
    return Session(api, own_home)


async def kept(api: Api) -> dict[str, str | None]:
    """Return the project of each memory, by its text."""
    rows: list[dict[str, Any]] = (await api.client.get("/api/memories")).json()["memories"]
    return {row["content"]: row["project"] for row in rows}


@pytest.fixture
def platform(tmp_path: Path) -> Path:
    """A repository with a submodule and a vendored clone."""
    base = tmp_path.resolve()
    root = repository(base / "platform")
    git(root, "submodule", "add", "-q", str(repository(base / "billing")), "services/billing")
    repository(root / "vendor/clone")
    return root


@pytest.mark.parametrize("inner", ["services/billing", "vendor/clone", "vendor"])
async def test_statements_made_in_an_entered_repository_belong_to_the_project(
    api: Api, session: Session, platform: Path, inner: str
) -> None:
    await session.report("SessionStart", platform, source="startup")
    await session.decide(MIGRATIONS, platform / inner)
    assert await kept(api) == {MIGRATIONS: str(platform)}
    later = Session(api, session.home, "s2")
    assert MIGRATIONS in await later.report("SessionStart", platform, source="startup")


async def test_a_session_that_the_user_starts_in_a_submodule_is_the_submodules(
    api: Api, session: Session, platform: Path
) -> None:
    module = platform / "services/billing"
    await session.report("SessionStart", module, source="startup")
    await session.decide(MIGRATIONS, platform)
    assert await kept(api) == {MIGRATIONS: str(module)}
    later = Session(api, session.home, "s2")
    assert MIGRATIONS not in await later.report("SessionStart", platform, source="startup")


async def test_a_session_started_below_a_repository_is_the_repositorys(
    api: Api, session: Session, platform: Path
) -> None:
    await session.report("SessionStart", platform / "services", source="startup")
    await session.decide(MIGRATIONS, platform / "services")
    assert await kept(api) == {MIGRATIONS: str(platform)}


async def test_without_a_start_the_transcript_says_where_a_plain_folders_session_is(
    api: Api, session: Session
) -> None:
    session.say(GRAMS, "/home/me/cookbook")
    session.say(SPONSORS, "/home/me/cookbook/recipes/soups")
    await session.report("Stop", "/home/me/cookbook/recipes/soups")
    await session.report("SessionEnd", "/home/me/cookbook/recipes/soups")
    assert await kept(api) == dict.fromkeys((GRAMS, SPONSORS), "/home/me/cookbook")


async def test_the_directory_that_the_harness_names_is_the_projects(
    api: Api, session: Session, platform: Path
) -> None:
    session.say(MIGRATIONS, platform / "services/billing")
    named = str(platform).replace("/", "%2F")
    await session.report("Stop", platform / "services/billing", named)
    assert await kept(api) == {MIGRATIONS: str(platform)}


async def test_a_plain_folder_below_a_repository_in_the_home_directory_is_its_own(
    api: Api, session: Session
) -> None:
    home = session.home.resolve()
    git(home, "init", "-q")
    await session.report("SessionStart", home / "cookbook", source="startup")
    await session.decide(GRAMS, home / "cookbook/soups")
    dotfiles = Session(api, session.home, "s2")
    await dotfiles.report("SessionStart", home, source="startup")
    await dotfiles.decide(MIGRATIONS, home / "cookbook")
    assert await kept(api) == {GRAMS: str(home / "cookbook"), MIGRATIONS: str(home)}


async def test_a_forged_worktree_is_told_nothing_and_writes_nothing_into_the_project(
    api: Api, session: Session, platform: Path
) -> None:
    await session.report("SessionStart", platform, source="startup")
    await session.decide(MIGRATIONS, platform)
    fake = platform.parent / "fake"
    fake.mkdir()
    own_folder(fake, platform)
    other = Session(api, session.home, "s2")
    assert MIGRATIONS not in await other.report("SessionStart", fake, source="startup")
    prompt = "How do we run the migrations, with Flyway or by hand?"
    assert MIGRATIONS not in await other.report("UserPromptSubmit", fake, prompt=prompt)
    await other.decide(GRAMS, fake)
    assert await kept(api) == {MIGRATIONS: str(platform), GRAMS: str(fake)}


async def hook(api: Api, name: str, **body: object) -> dict[str, Any]:
    said = {"harness": "opencode", "sessionKey": "k1", **body}
    reply = await api.client.post(f"/api/hooks/{name}", json=said)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_the_contracts_hooks_stay_in_the_sessions_project(api: Api, platform: Path) -> None:
    module = str(platform / "services/billing")
    await hook(api, "session-start", project=str(platform))
    await api.remember(MIGRATIONS, project=str(platform))
    await api.remember("From now on we run all migrations with Liquibase.", project=module)
    question = "How do we run all migrations now, by hand?"
    told = await hook(api, "user-prompt-submit", project=module, userMessage=question)
    assert "Flyway" in told["inject"]
    assert "Liquibase" not in told["inject"]
    found = await hook(api, "recall", project=module, query=question)
    assert [row["content"] for row in found["results"]] == [MIGRATIONS]
    await hook(api, "remember", project=module, content=GRAMS)
    assert (await kept(api))[GRAMS] == str(platform)
    elsewhere = await hook(api, "user-prompt-submit", project="/other", userMessage=question)
    assert "Flyway" not in elsewhere["inject"]


@pytest.mark.parametrize("where", ["/", "~", "HOME"])
async def test_nothing_is_kept_in_the_home_or_the_root_directory(
    api: Api, own_home: Path, where: str
) -> None:
    project = where.replace("HOME", str(own_home))
    body = {"content": GRAMS, "project": project}
    reply = await api.client.post("/api/memory/remember", json=body)
    assert reply.status_code == 400, reply.text
    assert "isn't a project" in reply.text
    assert await kept(api) == {}
    # A hook has nobody to tell: the user's words must not be lost.
    reply = await api.client.post("/api/hooks/remember", json=body | {"harness": "opencode"})
    assert reply.status_code == 200, reply.text
    assert GRAMS in await kept(api)


async def test_a_home_directory_with_sessions_or_a_repository_is_a_project(
    api: Api, session: Session
) -> None:
    home = str(session.home.resolve())
    await session.report("SessionStart", home, source="startup")
    await session.decide(GRAMS, home)
    await api.remember(SPONSORS, project="~")
    assert await kept(api) == {GRAMS: home, SPONSORS: home}
