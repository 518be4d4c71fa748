"""Which prompts bind one run only."""

import pytest

from intaglio.capture.reach.role_prompts import binds_run_only, is_impersonal_order


@pytest.mark.parametrize("from_program", [True, False])
@pytest.mark.parametrize(
    "prompt",
    [
        "You are a code reviewer in CI. Never approve changes without tests.",
        "Hello! You're an experienced Rust developer. Never use unsafe.",
        "# Role\nYou are the release-notes bot of Acme.\nAlways group by type.",
        "Act as a senior security auditor. From now on flag every eval.",
        "As a senior QA engineer, you always reject flaky tests.",
        "Your role is to triage issues. Never close one without a label.",
        "Du bist Code-Reviewer. Akzeptiere nie Code ohne Tests.",
        "Du bist ein erfahrener Reviewer. Akzeptiere nie Code ohne Tests.",
        "Eres un revisor de código. Nunca apruebes sin pruebas.",
        "Tu es un assistant de revue. Ne valide jamais sans tests.",
        "你是一名代码审查员。不要批准没有测试的更改。",
        "あなたはコードレビュアーです。テストのない変更は承認しないでください。",
    ],
)
def test_an_assigned_role_is_no_rule_of_the_project(prompt: str, *, from_program: bool) -> None:
    assert binds_run_only(prompt, from_program=from_program)


@pytest.mark.parametrize(
    "prompt",
    [
        "Nightly job. From now on treat every warning as an error.",
        "Review PR 481. Never approve without tests.",
        "Always use conventional commits. Output only the message.",
        "Never touch the tests. Do not ask questions.",
        "Summarize the following diff. Never use emojis.",
        "Check the diff for security problems. Never suggest refactorings.",
        "Run the test suite and report. Never skip a test.",
        "## Task\nFix the lint errors.\n## Rules\n- Never edit tests",
        "This is an automated run. Always pin versions.",
        "Nächtlicher Job. Behandle ab jetzt jede Warnung als Fehler.",
    ],
)
def test_patterns_of_generated_prompts_count_only_from_programs(prompt: str) -> None:
    assert binds_run_only(prompt, from_program=True)
    assert not binds_run_only(prompt, from_program=False)


@pytest.mark.parametrize("from_program", [True, False])
@pytest.mark.parametrize(
    "prompt",
    [
        "We decided to use Postgres for the ledger.",
        "You are right, we decided to use Postgres.",
        "You're the best! From now on use tabs.",
        "You are a bit too verbose. Always be brief.",
        "From now on you are to run the tests before every commit.",
        "The nightly job must never write to prod.",
        "The endpoint must always return valid JSON objects.",
        "du bist der Beste, ab jetzt nur noch pnpm",
    ],
)
def test_what_a_person_says_in_a_conversation_binds_the_project(
    prompt: str, *, from_program: bool
) -> None:
    assert not binds_run_only(prompt, from_program=from_program)


@pytest.mark.parametrize(
    "prompt",
    [
        "Treat every warning as an error. Never skip a test.",
        "Update the dependencies.\nNever bump major versions.",
        "Aktualisiere die Abhängigkeiten. Niemals Major-Versionen.",
        "更新依赖。不要升级主版本。",
    ],
)
def test_several_impersonal_orders_may_come_from_a_program(prompt: str) -> None:
    assert is_impersonal_order(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Never push to main.",
        "We use pnpm here. Never npm.",
        "Fix the login. I decided that sessions last 30 days.",
        "Wir nutzen pnpm. Nie npm.",
        "Usamos pnpm. Nunca npm.",
        "我们使用 pnpm。不要用 npm。",
    ],
)
def test_a_single_or_personal_sentence_is_the_users(prompt: str) -> None:
    assert not is_impersonal_order(prompt)
