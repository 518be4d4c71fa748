"""Made-up memories of a developer's agents, and questions to them; the same for the same seed."""

import random
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

_SYLLABLES: Final = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
_TOOLS: Final = tuple(
    """
    Postgres SQLite Redis Kafka RabbitMQ nginx Caddy Docker Podman Kubernetes Helm Terraform Ansible
    Grafana Prometheus Loki Sentry pytest Hypothesis ruff mypy pyright Vitest Playwright Cypress
    Svelte React Vue Angular Tailwind Vite esbuild webpack pnpm npm yarn uv poetry pip cargo
    TypeScript Python Rust Go Kotlin Swift GraphQL gRPC protobuf OpenAPI Litestar FastAPI Django
    Flask Express Fastify Celery Airflow dbt Spark DuckDB ClickHouse Elasticsearch OpenSearch MinIO
    S3 Lambda CloudFront Keycloak OAuth SAML JWT bcrypt argon2 Stripe Twilio SendGrid LaunchDarkly
    """.split()  # noqa: SIM905 - a list literal of this would be four times as long
)
_AREAS: Final = tuple(
    """
    billing checkout invoicing catalogue search onboarding notification mailing reporting export
    import ingestion scheduling authentication authorisation session profile avatar upload thumbnail
    payment refund ledger tax shipping warehouse stock pricing discount coupon review rating comment
    moderation audit archive backup migration replication caching queueing webhook telemetry
    dashboard admin support ticket calendar booking messaging presence translation recommendation
    """.split()  # noqa: SIM905 - see above
)
_KINDS: Final = ("service", "worker", "module", "screen", "job", "endpoint", "library", "table")
_TROUBLES: Final = (
    "times out under load",
    "leaks file handles",
    "deadlocks when two writers meet",
    "returns stale rows after a failover",
    "drops messages on restart",
    "doubles rows on a retry",
    "rounds amounts to whole cents too early",
    "breaks on leap days",
    "ignores the user's time zone",
    "loses the cursor between pages",
    "rejects names with an apostrophe",
    "fails on empty input",
    "swallows the original error",
    "keeps a transaction open for minutes",
    "starts before its config",
)
_REASONS: Final = (
    "because the old one could not be tested",
    "since the licence changed",
    "after the outage in spring",
    "as the team already knows it",
    "because it needs no server of its own",
    "to keep the bill small",
    "so that a release can be rolled back",
    "since latency matters more than throughput there",
    "because reviewers kept missing mistakes",
    "after a customer lost data",
    "to make builds repeatable",
    "as the vendor ended support",
    "because the numbers of last week's load test said so",
)
_HABITS: Final = (
    "short functions with one purpose",
    "commit messages that say why",
    "tests beside the code",
    "early returns over nested branches",
    "explicit error values over exceptions",
    "small pull requests",
    "plain SQL over an object mapper",
    "feature flags for risky changes",
    "tabs in makefiles only",
    "dates in ISO form",
    "pinned versions everywhere",
    "dry runs before anything destructive",
)
_PLACES: Final = ("src", "app", "lib", "packages", "services", "tools", "deploy", "tests")
_ENDINGS: Final = ("py", "ts", "go", "rs", "sql", "yaml", "toml", "svelte")
_PER: Final = ("second", "minute", "tenant", "batch")
_WORDS: Final = 8_000


