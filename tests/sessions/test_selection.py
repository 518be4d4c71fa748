"""Which lines a session's start chooses: about recent work, nothing twice, nothing known."""

from collections import Counter
from pathlib import Path

from fakes.sessions import House, session
from intaglio.base.agent_yaml.roster import DeclaredAgent
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.sessions.values import HELD_BACK, ContextEntry, InjectedContext

OTHER = "/work/site"
AREAS = ("search", "checkout", "login", "invoices", "emails", "uploads", "reports", "coupons")
HABITS = ("tests", "commit messages", "names", "logs", "dates", "reviews", "branches", "comments")
ALEMBIC = (
    "Use Alembic for schema migrations",
    "We use Alembic for schema migrations.",
    "Always use Alembic for our schema migrations",
    "We decided to use Alembic for schema migrations.",
    "Use Alembic for the schema migrations of this project.",
    "Please use Alembic for all schema migrations",
)


def left_out(shown: InjectedContext) -> dict[str, str]:
    """Return the reason of each memory that was left out, by its content."""
    return {
        entry.candidate.memory.content: entry.left_out for entry in shown.entries if not entry.shown
    }


def entry_of(shown: InjectedContext, content: str) -> ContextEntry:
    return next(each for each in shown.entries if each.candidate.memory.content == content)


async def fill(house: House) -> None:
    """Save what two projects gather in a year: 136 memories, with repetitions and stale facts."""
    for number, area in enumerate(AREAS * 4):
        year = f"2025-{1 + number % 11:02}-1{number % 10}"
        await house.remember(
            f"The {area} page of release {number} had {number + 3} open defects.",
            type="fact",
            created_at=year,
        )
        await house.remember(
            f"We decided that {area} module {number} is owned by team {number % 5}.",
            type="decision",
            created_at=year,
        )
        await house.remember(
            f"The site's {area} widget {number} uses theme {number % 7}.",
            type="decision",
            project=OTHER,
            created_at="2026-01-20",
        )
    for number, habit in enumerate(HABITS * 3):
        await house.remember(
            f"I prefer style {number} for {habit} in language {number % 4}.",
            type="preference",
            project=None,
            created_at=f"2026-01-{1 + number:02}",
        )
    for number, sentence in enumerate(ALEMBIC):
        await house.remember(sentence, type="decision", created_at=f"2025-1{number % 3}-02")
    for number in range(6):
        await house.remember(f"Never skip gate {number}.", type="rule", created_at="2025-03-01")
    await house.remember("critical: production is read-only for agents", type="fact")
    for text in (
        "A schema migration must be reversible, and is tried on a copy of production.",
        "The migration of table orders to UUID keys is paused until invoices are archived.",
        "SQLite is used in tests, PostgreSQL everywhere else.",
    ):
        await house.remember(text, type="decision", created_at="2025-05-05")


async def test_a_session_receives_few_memories_about_recent_work(house: House) -> None:
    await fill(house)
    for number, question in enumerate(
        (
            "Write the schema migration that gives table orders UUID keys",
            "Is the migration of orders reversible?",
            "Why does the schema migration fail on SQLite but not on PostgreSQL?",
        )
    ):
        await house.prompt(session(f"recent{number}"), question)
    house.bench.clock.forward(hours=1)
    shown = await house.start(session("next"))
    told = [memory.content for memory in shown.memories]
    assert told[0] == "production is read-only for agents"
    assert all("skip gate" in content for content in told[1:7])
    assert {
        "A schema migration must be reversible, and is tried on a copy of production.",
        "The migration of table orders to UUID keys is paused until invoices are archived.",
        "SQLite is used in tests, PostgreSQL everywhere else.",
    } < set(told[7:12])
    [alembic] = [content for content in told if "Alembic" in content]
    reasons = {left_out(shown)[sentence] for sentence in ALEMBIC if sentence != alembic}
    assert reasons == {f'says the same as "{alembic}"'}
    assert not any("site's" in content or "open defects" in content for content in told)
    assert len(told) <= 7 + 16


async def test_a_memory_about_recent_work_names_the_shared_words(house: House) -> None:
    old = "Migrations run in one transaction each."
    await house.remember(old, type="fact", created_at="2025-02-01")
    await house.remember("The logo is green.", type="fact", created_at="2025-02-01")
    await house.prompt(session(), "How do I roll back the migrations of a transaction?")
    shown = await house.start(session("next"))
    assert entry_of(shown, old).candidate.reason == "about recent work: migrations, transaction"
    assert left_out(shown) == {"The logo is green.": "not about recent work"}


