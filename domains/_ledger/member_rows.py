"""The people of each firm who use CloudLedger, and their sign-ins."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from .people import LOCKED
from .plan_rows import TODAY, bills_until
from .table import Row, lines

_SURNAMES = "王李张刘陈杨黄赵吴徐孙朱胡郭林何高罗梁宋"
_GIVEN = ("静", "伟", "芳", "磊", "娜", "强", "敏", "洋", "艳", "勇", "婷", "杰", "丽", "涛", "倩", "鹏")
_DEVICES = ("Windows 11 / Chrome", "macOS / Safari", "Android / App", "iPhone / App", "Windows 10 / Edge")
_CITIES = {
    "广东": "广州",
    "浙江": "杭州",
    "江苏": "苏州",
    "四川": "成都",
    "山东": "济南",
    "湖北": "武汉",
    "福建": "厦门",
}
_ABROAD = {"Singapore": "Singapore", "Germany": "Hamburg", "Japan": "Osaka", "United Kingdom": "Leeds"}

# Customer, member, moment, IP, device, city, success: sign-ins that someone will ask about.
_ODD = """
C007|user007|2026-10-17 03:12:44|203.0.113.77|Linux / Firefox|阿姆斯特丹|0
C007|user007|2026-10-17 03:13:20|203.0.113.77|Linux / Firefox|阿姆斯特丹|0
C012|user012|2026-10-13 02:40:05|203.0.113.91|Linux / Chrome|圣保罗|0
C012|user012|2026-10-13 02:41:31|203.0.113.91|Linux / Chrome|圣保罗|1
C019|user019|2026-10-11 04:05:10|203.0.113.58|Windows 7 / Chrome|拉各斯|1
C031|user031|2026-10-06 23:50:00|203.0.113.12|Android / App|曼谷|1
"""


def members(subscriptions: list[Row], customers: list[Row]) -> list[Row]:
    """Owner, admins and members of each firm, never more than its seats."""
    random = Random(7)  # noqa: S311 - sample data, not a secret
    bought = {row["customer_id"]: (row["seats"], bills_until(row)) for row in subscriptions}
    teams = [_team(row, *bought.get(row["customer_id"], (1, TODAY)), random) for row in customers]
    return [member for team in teams for member in team]


def logins(members: list[Row], customers: list[Row]) -> list[Row]:
    """Sign-ins of the last 45 days, earliest first."""
    random = Random(45)  # noqa: S311 - sample data, not a secret
    cities = {row["customer_id"]: _city(row["region"]) for row in customers}
    made = [login for member in members for login in _visits(member, cities[member["customer_id"]], random)]
    made += [
        {
            "customer_id": customer,
            "email": f"{member}@example.com",
            "at": at,
            "ip": ip,
            "device": device,
            "city": city,
            "success": int(success),
        }
        for customer, member, at, ip, device, city, success in lines(_ODD)
    ]
    made += [login for customer in LOCKED for login in _lockout(customer, cities[customer])]
    return sorted(made, key=lambda row: (row["at"], row["email"]))


def password_resets() -> list[Row]:
    """Reset mails that went out lately."""
    sent = (("C009", "2026-10-19"), ("C019", "2026-10-11"), ("C024", "2026-10-18"), ("C033", "2026-09-30"))
    return [{"customer_id": customer, "requested_on": day} for customer, day in sorted(sent, key=lambda it: it[1])]


def _team(customer: Row, seats: int, until: date, random: Random) -> Iterator[Row]:
    customer_id = customer["customer_id"]
    size = seats if seats < 3 else random.randint(max(2, seats // 2), seats)
    for number in range(size):
        role = "owner" if number == 0 else "admin" if number == 1 and seats > 3 else "member"
        name = customer["contact"] if number == 0 else random.choice(_SURNAMES) + random.choice(_GIVEN)
        email = customer["email"] if number == 0 else f"member{number + 1}.{customer_id.lower()}@example.com"
        idle = 60 if random.random() < 0.12 else 0
        active = until - timedelta(days=random.randint(1, 12) + idle)
        yield {
            "customer_id": customer_id,
            "email": email,
            "name": name,
            "role": role,
            "last_active_on": None
            if number > 1 and random.random() < 0.1
            else max(customer["created_on"], active.isoformat()),
        }


def _visits(member: Row, city: str, random: Random) -> Iterator[Row]:
    last = member["last_active_on"]
    if not last:
        return
    device, ip = random.choice(_DEVICES), f"198.51.100.{random.randint(2, 250)}"
    for number in range(random.randint(1, 3)):
        day = (date.fromisoformat(last) - timedelta(days=number * random.randint(3, 9))).isoformat()
        clock = f"{random.randint(8, 19):02d}:{random.randint(0, 59):02d}:{random.randint(0, 59):02d}"
        if day >= "2026-09-05":
            login = {"customer_id": member["customer_id"], "email": member["email"], "at": f"{day} {clock}", "ip": ip}
            yield {**login, "device": device, "city": city, "success": int(number == 0 or random.random() > 0.08)}


def _lockout(customer: str, city: str) -> Iterator[Row]:
    """Five wrong passwords within five minutes."""
    for minute in range(5):
        yield {
            "customer_id": customer,
            "email": f"user{customer[1:]}@example.com",
            "at": f"{LOCKED[customer]}{minute}:11",
            "ip": f"192.0.2.{int(customer[1:])}",
            "device": "Windows 11 / Chrome",
            "city": city,
            "success": 0,
        }


def _city(region: str) -> str:
    return _CITIES.get(region) or _ABROAD.get(region) or region
