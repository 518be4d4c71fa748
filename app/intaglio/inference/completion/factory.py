"""Makes the model that the user chose."""

from intaglio.base.errors import InvalidInputError
from intaglio.inference.completion.choice import PROVIDERS, ModelChoice
from intaglio.inference.completion.ports import Completion


def completion_of(choice: ModelChoice) -> Completion | None:
    """Return the chosen model, without calling it; None for the provider ``none``.

    Raises InvalidInputError for an invalid address or key, or a missing model. A program that isn't
    installed raises nothing here: each call returns ``unusable``.
    """
    if choice.provider == "none":
        return None
    facts = PROVIDERS[choice.provider]
    if facts.needs_model and not choice.model:
        raise InvalidInputError("no language model is named")
    if facts.needs_key and not choice.key:
        raise InvalidInputError(f"{facts.title} needs an API key")
    # httpx is loaded only if a model server is configured.
    from intaglio.inference.completion.guarded import GuardedCompletion  # noqa: PLC0415 - see above
    from intaglio.inference.completion.ollama import OllamaBackend  # noqa: PLC0415 - see above
    from intaglio.inference.completion.ports import ModelName  # noqa: PLC0415 - see above
    from intaglio.inference.server_http import ServerAddress  # noqa: PLC0415 - see above

    name = ModelName(choice.provider, choice.model)
    address = ServerAddress(choice.address or facts.address, choice.key)
    return GuardedCompletion(OllamaBackend(name, address), concurrency=4)
