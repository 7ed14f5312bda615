"""Keys out of texts that people will read, paste and log."""

from __future__ import annotations

import os
import re

MASK = "***"
_SECRET_VARIABLES = ("_KEY", "_TOKEN", "_SECRET", "_KEY_ID")
_SHORTEST = 8  # a shorter value in such a variable is a placeholder, and replacing it would garble the text
_SHAPES = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|key|r8)[-_][\w*.-]{6,}"  # OpenAI and those who follow it, Groq, xAI, Hugging Face
    r"|\bAIza[\w-]{10,}|\bAKIA\w{10,}"  # Google, AWS
    r"|(?<=Bearer )\S+|(?<=://)[^/\s@]+(?=@)|(?<=[?&]key=)[^&\s]+"
)


def mask(text: str, *secrets: str | None) -> str:
    """The text with the given secrets, the environment's keys and whatever is shaped like a key replaced by `***`."""
    named = [value for name, value in os.environ.items() if name.upper().endswith(_SECRET_VARIABLES)]
    for secret in sorted({*named, *filter(None, secrets)}, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, MASK)
    return _SHAPES.sub(MASK, text)
