"""What is stored of a statement can be read without its session."""

import pytest

from intaglio.capture.clauses import clauses, sentences
from intaglio.capture.names import mend_names, names_in
from intaglio.capture.standalone import StoredText, stored_text


def last(message: str, *names: str) -> StoredText:
    """Return what is stored of a message's last sentence."""
    whole = list(sentences(message, tuple(clauses(message))))
    return stored_text(whole[-1], whole[-2] if len(whole) > 1 else None, names)


@pytest.mark.parametrize(
    ("message", "stored"),
    [
        (
            "@src/ledger.ts must never import the HTTP client",
            "src/ledger.ts must never import the HTTP client",
        ),
        ("Use @acme/tokens for all colours", "Use @acme/tokens for all colours"),
        ("Specs live in @docs/ and are written first", "Specs live in docs/ and are written first"),
        ("The retry limit in src/http.ts:42 is five", "The retry limit in src/http.ts is five"),
        ("Amounts are integer cents (see line 42)", "Amounts are integer cents"),
        ("Keep lines below 80 characters", "Keep lines below 80 characters"),
        ("The API returns snake_case, please fix it", "The API returns snake_case"),
        (
            "The API returns snake_case, and please always check the client",
            "The API returns snake_case, and please always check the client",
        ),
        ("can you please never commit to the main branch", "never commit to the main branch"),
        ("okay we deploy on Fridays only", "we deploy on Fridays only"),
        ("2. Exports go through the queue", "Exports go through the queue"),
        ("Invoices keep their number forever)", "Invoices keep their number forever"),
        (
            "In the API:\n- use snake_case for fields\n- never return null lists",
            "In the API: never return null lists",
        ),
        (
            "A few rules:\n- use snake_case for fields\n- never return null lists",
            "never return null lists",
        ),
        (
            "The importer runs at night. It must never lock the table.",
            "The importer runs at night. It must never lock the table.",
        ),
        (
            "We no longer use Mailgun for invoices, use Postmark instead",
            "We no longer use Mailgun for invoices, use Postmark instead",
        ),
        ("请不要修改生成的文件", "不要修改生成的文件"),
    ],
)
def test_what_is_stored_reads_well_alone(message: str, stored: str) -> None:
    found = last(message)
    assert (found.text, found.stands_alone) == (stored, True)


@pytest.mark.parametrize(
    "message",
    [
        "make sure it always ends with a newline",
        "this should never be cached",
        "keep the last one for production",
        "the approach above is what we want everywhere",
        "like the tests mirror the sources",
        "does not have any tools installed",
        "an outline of the new plan",
        "undo the last commit before the release",
        "something we can publish later",
        "use Postmark for invoice mails instead",
        "exports go to S3 (never to",
        "Rename the page. It must never call the API like that.",
        "以后都用这个样式",
        "ab jetzt immer hier ablegen",
    ],
)
def test_what_points_elsewhere_does_not_stand_alone(message: str) -> None:
    assert not last(message).stands_alone


@pytest.mark.parametrize(
    "message",
    [
        "When you edit a customer remember to edit its supplier",
        "It is important that every export is signed",
        "Always run this project with uv only",
        "use the second mockup's palette for all charts",
    ],
)
def test_a_pronoun_with_its_noun_stands_alone(message: str) -> None:
    assert last(message).stands_alone


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("invoices live in Ledgrix", "invoices live in Ledgerix"),
        ("two Ledgerixes", "two Ledgerixes"),
        ("the LedgerixQL client", "the LedgerixQL client"),
        ("ask Ledgerixa first", "ask Ledgerixa first"),
        ("`Ledgrix` is the old name", "`Ledgrix` is the old name"),
        ("letters stay", "letters stay"),
        ("ledger/Ledgrix.ts", "ledger/Ledgrix.ts"),
        ("the UserStor holds it", "the UserStor holds it"),
    ],
)
def test_a_misspelt_name_is_mended_if_only_one_is_meant(text: str, mended: str) -> None:
    assert mend_names(text, ["Ledgerix", "letter", "UserStore", "UserStorm"]) == mended


def test_a_name_as_the_user_writes_it_is_not_corrected_by_what_the_agent_wrote() -> None:
    assert mend_names("Ledgrix and ledgrix", (), ["Ledgerix"]) == "Ledgrix and Ledgerix"


@pytest.mark.parametrize(
    ("message", "alone"),
    [
        ("never use npm here, always use pnpm", True),
        ("We don't run migrations by hand here.", True),
        ("always put new routes here", False),
        ("here we never use npm", False),
    ],
)
def test_what_is_done_here_is_done_in_this_project(message: str, alone: bool) -> None:
    assert last(message).stands_alone is alone


@pytest.mark.parametrize(
    ("text", "name", "stored"),
    [
        ("Bramski signs off each release", "Bramsky", "Bramski signs off each release"),
        ("Bramksy signs off each release", "Bramsky", "Bramsky signs off each release"),
        ("we test with vitest only", "Vitess", "we test with vitest only"),
    ],
)
def test_another_name_is_not_taken_for_a_slip(text: str, name: str, stored: str) -> None:
    assert mend_names(text, [name]) == stored


def test_names_of_the_agents_message_begin_no_sentence() -> None:
    assert names_in("Ledgerix is down. Restarting the userStore of Kestrel, then Postgres.") == {
        "userStore",
        "Kestrel",
        "Postgres",
    }
