"""Signed claims of the server about the requesting account, valid for one request and 30 s."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from dataclasses import asdict, dataclass

HEADER = "X-Qrelsmith-MemberClaim"
# The cookie of a campaign's sessions, which crowd workers have.
COOKIE = "qrelsmith_campaign"
_VALID_S = 30.0


@dataclass(frozen=True, slots=True)
class MemberClaim:
    """The account that sends a request to a campaign.

    Attributes
    ----------
    login : str
        The name of the account in the campaign; empty if the request has no account.
    role : str
        Its role in the campaign.
    is_server : bool
        Whether the server itself sends the request.
    """

    login: str = ""
    role: str = ""
    is_server: bool = False


def sign(claim: MemberClaim, secret: bytes, method: str, target: str) -> str:
    """Return the signed header of a request."""
    content = json.dumps({**asdict(claim), "at": time.time()}).encode()
    packed = base64.urlsafe_b64encode(content).decode()
    return f"{packed}.{_digest(packed, secret, method, target)}"


def open_claim(header: str, secret: bytes, method: str, target: str) -> MemberClaim | None:
    """Return a header's claim, or None if it has expired or was signed for another request."""
    packed, _, digest = header.partition(".")
    expected = _digest(packed, secret, method, target)
    if not hmac.compare_digest(digest.encode("utf-8", "replace"), expected.encode()):
        return None
    values = json.loads(base64.urlsafe_b64decode(packed))
    if abs(time.time() - values.pop("at")) > _VALID_S:
        return None
    return MemberClaim(**values)


def _digest(packed: str, secret: bytes, method: str, target: str) -> str:
    text = f"{method}\n{target}\n{packed}".encode("utf-8", "replace")
    return hmac.new(secret, text, hashlib.sha256).hexdigest()
