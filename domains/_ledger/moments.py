"""Moments as people say them: 2026-11-03 09:00, 明天 15:00, 下周一上午9点, tomorrow, next Monday 3 pm."""

import re
import unicodedata
from datetime import date, datetime, time, timedelta

_DAYS = {"今天": 0, "明天": 1, "后天": 2, "大后天": 3, "today": 0, "tomorrow": 1, "the day after tomorrow": 2}
_WEEK = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AFTERNOON = ("下午", "晚上", "傍晚", "pm")
_HOURS = {sign: at for at, sign in enumerate("一二三四五六七八九十", 1)} | {"两": 2, "十一": 11, "十二": 12}
_SPOKEN_HOUR = re.compile(r"(十[一二]?|[一二两三四五六七八九])[点时]")
_CLOCK = re.compile(
    r"(凌晨|早上|上午|中午|下午|傍晚|晚上)? ?(\d{1,2})(?:[:点时] ?(\d{1,2}|半|整)?)?(?:分|:00)? ?(am|pm|a\.m\.|p\.m\.)?"
)
_MORNING_HOUR = 9


def moment(said: str, today: date) -> datetime | None:
    """The moment that was meant, 9:00 where no time was said; None where it cannot be read."""
    words = unicodedata.normalize("NFKC", said).strip().lower()
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
    if found := re.match(r"(\d{1,2})月(\d{1,2})[日号]", words):
        try:
            return date(today.year, int(found[1]), int(found[2])), words[found.end() :]
        except ValueError:
            return None, ""
    if found := re.match(r"(\d{1,3}) ?(?:天后|days? from now)", words):
        return today + timedelta(days=int(found[1])), words[found.end() :]
    return None, ""


def _time(words: str) -> time | None:
    rest = re.sub(r"^[\s,的]*(?:at\b)?\s*", "", words).strip()
    if not rest:
        return time(_MORNING_HOUR)
    found = _CLOCK.fullmatch(_SPOKEN_HOUR.sub(lambda spoken: f"{_HOURS[spoken[1]]}点", rest))
    if not found:
        return None
    hour = _hour(int(found[2]), (found[1] or found[4] or "").replace(".", ""))
    minute = 30 if found[3] == "半" else int((found[3] or "").replace("整", "") or 0)
    return time(hour, minute) if hour is not None and hour < 24 and minute < 60 else None


def _hour(hour: int, part: str) -> int | None:
    """The hour of 24. "晚上12点" belongs to two days: it is not guessed."""
    if part == "晚上" and hour == 12:
        return None
    if part in ("am", "凌晨") and hour == 12:
        return 0
    late = part in _AFTERNOON or (part == "中午" and hour < 11)
    return hour + 12 if late and hour < 12 else hour
