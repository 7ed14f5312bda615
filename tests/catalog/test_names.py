"""Wire names: providers accept them, and no two labels share one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeagent.catalog.names import WIRE_NAME, prefix_namespace, tool_label, wire_name


@pytest.mark.parametrize("label", ["refund_submit", "a-b", "A1", "x" * 64])
def test_a_good_name_stays(label: str) -> None:
    assert wire_name(label) == label


@pytest.mark.parametrize("label", ["提交退款", "a.b", "x" * 65, "", "search_tools", "call_tool", "live/x::y z"])
def test_any_other_is_mapped_to_one_that_providers_take(label: str) -> None:
    assert WIRE_NAME.match(wire_name(label))
    assert wire_name(label) != label


def test_labels_that_differ_only_in_what_is_refused_stay_apart() -> None:
    labels = ["a.b", "a_b", "a b", "退款a_b", "a·b", "x" * 65, "x" * 66]
    assert len({wire_name(label) for label in labels}) == len(labels)


@given(st.lists(st.text(), unique=True, max_size=30))
def test_the_mapping_is_injective(labels: list[str]) -> None:
    wires = [wire_name(label) for label in labels]
    assert len(set(wires)) == len(labels)
    assert all(WIRE_NAME.match(wire) for wire in wires)


@pytest.mark.parametrize(
    ("namespace", "function", "label"),
    [
        ("refund", "submit", "refund_submit"),
        ("refund", "refund_submit", "refund_submit"),
        ("invoice", "list_", "invoice_list"),
        ("refund", "refunds_all", "refund_refunds_all"),
    ],
)
def test_labels(namespace: str, function: str, label: str) -> None:
    assert tool_label(namespace, function) == label


@pytest.mark.parametrize(
    ("name", "namespace"),
    [("github__create_issue", "github"), ("mail.send", "mail"), ("refund_submit", "refund"), ("ping", "ping")],
)
def test_namespace_of_a_bare_name(name: str, namespace: str) -> None:
    assert prefix_namespace(name) == namespace
