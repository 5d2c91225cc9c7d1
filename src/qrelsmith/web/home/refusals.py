"""Error responses for exceptions that views raise on purpose."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db.models import BigIntegerField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import policy_of
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.judging.api import current_json
from qrelsmith.web.site.answers import failed
from qrelsmith.web.site.parameters import ParameterError

_STATUS = {
    "stale": 409,
    "op_id": 409,
    "nothing": 409,
    "withdrawn": 409,
    "closed": 403,
    "account": 403,
    "unknown": 404,
    "sha256": 422,
    "passage": 422,
    "twice": 422,
    "value": 422,
    "version": 422,
}


class AnswerRefusals:
    """Middleware that turns a `ParameterError` into 400 and a `RefusedError` into its status."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request to the next handler."""
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, keys: Mapping[str, object]
    ) -> None:
        """Answer 404 if a key in the path is too large for any database."""
        if any(isinstance(key, int) and key > BigIntegerField.MAX_BIGINT for key in keys.values()):
            raise Http404

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the response to an intended error, or None for any other exception."""
        if isinstance(exception, ParameterError):
            status, reason, message = 400, "parameter", str(exception)
            more = {}
        elif isinstance(exception, RefusedError):
            status, reason = _STATUS[exception.reason], exception.reason
            message = exception.message
            more = current_json(exception.current)
        else:
            return None
        match = request.resolver_match
        policy = policy_of(match.func) if match else None
        if policy is not None and policy.is_api:
            return failed(status, reason, message, **more)
        return render(request, "error.html", {"status": status, "message": message}, status=status)
