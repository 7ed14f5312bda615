"""Issues and runbooks of Larkfield, written by hand."""

from __future__ import annotations

ISSUES: tuple[tuple[str, str, str, str, str, str, str | None, str, str], ...] = (
    ("ISS-287", "search", "Search for umlauts finds nothing", "Typing Mütze gives no result. 带变音符号的词搜不到。",
     "closed", "medium", "Ivo Lund", "客服 何琪", "2026-09-28 10:12"),
    ("ISS-301", "ledger-api", "Monthly statements starve the connection pool",
     "On the first run after an export the job holds most of the pool and the API times out. 月结任务占满连接池。",
     "open", "high", "Omar Said", "Petra Kern", "2026-10-02 11:20"),
    ("ISS-309", "web", "Cart badge shows yesterday's count",
     "The badge only updates after a reload. 购物车角标不更新。",
     "closed", "low", "林可", "Tom Baker", "2026-10-08 09:31"),
    ("ISS-318", "mailer", "Some customers get the receipt twice",
     "Since retries came in, a receipt is sent again when the provider answers late. 回执邮件重复发送。",
     "open", "medium", "Ana Prado", "客服 何琪", "2026-10-16 15:47"),
    ("ISS-322", "checkout", "Gift card balance is not shown before paying",
     "The customer sees it only on the receipt. 付款前看不到礼品卡余额。",
     "open", "low", None, "Tom Baker", "2026-10-18 13:05"),
    ("ISS-325", "web", "Remove button in the cart does nothing",
     "Clicking the bin leaves the item in the cart. 购物车里删不掉商品。",
     "open", "high", "林可", "客服 何琪", "2026-10-20 12:20"),
)  # fmt: skip

COMMENTS: tuple[tuple[str, str, str, str], ...] = (
    ("ISS-287", "2026-09-30 16:00", "Ivo Lund", "Fixed by folding accents at index time."),
    ("ISS-301", "2026-10-06 09:15", "Omar Said", "Plan: give the job a pool of its own with four connections."),
    ("ISS-318", "2026-10-17 10:02", "Ana Prado", "Needs an idempotency key for each receipt; working on it."),
    ("ISS-325", "2026-10-20 13:10", "林可", "Reproduced on v5.8.0; the prop has another name now."),
)

DOCS: tuple[tuple[str, str | None, str, str], ...] = (
    ("DOC-01", None, "How to run an incident 故障处理流程",
     "1. Name one lead. 2. Say what customers see. 3. Undo the last change first, look for causes after. "
     "4. Write it up within two working days. 先止血,再查原因。"),
    ("DOC-02", None, "Severity levels 故障等级",
     "SEV1: customers cannot pay or sign in; page the lead at once. SEV2: a part is slow or wrong. SEV3: all else."),
    ("DOC-05", None, "How to roll back a deploy 上线回滚步骤",
     "Only the live deploy of a service can be rolled back; the version before it goes live within four minutes. "
     "Database migrations stay. 回滚只换代码,不动数据库结构。"),
    ("DOC-07", "ledger-api", "Connection pool exhausted 数据库连接池耗尽",
     "Find the job that holds connections in the logs. Pause it with `jobctl pause monthly-statements`, wait until "
     "db_pool_in_use is under 10, resume at night. 先暂停批处理任务。"),
    ("DOC-09", "search", "Search is slow 搜索变慢",
     "Compare p95 before and after the last deploy. Facet counting is the usual cause; `searchctl facets off` hides "
     "the counts without a deploy. 先关掉分面计数。"),
    ("DOC-11", "mailer", "Renew the mailer's TLS certificate 邮件证书续期",
     "Run `certctl renew mailer`, then `mailerctl restart`. Waiting mail goes out by itself. "
     "The certificate lasts ninety days. 续期后重启邮件服务,积压的信会自动发出。"),
    ("DOC-14", "checkout", "Payments fail 支付失败排查",
     "Look for the error group first, then for the deploy before its first event. Currencies without decimals are "
     "JPY and KRW. 先看错误分组,再看之前那次上线。"),
    ("DOC-16", "auth", "Customers cannot sign in 无法登录排查",
     "Check the session token errors and whether an address is rate limited. 查会话过期和限流。"),
)  # fmt: skip
