"""Where the general value of a project's setting is found."""

from intaglio.lifecycle.projects.project_settings import general_capture_key


def test_with_several_agents_the_link_leads_to_the_setting_of_all_of_them() -> None:
    assert general_capture_key(["claude-code"]) == "harness.claudeCode.capture"
    assert general_capture_key(["claude-code", "codex"]) == "harness.<name>.capture"
