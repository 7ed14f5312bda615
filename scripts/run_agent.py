"""Run one request over CloudLedger from Python: python scripts/run_agent.py "查一下 C012 的订阅" """

import sys
from pathlib import Path

from routeagent import RouteAgent, load_catalog

DOMAINS = Path(__file__).resolve().parent.parent / "domains"
REQUEST = "user007@example.com 说 10 月被扣了两次款,帮我核实一下"


def main() -> None:
    """Answer the request of the command line, or the double charge."""
    agent = RouteAgent(
        load_catalog(DOMAINS), model=None, router="tfidf", retriever="hybrid", max_tools=20, top_k=5
    )  # model="deepseek/deepseek-chat" for a real one
    result = agent.run_sync(sys.argv[1] if len(sys.argv) > 1 else REQUEST)
    print(result.output)
    print(f"\n{len(result.tools_shown)} of {len(agent.catalog)} tools shown: {', '.join(result.tools_shown)}")
    for call in result.calls:
        print(f"  {'✓' if call.ok else '✗'} {call.tool} {call.arguments}")
    share = result.tokens.definitions / result.tokens.definitions_all
    print(f"tool definitions: {result.tokens.definitions} tokens over {result.steps} steps, {share:.0%} of showing all")
    print(f"{len(result.trace.events)} trace events: {', '.join(event['event'] for event in result.trace.events)}")


if __name__ == "__main__":
    main()
