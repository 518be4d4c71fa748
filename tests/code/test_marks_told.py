"""What sessions are told of memories whose code is gone, renamed or changed."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from fakes.code_bench import CodeBench
from fakes.sessions import House, session
from intaglio.sessions.overview.preview import SessionPreviews
from intaglio.sessions.place_marks import NOTHING_LEFT
from intaglio.sessions.values import SessionRef

T = TypeVar("T")

QUESTION = "Who may open the pages of admin/views.py, and is show_admin for staff?"


@pytest.fixture
def house(code: CodeBench) -> House:
    return House(code.bench)


def at(code: CodeBench, name: str = "s1") -> SessionRef:
    return session(name, project=code.project)


async def reasons(house: House) -> list[str]:
    """Return the reasons of the ledger."""
    return await house.bench.db.read(
        lambda tx: tx.column(str, "SELECT reason FROM session_memories ORDER BY injection, rank")
    )


async def test_a_start_marks_what_is_gone(code: CodeBench, house: House) -> None:
    await code.remember("admin/views.py: show_admin is for staff only", "decision")
    (code.root / "admin/views.py").unlink()
    shown = await house.start(at(code))
    line = "- admin/views.py: show_admin is for staff only (2026-01-31, file gone since)"
    assert line in shown.text.split("\n")
    assert "file gone since: show_admin in admin/views.py" in (await reasons(house))[0]


async def test_a_prompt_marks_what_is_gone(code: CodeBench, house: House) -> None:
    await house.start(at(code))
    await code.remember("admin/views.py: show_admin is for staff only")
    assert "(2026-01-31)" in (await house.prompt(at(code), QUESTION)).text
    (code.root / "admin/views.py").unlink()
    shown = await house.prompt(at(code, "s2"), QUESTION)
    assert "show_admin is for staff only (2026-01-31, file gone since)" in shown.text


async def test_the_contract_and_the_preview_tell_the_mark(code: CodeBench, house: House) -> None:
    await code.remember("admin/views.py: show_admin is for staff only", "decision")
    (code.root / "admin/views.py").unlink()
    shown = await house.starts.show_contract(at(code))
    assert "(Jan 31, 2026, file gone since)" in shown.text
    preview = SessionPreviews(house.starts, house.prompts, house.bench.recall)
    previewed = await preview.preview("test", "default", code.project, None, 9_500)
    assert "file gone since" in previewed.start.context.text


async def test_what_nothing_is_left_of_is_left_out_unless_it_lasts(
    code: CodeBench, house: House
) -> None:
    await code.remember("admin/views.py and shop/views.py share a template")
    await code.remember("admin/views.py and shop/views.py have one layout", "decision")
    for path in ("admin/views.py", "shop/views.py"):
        (code.root / path).unlink()
    shown = await house.start(at(code))
    assert "have one layout (2026-01-31, file gone since)" in shown.text
    assert "share a template" not in shown.text
    assert [each.left_out for each in shown.entries if each.left_out] == [NOTHING_LEFT]


async def test_a_session_in_a_worktree_is_told_of_its_own_files(
    code: CodeBench, house: House
) -> None:
    await code.remember("admin/views.py: show_admin is for staff only", "decision")
    other = code.add_worktree("next")
    (other / "admin/views.py").unlink()
    key = code.project

    async def project_key(_: str | None) -> str:
        return key

    visibility = replace(house.context.visibility, project_key=project_key)
    context = replace(house.context, visibility=visibility)
    starts = replace(house.starts, context=context)
    there = await starts.show(session("s2", project=str(other)), "startup")
    assert "(2026-01-31, file gone since)" in there.text
    assert "(2026-01-31)" in (await starts.show(at(code), "startup")).text


async def test_a_failing_check_leaves_the_text_as_it_is(code: CodeBench, house: House) -> None:
    await code.remember("admin/views.py: show_admin is for staff only", "decision")

    async def fail(_: Callable[[], T]) -> T:
        raise RuntimeError("no threads")

    broken = replace(code.marks(), in_thread=fail)
    context = replace(house.context, places=broken)
    shown = await replace(house.starts, context=context).show(at(code), "startup")
    assert "show_admin is for staff only (2026-01-31)" in shown.text


async def test_a_disk_that_does_not_answer_holds_up_nobody(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py: show_admin is for staff only", "decision")
    hanging = code.hanging_marks()
    for _ in range(3):
        assert await hanging.of([memory], code.project) == {}
    assert code.asked == 2
    code.let_go()
