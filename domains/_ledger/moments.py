"""Moments as people say them: 2026-11-03 09:00, 明天 15:00, 下周一上午9点, tomorrow, next Monday 3 pm."""

import re
from datetime import date, datetime, time, timedelta

_DAYS = {"今天": 0, "明天": 1, "后天": 2, "大后天": 3, "today": 0, "tomorrow": 1, "the day after tomorrow": 2}
_WEEK = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AFTERNOON = ("下午", "晚上", "傍晚", "pm")
_MORNING_HOUR = 9


def moment(said: str, today: date) -> datetime | None:
    """The moment that was meant, 9:00 where no time was said; None where it cannot be read."""
    words = said.strip().lower()
    day, rest = _day(words, today)
    if day is None:
        return None
    at = _time(rest)
    return None if at is None else datetime.combine(day, at)


def _day(words: str, today: date) -> tuple[date | None, str]:
    if found := re.match(r"(20\d\d)[-/年](\d{1,2})[-/月](\d{1,2})日?t?", words):
        try:
            return date(int(found[1]), int(found[2]), int(found[3])), words[found.end() :]
        except ValueError:
            return None, ""
    for name in sorted(_DAYS, key=len, reverse=True):
        if words.startswith(name):
            return today + timedelta(days=_DAYS[name]), words[len(name) :]
    if found := re.match(r"(下下|下)(?:个)?(?:周|星期|礼拜)([一二三四五六日天])", words):
        weeks = len(found[1])
        return today + timedelta(days=7 * weeks - today.weekday() + _WEEK[found[2]]), words[found.end() :]
    if found := re.match(rf"next ({'|'.join(_WEEKDAYS)})", words):
        ahead = 7 - today.weekday() + _WEEKDAYS.index(found[1])
        return today + timedelta(days=ahead), words[found.end() :]
    if found := re.match(r"(\d{1,3}) ?(?:天后|days? from now)", words):
        return today + timedelta(days=int(found[1])), words[found.end() :]
    return None, ""


def _time(words: str) -> time | None:
    rest = re.sub(r"^[\s,,的]*(?:at)?\s*", "", words).strip()
    if not rest:
        return time(_MORNING_HOUR)
    found = re.search(r"(\d{1,2})(?:[::点时](\d{1,2}|半)?)?(?:分|:00)?", rest)
    if not found or re.sub(r"[\d::点时分半上中下午早晚傍凌晨 apm.,]+", "", rest):
        return None
    hour = int(found[1])
    minute = 30 if found[2] == "半" else int(found[2] or 0)
    if hour < 12 and any(part in rest for part in _AFTERNOON):
        hour += 12
    return time(hour, minute) if hour < 24 and minute < 60 else None
