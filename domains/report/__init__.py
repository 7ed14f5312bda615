"""报表和用量:导出失败、银行流水导入报错、席位用了多少,以及内部看的月收入和客户流失。

Reports and usage: failed exports, bank statement import errors, seat usage, monthly revenue and churn for insiders.
"""