class Corpus:
    """Writes memories of about 30 words: known tools and areas, and a long tail of rare names."""

    def __init__(self, seed: int | None = None) -> None:
        """Take the memories of every bench, or with a seed others about the same names."""
        self._random = random.Random(7)  # noqa: S311 - figures have to be repeatable
        self._names = [
            "".join(self._random.choices(_SYLLABLES, k=self._random.randint(2, 3)))
            for _ in range(_WORDS)
        ]
        # Names by Zipf's law: a few stand everywhere, most in a handful of memories.
        self._weights = list(accumulate(1 / (rank + 10) for rank in range(_WORDS)))
        if seed is not None:
            self._random.seed(seed)

    def _name(self) -> str:
        return self._random.choices(self._names, cum_weights=self._weights)[0]

    def _part(self) -> str:
        return f"{self._random.choice(_AREAS)} {self._random.choice(_KINDS)}"

    def _file(self) -> str:
        pick = self._random.choice
        return f"{pick(_PLACES)}/{pick(_AREAS)}/{self._name()}.{pick(_ENDINGS)}"

    def _decision(self) -> str:
        pick, number = self._random.choice, self._random.randint
        return (
            f"Decision: the {self._part()} of {self._name()} moves from {pick(_TOOLS)} to "
            f"{pick(_TOOLS)} {number(1, 9)}.{number(0, 20)} {pick(_REASONS)}; {self._name()} "
            f"owns the change and {self._file()} is where it begins."
        )

    def _issue(self) -> str:
        pick, number = self._random.choice, self._random.randint
        return (
            f"The {self._part()} in {self._file()} {pick(_TROUBLES)}. {self._name().title()} "
            f"traced it to {pick(_TOOLS)} and the fix is a limit of {number(2, 900)} per "
            f"{pick(_PER)}, tracked as {self._name().upper()}-{number(1, 9999)}."
        )

    def _preference(self) -> str:
        pick = self._random.choice
        return (
            f"The user prefers {pick(_HABITS)} and {pick(_HABITS)} in the {self._part()}, "
            f"{pick(_REASONS)}; {self._name()} is the example to follow."
        )

    def _rule(self) -> str:
        pick, number = self._random.choice, self._random.randint
        return (
            f"Never touch {self._file()} without asking {self._name().title()}: the "
            f"{self._part()} {pick(_TROUBLES)} when {pick(_TOOLS)} is older than "
            f"{number(1, 20)}.{number(0, 9)}."
        )

    def _procedure(self) -> str:
        pick, number = self._random.choice, self._random.randint
        return (
            f"To release the {self._part()} run `make {self._name()}` with {pick(_TOOLS)}, wait "
            f"for {number(2, 40)} minutes until {pick(_TOOLS)} is green, then tell "
            f"{self._name().title()} in the {pick(_AREAS)} channel."
        )

    def _fact(self) -> str:
        pick = self._random.choice
        return (
            f"{self._name().title()} said that the {self._part()} and the {self._part()} share "
            f"one {pick(_TOOLS)} cluster named {self._name()}, {pick(_REASONS)}, and it "
            f"{pick(_TROUBLES)}."
        )

    def memory(self) -> str:
        """Return a memory of 20 to 40 words."""
        kinds = (
            self._decision,
            self._issue,
            self._preference,
            self._rule,
            self._procedure,
            self._fact,
        )
        return kinds[self._random.randint(0, 5)]()

    def question(self) -> str:
        """Return a question of 6 to 14 words, half of which name something rare."""
        pick = self._random.choice
        forms = (
            f"Why did we move the {self._part()} away from {pick(_TOOLS)}?",
            f"How do I release the {self._part()} of {self._name()}?",
            f"What does the user want when I write tests for the {self._part()}?",
            f"Who knows about {self._name()} and the {pick(_TOOLS)} cluster?",
            f"The {self._part()} {pick(_TROUBLES)}, have we seen that before?",
            f"Which file of the {pick(_AREAS)} code must not be changed without {self._name()}?",
        )
        return pick(forms)

    def memories(self, count: int) -> Iterator[dict[str, object]]:
        """Return bodies of remember requests, spread over five projects and no project."""
        for number in range(count):
            project = self._random.choice(["/p/a", "/p/b", "/p/c", "/p/d", "/p/e", None])
            yield {
                "content": self.memory(),
                "project": project,
                "who": f"agent-{number % 7}",
                "tags": [f"t{number % 100}"],
            }
