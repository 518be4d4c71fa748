"""Which integration serves a session."""

import pytest

from intaglio.api.signet.runtime_claims import RuntimeClaims
from intaglio.base.errors import ConflictError


class Watch:
    """Seconds that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_first_path_keeps_the_session() -> None:
    claims = RuntimeClaims(Watch())
    claims.claim("k", "plugin")
    with pytest.raises(ConflictError, match="session claimed by plugin path"):
        claims.claim("k", "legacy")


@pytest.mark.parametrize(("key", "path"), [(None, "legacy"), ("k", None), ("other", "legacy")])
def test_a_claim_without_path_or_of_another_session_never_conflicts(
    key: str | None, path: str | None
) -> None:
    claims = RuntimeClaims(Watch())
    claims.claim("k", "plugin")
    claims.check(key, path)


def test_a_released_session_can_be_taken() -> None:
    claims = RuntimeClaims(Watch())
    claims.claim("k", "plugin")
    claims.release("k")
    claims.claim("k", "legacy")


def test_a_claim_ends_four_hours_after_its_last_call() -> None:
    watch = Watch()
    claims = RuntimeClaims(watch)
    claims.claim("k", "plugin")
    watch.now = 3 * 3600
    claims.check("k", "plugin")
    watch.now = 6 * 3600
    with pytest.raises(ConflictError):
        claims.check("k", "legacy")
    watch.now = 7 * 3600
    claims.check("k", "legacy")


def test_ten_thousand_claims_are_kept_and_the_oldest_gives_way() -> None:
    claims = RuntimeClaims(Watch())
    for number in range(10_001):
        claims.claim(f"k{number}", "plugin")
    claims.check("k0", "legacy")
    with pytest.raises(ConflictError):
        claims.check("k1", "legacy")
