"""The first thing that a PyInstaller build does: restore the environment, run a script if asked to.

It runs before anything else is imported, because a hook that runs as a script shall start fast.
"""

import os
import sys

SCRIPT_OPTIONS = ["-I", "-S"]
"""The options with which Python runs a script that needs only the standard library."""

_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")
_BUILD_PREFIXES = ("_PYI_", "PYINSTALLER_")


def main() -> None:
    """Restore the environment; if the arguments are ``-I -S FILE …``, run the file and exit."""
    restored = restored_environment(dict(os.environ))
    for name in set(os.environ) - set(restored):
        del os.environ[name]
    os.environ.update(restored)
    _reset_library_folder()
    if run_script(sys.argv[1:]):
        sys.exit(0)


def restored_environment(env: dict[str, str]) -> dict[str, str]:
    """Return the environment without what the start of a PyInstaller build puts into it.

    Browsers, agents, git and curl would load the build's libraries in place of the system's. This
    process has read its search path already, and children of the same build set it again.
    """
    kept = {name: value for name, value in env.items() if not name.startswith(_BUILD_PREFIXES)}
    for name in _LIBRARY_PATHS:
        kept.pop(name, None)
        original = kept.pop(f"{name}_ORIG", None)
        if original is not None:
            kept[name] = original
    return kept


def _reset_library_folder() -> None:
    """Keep the build's folder of libraries from the children, which inherit it on Windows."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - a hook elsewhere needs nothing

        os.add_dll_directory(vars(sys)["_MEIPASS"])
        ctypes.windll.kernel32.SetDllDirectoryW(None)


def run_script(arguments: list[str]) -> bool:
    """Run a script as Python would if these are ``-I -S FILE …``; return False if they aren't.

    Raises whatever the script raises, and OSError if it can't be read.
    """
    options = len(SCRIPT_OPTIONS)
    if arguments[:options] != SCRIPT_OPTIONS or len(arguments) == options:
        return False
    file = arguments[options]
    sys.argv = arguments[options:]
    with open(file, "rb") as stream:  # noqa: PTH123 - pathlib costs a hook more than its work
        code = compile(stream.read(), file, "exec")
    exec(code, {"__name__": "__main__", "__file__": file})  # noqa: S102 - as Python runs a script
    return True


if __name__ == "__main__":
    main()
