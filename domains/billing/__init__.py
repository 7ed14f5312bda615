"""付款和计费:用优惠码、查账户余额抵扣额度、换卡换支付宝的链接、扣款失败再扣一次、各地税率、汇率换算。

Payments and charges: coupons, credit balance, a link to change the card, retry a failed charge, tax and exchange rates.
"""
