"""Log lines of the services: search in them, or read the newest. 日志:按关键词查,或看最新几行。"""
