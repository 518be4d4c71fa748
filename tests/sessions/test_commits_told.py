"""What a prompt is told of commits, and what it never is."""

import pytest

from fakes.commit_messages import hash_of, new_commit
from fakes.sessions import PROJECT, House, of_harness, session
from intaglio.base.settings.values import Settings
from intaglio.code import rows as code
from intaglio.code.terms import term
from intaglio.code.values import IndexedFile
from intaglio.commits import rows
from intaglio.commits.settings import CommitSettings
from intaglio.sessions.commits import rows as compared
from intaglio.store.tx import Row, WriteTx

REASON = (
    "Proxies close idle connections after ninety seconds. A lease that outlives its connection is "
    "taken twice, so two workers send the same invoice. Keep the lease shorter than the shortest "
    "idle timeout that we know of, which is sixty seconds at the payment provider. Otherwise the "
    "customer gets a reminder for what was paid long ago, as in the incident of last spring."
)
PROMPT = (
    "Two workers sent the same invoice last night. It looks as if a lease was taken twice while a "
    "proxy closed the idle connection. Please find out why and mend it in src/leases.py."
)
OTHER = "Please make the margin of the login dialog a bit wider on small phones, as designed."


@pytest.fixture
async def told_house(house: House) -> House:
    def work(tx: WriteTx) -> None:
        for number in range(2, 14):
            body = f"Part {number} of the parser says more about the token that it didn't expect."
            rows.add(tx, PROJECT, new_commit(body, number=number, files=("src/parser.py",)))
        rows.add(tx, PROJECT, new_commit(REASON, number=1, files=("src/leases.py",)))
        index = code.begin(tx, PROJECT).seq
        paths = ("src/leases.py", "src/parser.py")
        names = (path.rpartition("/")[2] for path in paths)
        files = [
            IndexedFile(path, "b", (term(index, "name", name),))
            for path, name in zip(paths, names, strict=True)
        ]
        code.put_files(tx, index, files)

    await house.bench.db.write(work)
    return house


async def test_the_first_prompt_is_told_the_commit_that_gives_the_reason(told_house: House) -> None:
    shown = await told_house.prompt(session(), PROMPT)
    assert '(2025-11-01) decided in commit 00000001: "Take leases at once. Proxies' in shown.text
    assert "messages of commits, which others may have written" in shown.text
    [told] = [each for each in shown.commits if each.shown]
    assert told.score >= told.floor
    assert "src/leases.py" in told.reason


async def test_of_several_the_newest_is_told_first(told_house: House) -> None:
    later = new_commit(f"As before, for refunds. {REASON}", number=28, files=("src/leases.py",))
    await told_house.bench.db.write(lambda tx: rows.add(tx, PROJECT, later))
    text = (await told_house.prompt(session(), PROMPT)).text
    assert 0 < text.index("in commit 00000028") < text.index("in commit 00000001")


async def test_one_that_answers_clearly_better_is_told_before_newer_ones(told_house: House) -> None:
    part = "A lease that outlives its connection is taken twice by two workers, said a customer."
    later = new_commit(part, number=28, subject="Count leases", files=("src/leases.py",))
    await told_house.bench.db.write(lambda tx: rows.add(tx, PROJECT, later))
    shown = await told_house.prompt(session(), PROMPT)
    assert [each.hash for each in shown.commits if each.shown] == [hash_of(1), hash_of(28)]
    assert 0 < shown.text.index("in commit 00000001") < shown.text.index("in commit 00000028")


async def test_a_small_budget_leaves_room_for_a_commit(told_house: House) -> None:
    told_house.settings = of_harness(prompt_max_tokens=330)
    assert "decided in commit 00000001" in (await told_house.prompt(session(), PROMPT)).text


async def test_it_is_told_once(told_house: House) -> None:
    await told_house.prompt(session(), PROMPT)
    assert (await told_house.prompt(session(), PROMPT)).text == ""


@pytest.mark.parametrize("prompt", [OTHER, "continue", "ok, go ahead and commit it"])
async def test_a_prompt_about_something_else_is_told_none(told_house: House, prompt: str) -> None:
    assert (await told_house.prompt(session(), prompt)).text == ""


async def test_another_project_is_told_none_of_it(told_house: House) -> None:
    shown = await told_house.prompt(session(project="/work/other"), PROMPT)
    assert (shown.text, shown.commits) == ("", ())


async def test_what_a_memory_says_is_not_told_twice(told_house: House) -> None:
    await told_house.remember(f"Take leases at once. {REASON}")
    shown = await told_house.prompt(session(), PROMPT)
    assert shown.text.count("Proxies close idle connections") == 1
    assert not any(each.shown for each in shown.commits)


async def test_nothing_is_told_of_a_project_that_is_switched_off(told_house: House) -> None:
    await told_house.bench.db.write(lambda tx: rows.set_enabled(tx, PROJECT, enabled=False))
    assert (await told_house.prompt(session(), PROMPT)).text == ""


async def test_nothing_is_told_once_the_settings_switch_commits_off(told_house: House) -> None:
    told_house.settings = Settings().having(CommitSettings(enabled=False))
    assert (await told_house.prompt(session(), PROMPT)).text == ""


async def test_a_reverted_commit_says_so(told_house: House) -> None:
    revert = new_commit(
        "It made the tests slow.", number=20, subject="Revert leases", reverts=hash_of(1)
    )
    await told_house.bench.db.write(lambda tx: rows.add(tx, PROJECT, revert))
    assert "reverted on 2025-11-20 in 00000020" in (await told_house.prompt(session(), PROMPT)).text


async def test_the_ledger_lists_what_was_told_until_the_commit_is_forgotten(
    told_house: House,
) -> None:
    shown = await told_house.prompt(session(), PROMPT)
    [(text, told)] = await _ledger(told_house)
    assert (text, told) == (shown.text, 1)
    digits = shown.commits[0].hash
    await told_house.bench.db.write(lambda tx: compared.forget(tx, PROJECT, digits))
    [(text, told)] = await _ledger(told_house)
    assert (text, told) == (None, 0)


async def _ledger(house: House) -> list[Row]:
    return await house.rows(
        "SELECT text, (SELECT count(*) FROM compared_commits c WHERE c.injection = i.seq "
        "AND c.shown = 1) FROM injections i WHERE event = 'prompt'"
    )
