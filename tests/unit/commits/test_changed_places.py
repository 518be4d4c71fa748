"""Which named places a patch changes."""

from intaglio.commits.changed_places import MAX_SYMBOLS, changed_places

FIRST, SECOND = b"a" * 40, b"b" * 40


def places(*lines: str) -> list[str]:
    patch = [FIRST, *(line.encode() for line in lines)]
    return changed_places(patch, {FIRST})["a" * 40]


def test_a_hunk_names_the_place_that_it_is_in() -> None:
    assert places("@@ -1,2 +1,2 @@ def parse_header(text):") == ["parse_header"]
    assert places("@@ -1 +1 @@ export class LineCursor {") == ["LineCursor"]
    assert places("@@ -1 +1 @@ static int read_block(struct file *f)") == ["read_block"]
    assert places("@@ -1 +1 @@ [section.name]") == ["section"]
    assert places("@@ -1 +1 @@") == []


def test_changed_lines_name_what_they_define() -> None:
    assert places(
        "diff --git a/x b/x", "--- a/def old.py", "+++ b/def new.py", "@@ -1 +1,2 @@",
        "-def before():", "+async def after():", "+    return value", " def untouched():",
    ) == ["before", "after"]  # fmt: skip


def test_keywords_and_short_names_are_none() -> None:
    assert places("@@ -1 +1 @@ if (x) {", "+fn ab() {}", "+type class") == []


def test_each_commit_has_its_own_and_not_too_many() -> None:
    many = [f"+def function_{number}():".encode() for number in range(200)]
    found = changed_places([FIRST, *many, SECOND, b"+def other():", b"c" * 40], {FIRST, SECOND})
    assert len(found["a" * 40]) == MAX_SYMBOLS
    assert found["b" * 40] == ["other"]


def test_what_stands_before_the_first_commit_and_broken_text_does_no_harm() -> None:
    assert changed_places([b"+def lost():", b"\xff\xfe", b""], {FIRST}) == {}
    assert (
        places("@@ -1 +1 @@ def \ud83d(".encode("utf-8", "surrogatepass").decode("latin-1")) == []
    )
