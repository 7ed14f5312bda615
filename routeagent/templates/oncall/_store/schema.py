"""The tables. Times are office time, `YYYY-MM-DD HH:MM`."""

SCHEMA = """
PRAGMA foreign_keys = ON;
CREATE TABLE service (
    name TEXT PRIMARY KEY,
    team TEXT NOT NULL
) STRICT;
CREATE TABLE deploy (
    deploy_id TEXT PRIMARY KEY CHECK (deploy_id GLOB 'DEP-[0-9]*'),
    service TEXT NOT NULL REFERENCES service,
    version TEXT NOT NULL,
    deployed_at TEXT NOT NULL,
    deployed_by TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('live', 'superseded', 'rolled_back')),
    note TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_live_version ON deploy (service) WHERE status = 'live';
CREATE TABLE code_commit (
    commit_id TEXT PRIMARY KEY,
    service TEXT NOT NULL REFERENCES service,
    author TEXT NOT NULL,
    committed_at TEXT NOT NULL,
    message TEXT NOT NULL,
    diff TEXT NOT NULL,
    deploy_id TEXT REFERENCES deploy
) STRICT;
CREATE TABLE code_line (
    service TEXT NOT NULL REFERENCES service,
    path TEXT NOT NULL,
    line INTEGER NOT NULL CHECK (line > 0),
    text TEXT NOT NULL,
    commit_id TEXT NOT NULL REFERENCES code_commit,
    PRIMARY KEY (path, line)
) STRICT;
CREATE TABLE issue (
    issue_id TEXT PRIMARY KEY CHECK (issue_id GLOB 'ISS-[0-9]*'),
    service TEXT NOT NULL REFERENCES service,
    title TEXT NOT NULL CHECK (length(trim(title)) BETWEEN 1 AND 120),
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    assignee TEXT,
    opened_by TEXT NOT NULL,
    opened_at TEXT NOT NULL
) STRICT;
CREATE TABLE issue_comment (
    issue_id TEXT NOT NULL REFERENCES issue,
    written_at TEXT NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE error_group (
    group_id TEXT PRIMARY KEY CHECK (group_id GLOB 'ERR-[0-9]*'),
    service TEXT NOT NULL REFERENCES service,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    first_seen TEXT NOT NULL,
    last_seen TEXT NOT NULL,
    events INTEGER NOT NULL CHECK (events > 0),
    version TEXT NOT NULL,
    stack TEXT NOT NULL
) STRICT;
CREATE TABLE log_line (
    log_id INTEGER PRIMARY KEY,
    service TEXT NOT NULL REFERENCES service,
    logged_at TEXT NOT NULL,
    level TEXT NOT NULL CHECK (level IN ('INFO', 'WARN', 'ERROR')),
    message TEXT NOT NULL
) STRICT;
CREATE TABLE metric (
    service TEXT NOT NULL REFERENCES service,
    metric TEXT NOT NULL,
    unit TEXT NOT NULL,
    alert_above REAL NOT NULL,
    PRIMARY KEY (service, metric)
) STRICT;
CREATE TABLE metric_point (
    service TEXT NOT NULL,
    metric TEXT NOT NULL,
    measured_at TEXT NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (service, metric, measured_at),
    FOREIGN KEY (service, metric) REFERENCES metric
) STRICT;
CREATE TABLE doc (
    doc_id TEXT PRIMARY KEY CHECK (doc_id GLOB 'DOC-[0-9]*'),
    service TEXT REFERENCES service,
    title TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE change_log (
    change_id INTEGER PRIMARY KEY,
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    tool TEXT NOT NULL,
    subject TEXT NOT NULL
) STRICT;
"""
