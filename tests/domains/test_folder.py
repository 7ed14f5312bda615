"""CloudLedger as a whole: sixty tools, what they are called, and examples that never meet the cases."""

from pathlib import Path

import pytest

from routeagent.catalog import Catalog, Example, load_catalog, read_examples
from routeagent.tokens import definition_tokens

DOMAINS = Path(__file__).resolve().parents[2] / "domains"
TOOLS = {
    "customer": "find update_contact merge tags notes delete_request",
    "subscription": "get change_plan change_seats cancel pause toggle_autorenew",
    "invoice": "list get_pdf change_title void resend mark_paid",
    "refund": "submit status cancel calc_annual list_pending approve",
    "ticket": "create get reply assign close search",
    "kb": "search get_article suggest_edit list_categories popular feedback_stats",
    "account": "reset_password disable_2fa login_history unlock list_members transfer_owner",
    "report": "export_status rerun_export revenue_monthly churn seat_usage import_errors",
    "notify": "email sms slack_oncall schedule unsubscribe history",
    "billing": "apply_coupon credit_balance update_payment_method retry_charge tax_rate currency_convert",
}
READS = (
    "customer_find customer_notes subscription_get invoice_list invoice_get_pdf refund_status refund_calc_annual "
    "refund_list_pending ticket_get ticket_search kb_search kb_get_article kb_list_categories kb_popular "
    "kb_feedback_stats account_login_history account_list_members report_export_status report_revenue_monthly "
    "report_churn report_seat_usage report_import_errors notify_history billing_credit_balance billing_tax_rate "
    "billing_currency_convert"
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(DOMAINS)


@pytest.fixture(scope="module")
def cases(catalog: Catalog) -> list[Example]:
    return [row for path in sorted(DOMAINS.rglob("cases.jsonl")) for row in read_examples(path, catalog.wire)]


def test_sixty_tools_in_ten_namespaces_load_without_a_problem(catalog: Catalog) -> None:
    assert catalog.problems == ()
    expected = {f"{space}_{name}" for space, names in TOOLS.items() for name in names.split()}
    assert {tool.name for tool in catalog} == expected
    assert len(catalog) == 60
    assert all(space.description for space in catalog.namespaces)
    assert all(tool.description for tool in catalog)


def test_two_are_core_and_whatever_changes_something_says_so(catalog: Catalog) -> None:
    assert {tool.name for tool in catalog if tool.core} == {"customer_find", "kb_search"}
    assert {tool.name for tool in catalog if not tool.writes} == set(READS.split())


def test_every_parameter_is_described(catalog: Catalog) -> None:
    for tool in catalog:
        for name, schema in tool.parameters["properties"].items():
            assert schema.get("description"), f"{tool.name}.{name}"


def test_definitions_stay_compact(catalog: Catalog) -> None:
    assert definition_tokens(catalog) < 6_000


def test_each_tool_has_eight_examples_and_three_cases(catalog: Catalog, cases: list[Example]) -> None:
    for tool in catalog:
        assert sum(tool.name in row.tools for row in catalog.examples) >= 8, tool.name
        assert sum(tool.name in row.tools for row in cases) >= 3, tool.name
    across = [row for row in cases if len({catalog[name].namespace for name in row.tools}) > 1]
    assert len(across) >= 30
    assert sum(not row.tools for row in cases) >= 10


def bigrams(text: str) -> set[str]:
    plain = "".join(text.split()).lower()
    return {plain[place : place + 2] for place in range(len(plain) - 1)}


def test_no_example_comes_close_to_a_case(catalog: Catalog, cases: list[Example]) -> None:
    examples = [(row.query, bigrams(row.query)) for row in catalog.examples]
    for case in cases:
        own = bigrams(case.query)
        for query, other in examples:
            likeness = len(own & other) / max(len(own | other), 1)
            assert likeness <= 0.45, f"{query!r} is too close to the case {case.query!r}"
