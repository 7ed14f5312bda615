"""A model's answers kept in files, so that an experiment can be done again to the byte without asking anybody."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from routeagent.agent.litellm_client import LiteLLMClient
from routeagent.errors import DataError, ModelError
from routeagent.llm.endpoint import Endpoint
from routeagent.llm.masking import mask
from routeagent.storage import write_atomic


class Cassette:
    """A folder with a file for each different request; the file holds the answers that it got, in order.

    The same request may come again, as in a repeated experiment: the n-th time it gets the n-th answer. What is
    kept is the request's body and the answer, with everything in them that is shaped like a key made unreadable;
    headers, addresses and keys are not part of it.

    Args:
        folder: made with the first answer.
        replay_only: whether a request that is not kept is an error rather than asked.
    """

    def __init__(self, folder: Path, *, replay_only: bool = False) -> None:
        self.folder = folder
        self.replay_only = replay_only
        self._asked: Counter[str] = Counter()

    @property
    def client(self) -> partial[CassetteClient]:
        """What `LiteLLMModel(client=…)` takes."""
        return partial(CassetteClient, self)

    def take(self, key: str) -> dict[str, Any] | None:
        """The next answer that is kept for a request, None where there is none left."""
        turn = self._asked[key]
        answers = self._answers(key)
        if turn >= len(answers):
            return None
        self._asked[key] += 1
        return answers[turn]

    def keep(self, key: str, request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        """Add an answer; what is returned is what a replay will give."""
        answers = [*self._answers(key), _scrubbed(answer)]
        self._asked[key] = len(answers)
        content = json.dumps({"request": _scrubbed(request), "answers": answers}, ensure_ascii=True, indent=1)
        write_atomic(self._path(key), content.encode())
        return answers[-1]

    def _answers(self, key: str) -> list[dict[str, Any]]:
        path = self._path(key)
        if not path.is_file():
            return []
        try:
            return json.loads(path.read_text("utf-8"))["answers"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(f"{path} cannot be read as kept answers ({error}); remove it and ask again") from error

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


class CassetteClient(LiteLLMClient):
    """litellm's client in front of which a cassette stands; streams are not kept."""

    def __init__(self, cassette: Cassette, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._cassette = cassette

    async def answer(self, endpoint: Endpoint, body: dict[str, Any]) -> dict[str, Any]:
        """The kept answer, else the model's, which is kept then.

        Raises:
            ModelError: nothing is kept for this request, and the cassette only replays.
        """
        request = {"model": endpoint.name, **_plain(body)}
        key = request_key(request)
        if (kept := self._cassette.take(key)) is not None:
            return kept
        if self._cassette.replay_only:
            raise ModelError(
                f"{endpoint.name}: {self._cassette.folder} holds no answer to this request ({key}): tools, tasks or "
                "prompts have changed since; ask the model again without --replay"
            )
        return self._cassette.keep(key, request, await super().answer(endpoint, body))


def request_key(request: dict[str, Any]) -> str:
    """A digest of a request's model, messages, tools and settings."""
    text = json.dumps(request, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, ensure_ascii=True, default=str))


def _scrubbed(value: dict[str, Any]) -> dict[str, Any]:
    return json.loads(mask(json.dumps(_plain(value), ensure_ascii=False)))
