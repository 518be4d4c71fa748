"""What `intaglio capture try` says about a text."""

from typing import Literal

import pytest

from intaglio.cli.capture_trial import trial_lines
from intaglio.wire.capture import CaptureTrialReply, TriedStatementRow


@pytest.mark.parametrize(
    ("outcome", "everywhere", "said"),
    [
        ("kept", False, "Would be kept as a rule for the project of the session."),
        ("kept", True, "Would be kept as a rule for all projects."),
        ("suggested", False, "Would wait in your inbox"),
        ("considered", False, "Would not be kept."),
    ],
)
def test_the_outcome_of_each_statement_is_said(
    outcome: Literal["kept", "suggested", "considered"], everywhere: bool, said: str
) -> None:
    row = TriedStatementRow(
        content="Use tabs.", type="rule", outcome=outcome, everywhere=everywhere
    )
    lines = list(trial_lines(CaptureTrialReply(statements=[row], told="")))
    assert lines[0] == "Use tabs."
    assert lines[1].strip().startswith(said)


def test_what_would_be_told_is_shown_as_it_is() -> None:
    lines = list(trial_lines(CaptureTrialReply(statements=[], told="<a>\n- Use tabs.\n</a>")))
    assert lines[0].startswith("Nothing of it would be kept")
    assert [line.strip() for line in lines[-3:]] == ["<a>", "- Use tabs.", "</a>"]
