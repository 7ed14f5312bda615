"""账号登录和安全:忘记密码、账号锁了、两步验证收不到码、异地登录记录,还有成员名单和换所有者。

Sign-in and access: password reset, unlocking, two-factor, login history, team members and who owns the account.
"""
