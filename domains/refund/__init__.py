"""退款:客户要退钱、退费时提交申请,查到哪一步、钱到账没有,撤回申请,主管审批,年付中途取消算能退多少。

Refunds: request money back, see how far a request is, withdraw it, approve it, work out an annual plan's refund.
"""
