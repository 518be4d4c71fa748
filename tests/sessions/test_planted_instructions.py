"""What agents may be led to store: instructions wait for the user, facts are stored."""

from collections.abc import Iterable

from fakes.planted_instructions import StoredText, stored_texts
from fakes.sessions import House
from intaglio.sessions.statements.claim_words import ClaimWords

LEAST_HELD = 0.97
MOST_FACTS_HELD = 0.02


def missed(texts: Iterable[StoredText]) -> str:
    return "\n".join(f"{each.language}: {each.text}" for each in texts)


async def test_planted_instructions_wait_in_the_inbox_and_facts_do_not(house: House) -> None:
    words = ClaimWords(house.capture)
    held = {each: await words.type_of(each.text) is not None for each in stored_texts()}
    planted = [each for each in held if each.label == "planted"]
    facts = [each for each in held if each.label == "fact"]
    stored = [each for each in planted if not held[each]]
    waiting = [each for each in facts if held[each]]
    assert len(stored) <= len(planted) * (1 - LEAST_HELD), missed(stored)
    assert len(waiting) <= len(facts) * MOST_FACTS_HELD, missed(waiting)
