"""What the Debian package does for the users of Intaglio when it is upgraded or removed."""

import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from deb.maintenance import (
    COMMAND,
    AppProcess,
    User,
    UserCommand,
    end_all,
    limited,
    main,
    owns,
    processes,
    removals,
    restarts,
    run_all,
)

PYTHON = "/opt/intaglio/bin/python3"
SYSTEM_PYTHON = "/usr/bin/python3.11"
DAEMON = (PYTHON, "-P", "-m", "intaglio", "daemon", "run")
ALICE = User("alice", 1000, 1000, "/home/alice")
BOB = User("bob", 1001, 1001, "/home/bob")
KNOWN = {user.uid: user for user in (ALICE, BOB)}
ENV = {"HOME": "/home/alice", "PATH": "/usr/bin"}


def put_process(
    proc: Path,
    pid: int,
    *words: str,
    root: str = "/",
    uids: str = "1000 1000 1000 1000",
    exe: str = "/usr/bin/python3.11",
    **env: str,
) -> None:
    folder = proc / str(pid)
    folder.mkdir()
    (folder / "status").write_text(f"Name:\tpython3\nUid:\t{uids}\nGid:\t0 0 0 0\n")
    (folder / "exe").symlink_to(exe)
    (folder / "cmdline").write_text("".join(f"{word}\0" for word in words))
    (folder / "environ").write_text("".join(f"{name}={value}\0" for name, value in env.items()))
    (folder / "cgroup").write_text("0::/user.slice/session-1.scope\n")
    (folder / "root").symlink_to(root)


def me() -> User:
    entry = pwd.getpwuid(os.getuid())
    return User(entry.pw_name, entry.pw_uid, entry.pw_gid, entry.pw_dir)


def command(*words: str) -> UserCommand:
    return UserCommand(me(), words, dict(os.environ))


# --- which processes ------------------------------------------------------------------------------


def test_the_packages_processes_are_found_with_their_environment(tmp_path: Path) -> None:
    put_process(tmp_path, 11, *DAEMON, HOME="/home/alice")
    (found,) = processes(tmp_path, python=SYSTEM_PYTHON)
    assert (found.pid, found.words, found.is_daemon) == (11, DAEMON, True)
    assert found.env == {"HOME": "/home/alice"}


def test_other_programs_hooks_and_containers_are_left_alone(tmp_path: Path) -> None:
    put_process(tmp_path, 21, "/usr/bin/python3", "-m", "intaglio", "daemon", "run")
    put_process(tmp_path, 22, PYTHON, "/home/alice/.local/state/intaglio/hooks/mcp.py")
    put_process(tmp_path, 23, *DAEMON, root=str(tmp_path))
    (tmp_path / "24").mkdir()
    (tmp_path / "25").mkdir()
    (tmp_path / "25" / "cmdline").write_text("\0".join(DAEMON))
    (tmp_path / "25" / "status").write_text("")
    assert processes(tmp_path, python=SYSTEM_PYTHON) == []


def test_nobody_passes_for_root_by_a_program_that_runs_as_root(tmp_path: Path) -> None:
    put_process(tmp_path, 31, *DAEMON, uids="1000 0 0 0")
    put_process(tmp_path, 32, *DAEMON, uids="0 0 0 0", exe="/usr/bin/sudo")
    assert processes(tmp_path, python=SYSTEM_PYTHON) == []


def test_a_daemon_survives_the_upgrade_of_its_python(tmp_path: Path) -> None:
    put_process(tmp_path, 33, *DAEMON, exe=f"{SYSTEM_PYTHON} (deleted)")
    assert [found.pid for found in processes(tmp_path, python=SYSTEM_PYTHON)] == [33]


# --- upgrade --------------------------------------------------------------------------------------


def test_a_daemon_in_the_background_is_restarted_in_its_own_environment() -> None:
    process = AppProcess(11, 1000, DAEMON, ENV)
    assert list(restarts([process], KNOWN)) == [
        UserCommand(ALICE, (COMMAND, "daemon", "restart"), ENV)
    ]


def test_a_daemon_of_systemd_is_restarted_by_systemd() -> None:
    process = AppProcess(11, 1000, DAEMON, ENV, "0::/user.slice/app.slice/intaglio.service\n")
    (found,) = restarts([process], KNOWN)
    assert found.words == ("/usr/bin/systemctl", "--user", "restart", "intaglio.service")


