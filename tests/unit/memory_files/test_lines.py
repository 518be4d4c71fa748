"""Which statements are read in a memory file."""

import pytest

from intaglio.language.markdown import markdown_blocks, split_front_matter
from intaglio.memory_files.lines import stated_lines, top_sections


def contents(text: str, scope: str = "") -> list[str]:
    return [each.content for each in stated_lines(text, scope)]


NOTES = """\
---
name: deploys
---
# Deploys

The shop runs on three machines in Frankfurt.

## Database
- Backups go to the bucket `shop-backups`
  every night.
- [x] The replica lags by at most five seconds
- [ ] Move the replica to Paris
- Ports:
  - Postgres listens on 5433
  - pgbouncer listens on 6432

| host | port |
|------|------|
| a    | 1    |

```sh
psql -h db
```
> Somebody said it was slow
"""


def test_bullets_and_paragraphs_stand_below_what_they_are_about() -> None:
    assert contents(NOTES) == [
        "Deploys: The shop runs on three machines in Frankfurt.",
        "Database: Backups go to the bucket shop-backups every night.",
        "Database: The replica lags by at most five seconds",
        "Database: Ports: Postgres listens on 5433",
        "Database: Ports: pgbouncer listens on 6432",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\n- [Deploys](deploys.md) — where things run",
        "## Next steps\n\nThe importer still has to learn about time zones.",
        "## 2026-01-03\n\nFixed the importer and went home.",
        "## Changelog\n\n- The importer was written in Rust.",
        "- [ ] Rewrite the importer in Rust",
        "Which importer do we use?",
        "This file holds what Claude should remember about the project.",
        "Last updated: the third of January",
        "- `npm run build`",
        "- TBD",
        "- **Backend**: [Configure: FastAPI/Django]",
        "@.claude/memory/setup.md",
        "The importer fails:\n\n    Fatal error: it must be of type string, int given",
        "- 1.1.1.1\n\nis a more consistent choice for servers.",
        "**API Key**: `d663ff80-58f1-4efa-9625-522eb30834c5`",
        "- [your project's name here]",
        "<!-- INTAGLIO:START v1 -->\nTests are run with pytest.\n<!-- INTAGLIO:END -->",
        "<!-- INTAGLIO:START v1 -->\nTests are run with pytest.",
        "<!-- SIGNET:START -->\nTests are run with pytest.\n<!-- SIGNET:END -->",
        "~~The importer is written in Rust.~~",
    ],
)
def test_what_is_no_statement_is_left_out(text: str) -> None:
    assert contents(text) == []


def test_a_heading_that_the_statement_names_or_that_says_nothing_is_left_out() -> None:
    text = "# Project memory\n\nThe API is on 8080.\n\n## Importer\n\nThe importer runs hourly."
    assert contents(text) == ["The API is on 8080.", "The importer runs hourly."]


def test_the_name_in_the_front_matter_is_what_a_file_is_about() -> None:
    text = "---\nname: power-shell_only\n---\n\n**Why:** Bash hangs there.\n**How:** use Test-Path."
    assert contents(text) == [
        "power shell only: Why: Bash hangs there.",
        "power shell only: How: use Test-Path.",
    ]


def test_the_steps_of_a_procedure_stay_together() -> None:
    text = "## 2. New window\n\n1. Create a folder\n2. Register it there\n\nAll are resizable."
    assert contents(text) == [
        "New window: 1. Create a folder 2. Register it there",
        "New window: All are resizable.",
    ]
    assert contents("1. **Cache**: it is warm\n2. **Queue**: it is empty") == [
        "Cache: it is warm",
        "Queue: it is empty",
    ]


def test_identifiers_keep_their_underscores() -> None:
    assert contents("Cookies are called `__Host-id` and V1__first is __the__ migration.") == [
        "Cookies are called __Host-id and V1__first is the migration."
    ]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentence = "The importer reads {} files from the bucket and writes what it finds to the store."
    found = contents(" ".join(sentence.format(number) for number in range(8)))
    assert len(found) > 1
    assert all(part.endswith("store.") and len(part) <= 320 for part in found)


def test_an_id_depends_on_scope_heading_and_words_alone() -> None:
    one, two = stated_lines("## A\n\nThe API is slow today.\n\n## B\n\nThe cache is warm today.")
    (moved,) = stated_lines("Intro words come first here.\n\n## B\n\nThe  cache is warm today!")[1:]
    assert moved.id == two.id != one.id
    assert stated_lines("## A\n\nThe API is slow today.", "/p")[0].id != one.id


def test_sections_of_the_first_level_are_told_apart() -> None:
    assert top_sections("intro\n# A\n## B\nx\n# C\ny") == ["# A\n## B\nx\n", "# C\ny"]


def test_front_matter_is_no_text() -> None:
    assert split_front_matter("---\npaths: x\n---\nSaid") == ("paths: x\n", "Said")
    assert split_front_matter("---\nnever closed") == ("", "---\nnever closed")
    assert [each.text for each in markdown_blocks("---\na: b\n---\nSaid")] == ["Said"]
