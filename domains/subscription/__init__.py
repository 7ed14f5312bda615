"""订阅和套餐:现在用什么套餐、几个席位、几号到期,升级降级、加减席位、暂停、退订、自动续费开关。

Subscriptions: current plan, seats and renewal date; change the plan or seats; pause, cancel, automatic renewal.
"""
