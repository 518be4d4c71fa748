"""Of what Claude Code writes for a prompt, the words that the user typed are left."""

import pytest

from intaglio.harness.claude_code.typed_text import (
    typed_text,
    without_placeholders,
    words_of_command,
)

COMMAND = (
    "<command-message>{0}</command-message>\n<command-name>/{0}</command-name>\n"
    "<command-args>{1}</command-args>"
)
# A command that the client carries out by itself.
LOCAL = (
    "<command-name>/{0}</command-name>\n            <command-message>{0}</command-message>\n"
    "            <command-args>{1}</command-args>"
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[Image #1] The sidebar is left.", "The sidebar is left."),
        ("The sidebar is left. [Image #1]", "The sidebar is left."),
        ("The sidebar [Image #1] is left.", "The sidebar is left."),
        ("The sidebar is left [Image #12].", "The sidebar is left."),
        ("The sidebar ([Image #1]) is left.", "The sidebar is left."),
        ("[Image #1] [Image #2]\nThe sidebar is left.", "The sidebar is left."),
        ("[Image: source: /tmp/a b.png]\nThe sidebar is left.", "The sidebar is left."),
        ("[Image: original 9x9, displayed at 3x3.] We use tabs.", "We use tabs."),
        ("[Pasted text #2 +40 lines] We use tabs.", "We use tabs."),
        ("We use tabs. [Pasted text #2]", "We use tabs."),
        ("We use tabs. [...Truncated text #3 +120 lines...]", "We use tabs."),
        ("@docs/style.md Never use gradients.", "Never use gradients."),
        ("@docs/style.md: never use gradients.", "never use gradients."),
        ("@README.md @src/ui/ Never use gradients.", "Never use gradients."),
        ('@"my docs/style guide.md" Never use gradients.', "Never use gradients."),
        ("@src/app.py#L10-20 Never log here.", "Never log here."),
        ("[Image #1] @docs/style.md Never use gradients.", "Never use gradients."),
        ("Never use gradients. @docs/style.md", "Never use gradients."),
        ("Never use gradients.\n@docs/style.md @README.md", "Never use gradients."),
        ("[Image #1]", ""),
    ],
)
def test_placeholders_are_removed_from_messages(text: str, said: str) -> None:
    assert without_placeholders(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Name components as @docs/style.md says.",
        "what is in @NOTES.md",
        "@docs/style.md is the source of truth for colours.",
        "@docs/a.md and @docs/b.md hold our rules.",
        "@types/node stays at version 20.",
        "@app.route handlers are always async.",
        "@tanstack/query is our data layer.",
        "@Test methods must never sleep.",
        "We use a[0] and [x] in lists.",
        "write to me@home.de Thanks.",
    ],
)
def test_text_that_belongs_to_the_sentence_is_kept(text: str) -> None:
    assert without_placeholders(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (COMMAND.format("discuss", "We use tabs."), "We use tabs."),
        (COMMAND.format("my:plan", "[Image #1] We use <b> tags."), "We use <b> tags."),
        (COMMAND.format("discuss", "Never write </command-args>."), "Never write </command-args>."),
        (COMMAND.format("discuss", ""), ""),
        ("<command-message>a</command-message>\n<command-name>/a</command-name>", ""),
        (COMMAND.format("compact", "Keep that we use tabs."), ""),
        (LOCAL.format("model", "opus"), ""),
        (LOCAL.format("compact", "Keep that we use tabs."), ""),
        ("<user-memory-input>use tabs</user-memory-input>", "Remember: use tabs"),
        ("<bash-input>git push</bash-input>", ""),
        ("<local-command-stdout>We use tabs.</local-command-stdout>", ""),
        ("<Button> must get a label.", "<Button> must get a label."),
        ("<input> elements need a label.", "<input> elements need a label."),
        ("<task-notification>We use tabs.</task-notification>", ""),
        ("<tick>5</tick> We use tabs.", ""),
        ("<ide_opened_file>a.py</ide_opened_file>We use tabs.", "We use tabs."),
        ("We use tabs. <system-reminder>never closed", "We use tabs."),
        ("[Request interrupted by user for tool use]", ""),
    ],
)
def test_the_words_between_the_clients_tags_are_found(text: str, said: str) -> None:
    assert typed_text(text, is_typed=True) == said


def test_any_tag_begins_no_prompt_unless_the_client_says_that_it_was_typed() -> None:
    assert not typed_text("<input> elements need a label.", is_typed=False)
    assert typed_text("We use <input> here.", is_typed=False) == "We use <input> here."


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("/discuss We use tabs.", "We use tabs."),
        ("/my:plan\nWe use tabs.", "We use tabs."),
        ("/discuss", ""),
        ("/etc/hosts is wrong", "/etc/hosts is wrong"),
        ("What about /discuss?", "What about /discuss?"),
    ],
)
def test_the_name_of_a_command_is_not_searched_for(prompt: str, words: str) -> None:
    assert words_of_command(prompt) == words
