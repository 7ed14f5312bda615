"""发票和账单:查发票列表、核对重复扣款、下载 PDF、重发邮件、改抬头税号、作废红冲、线下转账标已付。

Invoices: list them, check a double charge, PDF link, send again, change title or tax number, void, mark as paid.
"""
