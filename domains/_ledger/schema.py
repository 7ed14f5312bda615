"""The tables. Money is integer cents, days are ISO dates, moments are `YYYY-MM-DD HH:MM:SS`."""

VERSION = 1
"""Goes up with the schema or the seed; an older file is put aside and built again."""

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE customers (
  customer_id TEXT PRIMARY KEY CHECK (customer_id GLOB 'C[0-9][0-9][0-9]'),
  company TEXT NOT NULL, contact TEXT NOT NULL, email TEXT NOT NULL UNIQUE, phone TEXT NOT NULL,
  region TEXT NOT NULL, created_on TEXT NOT NULL,
  marketing INTEGER NOT NULL DEFAULT 1 CHECK (marketing IN (0, 1)),
  two_factor INTEGER NOT NULL DEFAULT 0 CHECK (two_factor IN (0, 1)),
  locked INTEGER NOT NULL DEFAULT 0 CHECK (locked IN (0, 1)),
  merged_into TEXT REFERENCES customers (customer_id),
  deletion_requested_on TEXT
);
CREATE TABLE customer_tags (
  customer_id TEXT NOT NULL REFERENCES customers, tag TEXT NOT NULL, PRIMARY KEY (customer_id, tag)
);
CREATE TABLE customer_notes (
  note_id INTEGER PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers,
  author TEXT NOT NULL, written_at TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE plans (plan TEXT PRIMARY KEY, seat_month_cents INTEGER NOT NULL CHECK (seat_month_cents > 0));
CREATE TABLE subscriptions (
  customer_id TEXT PRIMARY KEY REFERENCES customers, plan TEXT NOT NULL REFERENCES plans,
  seats INTEGER NOT NULL CHECK (seats BETWEEN 1 AND 10000),
  cycle TEXT NOT NULL CHECK (cycle IN ('monthly', 'annual')),
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'cancelled', 'past_due')),
  started_on TEXT NOT NULL, period_start TEXT NOT NULL, period_end TEXT NOT NULL,
  autorenew INTEGER NOT NULL CHECK (autorenew IN (0, 1)),
  paused_until TEXT, cancelled_on TEXT, CHECK (period_start < period_end)
);
CREATE TABLE invoices (
  invoice_id TEXT PRIMARY KEY CHECK (invoice_id GLOB 'INV-2[0-9][0-9][0-9]-[0-9][0-9][0-9][0-9]'),
  customer_id TEXT NOT NULL REFERENCES customers, amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  issued_on TEXT NOT NULL, title TEXT NOT NULL, tax_number TEXT NOT NULL DEFAULT '', description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('paid', 'open', 'failed', 'void')), voided_on TEXT
);
CREATE TABLE payments (
  payment_id INTEGER PRIMARY KEY, invoice_id TEXT NOT NULL REFERENCES invoices,
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
  method TEXT NOT NULL CHECK (method IN ('card', 'alipay', 'transfer', 'credit', 'refund')),
  status TEXT NOT NULL CHECK (status IN ('succeeded', 'failed')), made_at TEXT NOT NULL
);
CREATE TABLE refunds (
  refund_id TEXT PRIMARY KEY CHECK (refund_id GLOB 'RF-[0-9][0-9][0-9][0-9]'),
  invoice_id TEXT NOT NULL REFERENCES invoices, amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled', 'paid')),
  requested_by TEXT NOT NULL, requested_on TEXT NOT NULL, decided_by TEXT, decided_on TEXT, paid_on TEXT
);
CREATE TABLE credits (
  customer_id TEXT PRIMARY KEY REFERENCES customers,
  balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0)
);
CREATE TABLE credit_entries (
  entry_id INTEGER PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers, amount_cents INTEGER NOT NULL,
  reason TEXT NOT NULL, made_on TEXT NOT NULL
);
CREATE TABLE coupons (
  code TEXT PRIMARY KEY, percent_off INTEGER NOT NULL CHECK (percent_off BETWEEN 1 AND 100),
  expires_on TEXT NOT NULL, description TEXT NOT NULL
);
CREATE TABLE coupon_uses (
  customer_id TEXT NOT NULL REFERENCES customers, code TEXT NOT NULL REFERENCES coupons,
  applied_on TEXT NOT NULL, PRIMARY KEY (customer_id, code)
);
CREATE TABLE payment_links (
  link_id INTEGER PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers, url TEXT NOT NULL UNIQUE,
  made_on TEXT NOT NULL, expires_on TEXT NOT NULL
);
CREATE TABLE tax_rates (
  region TEXT PRIMARY KEY, english TEXT NOT NULL, rate_basis_points INTEGER NOT NULL, name TEXT NOT NULL
);
CREATE TABLE exchange_rates (
  currency TEXT PRIMARY KEY, name TEXT NOT NULL,
  cny_per_unit_e6 INTEGER NOT NULL CHECK (cny_per_unit_e6 > 0), as_of TEXT NOT NULL
);
CREATE TABLE tickets (
  ticket_id TEXT PRIMARY KEY CHECK (ticket_id GLOB 'T-[0-9][0-9][0-9][0-9]'),
  customer_id TEXT NOT NULL REFERENCES customers, title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'waiting', 'closed')),
  assignee TEXT, opened_at TEXT NOT NULL, closed_at TEXT, resolution TEXT
);
CREATE TABLE ticket_messages (
  message_id INTEGER PRIMARY KEY, ticket_id TEXT NOT NULL REFERENCES tickets,
  author TEXT NOT NULL, written_at TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE staff (name TEXT PRIMARY KEY, team TEXT NOT NULL);
CREATE TABLE article_categories (category TEXT PRIMARY KEY, description TEXT NOT NULL);
CREATE TABLE articles (
  article_id TEXT PRIMARY KEY CHECK (article_id GLOB 'kb-[0-9][0-9][0-9]'),
  category TEXT NOT NULL REFERENCES article_categories, title TEXT NOT NULL, body TEXT NOT NULL,
  keywords TEXT NOT NULL, updated_on TEXT NOT NULL
);
CREATE TABLE article_views (
  article_id TEXT NOT NULL REFERENCES articles, day TEXT NOT NULL, views INTEGER NOT NULL CHECK (views >= 0),
  PRIMARY KEY (article_id, day)
);
CREATE TABLE article_votes (
  article_id TEXT PRIMARY KEY REFERENCES articles, helpful INTEGER NOT NULL, unhelpful INTEGER NOT NULL
);
CREATE TABLE article_suggestions (
  suggestion_id INTEGER PRIMARY KEY, article_id TEXT NOT NULL REFERENCES articles,
  author TEXT NOT NULL, made_on TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE members (
  customer_id TEXT NOT NULL REFERENCES customers, email TEXT NOT NULL, name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')), last_active_on TEXT, PRIMARY KEY (customer_id, email)
);
CREATE UNIQUE INDEX one_owner ON members (customer_id) WHERE role = 'owner';
CREATE TABLE logins (
  login_id INTEGER PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers, email TEXT NOT NULL,
  at TEXT NOT NULL, ip TEXT NOT NULL, device TEXT NOT NULL, city TEXT NOT NULL,
  success INTEGER NOT NULL CHECK (success IN (0, 1))
);
CREATE TABLE password_resets (
  reset_id INTEGER PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers, requested_on TEXT NOT NULL
);
CREATE TABLE export_jobs (
  task_id TEXT PRIMARY KEY CHECK (task_id GLOB 'EX-[0-9][0-9][0-9][0-9]'),
  customer_id TEXT NOT NULL REFERENCES customers, report TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed')), error TEXT,
  requested_at TEXT NOT NULL, finished_at TEXT, rerun_of TEXT REFERENCES export_jobs (task_id)
);
CREATE TABLE import_errors (
  error_id INTEGER PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customers, file TEXT NOT NULL,
  line INTEGER NOT NULL, code TEXT NOT NULL CHECK (code GLOB 'E1[0-9][0-9][0-9]'), message TEXT NOT NULL,
  at TEXT NOT NULL
);
CREATE TABLE outbox (
  message_id INTEGER PRIMARY KEY, customer_id TEXT REFERENCES customers,
  channel TEXT NOT NULL CHECK (channel IN ('email', 'sms', 'slack')), recipient TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '', body TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('sent', 'scheduled')), created_at TEXT NOT NULL, send_at TEXT NOT NULL
);
CREATE INDEX invoices_by_customer ON invoices (customer_id, issued_on);
CREATE INDEX payments_by_invoice ON payments (invoice_id);
CREATE INDEX refunds_by_invoice ON refunds (invoice_id);
CREATE INDEX outbox_by_customer ON outbox (customer_id);
"""
