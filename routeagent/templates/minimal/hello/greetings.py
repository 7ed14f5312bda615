"""Every public function of this file is a tool; its docstring is what the model reads."""

from typing import Literal


def greet(name: str, language: Literal["en", "zh"] = "en") -> str:
    """Greet somebody by name. 跟某人打招呼。

    Args:
        name: who is greeted.
        language: en or zh.
    """
    return f"你好,{name}!" if language == "zh" else f"Hello, {name}!"
