"""Source code and its history: search the code, list commits, read one commit. 代码、提交记录、谁改的。"""
