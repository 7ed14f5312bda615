"""Exports and the lines of bank statements that could not be imported."""

from .table import Row, lines

# Customer, report, status, asked for, finished, error.
_EXPORTS = """
C012|2026 年三季度利润表|done|2026-10-02 09:10:00|2026-10-02 09:11:40|
C022|发票明细 2026-08|done|2026-09-03 14:00:00|2026-09-03 14:02:05|
C036|席位费用分摊表|done|2026-09-28 10:30:00|2026-09-28 10:31:15|
C003|资产负债表 2026-09|done|2026-10-08 11:20:00|2026-10-08 11:21:30|
C054|2026 年三季度利润表|failed|2026-10-11 15:40:00|2026-10-11 15:55:00|E2001
C054|2026 年 9 月利润表|done|2026-10-12 10:05:00|2026-10-12 10:06:12|
C007|客户往来对账单 2026-09|failed|2026-10-14 17:22:00|2026-10-14 17:22:40|E2003
C007|2026 年三季度现金流量表|done|2026-10-09 09:00:00|2026-10-09 09:01:20|
C013|Invoice list 2026-Q3|done|2026-10-05 16:10:00|2026-10-05 16:11:00|
C016|Trial balance 2026-09|failed|2026-10-13 18:30:00|2026-10-13 18:31:05|E2002
C017|广告费用明细 2026-09|queued|2026-10-20 11:50:00||
C024|订单流水 2026-10|running|2026-10-20 11:42:00||
C024|订单流水 2026-09|failed|2026-10-16 20:05:00|2026-10-16 20:20:00|E2001
C028|客户往来对账单 2026-09|done|2026-10-10 13:15:00|2026-10-10 13:16:30|
C031|General ledger 2026-09|failed|2026-10-18 10:02:00|2026-10-18 10:02:30|E2004
C040|资产负债表 2026-09|done|2026-10-15 09:48:00|2026-10-15 09:49:10|
C059|多账本汇总 2026-09|failed|2026-10-19 21:10:00|2026-10-19 21:12:00|E2005
C059|多账本汇总 2026-08|done|2026-09-05 20:10:00|2026-09-05 20:13:00|
C005|外币损益表 2026-09|done|2026-10-07 08:55:00|2026-10-07 08:56:20|
C014|门店流水 2026-10|queued|2026-10-20 11:58:00||
"""

_FAILURES = {
    "E2001": "导出超时:数据超过 50 万行,请缩小日期范围 (timed out)",
    "E2002": "汇率缺失:2026-09-30 EUR (exchange rate missing)",
    "E2003": "模板缺少列「结算币种」 (template lacks a column)",
    "E2004": "存储空间不足 (storage is full)",
    "E2005": "有两个账本没有查看权限 (no permission for two books)",
}

# Customer, file, lines and codes, moment.
_IMPORTS = """
C003|招行流水_2026-09.csv|12:E1042 13:E1042 57:E1043|2026-10-09 10:20:00
C007|工行流水_2026-09.xlsx|4:E1042 5:E1042 6:E1042 31:E1043|2026-10-12 14:05:00
C012|中行美元户_2026-09.csv|8:E1045 9:E1045|2026-10-06 09:15:00
C014|建行流水_2026-09.csv|22:E1043 23:E1043|2026-10-15 21:30:00
C024|支付宝账单_202609.csv|1:E1044|2026-10-16 19:40:00
C024|支付宝账单_202609_2.csv|140:E1042 141:E1042 302:E1043|2026-10-16 19:58:00
C028|农行流水_2026-09.csv|77:E1046|2026-10-11 11:11:00
C031|hsbc_2026-09.csv|3:E1045 4:E1045 5:E1042|2026-10-08 18:22:00
C037|招行流水_2026-09.csv|9:E1042|2026-10-13 16:12:00
C048|微信账单_2026-09.csv|1:E1044|2026-10-17 12:36:00
C050|sparkasse_2026_09.csv|15:E1042 16:E1042 40:E1045|2026-10-14 17:03:00
C059|客户甲_流水.csv|6:E1043 7:E1043 8:E1043|2026-10-18 22:15:00
"""

_MEANINGS = {
    "E1042": "日期格式无法识别,应为 YYYY-MM-DD (date not recognised)",
    "E1043": "金额列为空或含有文字 (amount is empty or not a number)",
    "E1044": "文件编码不是 UTF-8 或 GBK (unknown file encoding)",
    "E1045": "币种与账本不一致 (currency differs from the book's)",
    "E1046": "流水号重复,该笔已导入过 (duplicate transaction)",
}


def export_jobs() -> list[Row]:
    """The exports, earliest first."""
    jobs = sorted(lines(_EXPORTS), key=lambda job: job[3])
    return [
        {
            "task_id": f"EX-{number:04d}",
            "customer_id": customer,
            "report": report,
            "status": status,
            "error": f"{error} {_FAILURES[error]}" if error else None,
            "requested_at": requested_at,
            "finished_at": finished_at or None,
        }
        for number, (customer, report, status, requested_at, finished_at, error) in enumerate(jobs, start=1)
    ]


def import_errors() -> list[Row]:
    """One row a refused line, earliest first."""
    found = [
        {
            "customer_id": customer,
            "file": file,
            "line": int(place.split(":")[0]),
            "code": place.split(":")[1],
            "message": _MEANINGS[place.split(":")[1]],
            "at": at,
        }
        for customer, file, places, at in lines(_IMPORTS)
        for place in places.split()
    ]
    return sorted(found, key=lambda row: (str(row["at"]), row["line"]))
