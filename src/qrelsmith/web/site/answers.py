"""Answers to scripts: JSON, and refusals that name their reason."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse


def answered(content: dict[str, Any], *, status: int = 200) -> JsonResponse:
    """Return the answer to a request that went well."""
    return JsonResponse(content, status=status, json_dumps_params={"ensure_ascii": False})


def failed(status: int, error: str, message: str, **more: Any) -> JsonResponse:
    """Return a refusal: `error` is for the script, `message` for the person before it."""
    # What came may hold halves of characters, which an answer cannot.
    text = message.encode(errors="backslashreplace").decode()
    return answered({"error": error, "message": text, **more}, status=status)
