"""Months, days and times that a text mentions, made absolute."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from routeagent.agent.planner.entities import HAN_NUMBER, han_number

_MONTH_NAMES = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip


def months(text: str, today: date, year: int | None = None) -> tuple[str, ...]:
    """Months mentioned, as `YYYY-MM`. One without a year is in `year`, else the latest that has begun by `today`."""
    found: list[tuple[int, str]] = []
    for match in re.finditer(r"(?<!\d)(\d{4})\s*[-/年]\s*(\d{1,2})(?!\d)", text):
        found.append((match.start(), f"{int(match[1]):04}-{int(match[2]):02}"))
    rest = re.sub(r"(?<!\d)\d{4}\s*[-/年]\s*\d{1,2}(?!\d)\s*月?", lambda match: " " * len(match[0]), text)
    named = (
        rf"(?<!\d)(?P<number>\d{{1,2}}|{HAN_NUMBER})\s*月|"
        rf"\b(?P<name>{'|'.join(_MONTH_NAMES)})\b\.?(?:\s+(?:of\s+)?(?P<year>\d{{4}}))?"
    )
    for match in re.finditer(named, rest, re.IGNORECASE):
        if (match["name"] or "").lower() == "may" and not re.search(
            r"(?:in|of|for|last)\s+$|^$", rest[: match.start()].lower()
        ):
            continue
        number = _month_number(match["number"], match["name"])
        if 1 <= number <= 12:
            owner = (
                int(match["year"])
                if match["year"]
                else year or (today.year if number <= today.month else today.year - 1)
            )
            found.append((match.start(), f"{owner:04}-{number:02}"))
    for match in re.finditer(r"上个?月|last month|这个?月|本月|this month", text, re.IGNORECASE):
        first = today.replace(day=1)
        chosen = first - timedelta(days=1) if match[0].lower()[0] in "上l" else first
        found.append((match.start(), f"{chosen:%Y-%m}"))
    return tuple(dict.fromkeys(month for _, month in sorted(found) if 1 <= int(month[5:]) <= 12))


def moments(text: str, today: date, year: int | None = None) -> tuple[str, ...]:
    """Days mentioned, with the time where one stands beside them: `2026-11-05`, `2026-11-05T09:30`."""
    pattern = (
        r"(?P<iso>\d{4}[-/]\d{1,2}[-/]\d{1,2})|(?:(?P<y>\d{4})\s*年\s*)?(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*[日号]?|"
        r"(?P<relative>今天|明天|大后天|后天|today|tomorrow)|(?P<next>下)?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])|"
        r"(?:next|on|this)\s+(?P<wd>monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
        rf"\b(?P<name>{'|'.join(_MONTH_NAMES)})\.?\s+(?P<nd>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s*(?P<ny>\d{{4}}))?"
    )
    found: list[str] = []
    for match in re.finditer(pattern, text, re.IGNORECASE):
        day = _day(match, today, year)
        if day is not None:
            found.append(f"{day:%Y-%m-%d}{_time_after(text[match.end() : match.end() + 16])}")
    return tuple(dict.fromkeys(found))


def _month_number(number: str | None, name: str | None) -> int:
    if name:
        return _MONTH_NAMES[name.lower()]
    return int(number) if number and number.isdigit() else han_number(number or "一")


def _day(match: re.Match[str], today: date, year: int | None) -> date | None:
    try:
        if match["iso"]:
            return date(*(int(part) for part in re.split("[-/]", match["iso"])))
        if match["relative"]:
            ahead = {"今天": 0, "today": 0, "明天": 1, "tomorrow": 1, "后天": 2, "大后天": 3}[match["relative"].lower()]
            return today + timedelta(days=ahead)
        if match["weekday"] or match["wd"]:
            return _weekday(match, today)
        if match["name"]:
            return date(int(match["ny"] or year or today.year), _MONTH_NAMES[match["name"].lower()], int(match["nd"]))
        return date(int(match["y"] or year or today.year), int(match["m"]), int(match["d"]))
    except ValueError:
        return None


def _weekday(match: re.Match[str], today: date) -> date:
    """下周一 is in the week after this one; 周一 and "next Monday" are the first Monday after today."""
    english = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    number = (
        english.index(match["wd"].lower())
        if match["wd"]
        else "一二三四五六日".index(match["weekday"].replace("天", "日"))
    )
    if match["next"]:
        return today - timedelta(days=today.weekday()) + timedelta(days=7 + number)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _time_after(text: str) -> str:
    match = re.match(
        r"\s*(?:日|号)?[, ]*(?:at\s+)?(?:T)?(?P<part>早上|上午|中午|下午|晚上|晚)?\s*(?P<hour>\d{1,2})\s*"
        r"(?:(?:[:]\s*(?P<minute>\d{2}))|点(?P<half>半)?(?:(?P<m2>\d{1,2})分)?)?\s*(?P<pm>am|pm)?",
        text,
        re.IGNORECASE,
    )
    if match is None or not (match["minute"] or "点" in match[0] or match["pm"]):
        return ""
    hour = int(match["hour"]) % 24
    if hour < 12 and (match["part"] in ("下午", "晚上", "晚") or (match["pm"] or "").lower() == "pm"):
        hour += 12
    minute = int(match["minute"] or match["m2"] or (30 if match["half"] else 0)) % 60
    return f"T{hour:02}:{minute:02}"


def parse_day(text: str) -> date | None:
    """The day that an ISO date or time string begins with, or None."""
    try:
        return datetime.strptime(text[:10], "%Y-%m-%d").date()
    except ValueError:
        return None
