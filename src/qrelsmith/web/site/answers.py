"""Answers to scripts: JSON, and refusals that name their reason."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse


def answered(content: dict[str, Any], *, status: int = 200) -> JsonResponse:
    """Something that went well."""
    return JsonResponse(content, status=status, json_dumps_params={"ensure_ascii": False})


def failed(status: int, error: str, message: str, **more: Any) -> JsonResponse:
    """A refusal: `error` is for the script, `message` for the person before it."""
    return answered({"error": error, "message": message, **more}, status=status)
