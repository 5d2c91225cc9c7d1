"""JSON responses to scripts, including errors with their reason."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse


def answered(content: dict[str, Any], *, status: int = 200) -> JsonResponse:
    """Return the response to a successful request."""
    return JsonResponse(content, status=status, json_dumps_params={"ensure_ascii": False})


def failed(status: int, error: str, message: str, **more: Any) -> JsonResponse:
    """Return an error response: `error` is for the script, `message` for the user."""
    # Input may contain lone surrogates, which a response cannot contain.
    text = message.encode(errors="backslashreplace").decode()
    return answered({"error": error, "message": text, **more}, status=status)
