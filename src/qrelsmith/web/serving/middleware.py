"""Middleware that gives every request an id and a line in the log."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from qrelsmith.web.accounts.token_access import token_number
from qrelsmith.web.models import Account
from qrelsmith.web.serving import metrics

Answer = Callable[[HttpRequest], HttpResponse]

_LOG = logging.getLogger("qrelsmith.web.requests")
_ID = re.compile("[0-9A-Za-z_-]{8,32}")


def request_log(answer: Answer) -> Answer:
    """Give every request an id, and log its outcome without body, parameters or path."""

    def log_request(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _ID.fullmatch(given) else secrets.token_hex(8)
        request.META["QRELSMITH_REQUEST_ID"] = request_id
        started, worked = time.perf_counter(), time.thread_time()
        metrics.request_begins()
        try:
            response = answer(request)
        finally:
            metrics.request_ends()
        seconds = time.perf_counter() - started
        match = request.resolver_match
        view = (match.view_name if match else None) or ""
        metrics.count_answer(request.method or "", view, response.status_code, seconds)
        user = getattr(request, "user", None)
        _LOG.info(
            "request",
            extra={
                "request_id": request_id,
                "method": request.method,
                "view": view or None,
                "status": response.status_code,
                "ms": round(1000 * seconds, 2),
                "cpu_ms": round(1000 * (time.thread_time() - worked), 2),
                "account": user.pk if isinstance(user, Account) else None,
                "token": token_number(request),
            },
        )
        response["X-Request-ID"] = request_id
        return response

    return log_request
