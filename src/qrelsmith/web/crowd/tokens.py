"""Secrets of this app: addresses of batches, digests of workers, completion codes.

All secrets are derived from the app's secret, so neither the database nor an export reveals them.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from qrelsmith.web.instance import Instance
from qrelsmith.web.models import Batch, Sitting
from qrelsmith.web.project import current_instance

# Without letters and digits that look alike.
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_CODE_LENGTH = 12
_ADDRESS = re.compile("([1-9][0-9]{0,9})-([0-9a-f]{32})")


def address_of(batch: Batch) -> str:
    """Return the last part of a batch's address: its number and an unguessable part."""
    return _address(batch.pk, current_instance())


def batch_at(address: str) -> Batch | None:
    """Return the batch of an address, or None if there is none."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return None
    batch = Batch.objects.filter(pk=int(found[1])).first()
    known = address_of(batch) if batch else f"{found[1]}-{'0' * 32}"
    return batch if hmac.compare_digest(known, address) else None


def is_batch_address(address: str, instance: Instance) -> bool:
    """Return whether an address belongs to a current or former batch of a campaign."""
    found = _ADDRESS.fullmatch(address)
    return found is not None and hmac.compare_digest(_address(int(found[1]), instance), address)


def worker_digest(platform: str, worker: str) -> str:
    """Return the digest that identifies a worker but, without the secret, reveals nothing."""
    return _mac("worker", platform, worker).hex()


def new_pseudonym() -> str:
    """Return a random pseudonym."""
    return f"w{secrets.token_hex(5)}"


def new_nonce() -> str:
    """Return a random value; a code is derived from it and the secret."""
    return secrets.token_hex(16)


def code_of(sitting: Sitting) -> str:
    """Return the code of a session; the code is the same at every visit of the worker."""
    if not sitting.nonce:
        return ""
    drawn = _mac("code", str(sitting.pk), sitting.nonce)
    letters = [_LETTERS[byte % len(_LETTERS)] for byte in drawn[:_CODE_LENGTH]]
    return "-".join("".join(letters[start : start + 4]) for start in range(0, _CODE_LENGTH, 4))


def code_digest(code: str) -> str:
    """Return the digest of a code; spaces, hyphens and case do not matter."""
    bare = "".join(code.split()).replace("-", "").upper()
    return hashlib.sha256(bare.encode("utf-8", "replace")).hexdigest()


def _address(number: int, instance: Instance) -> str:
    return f"{number}-{_mac('batch', str(number), instance=instance).hex()[:32]}"


def _mac(*parts: str, instance: Instance | None = None) -> bytes:
    text = "\n".join(f"{len(part)}:{part}" for part in ("crowd", *parts))
    key = (instance or current_instance()).secret().encode()
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
