"""Greetings: welcoming people by name, in English or Chinese. 问候:按名字跟人打招呼。"""
