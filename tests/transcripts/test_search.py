"""Past sessions are found by what was said in them as a whole."""

import pytest

from fakes.transcripts import HARNESS, SHOP, Talks
from intaglio.domain.reader import USER, IsolatedReader, SharedReader
from intaglio.transcripts import past_sessions, rows
from intaglio.transcripts.past_sessions import PastSessions
from intaglio.transcripts.values import StoredMessage, TranscriptFilter


async def _fill(talks: Talks) -> None:
    await talks.talk(
        "queue",
        "We need a job queue for the invoices.",
        "Celery or dramatiq would both do.",
        "Celery needs a broker, take dramatiq with Redis.",
        "Done: dramatiq with Redis is set up for the invoices.",
    )
    await talks.talk("dates", "Dates in the export are off by a day.", "It is the time zone.")
    await talks.talk("tabs", "Use tabs in the Makefile.", "Done.")


async def test_the_session_with_most_of_the_rare_words_comes_first(talks: Talks) -> None:
    await _fill(talks)
    assert await talks.found("which broker does the invoice queue use?") == ["queue"]
    assert (await talks.found("the dates of the invoices are wrong"))[0] in {"queue", "dates"}


async def test_words_are_found_in_another_form_and_in_any_message(talks: Talks) -> None:
    await _fill(talks)
    [found] = await talks.search("brokers, an invoice, zebras", limit=1)
    assert (found.session_id, found.messages) == ("queue", 4)
    assert set(found.matched) == {"brokers", "invoice"}
    assert found.per_word == pytest.approx(found.score / 3)


async def test_more_mentions_and_fewer_words_weigh_more(talks: Talks) -> None:
    await talks.talk("once", "dramatiq", *["something else entirely"] * 5)
    await talks.talk("often", "dramatiq", "dramatiq", "and dramatiq again")
    assert await talks.found("dramatiq") == ["often", "once"]


async def test_a_word_that_every_session_has_weighs_next_to_nothing(talks: Talks) -> None:
    for number in range(30):
        await talks.talk(f"s{number}", f"deploy the service{number}", "fine")
    rare, common = await talks.search("service7", limit=1), await talks.search("deploy", limit=1)
    assert rare[0].score > 100 * common[0].score


async def test_the_score_of_a_rare_word_is_about_the_same_in_every_store(talks: Talks) -> None:
    scores = list[float]()
    for number in range(60):
        await talks.talk(f"s{number}", f"topic{number} is settled", "fine")
        if number in {4, 20, 59}:
            scores.append((await talks.search("topic3", limit=1))[0].score)
    assert max(scores) - min(scores) < 0.1


async def test_words_of_pasted_text_add_to_the_score_and_never_weigh_against_it(
    talks: Talks,
) -> None:
    await _fill(talks)
    [plain] = await talks.search("redis fails", limit=1)
    [pasted] = await talks.search("redis fails", limit=1, more="dramatiq.broker E4711 unheard")
    assert pasted.per_word > plain.per_word


async def test_a_question_without_words_finds_nothing(talks: Talks) -> None:
    await _fill(talks)
    assert await talks.found("") == []
    assert await talks.found("?! …") == []
    assert await talks.found("\ud800") == []


async def test_only_stop_words_are_searched_if_there_are_no_others(talks: Talks) -> None:
    await talks.talk("s1", "what is it", "this")
    assert await talks.found("what is it") == ["s1"]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("数据库迁移用滚动方式执行", "怎么迁移数据库?"),
        ("本番のデータベースは夜間に移行する", "データベースの移行はいつ"),
        ("데이터베이스는 밤에 옮긴다", "데이터베이스"),
        ("Die Datenbank läuft über Kübler", "kubler datenbank"),
    ],
)
async def test_every_script_is_found(talks: Talks, said: str, asked: str) -> None:
    await _fill(talks)
    await talks.talk("other script", said)
    assert (await talks.found(asked))[:1] == ["other script"]
    assert await talks.index_is_sound()


async def test_the_current_session_is_left_out(talks: Talks) -> None:
    await _fill(talks)
    wanted = TranscriptFilter(reader=USER, without=(HARNESS, "queue"))
    assert await talks.found("dramatiq redis", wanted) == []


async def test_a_project_and_its_aliases_are_searched_and_no_other(talks: Talks) -> None:
    for project in (SHOP, "shop", "/work/blog", None):
        await talks.talk(str(project), "we chose dramatiq", project=project)
    for projects, expected in (
        ((SHOP,), {SHOP}),
        ((SHOP, "shop"), {SHOP, "shop"}),
        ((None,), {"None"}),
        ((), set[str]()),
        (None, {SHOP, "shop", "/work/blog", "None"}),
    ):
        wanted = TranscriptFilter(reader=USER, projects=projects)
        assert set(await talks.found("dramatiq", wanted)) == expected


async def test_an_agent_finds_its_own_sessions_only(talks: Talks) -> None:
    await talks.talk("hers", "we chose dramatiq", agent_id="ann")
    await talks.talk("his", "we chose dramatiq", agent_id="bob")
    assert await talks.found("dramatiq", TranscriptFilter(reader=SharedReader("ann"))) == ["hers"]
    assert await talks.found("dramatiq", TranscriptFilter(reader=IsolatedReader("bob"))) == ["his"]
    assert await talks.texts("hers", TranscriptFilter(reader=SharedReader("bob"))) == []


async def test_common_words_are_left_out_beyond_the_budget(talks: Talks) -> None:
    for number in range(20):
        await talks.talk(f"s{number}", f"service deploys item{number}", "service")
    talks.past = PastSessions(postings_budget=30)
    [found, *_] = await talks.search("does the service deploy item7?")
    assert (found.session_id, found.matched) == ("s7", ("item7", "deploy"))


async def test_messages_come_in_the_order_in_which_they_were_said(talks: Talks) -> None:
    await _fill(talks)
    [found] = await talks.search("dramatiq", limit=1)
    said = await talks.bench.db.read(lambda tx: past_sessions.messages(tx, found))
    assert [each.role for each in said] == ["user", "agent", "user", "agent"]
    last = await talks.bench.db.read(lambda tx: rows.last_of_agent(tx, found.transcript))
    assert last == said[-1]
    assert (said[0].said_at, said[-1].said_at) == (found.started_at, found.ended_at)


def _message(number: int, length: int = 10) -> StoredMessage:
    return StoredMessage(number, f"m{number}", "user", "", "x" * length)


@pytest.mark.parametrize(
    ("at", "limit", "expected"),
    [("m2", 10, [2]), ("m2", 20, [1, 2]), ("m2", 30, [1, 2, 3]), ("m0", 30, [0, 1, 2]),
     ("m4", 25, [3, 4]), ("m2", 1_000, [0, 1, 2, 3, 4]), ("m9", 100, [])],
)  # fmt: skip
def test_an_excerpt_has_whole_messages_around_one(at: str, limit: int, expected: list[int]) -> None:
    found = [_message(number) for number in range(5)]
    assert [each.number for each in past_sessions.excerpt(found, at, limit)] == expected
