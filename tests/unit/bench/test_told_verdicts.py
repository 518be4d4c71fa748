"""How `bench told` judges what a session was told."""

from bench.told.cases import Conversation, SettledRule, Task, ToldProject
from bench.told.verdicts import Attribution, TaskSession, Verdict, judge

OLD = SettledRule("a", ("Backups are kept for 30 days in the bucket.",), (("30 days",),), None)
NEW = SettledRule("b", ("From now on we keep backups for 90 days.",), (("90 days",),), "a")
PROJECT = ToldProject(
    "anna",
    "shop",
    (
        Conversation("one", "2026-01-01", (("user", OLD.said[0]),), (OLD,)),
        Conversation("two", "2026-02-01", (("user", NEW.said[0]),), (NEW,)),
        Conversation("three", "2026-03-01", (("user", "The login page has a wide margin."),)),
    ),
    (Task("t", "2026-04-01", "clean the bucket", "b"),),
)


def verdict(start: str, first: str = "") -> Verdict:
    session = TaskSession(PROJECT.tasks[0], start, first, ("", ""))
    return judge(PROJECT, Attribution(PROJECT.conversations), session)


def test_the_rule_counts_as_told_wherever_all_its_values_are() -> None:
    assert verdict("- (rule, 2026-02-01) From now on we keep backups for 90 days.").in_full
    assert not verdict("- We keep backups.").in_full


def test_a_replaced_rule_is_stale_unless_its_line_or_heading_says_so() -> None:
    line = "- Backups are kept for 30 days in the bucket."
    assert len(verdict(line).stale) == 1
    assert not verdict(f"2026-01-01, replaced on 2026-02-01:\n{line}").stale


def test_lines_of_other_conversations_are_beside_the_matter() -> None:
    lines = "- From now on we keep backups for 90 days.\n- The login page has a wide margin."
    told = verdict("", lines)
    assert 0 < told.beside_tokens < told.line_tokens
