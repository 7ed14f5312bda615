"""What the first rows promise to those who demonstrate and test with them."""

from pathlib import Path

import pytest
from pydantic_ai import RunContext

from domains._ledger.deps import Deps

from .desk import desk

NOW = "2026-10-20 12:00:00"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Deps:
    context: RunContext[Deps] = desk(Path(tmp_path_factory.mktemp("ledger")))
    return context.deps


def test_every_table_has_rows_and_every_reference_a_row(ledger: Deps) -> None:
    tables = [str(row["name"]) for row in ledger.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert not [name for name in tables if not ledger.rows(f"SELECT 1 FROM {name}")]  # noqa: S608
    assert ledger.rows("PRAGMA foreign_key_check") == []
    assert ledger.rows("PRAGMA integrity_check") == [{"integrity_check": "ok"}]


def test_c007_was_charged_twice_on_8_october(ledger: Deps) -> None:
    sql = """SELECT customers.customer_id, invoices.status, payments.method, payments.status AS paid,
                    payments.amount_cents, substr(made_at, 1, 10) AS day
             FROM customers JOIN invoices USING (customer_id) JOIN payments USING (invoice_id)
             WHERE email = 'user007@example.com' AND invoices.amount_cents = 239200 AND issued_on = '2026-10-08'"""
    charge = {"customer_id": "C007", "status": "paid", "method": "card", "paid": "succeeded"}
    assert ledger.rows(sql) == [{**charge, "amount_cents": 239200, "day": "2026-10-08"}] * 2
    (others,) = ledger.rows(
        "SELECT count(*) AS n, max(amount_cents) AS most FROM invoices"
        " WHERE customer_id = 'C007' AND issued_on <> '2026-10-08'"
    )
    assert others["n"] >= 3
    assert others["most"] < 239200
    assert not ledger.rows("SELECT 1 FROM refunds JOIN invoices USING (invoice_id) WHERE customer_id = 'C007'")


def test_nobody_else_has_two_paid_invoices_alike(ledger: Deps) -> None:
    sql = """SELECT customer_id FROM invoices WHERE status = 'paid'
             GROUP BY customer_id, issued_on, amount_cents HAVING count(*) > 1"""
    assert ledger.rows(sql) == [{"customer_id": "C007"}]


def test_c012_pays_by_the_year_ten_months_for_twelve(ledger: Deps) -> None:
    (subscription,) = ledger.rows("SELECT * FROM subscriptions WHERE customer_id = 'C012'")
    assert (subscription["plan"], subscription["seats"], subscription["cycle"]) == ("专业版", 12, "annual")
    assert (subscription["period_start"], subscription["period_end"]) == ("2026-04-15", "2027-04-14")
    sql = "SELECT amount_cents FROM invoices WHERE customer_id = 'C012' AND status = 'paid' AND issued_on = ?"
    assert ledger.rows(sql, "2026-04-15") == [{"amount_cents": 12 * 9900 * 10}]
    assert len(ledger.rows("SELECT 1 FROM invoices WHERE customer_id = 'C012' AND status = 'paid'")) >= 4


def test_invoices_are_settled_by_their_payments(ledger: Deps) -> None:
    sql = """SELECT invoice_id, status, amount_cents, coalesce((SELECT sum(amount_cents) FROM payments
                    WHERE payments.invoice_id = invoices.invoice_id AND status = 'succeeded' AND method <> 'refund'), 0)
                    AS paid FROM invoices"""
    rows = ledger.rows(sql)
    assert {row["status"] for row in rows} == {"paid", "open", "failed", "void"}
    assert [row for row in rows if row["paid"] != (row["amount_cents"] if row["status"] == "paid" else 0)] == []
    tried = "SELECT 1 FROM payments WHERE invoice_id = ? AND status = 'failed'"
    assert all(ledger.rows(tried, row["invoice_id"]) for row in rows if row["status"] == "failed")


def test_only_paid_refunds_moved_money(ledger: Deps) -> None:
    moved = ledger.rows("SELECT invoice_id, -amount_cents AS cents FROM payments WHERE method = 'refund' ORDER BY 1, 2")
    due = "SELECT invoice_id, amount_cents AS cents FROM refunds WHERE status = 'paid' ORDER BY 1, 2"
    assert moved == ledger.rows(due)
    states = ledger.rows("SELECT status, count(*) AS n FROM refunds GROUP BY status")
    assert {row["status"] for row in states} == {"pending", "approved", "rejected", "cancelled", "paid"}
    assert next(row["n"] for row in states if row["status"] == "pending") >= 4
    sql = """SELECT refund_id FROM refunds JOIN invoices USING (invoice_id)
             WHERE refunds.amount_cents > invoices.amount_cents OR requested_on < issued_on"""
    assert ledger.rows(sql) == []


def test_balances_are_the_sums_of_their_entries(ledger: Deps) -> None:
    sums = "SELECT customer_id, sum(amount_cents) AS balance_cents FROM credit_entries GROUP BY customer_id ORDER BY 1"
    assert ledger.rows("SELECT * FROM credits ORDER BY 1") == ledger.rows(sums)


def test_a_firm_has_one_owner_and_no_more_members_than_seats(ledger: Deps) -> None:
    crowded = """SELECT customer_id FROM members JOIN subscriptions USING (customer_id)
                 GROUP BY customer_id HAVING count(*) > seats"""
    assert ledger.rows(crowded) == []
    owners = "SELECT customer_id, email FROM members WHERE role = 'owner' ORDER BY 1"
    assert ledger.rows(owners) == ledger.rows("SELECT customer_id, email FROM customers ORDER BY 1")


def test_periods_of_running_subscriptions_hold_today(ledger: Deps) -> None:
    sql = """SELECT customer_id FROM subscriptions
             WHERE status IN ('active', 'past_due') AND '2026-10-20' NOT BETWEEN period_start AND period_end"""
    assert ledger.rows(sql) == []
    assert ledger.rows("SELECT 1 FROM subscriptions WHERE (status = 'paused') <> (paused_until IS NOT NULL)") == []
    assert ledger.rows("SELECT 1 FROM subscriptions WHERE (status = 'cancelled') <> (cancelled_on IS NOT NULL)") == []


@pytest.mark.parametrize(
    ("table", "moment"),
    [
        ("payments", "made_at"),
        ("tickets", "opened_at"),
        ("tickets", "closed_at"),
        ("ticket_messages", "written_at"),
        ("customer_notes", "written_at"),
        ("logins", "at"),
        ("export_jobs", "requested_at"),
        ("import_errors", "at"),
        ("outbox", "created_at"),
        ("refunds", "decided_on"),
        ("refunds", "paid_on"),
        ("invoices", "issued_on"),
        ("members", "last_active_on"),
    ],
)
def test_nothing_has_happened_after_now(ledger: Deps, table: str, moment: str) -> None:
    sql = f"SELECT max({moment}) AS last FROM {table}"  # noqa: S608
    assert str(ledger.rows(sql)[0]["last"]) <= NOW


def test_only_what_waits_is_to_be_sent_later(ledger: Deps) -> None:
    assert ledger.rows("SELECT 1 FROM outbox WHERE (status = 'scheduled') <> (send_at > ?)", NOW) == []


def test_the_error_codes_that_customers_meet_are_in_the_help_centre(ledger: Deps) -> None:
    codes = [str(row["code"]) for row in ledger.rows("SELECT DISTINCT code FROM import_errors")]
    codes += [str(row["error"])[:5] for row in ledger.rows("SELECT error FROM export_jobs WHERE error IS NOT NULL")]
    assert {"E1042", "E1043"} <= set(codes)
    assert not [code for code in codes if not ledger.rows("SELECT 1 FROM articles WHERE instr(body, ?)", code)]
