"""客服工单:建单、看往来、回复、转给同事、结单,搜以前有没有人遇到过同样的问题。

Support tickets: open, read, answer, hand over, close, and search what others ran into before.
"""
