"""客户资料:查客户是谁、客户 ID 多少,改联系人、电话、邮箱,打标签,看备注,合并重复账号,登记注销和删除数据。

Customer records: look a customer up by e-mail or company, correct contact details, tags, notes, merge duplicate
records, register a request to delete the account.
"""
