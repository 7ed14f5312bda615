"""The firms that use CloudLedger, what they are tagged with, and what the desk noted. All of them are invented."""

from .table import Row, lines

# Company, contact, region, day of registration; C001 is the first line.
_FIRMS = """
青禾茶业有限公司|周敏|浙江|2024-03-11
海棠文具贸易行|林浩|上海|2024-04-02
北辰软件科技有限公司|赵晨|北京|2024-05-20
云栖酒店管理公司|沈悦|浙江|2024-06-18
南屿水产进出口公司|陈海生|广东|2024-07-05
拾光摄影工作室|许诺|四川|2024-08-22
明川物流有限公司|顾明川|上海|2024-09-08
半亩田农业合作社|田丰|山东|2024-10-15
星桥教育咨询公司|何欣怡|北京|2024-11-03
铁木真健身俱乐部|巴图|内蒙古|2024-12-01
锦绣里服饰有限公司|苏锦|江苏|2025-01-09
远帆外贸有限公司|郑远|广东|2025-01-20
Harbourline Trading Pte Ltd|Grace Tan|Singapore|2025-02-14
松果餐饮连锁|宋果|湖北|2025-03-03
小象玩具厂|向阳|广东|2025-03-21
Nordlicht Werkzeuge GmbH|Jonas Weber|Germany|2025-04-07
蓝鲸广告传媒公司|蓝婷|上海|2025-04-28
合众律师事务所|钱正|北京|2025-05-16
朗月设计工作室|杜朗|上海|2025-06-02
三棵树幼儿园|杨柳|福建|2025-06-25
Kitsune Craft KK|Sato Hana|Japan|2025-07-11
晨曦医疗器械公司|唐曦|江苏|2025-07-30
万里行旅行社|马万里|陕西|2025-08-12
橙子电商有限公司|程子涵|浙江|2025-08-29
老街面馆连锁|王秋生|重庆|2025-09-10
清泉净水设备公司|白泉|湖南|2025-09-18
Silverfern Consulting Ltd|Oliver Reed|United Kingdom|2025-09-26
维度数据服务公司|卫都|北京|2025-10-09
雅集茶馆|温雅|福建|2025-10-21
飞鸟快递加盟站|石飞|河南|2025-10-30
港湾投资有限公司|黎家豪|香港|2025-11-05
百草堂药房|孟芝|广东|2025-11-12
暖阳养老服务中心|冯暖|天津|2025-11-20
向上装修工程公司|葛向前|安徽|2025-11-27
Maple & Pine Books Inc|Emily Carter|United States|2025-12-04
极光游戏工作室|金光|上海|2025-12-11
双塔印刷厂|邢塔|江苏|2025-12-18
绿洲园艺中心|洛青|云南|2025-12-29
鲸落潜水俱乐部|蒋蓝|海南|2026-01-06
聚贤人力资源公司|柳贤|北京|2026-01-13
Tulip Logistics BV|Daan Visser|Netherlands|2026-01-22
豆芽母婴用品店|窦雅|四川|2026-02-03
鼎峰建材有限公司|丁峰|河北|2026-02-11
微光公益基金会|韦光|上海|2026-02-24
麦田烘焙坊|麦甜|广东|2026-03-04
知味火锅店|罗智|重庆|2026-03-12
合众律师事务所|钱正|北京|2026-03-19
木子木艺家居|李梓|江西|2026-03-27
启明考研培训|齐明|湖北|2026-04-08
Lumen Foto GmbH|Klara Vogt|Germany|2026-04-16
海岸线渔具店|安海|辽宁|2026-04-29
四季鲜花店|季小婉|上海|2026-05-13
清泉净水设备公司|白泉|湖南|2026-05-26
大圣网络科技公司|孙悟|广东|2026-06-09
蒲公英翻译社|蒲英|北京|2026-06-23
Sampan Foods Pte Ltd|Wei Ling Koh|Singapore|2026-07-07
九号汽修厂|靳九|山西|2026-07-21
花间照相馆|花静|广西|2026-08-11
柚子会计事务所|尤梓|浙江|2026-09-02
新芽创业咖啡|辛雅|上海|2026-10-05
"""

_NO_MARKETING = {"C010", "C016", "C033", "C044"}
_TWO_FACTOR = {"C003", "C007", "C012", "C013", "C018", "C022", "C031", "C036", "C041", "C054"}
LOCKED = {"C009": "2026-10-19 09:2", "C024": "2026-10-18 17:4", "C045": "2026-10-19 08:1"}
"""Locked after five wrong passwords in a row, and in which ten minutes that was."""