async def test_global_memories_about_something_else_leave_room_for_the_projects(
    house: House,
) -> None:
    for number in range(30):
        await house.remember(f"I prefer tool {number}.", type="preference", project=None)
        await house.remember(
            f"We decided on shelf {number}.", type="decision", created_at="2025-06-01"
        )
    shown = await house.start(session())
    own = [memory for memory in shown.memories if memory.scope.project]
    assert len(shown.memories) == 16
    assert len(own) == 13
    assert set(left_out(shown).values()) == {
        "for all projects, and not about this project's recent work",
        "not among the strongest decisions and preferences",
    }


async def test_of_two_duplicates_the_users_own_is_kept(house: House) -> None:
    mine, agents = "Use pnpm, not npm.", "We use pnpm and not npm in this repo"
    await house.remember(mine, type="decision", who="user")
    house.bench.clock.forward(hours=1)
    await house.remember(agents, type="decision", who="agent")
    await house.remember("Use npm for the docs.", type="decision", who="agent")
    shown = await house.start(session())
    assert {memory.content for memory in shown.memories} == {mine, "Use npm for the docs."}
    assert left_out(shown) == {agents: f'says the same as "{mine}"'}


async def test_of_two_duplicates_the_pinned_one_is_kept(house: House) -> None:
    pinned = "Never push to main"
    await house.remember(pinned, type="fact", pinned=True)
    await house.remember("Don't push to main.", type="rule", project=None)
    shown = await house.start(session())
    assert [memory.content for memory in shown.memories] == [pinned]


async def test_the_quotation_of_an_erased_memory_goes_from_the_ledger(house: House) -> None:
    kept = await house.remember("Use pnpm, not npm.", type="decision", who="user")
    await house.remember("Use pnpm and not npm", type="decision", who="agent")
    await house.start(session())
    await house.bench.remove.erase(kept, Audit(Actor("me")))
    reasons = await house.rows("SELECT reason FROM session_memories ORDER BY rank")
    assert reasons == [("erased",), ("says the same as",)]


async def test_statements_of_the_projects_instruction_file_are_left_out(
    house: House, tmp_path: Path
) -> None:
    (tmp_path / "CLAUDE.md").write_text("- Run `make lint` before pushing.\n- Use tabs.\n")
    project = str(tmp_path)
    known = "Always run make lint before pushing"
    await house.remember(known, type="rule", project=project)
    pinned = "Run make lint before each push."
    await house.remember(pinned, type="fact", pinned=True, project=project)
    await house.remember("Use tabs", type="preference", pinned=True, project=None)
    shown = await house.start(session(project=project))
    assert [memory.content for memory in shown.memories] == [pinned]
    assert left_out(shown) == {
        "Use tabs": "already in CLAUDE.md",
        known: "already in CLAUDE.md",
    }


async def test_another_projects_instruction_file_is_ignored(house: House, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Use tabs.\n")
    await house.remember("Use tabs", type="rule", project="/work/shop")
    assert "Use tabs" in (await house.start(session())).text


async def test_prompts_of_an_agent_that_may_not_be_read_are_not_recent_work(house: House) -> None:
    old = "Migrations run in one transaction each."
    await house.remember(old, type="fact", created_at="2025-02-01", agent_id="b")
    await house.prompt(session(), "How do I roll back the migrations of a transaction?")
    told = await house.start(session("next", agent_id="b"))
    assert old in told.text
    house.roster = (DeclaredAgent("b", "b", "isolated"),)
    told = await house.start(session("another", agent_id="b"))
    assert left_out(told) == {old: "not about recent work"}


async def test_of_many_rules_those_that_do_not_fit_are_held_back(house: House) -> None:
    for number in range(45):
        await house.remember(f"Never open gate {number}.", type="rule", importance=0.5)
    for number in range(45):
        await house.remember(f"Keep key {number}.", type="fact", project=None, pinned=True)
    await house.remember("The door is in shelf 1.", type="fact")
    shown = await house.start(session())
    told = [memory.content for memory in shown.memories]
    assert told[:20] == [f"Keep key {44 - number}." for number in range(20)]
    assert told[-1] == "The door is in shelf 1."
    assert Counter(left_out(shown).values()) == {HELD_BACK: shown.held_back}
    assert shown.held_back == 91 - len(told)
