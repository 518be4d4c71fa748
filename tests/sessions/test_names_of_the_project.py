"""A misspelt name is stored as the project's memories write it."""

from fakes.sessions import House, session
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings


async def test_a_misspelt_name_of_the_project_is_mended(linked: House) -> None:
    linked.settings = Settings().having(CaptureSettings(keep_at=0.01, suggest_at=0.01))
    project = session().project
    await linked.remember("We use Kubernetes for the ledger.", project=project)
    await linked.remember("The nightly jobs run on Kubernetes.", project=project)
    await linked.say(session(), "We decided to run the exports on Kuberntes from now on.")
    assert "We decided to run the exports on Kubernetes from now on." in await linked.contents()
