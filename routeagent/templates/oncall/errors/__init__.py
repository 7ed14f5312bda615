"""Exceptions that the services raised, grouped, with stack traces and first occurrence. 异常与错误分组、堆栈。"""
