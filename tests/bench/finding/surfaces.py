"""Types the questions into the dashboard, and counts the keystrokes to what they look for.

Asked are the palette (Ctrl K), the Quick search window and the searches of the pages. A keystroke
beyond the words is an arrow, or in the first two what leads to the next group; Enter isn't counted.
On a page, the first arrow leads from the field to the first row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from bench.finding.data import FindingQuestion, Scenario
from bench.finding.played import Played
from fakes.chromium import running_chromium
from fakes.daemon import Daemon
from fakes.dashboard import Dashboard

_MOST: Final = 3
_ANSWERED_MS: Final = 1_200
_KINDS: Final = {
    "Memories": "memory",
    "Entities": "entity",
    "Sessions": "session",
    "Inbox": "inbox",
    "Projects": "project",
    "Commits": "commit",
}
_PAGES: Final = {
    "memory": "/memories",
    "entity": "/entities",
    "session": "/sessions",
    "inbox": "/inbox",
    "project": "/projects",
    "commit": "/memories?commits=1",
}
_SWITCH: Final = "Switch to project "
# Each group of a list of results with the labels of its options, in order.
_LISTED: Final = """() =>
[...document.querySelectorAll("[role=listbox] [role=group]")].map((group) => ({
  name: group.querySelector("[role=presentation]").textContent.trim(),
  labels: [...group.querySelectorAll("[role=option]")].map((option) =>
    (option.querySelector(".label, .title") ?? option).textContent.trim().replace(/\\s+/g, " ")),
}))"""
_ROWS: Final = """() =>
[...document.querySelectorAll("main [role=option], main tbody tr")].map((row) =>
  row.textContent.trim().replace(/\\s+/g, " "))"""


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of results; ``kind`` is "" for commands, settings and Help."""

    kind: str
    labels: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Asker:
    """A window of the dashboard, and how what is wanted is told from the rest."""

    page: Page
    url: str
    scenario: Scenario
    played: Played
    titles: Mapping[str, str]

    def _is_wanted(self, question: FindingQuestion, kind: str, label: str) -> bool:
        for item in question.wanted:
            if item.kind == "session":
                if kind == "session" and self.titles[self.played.sessions[item.mark]] in label:
                    return True
            elif item.kind == kind and self.scenario.text_of(item).lower() in label.lower():
                return True
        return False

    def _type(self, words: str) -> None:
        self.page.keyboard.type(words)
        self.page.wait_for_timeout(_ANSWERED_MS)

    def _in_groups(self, question: FindingQuestion) -> tuple[int | None, str]:
        """Return the fewest keystrokes to a wanted option, and the first option of all."""
        listed = self.page.evaluate(_LISTED)
        groups = [_Group(_KINDS.get(each["name"], ""), each["labels"]) for each in listed]
        counts: list[int] = []
        before = 0
        for number, group in enumerate(groups):
            for place, label in enumerate(group.labels):
                is_switch = label.startswith(_SWITCH)
                kind = "project" if is_switch else group.kind
                if self._is_wanted(question, kind, label):
                    counts.append(min(before + place, number + place))
            before += len(group.labels)
        first = f"{listed[0]['name']}: {groups[0].labels[0]}" if groups else "nothing"
        return min(counts, default=None), first

    def palette(self, question: FindingQuestion) -> tuple[int | None, str]:
        """Ask the palette, on a page that has few commands of its own."""
        self.page.goto(f"{self.url}/status")
        self.page.wait_for_selector("main h1")
        self.page.keyboard.press("Control+k")
        self.page.wait_for_selector("dialog input:focus")
        self._type(question.ask)
        return self._in_groups(question)

    def quick(self, question: FindingQuestion) -> tuple[int | None, str]:
        """Ask the Quick search window."""
        self.page.goto(f"{self.url}/quick-search")
        self.page.wait_for_selector("input:focus")
        self._type(question.ask)
        return self._in_groups(question)

    def own_page(self, question: FindingQuestion) -> int | None:
        """Ask the page of each kind that is wanted; return the best."""
        counts: list[int] = []
        for kind in dict.fromkeys(each.kind for each in question.wanted):
            self.page.goto(f"{self.url}{_PAGES[kind]}")
            self.page.wait_for_selector("main [role=option], main tbody tr")
            self.page.keyboard.press("/")
            self.page.wait_for_selector("input:focus")
            self._type(question.ask)
            rows: list[str] = self.page.evaluate(_ROWS)
            counts += [
                place for place, row in enumerate(rows, 1) if self._is_wanted(question, kind, row)
            ][:1]
        return min(counts, default=None)


def measure_surfaces(daemon: Daemon, home: Path, scenario: Scenario, played: Played) -> None:
    """Print how many keystrokes each question takes, and how many are found in at most three."""
    titles = {
        str(each["id"]): " ".join(str(each["title"]).split())
        for each in played.get("/api/sessions", limit=200)["sessions"]
    }
    with daemon.client() as http, running_chromium() as browser:
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.goto(Dashboard(home, daemon, http).fresh_link())
        asker = _Asker(page, daemon.url, scenario, played, titles)
        print(f"\n{'keystrokes beyond the words':34}{'palette':>9}{'quick':>9}{'page':>9}   first")
        for questions in (scenario.questions, scenario.short):
            _ask_all(asker, questions)


def _ask_all(asker: _Asker, questions: Sequence[FindingQuestion]) -> None:
    rows: list[tuple[int | None, int | None, int | None]] = []
    for each in questions:
        palette, first = asker.palette(each)
        quick, _ = asker.quick(each)
        rows.append((palette, quick, asker.own_page(each)))
        print(f"{each.ask:34}{''.join(map(_shown, rows[-1]))}   {first[:60]}", flush=True)
    totals = [sum(_is_found(count) for count in column) for column in zip(*rows, strict=True)]
    print(f"{'found in at most three':34}" + "".join(f"{each:>6}/{len(rows)}" for each in totals))


def _shown(count: int | None) -> str:
    return f"{'-' if count is None else count:>9}"


def _is_found(count: int | None) -> bool:
    return count is not None and count <= _MOST
