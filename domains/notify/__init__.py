"""通知客户和同事:发邮件、发短信、Slack 值班报警、定时提醒,退订营销邮件,查以前发过什么。

Messages to customers and colleagues: e-mail, SMS, the on-call channel, reminders, unsubscribing, what was sent.
"""
