"""A model that stops before it costs more than it may."""

from __future__ import annotations

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings, merge_model_settings
from pydantic_ai.usage import RequestUsage

from routeagent.errors import RouteAgentError
from routeagent.prices import Price
from routeagent.tokens import count_tokens

_MILLION = 1_000_000
_ANSWER = 2_000
"""Tokens that an answer may have; it bounds what a request can cost before it is made."""
_MARGIN = 1.3
"""Other vendors' tokenizers count a few per cent more than ours, and messages have frames around them."""


class OutOfBudgetError(RouteAgentError):
    """The next request could cost more than is left."""


class BudgetedModel(WrapperModel):
    """Refuses a request whose worst case does not fit into what is left; shared by all runs of an experiment.

    Args:
        wrapped: the model that is paid for.
        price: what it takes.
        budget: US dollars for all requests together.
    """

    def __init__(self, wrapped: Model, price: Price, budget: float) -> None:
        super().__init__(wrapped)
        self.spent = 0.0
        self._price = price
        self._budget = budget

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask, and add what it cost.

        Raises:
            OutOfBudgetError: the request could cost more than is left; nothing was sent.
        """
        worst = self._worst(messages, model_request_parameters)
        if self.spent + worst > self._budget:
            raise OutOfBudgetError(
                f"{self._budget - self.spent:.4f} USD are left of {self._budget}, and the next request may cost "
                f"{worst:.4f}; raise the budget or take fewer tasks"
            )
        bounded = merge_model_settings(model_settings, ModelSettings(max_tokens=_ANSWER))
        try:
            response = await super().request(messages, bounded, model_request_parameters)
        except BaseException:
            self.spent += worst  # what a request that failed has cost is not known
            raise
        self.spent += self._cost(response.usage) or worst
        return response

    def _worst(self, messages: list[ModelMessage], parameters: ModelRequestParameters) -> float:
        said = ModelMessagesTypeAdapter.dump_json(messages).decode()
        shown = "".join(
            f"{tool.name}{tool.description}{tool.parameters_json_schema}" for tool in parameters.function_tools
        )
        prompt = _MARGIN * count_tokens(said + shown)
        return (prompt * self._price.input + _ANSWER * self._price.output) / _MILLION

    def _cost(self, usage: RequestUsage) -> float:
        """Every prompt token at the full price: what the cache saves is a gift."""
        return (usage.input_tokens * self._price.input + usage.output_tokens * self._price.output) / _MILLION
