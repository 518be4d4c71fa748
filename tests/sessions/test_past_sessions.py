"""What the first prompt of a session is told of past sessions, and what it never is."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.sessions import HARNESS, House, session, talk
from fakes.store import bench
from intaglio.base.agent_yaml.roster import Roster
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.domain.reader import USER
from intaglio.lifecycle.session_removal import SessionForgotten, SessionRemoval
from intaglio.memory import operations
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.replacement import replace_memory
from intaglio.memory.values import Actor
from intaglio.recall.past.session_recall import MatchedSession
from intaglio.sessions.past_sessions.read import read_session
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts.past_sessions import PastSessions, SessionQuestion
from intaglio.transcripts.removal import REMOVED
from intaglio.transcripts.values import TranscriptFilter

RULE = "We decided that invoice numbers of each clinic have no gaps."
MORE = "Cancelled invoices keep their number and get a credit note."
QUESTION = "Why do the invoice numbers of the second clinic have gaps since we cancelled two?"
OTHER = "Please make the margin of the login dialog a bit wider on small phones."
BY_USER = Audit(Actor("me"))


@pytest.fixture
async def told_house(house: House) -> House:
    for number in range(4):
        await talk(house, session(f"x{number}"), f"Rename variable {number} in the parser, please.")
    await talk(house, session("s1"), RULE, "Done: a counter for each clinic.", MORE)
    return house


async def test_the_first_prompt_is_told_what_a_session_settled(told_house: House) -> None:
    shown = await told_house.prompt(session("s2"), QUESTION)
    assert RULE in shown.text
    assert MORE in shown.text
    [best] = [each for each in shown.sessions if each.shown]
    assert (best.session_id, best.title) == ("s1", RULE)
    assert best.score >= best.floor


async def test_it_is_told_once(told_house: House) -> None:
    await told_house.prompt(session("s2"), QUESTION)
    assert (await told_house.prompt(session("s2"), QUESTION)).text == ""


@pytest.mark.parametrize("prompt", [OTHER, "continue", "ok, go ahead", f"```\n{QUESTION}\n```"])
async def test_a_prompt_without_its_subject_is_told_nothing(told_house: House, prompt: str) -> None:
    assert (await told_house.prompt(session("s2"), prompt)).text == ""


async def test_the_start_is_not_repeated(told_house: House) -> None:
    assert RULE in (await told_house.start(session("s2"))).text
    assert RULE not in (await told_house.prompt(session("s2"), QUESTION)).text


async def test_what_a_pause_holds_is_not_told(house: House) -> None:
    await house.pauses.pause(None, "me")
    now = house.bench.clock()
    line = TranscriptMessage("m-1", "user", RULE, now + timedelta(seconds=1))
    house.bench.clock.forward(minutes=1)
    await house.pauses.resume()
    await house.ends.turn_end(session("s1"), TranscriptReading((line,), "1"))
    assert (await house.prompt(session("s2"), QUESTION)).text == ""


async def test_a_forgotten_session_is_told_no_more(told_house: House) -> None:
    await told_house.prompt(session("s2"), QUESTION)
    house = told_house
    removal = SessionRemoval(house.bench.db, house.bench.context, lambda: False)
    token = (await removal.preview((HARNESS, "s1"), USER)).token
    done = await removal.forget((HARNESS, "s1"), BY_USER, token, elsewhere=True)
    assert isinstance(done, SessionForgotten)
    assert (await house.prompt(session("s3"), QUESTION)).text == ""
    assert await house.rows("SELECT text FROM injections WHERE text IS NOT NULL") == []


async def test_a_forgotten_memory_is_told_with_no_session(told_house: House) -> None:
    house = told_house
    [[memory]] = await house.rows(f"SELECT id FROM memories WHERE content = '{RULE}'")  # noqa: S608 - a test's own words
    await house.bench.db.write(
        lambda tx: operations.forget(tx, str(memory), BY_USER, house.bench.context)
    )
    assert RULE not in (await house.prompt(session("s2"), QUESTION)).text


async def test_a_question_that_settled_nothing_is_not_told(house: House) -> None:
    await talk(house, session("s1"), QUESTION, "Understood.")
    assert (await house.prompt(session("s2"), QUESTION)).text == ""


AT_FIVE = "The exporter retries bank exports at most five times."
AT_THREE = "The exporter retries bank exports at most three times."


async def test_what_an_agent_goes_on_saying_after_it_was_replaced_is_not_told(
    told_house: House,
) -> None:
    house = told_house
    first = await house.remember(AT_FIVE, type="decision")
    # What replaced it may have been replaced itself since.
    second = await house.remember("The exporter retries bank exports at most four times.")
    last = await house.remember(AT_THREE, type="decision")
    audit, context = Audit(Actor("me")), house.bench.context

    def replace(tx: WriteTx) -> None:
        replace_memory(tx, first, second, audit, context)
        replace_memory(tx, second, last, audit, context)

    await house.bench.db.write(replace)
    asked = (
        "Bank exports fail for the second clinic with 429. We decided to log each failed export."
    )
    closing = "Done: each failed export is logged with its clinic."
    stale = "The exporter retries bank exports five times."
    holds = "It retries bank exports three times now."
    await talk(house, session("s2"), asked, f"{closing} {stale} {holds}")
    prompt = "Why does the bank export of the second clinic fail with 429 without any log of it?"
    shown = (await house.prompt(session("s3"), prompt)).text
    assert f"{closing} {holds}" in shown
    assert stale not in shown


MAILGUN = "We decided to send all invoice mails through Mailgun."
ECHO = "Done: the mailer delivers invoice mails through Mailgun."
PROPOSAL = "I propose to send all invoice mails through Mailgun."
AGREED = "Yes, let's go with Mailgun for all invoice mails from now on."
LATE = "Why do the invoice mails reach some of our customers a day late since Monday?"


@pytest.mark.parametrize("how", ["replaced", "forgotten"])
@pytest.mark.parametrize("said", [(MAILGUN, ECHO), (PROPOSAL, AGREED, ECHO)])
async def test_the_agents_words_beside_an_outdated_statement_are_not_told(
    house: House, said: tuple[str, ...], how: str
) -> None:
    first = () if said[0] == MAILGUN else ("Which service should send our invoice mails?",)
    await talk(house, session("s1"), *first, *said, "Please rename the mailer's helper, too.")
    [[memory]] = await house.rows("SELECT id FROM memories")
    assert "Mailgun" in (await house.prompt(session("s2"), LATE)).text
    if how == "replaced":
        await talk(house, session("s3"), "We decided to send all invoice mails through Postmark.")
        await house.bench.db.write(
            lambda tx: tx.execute(
                "UPDATE memories SET valid_until = '2026-01-21T09:00:00.000Z' WHERE id = ?",
                (memory,),
            )
        )
    else:
        await house.bench.db.write(
            lambda tx: operations.forget(tx, str(memory), BY_USER, house.bench.context)
        )
    assert "Mailgun" not in (await house.prompt(session("s4"), LATE)).text


async def test_a_message_that_was_cut_is_not_told(house: House) -> None:
    left = "The second clinic is in Bern."
    for number in range(4):
        await talk(house, session(f"x{number}"), f"Rename variable {number} in the parser, please.")
    await talk(house, session("s1"), f"{RULE} {left}", "Done.", "Thanks.", "Welcome.", MORE)
    [[memory]] = await house.rows(f"SELECT id FROM memories WHERE content = '{RULE}'")  # noqa: S608 - a test's own words
    await house.bench.remove.erase(str(memory), BY_USER)
    [[stored]] = await house.rows("SELECT text FROM transcript_messages WHERE text LIKE '%Bern%'")
    assert stored == f"[…]. {left}"
    match = await house.bench.db.read(lambda tx: _matched(tx, "Bern"))
    read = await house.bench.db.read(lambda tx: read_session(tx, match, Filter(reader=USER)))
    assert [each.text for each in read.messages] == ["Thanks.", "Welcome.", MORE]
    assert all(each.message_id == "s1-4" for each in read.sentences)


def _matched(tx: ReadTx, text: str) -> MatchedSession:
    wanted = TranscriptFilter(reader=USER)
    [found] = PastSessions().search(tx, SessionQuestion(text), wanted, 1).sessions
    return MatchedSession(found, 1.0)


PROJECTS = ("/work/a", "/work/b", None)
AGENTS = ("default", "ada", "bob")
ROSTER: Roster = ()


@given(
    st.lists(st.tuples(st.sampled_from(PROJECTS), st.sampled_from(AGENTS)), min_size=1, max_size=5),
    st.sampled_from(PROJECTS),
    st.sampled_from(AGENTS),
)
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_no_session_is_told_in_another_project_or_to_another_agent(
    tmp_path_factory: pytest.TempPathFactory,
    held: list[tuple[str | None, str]],
    project: str | None,
    agent: str,
) -> None:
    async with bench(tmp_path_factory.mktemp("leaks")) as store:
        house = House(store)
        for number, (place, who) in enumerate(held):
            ref = session(f"h{number}", project=place, agent_id=who)
            secret = f"We decided that invoice numbers of clinic code{number}word have no gaps."
            await talk(house, ref, secret, "Done.", MORE)
        shown = await house.prompt(session("asks", project=project, agent_id=agent), QUESTION)
        for each in shown.sessions:
            place, who = held[int(each.session_id.removeprefix("h"))]
            assert (place, who) == (project, agent)
        for number, (place, who) in enumerate(held):
            if (place, who) != (project, agent) and f"code{number}word" in shown.text:
                # Memories follow their own rules, which other tests keep.
                assert all(
                    f"code{number}word" not in line.text
                    for one in shown.sessions
                    for line in one.lines
                )


LEVEL_NINE = "I suggest gzip level 9 for the nightly export of the clinics."
EXPORT = "The nightly export of the clinics is slow again, which gzip level is right?"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("yes", f'the agent proposed, and the user agreed: "{LEVEL_NINE}"'),
        (
            "yes, but level 6 please, the box is old",
            (
                f'the agent proposed: "{LEVEL_NINE}"; '
                'the user answered: "yes, but level 6 please, the box is old"'
            ),
        ),
        (
            "let me think about it",
            f'the agent proposed: "{LEVEL_NINE}"; the user answered: "let me think about it"',
        ),
        (
            "too heavy for the box",
            f'the agent proposed: "{LEVEL_NINE}"; the user answered: "too heavy for the box"',
        ),
        ("make it 6", f'the agent proposed: "{LEVEL_NINE}"; the user answered: "make it 6"'),
    ],
)
async def test_who_changes_a_proposal_is_not_told_to_have_agreed(
    told_house: House, reply: str, told: str
) -> None:
    await talk(told_house, session("s5"), "How do we shrink the export?", LEVEL_NINE, reply)
    assert told in (await told_house.prompt(session("s6"), EXPORT)).text


async def test_no_other_message_stands_for_a_removed_answer(told_house: House) -> None:
    texts = ("How do we shrink the export?", LEVEL_NINE, "ok, make it 6", "Level 6 it is, as said.")
    await talk(told_house, session("s5"), *texts)

    def remove(tx: WriteTx) -> None:
        tx.execute("UPDATE transcript_messages SET text = ? WHERE message_id = 's5-2'", (REMOVED,))

    await told_house.bench.db.write(remove)
    told = (await told_house.prompt(session("s6"), EXPORT)).text
    assert "the user answered" not in told
    assert "the user agreed" not in told
