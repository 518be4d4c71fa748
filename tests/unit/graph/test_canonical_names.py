"""Canonical names: what counts as the same name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.graph.linking.canonical import canonical_name


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("  PostgreSQL  16 ", "postgresql"),
        ("Python 3.12", "python"),
        ("auth-service", "auth service"),
        ("auth_service", "auth service"),
        ("AuthService", "auth service"),
        ("GitHub", "github"),
        ("FastAPI", "fastapi"),
        ("Route 53", "route 53"),
        ("ISO 8601", "iso 8601"),
        ("ISO 27001:2022", "iso 27001"),
        ("ISO/IEC 27001", "iso/iec 27001"),
        ("EN 301 549", "en 301 549"),
        ("IEEE 802.11", "ieee 802.11"),
        ("RFC 7807", "rfc 7807"),
        ("SOC 2", "soc 2"),
        ("SHA 256", "sha 256"),
        ("gpt-4", "gpt-4"),
        ("C++", "c++"),
        ("src/Main.py", "src/main.py"),
        ("config.toml", "config.toml"),
        ("a\x00b\tc", "a b c"),
        ("", ""),
    ],
)
def test_versions_and_separators_do_not_count(name: str, canonical: str) -> None:
    assert canonical_name(name) == canonical


@given(st.text(max_size=80))
def test_canonicalising_a_name_is_idempotent(name: str) -> None:
    once = canonical_name(name)
    assert canonical_name(once) == once


@given(st.text(min_size=200, max_size=400))
def test_a_canonical_name_is_short(name: str) -> None:
    assert len(canonical_name(name * 10).encode()) <= 512
