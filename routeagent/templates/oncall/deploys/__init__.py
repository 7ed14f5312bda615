"""Releases to production: what is live, what went out when, and rolling back. 上线记录、当前版本、回滚。"""
