"""What the tray's menu says in each state, and what its entries do."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from intaglio.desktop.tray.icon_view import contents_of
from intaglio.desktop.tray.menu import (
    MenuAction,
    MenuEntry,
    MenuItem,
    MenuLine,
    MovePort,
    PauseCapture,
    Quit,
    RestartApp,
    RestartDaemon,
    ResumeCapture,
    Separator,
    Submenu,
    SwitchAutostart,
    menu_of,
)
from intaglio.desktop.values import (
    CapturedLine,
    DaemonStatus,
    HotkeyStatus,
    MenuAgent,
    MenuSession,
    OpenAddress,
    OpenMemory,
    OpenPage,
    QuickRemember,
    QuickSearch,
    RecentMemory,
    Snapshot,
    UndoSaved,
)
from intaglio.domain.issues import Issue

WELL = Snapshot(
    "idle",
    "running",
    "Ready: 3 memories",
    health="ready",
    recent=(
        RecentMemory("m1", "Larch is the staging database"),
        RecentMemory("m2", "Never on Friday"),
    ),
    quit_label="Quit and stop the daemon",
    autostart=False,
)
AWAY = Snapshot("down", "failed", "The daemon failed", attention="Restart daemon tries again")
EAST = timezone(timedelta(hours=2))


def items(entries: tuple[MenuEntry, ...]) -> dict[str, MenuAction]:
    """List every entry that can be chosen, by its text."""
    found: dict[str, MenuAction] = {}
    for entry in entries:
        match entry:
            case MenuItem(text, action, enabled=True):
                found[text] = action
            case Submenu(_, inner):
                found |= items(inner)
            case _:
                pass
    return found


def texts(entries: tuple[MenuEntry, ...]) -> list[str]:
    return [entry.text for entry in entries if not isinstance(entry, Separator)]


def test_a_healthy_daemon_offers_every_menu_entry() -> None:
    assert items(menu_of(WELL)) == {
        "Open Intaglio": OpenPage(),
        "Open constellation": OpenPage("constellation"),
        "Quick remember…": QuickRemember(),
        "Search…": QuickSearch(),
        "Larch is the staging database": OpenMemory("m1"),
        "Never on Friday": OpenMemory("m2"),
        "For 15 minutes": PauseCapture("15m"),
        "For 1 hour": PauseCapture("1h"),
        "Until tomorrow": PauseCapture("tomorrow"),
        "Restart daemon": RestartDaemon(),
        "Start at login": SwitchAutostart(on=True),
        "Connect an agent…": OpenPage("connect"),
        "Settings…": OpenPage("settings"),
        "Help": OpenPage("help"),
        "Quit and stop the daemon": Quit(),
    }


def test_the_first_line_is_the_status_and_cannot_be_chosen() -> None:
    assert menu_of(WELL)[0] == MenuLine("Ready: 3 memories")


def test_entries_that_need_attention_stand_below_the_status() -> None:
    assert menu_of(AWAY)[:2] == (
        MenuLine("The daemon failed"),
        MenuLine("Restart daemon tries again"),
    )


def test_a_plain_click_opens_the_dashboard() -> None:
    defaults = [entry for entry in menu_of(WELL) if isinstance(entry, MenuItem) and entry.default]
    assert [entry.action for entry in defaults] == [OpenPage()]


def test_a_pause_ends_from_the_same_menu_entry() -> None:
    until = datetime(2026, 1, 31, 12, 30, tzinfo=UTC)
    paused = replace(WELL, icon="paused", paused=True, paused_until=until)
    offered = items(menu_of(paused, zone=EAST))
    assert offered["Resume capture (paused until Sat 14:30)"] == ResumeCapture()
    assert not [action for action in offered.values() if isinstance(action, PauseCapture)]


def test_a_pause_without_an_end_can_be_ended() -> None:
    assert items(menu_of(replace(WELL, paused=True)))["Resume capture"] == ResumeCapture()


def test_without_a_report_pause_and_recent_memories_are_hidden() -> None:
    offered = items(menu_of(AWAY))
    assert not [
        a for a in offered.values() if isinstance(a, PauseCapture | ResumeCapture | OpenMemory)
    ]
    assert {"Open Intaglio", "Restart daemon", "Quit Intaglio"} <= set(offered)


def test_inbox_items_are_counted() -> None:
    offered = items(menu_of(replace(WELL, inbox=1_200)))
    assert offered["Inbox (1,200)…"] == OpenPage("inbox")
    assert OpenPage("inbox") not in items(menu_of(WELL)).values()


@pytest.mark.parametrize(
    ("kept", "suggested", "text", "page"),
    [
        (3, 2, "3 memories saved, 2 suggestions", OpenPage("inbox")),
        (0, 1, "1 suggestion", OpenPage("inbox")),
        (1_200, 0, "1,200 memories saved", OpenPage("home", navigates=True)),
    ],
)
def test_new_memories_are_counted_and_open_their_list(
    kept: int, suggested: int, text: str, page: OpenPage
) -> None:
    shown = replace(WELL, kept=kept, suggested=suggested)
    assert items(menu_of(shown))[text] == page
    assert contents_of(shown).title == f"Intaglio: Ready: 3 memories · {text}"
    asking = replace(shown, model_use="9 tokens today")
    assert contents_of(asking).title.endswith(f"{text} · 9 tokens today")


def test_the_worst_issue_leads_to_its_page_and_the_others_to_health() -> None:
    worst = Issue("disk", "danger", "The disk is full.", "Free up space.", page="/status#disk")
    other = Issue("backup", "warn", "Backup is overdue", "Backups are made daily.")
    shown = replace(WELL, icon="attention", issues=(worst, other))
    assert menu_of(shown)[1:3] == (
        MenuItem("The disk is full…", OpenAddress("/status#disk")),
        MenuItem("1 more issue…", OpenPage("status")),
    )
    assert items(menu_of(replace(WELL, issues=(other,))))["Backup is overdue…"] == OpenPage(
        "status"
    )
    assert contents_of(shown).title == "Intaglio: Ready: 3 memories · The disk is full"


def test_the_last_three_saved_lines_can_be_opened_and_undone() -> None:
    lines = tuple(CapturedLine(f"m{number}", "", f"Rule {number}") for number in range(9))
    saved = [
        entry
        for entry in menu_of(replace(WELL, saved=lines))
        if isinstance(entry, Submenu) and entry.text.startswith("Saved: ")
    ]
    assert [entry.text for entry in saved] == ["Saved: Rule 0", "Saved: Rule 1", "Saved: Rule 2"]
    assert items(tuple(saved[:1])) == {"Undo": UndoSaved(("m0",)), "Open": OpenMemory("m0")}


CODER = MenuAgent("claude-code", "Claude Code", "Connected", connected=True)
OTHER = MenuAgent("codex", "Codex", "Not connected", connected=False)


def test_agents_are_listed_with_their_states_and_open_sessions() -> None:
    now = (MenuSession("7", "claude-code", "Fix the build"), MenuSession("8", "claude-code", "Tea"))
    (agents,) = (
        entry
        for entry in menu_of(replace(WELL, agents=(CODER, OTHER), sessions=now))
        if isinstance(entry, Submenu) and entry.text == "Agents (1 connected)"
    )
    assert items((agents,)) == {
        "Claude Code: connected, 2 sessions": OpenPage("connect"),
        "Codex: not connected": OpenPage("connect"),
        "Connect an agent…": OpenPage("connect"),
    }


def test_open_sessions_are_listed_by_title_and_agent() -> None:
    now = tuple(MenuSession(str(number), "claude-code", f"Task {number}") for number in range(7))
    entry = menu_of(replace(WELL, agents=(CODER,), sessions=now))[1]
    assert isinstance(entry, Submenu)
    assert entry.text == "7 sessions now"
    assert items((entry,)) == {
        **{
            f"Task {number} · Claude Code": OpenAddress(f"/sessions/{number}")
            for number in range(5)
        },
        "All sessions…": OpenAddress("/sessions"),
    }


def test_a_busy_menu_stays_short() -> None:
    saved = tuple(CapturedLine(f"m{number}", "", "x" * 300) for number in range(20))
    sessions = tuple(MenuSession(str(number), "claude-code", "x" * 300) for number in range(20))
    busy = replace(
        WELL,
        kept=20,
        inbox=3,
        saved=saved,
        sessions=sessions,
        agents=(CODER, OTHER),
        autostart=True,
    )
    shown = texts(menu_of(busy))
    assert len(shown) <= 17
    assert max(map(len, shown)) <= 60


def test_shortcuts_are_named_and_those_that_do_not_work_lead_to_settings() -> None:
    hotkeys = (
        HotkeyStatus("remember", "Ctrl+Alt+M"),
        HotkeyStatus("search", "F9", "Another program uses these keys."),
    )
    offered = items(menu_of(replace(WELL, hotkeys=hotkeys)))
    assert offered["Quick remember… (Ctrl+Alt+M)"] == QuickRemember()
    assert offered["Search…"] == QuickSearch()
    assert offered["Shortcut F9 doesn't work…"] == OpenAddress("/settings/desktop.hotkeySearch")


@pytest.mark.parametrize("on", [True, False])
def test_start_at_login_is_ticked_and_switches_to_the_other(on: bool) -> None:
    (more,) = (
        entry
        for entry in menu_of(replace(WELL, autostart=on))
        if isinstance(entry, Submenu) and entry.text == "More"
    )
    assert MenuItem("Start at login", SwitchAutostart(not on), checked=on) in more.items


def test_start_at_login_is_hidden_where_unsupported() -> None:
    assert "Start at login" not in items(menu_of(replace(WELL, autostart=None)))


def test_another_port_is_offered_only_while_a_stranger_holds_ours() -> None:
    taken = replace(AWAY, daemon="port_taken", can_move_port=True)
    assert MovePort() in items(menu_of(taken)).values()
    assert MovePort() not in items(menu_of(AWAY)).values()


@pytest.mark.parametrize(("word", "offered"), [("restarting", False), ("failed", True)])
def test_a_restart_is_not_offered_during_one(word: DaemonStatus, offered: bool) -> None:
    assert ("Restart daemon" in items(menu_of(replace(AWAY, daemon=word)))) is offered


def test_an_invisible_change_redraws_nothing() -> None:
    assert contents_of(WELL) == contents_of(replace(WELL, jobs_pending=4, spool=2, version="9"))


def test_a_long_status_is_cut_to_what_every_platform_takes() -> None:
    assert len(contents_of(replace(WELL, line="x" * 500)).title) <= 127


def test_another_version_on_disk_can_be_started() -> None:
    chosen = "Restart to finish the update"
    assert items(menu_of(replace(WELL, update_to="0.2.0")))[chosen] == RestartApp()
    assert chosen not in items(menu_of(WELL))
