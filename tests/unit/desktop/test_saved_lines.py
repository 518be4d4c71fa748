"""The notification of what capture saved shows the lines, and undoes what it shows."""

from intaglio.desktop.captured.saved_lines import saved_notification
from intaglio.desktop.values import (
    CapturedLine,
    NotificationButton,
    OpenMemory,
    OpenPage,
    UndoSaved,
)


def line(number: int, text: str = "We use tabs") -> CapturedLine:
    return CapturedLine(f"m{number}", f"2026-01-31T08:00:0{number}.000Z", text)


def test_one_line_is_the_title_and_can_be_undone() -> None:
    note = saved_notification((line(1),))
    assert (note.kind, note.title, note.text) == ("saved", "Saved: We use tabs", "")
    assert note.button == NotificationButton("Undo", UndoSaved(("m1",)))
    assert note.click == OpenMemory("m1")


def test_a_long_line_is_shortened_in_the_title_and_whole_below() -> None:
    text = "word " * 30
    note = saved_notification((line(1, text.strip()),))
    assert (len(note.title) <= 80, note.text) == (True, text.strip())


def test_several_lines_are_listed_and_undone_together() -> None:
    note = saved_notification((line(1), line(2, "Never push on Friday")))
    assert (note.title, note.text) == ("Saved 2 memories", "We use tabs\nNever push on Friday")
    assert note.button == NotificationButton("Undo all", UndoSaved(("m1", "m2")))


def test_what_is_not_shown_cannot_be_undone() -> None:
    note = saved_notification(tuple(line(number) for number in range(7)))
    assert note.text.splitlines()[-1] == "and 3 more"
    assert (note.button, note.click) == (None, OpenPage("memories"))
