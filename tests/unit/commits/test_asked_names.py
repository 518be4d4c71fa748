"""Which files and names of code a prompt names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.commits.asked_names import asked_names


@pytest.mark.parametrize(
    ("prompt", "path"),
    [
        ("Look at app/store/writer.py please", "app/store/writer.py"),
        ("it dies in writer.py:120", "writer.py"),
        ('  File "/srv/app/src/jobs/lease.py", line 12, in take', "/srv/app/src/jobs/lease.py"),
        ("diff --git a/src/main.rs b/src/main.rs", "src/main.rs"),
        (r"see src\jobs\lease.cs", "src/jobs/lease.cs"),
        ("tests/test_lease.py::TestLease::test_expired fails", "tests/test_lease.py"),
        ("(./lib/parse.js)", "lib/parse.js"),
    ],
)
def test_a_path_is_named_however_it_is_written(prompt: str, path: str) -> None:
    assert path in asked_names(prompt).paths


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("parse_header returns nothing", "parse_header"),
        ("parseHeader returns nothing", "parseHeader"),
        ("why does merge() hang?", "merge"),
        ("`retry` is never called", "retry"),
        ("HTTPServer leaks", "HTTPServer"),
        ("Lease.expire is wrong", "Lease.expire"),
        ("std::vector<Lease>", "std::vector"),
        ("tests/test_lease.py::TestLease::test_expired fails", "test_expired"),
        ("src/lease.c:take_lease", "take_lease"),
    ],
)
def test_a_name_of_code_is_named_however_it_is_written(prompt: str, name: str) -> None:
    assert name in asked_names(prompt).names


@pytest.mark.parametrize(
    "prompt",
    ["Please make the margin wider.", "see https://example.org/a/b.py for it", "OK, go ahead!"],
)
def test_prose_and_addresses_name_nothing(prompt: str) -> None:
    assert not asked_names(prompt)


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    found = asked_names(text)
    assert len(found.paths) <= 40
    assert len(found.names) <= 60