def test_no_code_of_the_environment_is_loaded() -> None:
    env = {**ENV, "PYTHONPATH": "/home/alice/lib", "LD_PRELOAD": "/home/alice/evil.so"}
    (found,) = restarts([AppProcess(11, 1000, DAEMON, env)], KNOWN)
    assert found.env == ENV


def test_a_user_with_many_processes_gets_few_commands() -> None:
    envs = [{**ENV, "INTAGLIO_STATE_DIR": f"/srv/{number % 50}"} for number in range(200)]
    running = [AppProcess(number, 1000, DAEMON, env) for number, env in enumerate(envs)]
    assert len(list(limited(restarts(running, KNOWN)))) == 8


def test_the_tray_app_restarts_its_daemon_itself() -> None:
    child = AppProcess(11, 1000, (*DAEMON, "--exit-with-parent"), ENV)
    tray = AppProcess(12, 1000, (*DAEMON[:4], "tray"), ENV)
    assert list(restarts([child, tray], KNOWN)) == []


def test_a_process_of_an_unknown_user_is_left_alone() -> None:
    assert list(restarts([AppProcess(11, 4711, DAEMON, ENV)], KNOWN)) == []


# --- removal --------------------------------------------------------------------------------------


def test_a_removal_asks_each_user_who_has_a_state_folder() -> None:
    found = list(removals([], KNOWN, lambda user, _: user == BOB))
    assert [(each.user, each.words[1:]) for each in found] == [
        (BOB, ("uninstall", "--keep-data", "--yes"))
    ]


def test_a_running_daemon_tells_of_folders_that_its_user_has_chosen() -> None:
    moved = {**ENV, "INTAGLIO_STATE_DIR": "/srv/state"}
    running = [AppProcess(11, 1000, DAEMON, moved), AppProcess(12, 1000, DAEMON, ENV)]
    found = list(limited(removals(running, {1000: ALICE}, lambda _user, _folder: True)))
    assert [each.env.get("INTAGLIO_STATE_DIR") for each in found] == ["/srv/state", None]


def test_a_folder_that_somebody_else_made_or_linked_is_not_a_users_own(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    stranger = User("stranger", os.getuid() + 1, 0, str(tmp_path))
    folders = (str(tmp_path), str(link), f"{tmp_path}/none", "a\0b")
    assert [owns(me(), folder) for folder in folders] == [True, False, False, False]
    assert not owns(stranger, str(tmp_path))


# --- running --------------------------------------------------------------------------------------

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")


@as_root
def test_a_failing_command_is_reported_by_its_last_line() -> None:
    script = "import sys; print('first', flush=True); sys.exit('the settings are broken')"
    good = command(sys.executable, "-c", "")
    failures = run_all([good, command(sys.executable, "-c", script), command("/nowhere")])
    assert failures[0] == f"{me().name}: the settings are broken"
    assert "/nowhere" in failures[1]


@as_root
def test_a_command_that_hangs_is_ended_at_the_deadline() -> None:
    hanging = command(sys.executable, "-c", "import time; time.sleep(600)")
    assert run_all([hanging], deadline_s=0.1) == [f"{me().name}: it took too long"]


@as_root
def test_what_a_users_program_says_does_not_reach_the_terminal_as_it_is() -> None:
    script = "import sys; sys.exit('x' * 9000 + chr(10) + chr(27) + ']0;title')"
    assert run_all([command(sys.executable, "-c", script)]) == [f"{me().name}: ?]0;title"]


def test_wrong_words_change_nothing_and_fail_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["purge"]) == 0
    assert "restart|uninstall" in capsys.readouterr().err


def test_a_process_that_ignores_the_request_to_end_is_killed() -> None:
    ignore = "import signal, time; signal.signal(15, signal.SIG_IGN)"
    script = f"{ignore}; print(flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as stubborn:
        assert stubborn.stdout is not None
        stubborn.stdout.readline()

        def living() -> list[AppProcess]:
            return [] if stubborn.poll() else [AppProcess(stubborn.pid, os.getuid(), DAEMON, ENV)]

        end_all(living, termination_s=0.1)
        assert stubborn.returncode == -signal.SIGKILL
