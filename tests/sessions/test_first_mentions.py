"""A later prompt that names something for the first time is told the rule about it, once."""

import pytest

from fakes.sessions import House, session
from intaglio.sessions.values import InjectedContext

RULE = "PaymentGateway never retries a booking."
MAILS = "We decided to send invoice mails through Mailgun."
FIRST = "Please make the margin of the login dialog a bit wider on small phones."
NAMING = "Then have the payment gateway log each of its answers to a file of its own, please."


@pytest.fixture
async def house_with_rules(linked: House) -> House:
    await linked.remember(RULE, type="rule")
    await linked.remember(MAILS, type="decision")
    await linked.remember("The zebra crossing of the harbour is repainted.", type="decision")
    return linked


async def later(house: House, *prompts: str) -> InjectedContext:
    """Return what the last of some prompts is told, the first of which is about nothing known."""
    shown = await house.prompt(session("s9"), FIRST)
    for each in prompts:
        shown = await house.prompt(session("s9"), each)
    return shown


async def test_the_rule_about_it_is_told_once(house_with_rules: House) -> None:
    shown = await later(house_with_rules, NAMING)
    assert [each.content for each in shown.memories] == [RULE]
    [entry] = [each for each in shown.entries if each.shown]
    assert entry.candidate.reason == (
        "about PaymentGateway, which the session names for the first time"
    )
    again = await house_with_rules.prompt(session("s9"), f"{NAMING} And test it.")
    assert again.memories == ()


async def test_what_an_earlier_prompt_named_is_known_to_the_session(
    house_with_rules: House,
) -> None:
    first = "Where does the payment gateway live, and who calls it at night?"
    house = house_with_rules
    await house.prompt(session("s9"), first)
    shown = await house.prompt(session("s9"), NAMING)
    assert [each.candidate.reason for each in shown.entries if each.shown] == []


async def test_what_the_start_told_is_not_told_again(house_with_rules: House) -> None:
    assert RULE in (await house_with_rules.start(session("s9"))).text
    assert (await later(house_with_rules, NAMING)).text == ""


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("Does the sandbox of Mailgun get those mails of ours, too?", True),
        # The decision is about something else that it does.
        ("Add the version of Mailgun to the footer of the page, please.", False),
    ],
)
async def test_a_decision_that_names_it_is_told_where_it_is_on_the_matter(
    house_with_rules: House, prompt: str, *, told: bool
) -> None:
    shown = await later(house_with_rules, prompt)
    assert (MAILS in shown.text) is told


@pytest.mark.parametrize(
    "prompt",
    [
        "ok, go ahead",
        "run the tests and show me the diff",
        "can you split that into two commits please",
        "hm, why did you do it like this and not with a helper?",
        "the shop is slow today, isn't it? have a look at the logs",
    ],
)
async def test_ordinary_talk_is_told_nothing(house_with_rules: House, prompt: str) -> None:
    assert (await later(house_with_rules, prompt)).text == ""


async def test_the_first_prompt_is_no_later_one(house_with_rules: House) -> None:
    shown = await house_with_rules.prompt(session("s9"), NAMING)
    assert all("for the first time" not in each.candidate.reason for each in shown.entries)