_TAGS = {
    "VIP": ("C003", "C007", "C012", "C022", "C031", "C036"),
    "流失风险": ("C010", "C015", "C025", "C034", "C046"),
    "年付": ("C003", "C012", "C018", "C022", "C036"),
    "对公转账": ("C008", "C016", "C020", "C044"),
    "海外": ("C013", "C016", "C021", "C027", "C031", "C035", "C041", "C050", "C056"),
    "新客户": ("C058", "C059", "C060"),
    "疑似重复": ("C047", "C053"),
    "代理记账": ("C059",),
}

_NOTES = """
C003|客服小陈|2026-06-02 10:14:00|财务赵晨要求所有发票同时抄送行政邮箱。
C003|客服小林|2026-09-15 16:40:00|问过企业版的接口限额,已发文档,下季度可能升级。
C005|客服小周|2026-08-19 09:30:00|出口业务为主,常用美元账本;汇率问题先看多币种文章。
C007|客服小陈|2026-07-09 11:05:00|7 月起从 5 席加到 6 席,顾明川本人电话确认。
C007|客服小林|2026-09-10 15:22:00|10 月前再加两席(共 8 席),下期账单按 8 席出。
C008|客服小周|2026-05-06 14:00:00|合作社走对公转账,一般月底到账,不要催太紧。
C010|客服小许|2026-10-12 17:45:00|抱怨涨价,提到在比较别家,需要回访。
C012|客服小林|2026-04-15 10:00:00|由月付 10 席改为年付 12 席,合同号已存档。
C012|客服小陈|2026-08-20 13:12:00|问过加 2 席的价钱,暂时不加;郑远希望以后在月初收到对账单。
C015|客服小周|2026-10-09 09:50:00|卡已过期,已发更换付款方式的链接,客户说本周内处理。
C016|Mia|2026-09-03 16:00:00|Prefers English. Pays by bank transfer, 30 days.
C018|客服小许|2026-08-27 10:20:00|律所有两个账号(另一个 C047),客户希望合并到这个。
C022|客服小陈|2026-07-01 15:10:00|医疗器械客户,发票税号必须与合同一致。
C024|客服小林|2026-10-18 18:02:00|双十一前店铺多人同时登录,多次输错密码,提醒过用成员账号。
C026|客服小周|2026-09-21 11:11:00|去年和今年各注册了一次,C053 是误注册。
C031|Mia|2026-08-05 10:45:00|香港公司,账本用港币,发票抬头用英文名。
C034|客服小许|2026-10-15 14:35:00|工程款没收回来,问能不能暂停两个月。
C036|客服小林|2026-09-28 09:15:00|年底可能把 20 席全部换成企业版,请商务跟进。
C041|Mia|2026-10-02 12:30:00|Asked for invoices in EUR; explained that invoices are in CNY.
C044|客服小陈|2026-03-02 10:10:00|公益机构,给过首年八折。
C046|客服小许|2026-10-16 19:20:00|两次扣款失败,电话未接通。
C049|客服小周|2026-09-08 08:55:00|暑期班结束,账号暂停到 11 月。
C054|客服小陈|2026-10-11 16:05:00|反馈导出利润表失败,技术组在查。
C059|客服小林|2026-09-02 14:20:00|代账公司,手下十几家小客户,可介绍多账本功能。
"""


def customers() -> list[Row]:
    """The customers, user001@example.com onwards."""
    return [_customer(number, line) for number, line in enumerate(_FIRMS.strip().splitlines(), start=1)]


def tags() -> list[Row]:
    """One row a customer and tag."""
    return [{"customer_id": customer, "tag": tag} for tag, those in _TAGS.items() for customer in those]


def notes() -> list[Row]:
    """What the desk wrote about customers, earliest first."""
    keys = ("customer_id", "author", "written_at", "text")
    return [dict(zip(keys, line, strict=True)) for line in sorted(lines(_NOTES), key=lambda line: line[2])]


def _customer(number: int, line: str) -> Row:
    company, contact, region, created_on = line.split("|")
    customer_id = f"C{number:03d}"
    return {
        "customer_id": customer_id,
        "company": company,
        "contact": contact,
        "email": f"user{number:03d}@example.com",
        "phone": f"1380000{1000 + number * 37}",
        "region": region,
        "created_on": created_on,
        "marketing": int(customer_id not in _NO_MARKETING),
        "two_factor": int(customer_id in _TWO_FACTOR),
        "locked": int(customer_id in LOCKED),
        "deletion_requested_on": "2026-10-14" if customer_id == "C055" else None,
    }
