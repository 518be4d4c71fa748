"""A test of every setting, as one test: a failure names the setting."""

from collections.abc import Callable, Iterable

from intaglio.base.settings.declaration import SettingInfo

SettingTest = Callable[[SettingInfo], None]


def for_each(settings: Iterable[SettingInfo]) -> Callable[[SettingTest], Callable[[], None]]:
    """Let a test run for each of these settings; by itself, each would take longer to collect."""

    def decorate(test: SettingTest) -> Callable[[], None]:
        def run() -> None:
            for info in settings:
                try:
                    test(info)
                except BaseException as error:
                    error.add_note(f"for the setting {info.key}")
                    raise

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorate
