"""Who works at the desk."""

from .table import Row

_TEAMS = {
    "一线客服": ("客服小林", "客服小陈", "客服小周", "客服小许", "Mia"),
    "账单组": ("账单阿芳", "账单老吴", "主管老何"),
    "技术组": ("技术小郭", "技术阿杰"),
    "客户成功组": ("成功小叶",),
}


def staff() -> list[Row]:
    """One row a person."""
    return [{"name": name, "team": team} for team, names in _TEAMS.items() for name in names]
