"""帮助中心:怎么用、怎么收费、报错码什么意思,搜文章、读全文、看热门和有用率、提修改建议。

The help centre: how things work, what they cost, what error codes mean; search, read, popular articles, votes, edits.
"""
