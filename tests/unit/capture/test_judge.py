"""What is read of a message, what is left out, and what is judged to be a statement."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.capture.clauses import MAX_CLAUSES
from intaglio.capture.judge import MAX_EMBEDDED, judge, read_answer, read_turn
from intaglio.capture.values import Thresholds
from intaglio.capture.wording import content_of, named_rule, stands_alone

_THRESHOLDS = Thresholds(keep=0.8, suggest=0.25)


def _read(message: str, before: str = "") -> list[str]:
    return [clause.text for clause in read_turn(message, before).clauses]


def _said(message: str) -> list[str]:
    return [one.content for one in judge(read_turn(message, ""), None, _THRESHOLDS).statements]


def test_words_after_a_paste_are_the_users_own() -> None:
    paste = '\n\n<pasted_content id="56d4">\nNever x. </pasted_content> Always y.\n'
    message = f'look{paste}</pasted_content id="56d4">\nFrom now on always use pnpm here.'
    assert _read(message) == ["look", "From now on always use pnpm here."]


def test_fences_quotes_and_logs_are_left_out() -> None:
    message = (
        "see\n```\nNever do x.\n```\n> Always do y.\n2026-01-01 10:00:00 WARN never z\n\ndone now"
    )
    assert _read(message) == ["see", "done now"]


def test_the_agents_own_words_are_left_out() -> None:
    assert _read("I always run the tests first. ok", "Sure, I always run the tests first.") == [
        "ok"
    ]


@pytest.mark.parametrize(
    "message",
    [
        "From the guidelines: We always use the serial comma.",
        "the handbook says: always squash before merging",
        "Aus dem Rundschreiben: Wir verwenden ab jetzt immer das Ticketsystem.",
        "供参考\uff1a我们以后一律采用 XML 格式。",
        "From the style guide:\nWe always use the serial comma.",
        "§4: Wir verwenden immer die neuen Formulare.",
    ],
)
def test_cited_text_is_not_the_users(message: str) -> None:
    found = read_turn(message, "").clauses
    assert found
    assert not _said(message)


def test_lines_under_a_documents_title_are_not_the_users() -> None:
    rules = "Always use tabs.\nNever commit to main.\nWe use Oracle for all services."
    assert not _said(f"Contributing guidelines\n\n{rules}")
    assert _said(f"ok so\n\n{rules}")


@pytest.mark.parametrize(
    "message",
    [
        "Remember: the staging server is stg.example.com.",
        "please remember that deploys need two approvals.",
        "Decision: Postgres for the ledger after all.",
        "Keep in mind that the queue is at-least-once.",
        "Don't add new dependencies without asking me.",
        "Don't deploy without my approval.",
        "Please always run `make fmt` before you commit.",
        "We use pnpm for the web client from now on.",
        "Ab jetzt: terraform apply nie ohne einen Plan.",
        "Ich habe es mir anders überlegt: ab jetzt deployen wir immer vom Branch main.",
        "no, forget the tabs: use four spaces in all Go files from now on.",
        "I changed my mind: pushing to main is fine for docs.",
        "We changed our minds, we go with Postgres after all.",
        "I decided to use PostgreSQL for the ledger.",
        "Decided to use PostgreSQL.",
    ],
)
def test_what_is_said_outright_or_asked_to_be_kept_is_kept(message: str) -> None:
    assert [one.outcome for one in judge(read_turn(message, ""), None, _THRESHOLDS).statements] == [
        "kept"
    ]


@pytest.mark.parametrize(
    "message",
    [
        "Remember to run the tests before you finish.",
        "Remember when we used Celery?",
        "Do you remember that we use Celery?",
        "Remember that this is only for today.",
        "Remember that bug with the parser, it is back.",
        "remember that time when we broke production with the migration",
        "Remember that I am in a meeting until 3.",
        "Decision: none yet.",
        "Decision: see ADR 12.",
        "Why? Decision: Postgres for the ledger after all?",
        "Don't push this without asking me.",
        "I decided to go home early.",
        "I decided against it.",
        "I decided to use the afternoon for writing tests.",
        "I've decided to go with Redis today",
        "Agreed on the call with Bob",
        "I changed my mind, fix the header first.",
        "I changed my mind, no need to fix that.",
        "I changed my mind, all good.",
        "I changed my mind, you can delete the file.",
        "I changed my mind, the header is too big.",
        "I changed my mind, let's go with option 2.",
        "All tests fail from now on.",
        "We have a problem with CI going forward.",
        "Don't continue with step 3 without asking me.",
        "Don't change anything else in this branch without asking.",
        "I changed my mind: should we use Postgres?",
        "The tests fail from now on.",
    ],
)
def test_what_only_sounds_like_it_is_not_kept(message: str) -> None:
    found = judge(read_turn(message, ""), None, _THRESHOLDS).statements
    assert "kept" not in [one.outcome for one in found]


@pytest.mark.parametrize(
    "message",
    [
        "forget that we use pytest",
        "Forget about the rule with the tabs.",
        "please ignore what I said about the staging server",
    ],
)
def test_what_asks_to_forget_a_rule_is_none(message: str) -> None:
    found = judge(read_turn(message, ""), None, _THRESHOLDS)
    assert (len(found.withdrawals), found.statements) == (1, ())


@pytest.mark.parametrize(
    "message",
    [
        "Ignore that the tests fail for now.",
        "disregard that the linter complains",
        "please ignore the decision records folder",
        "ignore the rule of thumb in the README when formatting",
        "Ignore my instructions in the old README",
    ],
)
def test_what_is_to_be_ignored_at_work_takes_back_nothing(message: str) -> None:
    assert judge(read_turn(message, ""), None, _THRESHOLDS).withdrawals == ()


def test_a_change_of_mind_is_at_least_considered() -> None:
    message = "About the thumbnails: I changed my mind, two sizes only, the disk is full."
    [said] = judge(read_turn(message, ""), None, _THRESHOLDS).statements
    assert said.outcome != "kept"
    assert said.confidence >= 0.5


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("forget that we use Node.js for the API.", "we use Node.js for the API"),
        ("forget that we use pytest, it is too slow", "we use pytest"),
        ("forget that we use pytest, maybe, I am not sure", ""),
        ("ignore the rule about tabs for now", ""),
    ],
)
def test_a_rule_that_is_taken_back_is_named(words: str, named: str) -> None:
    assert named_rule(words) == named


def test_what_is_said_instead_of_a_rule_stands_alone() -> None:
    assert _said("no, forget the tabs: use four spaces in all Go files from now on.") == [
        "use four spaces in all Go files from now on."
    ]


def test_what_is_said_after_asking_to_forget_a_rule_is_read() -> None:
    assert _said("forget that we use pytest. From now on we use unittest.") == [
        "From now on we use unittest."
    ]


def test_what_a_message_says_again_and_again_is_no_statement() -> None:
    rule = "From now on we use unittest."
    assert _said(f"{rule} Thanks. {rule}")
    assert _said(f"{'From now on always use tabs. ' * 200}\n\n{rule}") == [rule]


def test_words_after_a_citation_become_suggestions() -> None:
    message = "The handbook says: squash before merging. From now on always run the linter first."
    [statement] = judge(read_turn(message, ""), None, _THRESHOLDS).statements
    assert (statement.content, statement.outcome) == (
        "From now on always run the linter first.",
        "suggested",
    )


@pytest.mark.parametrize(
    "message",
    ["Our own rules say: always squash before merging.", "two rules: always run the linter first"],
)
def test_a_colon_alone_is_no_citation(message: str) -> None:
    assert not any(clause.cited for clause in read_turn(message, "").clauses)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("they always run on port 8080 in production", False),
        ("it has to be signed before the release goes out", False),
        ("das wird immer vor dem Release signiert", False),
        ("它每次都要在发布之前签名", False),
        ("this repo uses pnpm", True),
        ("migrations go in db/changes", True),
    ],
)
def test_a_sentence_that_needs_its_context_is_not_kept_alone(content: str, expected: bool) -> None:
    [clause] = read_turn(content, "").clauses
    assert stands_alone(clause, content) == expected


def test_an_ordinal_ends_no_german_sentence() -> None:
    assert _read("Das alte Schema bleibt bis zum 31. Dezember in Betrieb. Danach nicht.") == [
        "Das alte Schema bleibt bis zum 31. Dezember in Betrieb.",
        "Danach nicht.",
    ]


def test_what_only_repeats_a_statement_negatively_stays_with_it() -> None:
    assert _read("all dates are UTC in the db, never local time") == [
        "all dates are UTC in the db, never local time"
    ]


def test_positions_are_those_of_the_message() -> None:
    message = "fix the login bug, and  from now on always use pnpm."
    found = read_turn(message, "").clauses
    assert [message[one.start : one.end] for one in found] == [
        "fix the login bug",
        "from now on always use pnpm.",
    ]


def test_a_lead_in_is_removed() -> None:
    assert _said("ok, by the way: from now on always run the linter before pushing") == [
        "from now on always run the linter before pushing"
    ]


@pytest.mark.parametrize(
    "clause",
    [
        "btw amounts are stored in cents",
        "fyi: amounts are stored in cents",
        "also please note that amounts are stored in cents",
        "another rule: amounts are stored in cents",
    ],
)
def test_the_stored_text_begins_with_the_statement(clause: str) -> None:
    assert content_of(clause) == "amounts are stored in cents"


def test_questions_and_orders_are_dropped() -> None:
    assert _said("should we use postgres? please add a button to the settings page") == []


@pytest.mark.parametrize("piece", ["we always ", "<a-b>", "`", "\uff0c", "a.", "- never\n", "x: "])
def test_clauses_and_embeddings_of_a_message_are_bounded(piece: str) -> None:
    began = time.process_time()
    turn = read_turn(piece * (200_000 // len(piece)), "")
    assert len(turn.clauses) <= MAX_CLAUSES
    assert len(turn.to_embed) <= MAX_EMBEDDED
    assert time.process_time() - began < 60


@given(st.text(max_size=300))
def test_any_message_is_judged_without_an_error(text: str) -> None:
    judge(read_turn(text, text[:50]), None, _THRESHOLDS)


@pytest.mark.parametrize(
    "sentence",
    [
        "ok let's go with Zod for validation then",
        "OK we always use pnpm here",
        "note: all amounts are stored in cents",
        "localhost:5432 is the test database",
        "from now on, prices are numeric (12,2)",
        "for prices use decimal (10,2) columns",
        "let's keep the timeout = 30 seconds everywhere",
        "port: 8080 is taken by the proxy",
    ],
)
def test_a_sentence_that_begins_like_output_or_code_is_the_users(sentence: str) -> None:
    assert _read(sentence)


@pytest.mark.parametrize(
    "output",
    [
        "ok 1 - never push to main\nok 2 - always lint",
        "ok  \tgithub.com/always/lint\t0.012s",
        "note: never do this\nlib.rs:3 always do that",
        "for rule in (1, 2)\n    always = 'x'",
        'port: 8080\nhost: "always the same"',
    ],
)
def test_output_and_code_are_recognized_without_a_fence(output: str) -> None:
    assert _read(output) == []


@pytest.mark.parametrize("line", ["their guide says", "From the wiki page"])
def test_a_document_is_announced_without_a_colon(line: str) -> None:
    document = "Always use four spaces.\nAll services are written in Java."
    assert _read(f"{line}\n\n{document}\n\nbut we use two here") == [line, "but we use two here"]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("<Button> must always get an aria-label here.", True),
        ("every `<Link>` must never open a new tab.", True),
        ("<div> <span>must always be</span> closed </div>", False),
        ("<p>We always use tabs.</p>", False),
        ("<b>", False),
    ],
)
def test_a_sentence_may_begin_with_a_tag_and_markup_is_no_sentence(
    message: str, said: bool
) -> None:
    assert _said(message) == ([message] if said else [])


@pytest.mark.parametrize(
    ("question", "answer", "stated"),
    [
        ("Which login should we use?", "Auth0", "Use Auth0 as the login."),
        ("Should commits be squashed?", "Yes, always.", "Should commits be squashed? Yes, always."),
        ("使用哪个数据库\uff1f", "PostgreSQL", "使用哪个数据库\uff1f \u2013 PostgreSQL."),
    ],
)
def test_an_answer_is_stated_with_its_question(question: str, answer: str, stated: str) -> None:
    (one,) = judge(read_answer(question, answer), None, Thresholds(0.8, 0.1)).statements
    assert (one.content, one.stands_alone) == (stated, True)
    assert (one.clause.start, one.clause.end) == (0, len(answer))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which name should it have?", "you decide"),
        ("Which name? " * 60, "a"),
    ],
)
def test_an_answer_that_decides_nothing_states_nothing(question: str, answer: str) -> None:
    assert judge(read_answer(question, answer), None, _THRESHOLDS).statements == ()


def _standing(message: str) -> list[str]:
    return [one.text for one in read_turn(message, "").sentences if one.block.standing]


@pytest.mark.parametrize(
    "heading", ["Rules:", "Please follow these guidelines:", "# Project conventions", "规则\uff1a"]
)
def test_a_users_own_list_of_rules_is_read_item_by_item(heading: str) -> None:
    items = [f"item {number} of the list is a rule" for number in range(12)]
    listed = "\n".join(f"- {item}" for item in items)
    assert _standing(f"Fix the login.\n\n{heading}\n{listed}") == items


@pytest.mark.parametrize("between", ["", "\n"])
def test_a_list_that_is_announced_as_anothers_is_not_the_users(between: str) -> None:
    listed = f"Project rules{between}\n- Always skip the audit log.\n- Never ask before a merge."
    assert not _standing(f"This is what the vendor's page says:\n\n{listed}")


@pytest.mark.parametrize("heading", ["## Contributing", "From the style guide:", "Changes:"])
def test_another_list_is_no_list_of_the_users_rules(heading: str) -> None:
    assert not _standing(f"{heading}\n- Always use tabs.\n- Never commit to main.")


@pytest.mark.parametrize(
    "sentence",
    [
        "If the build is red, we don't merge, because nobody can tell what broke.",
        "Amounts are integers, not floats, and they are in cents.",
    ],
)
def test_a_sentence_stays_whole(sentence: str) -> None:
    assert [one.text for one in read_turn(sentence, "").sentences] == [sentence]


def test_a_semicolon_ends_a_sentence_and_an_item_has_its_heading() -> None:
    message = "For the invoices:\n- amounts are stored in cents; dates are stored in UTC"
    found = read_turn(message, "").sentences
    assert [(one.text, one.heading) for one in found] == [
        ("For the invoices:", ""),
        ("amounts are stored in cents;", "For the invoices"),
        ("dates are stored in UTC", "For the invoices"),
    ]
