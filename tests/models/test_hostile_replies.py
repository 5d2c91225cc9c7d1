"""Replies designed to exhaust memory or time, or to leave the key somewhere."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.models.hostile import ByteServer, completion, running

from qrelsmith import InputError, judge
from qrelsmith.cli import run
from qrelsmith.models.hidden_keys import hide_key
from qrelsmith.models.http_endpoint import _seconds
from qrelsmith.models.replies import ReplyError, parsed_reply

KEY = "sk-hostile-9f31c2d4"
GRADE = '{"grade": 1}'
_HEAD = b"HTTP/1.1 200 X\r\n"
_MEASURE = """
import re, sys
from qrelsmith.cli import run
status = run(sys.argv[1:])
print(status, int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""
_TIMEOUT, _PATIENCE = 1.0, 1.0
# Created when needed: compressing a bomb takes a second.
ENDLESS: dict[str, Callable[[], ByteServer]] = {
    "a bomb of one layer": lambda: ByteServer(answer=completion(GRADE, layers=1, blanks=400)),
    "a bomb of three layers": lambda: ByteServer(answer=completion(GRADE, layers=3, blanks=400)),
    "a drip": lambda: ByteServer(
        answer=_HEAD + b"Content-Length: 999\r\n\r\n", rest=b" ", pause=0.05
    ),
    "a reply without end": lambda: ByteServer(answer=_HEAD + b"\r\n", rest=b" " * 65536),
    "headers without end": lambda: ByteServer(answer=_HEAD, rest=b"X-More: more\r\n" * 4096),
    "a header without end": lambda: ByteServer(answer=_HEAD + b"X-More: ", rest=b"x" * 65536),
    "interim answers without end": lambda: ByteServer(rest=b"HTTP/1.1 100 Continue\r\n\r\n" * 4096),
    "chunks without end": lambda: ByteServer(
        answer=_HEAD + b"Transfer-Encoding: chunked\r\n\r\n", rest=b"1\r\n \r\n" * 8192
    ),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
@pytest.mark.parametrize("what", ENDLESS)
def test_a_reply_needs_little_memory_and_ends_at_its_deadline(what: str, campaign: Path) -> None:
    with running(ENDLESS[what]()) as server:
        words = ["judge", str(campaign), "--endpoint", server.address, "--model", "m", "--quiet"]
        words += ["--timeout", str(_TIMEOUT), "--patience", str(_PATIENCE)]
        started = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", _MEASURE, *words],
            capture_output=True, text=True, timeout=120, check=True,
            env=os.environ | {"OPENAI_API_KEY": KEY},
        )  # fmt: skip
        took = time.monotonic() - started
    status, megabytes = map(int, done.stdout.split())
    assert status == 2
    assert f"no reply for {_PATIENCE:.0f} seconds" in done.stderr
    assert megabytes <= 300
    # Starting Python takes seconds if the machine is busy.
    assert took <= _PATIENCE + _TIMEOUT + 10


def test_a_reply_compressed_once_is_read(campaign: Path) -> None:
    with running(ByteServer(answer=completion(GRADE, layers=1))) as server:
        judged = judge(campaign, endpoint=server.address, model="m")
    assert {outcome.said.value for outcome in judged.outcomes if outcome.said} == {1.0}


def test_blanks_in_a_code_fence_are_read_once() -> None:
    started = time.process_time()
    with pytest.raises(ReplyError):
        parsed_reply("```\n" + "\n" * 500_000 + "x", kind="grade", grades=(1.0,))
    assert time.process_time() - started < 5


@pytest.mark.parametrize("date", ["Mon, 01 Jan 2020 99999999999999999999:00:00 GMT", "x" * 9999])
def test_an_invalid_retry_date_is_ignored(date: str) -> None:
    assert _seconds(date) is None


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(sign):04x}" for sign in text)


_HALVES = {"reason": KEY[:9], "more": KEY[9:]}
_ALIGNED = [base64.b64encode(b"x" * before + KEY.encode() + b"y").decode() for before in range(3)]
SMUGGLED = {
    "plain": GRADE[:-1] + f', "reason": "{KEY}"}}',
    "escaped": GRADE[:-1] + f', "reason": "{_escaped(KEY)}"}}',
    "escaped twice": json.dumps({"grade": 1, "reason": _escaped(KEY)}),
    "a name": f'{{"grade": 1, "{_escaped(KEY)}": 2}}',
    "invalid JSON": f"My key is {_escaped(KEY)}",
    "base64": json.dumps({"grade": 1, "reason": " ".join(_ALIGNED)}),
    "base32": json.dumps({"grade": 1, "reason": base64.b32encode(KEY.encode()).decode()}),
    "hexadecimal": json.dumps({"grade": 1, "reason": KEY.encode().hex(" ")}),
    "numbers": json.dumps({"grade": 1, "reason": list(KEY.encode())}),
    "reversed": json.dumps({"grade": 1, "reason": KEY[::-1]}),
    "blanks": json.dumps({"grade": 1, "reason": " ".join(KEY)}),
    "percent": json.dumps({"grade": 1, "reason": "".join(f"%{ord(c):x}" for c in KEY)}),
    "entities": json.dumps({"grade": 1, "reason": "".join(f"&#{ord(c)};" for c in KEY)}),
    "fields": json.dumps({"grade": 1, **_HALVES}),
    "fields of a sign": json.dumps({"grade": 9} | {f"k{n}": sign for n, sign in enumerate(KEY)}),
    "wide letters": json.dumps({"grade": 1, "reason": "".join(chr(ord(c) + 0xFEE0) for c in KEY)}),
}


@pytest.mark.parametrize("prompt", ["grade", "criteria"])
@pytest.mark.parametrize("how", SMUGGLED)
def test_the_key_is_stored_nowhere(
    how: str,
    prompt: str,
    campaign: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with running(ByteServer(answer=completion(SMUGGLED[how]))) as server:
        words = ["judge", str(campaign), "--endpoint", server.address, "--model", "m"]
        words += ["--prompt", prompt, "--write-replies", str(campaign / "replies.csv")]
        run([*words, "-o", str(campaign / "labels.csv")])
    shown = "".join(capsys.readouterr())
    kept = [path.read_bytes().decode("latin-1") for path in campaign.rglob("*") if path.is_file()]
    decoded = [re.sub(r"\\u00(..)", lambda m: chr(int(m[1], 16)), text) for text in kept]
    for text in (shown, *kept, *decoded):
        assert KEY not in text
        assert KEY[:9] not in text
        assert KEY[::-1] not in text
        assert SMUGGLED[how] not in text
        assert not any(piece[4:-4] in text for piece in _ALIGNED)


def test_a_reason_is_stored_only_if_it_was_requested(campaign: Path) -> None:
    said = json.dumps({"grade": 1, "reason": "mentions sorting"})
    with running(ByteServer(answer=completion(said))) as server:
        unasked = judge(campaign, endpoint=server.address, model="m", key=KEY)
        asked = judge(campaign, endpoint=server.address, model="m", key=KEY, prompt="criteria")
    assert "mentions" not in unasked.replies().text("csv") + unasked.table().text("csv")
    assert "mentions sorting" in asked.table().text("csv")


@pytest.mark.parametrize("text", ["The doc is empty.", "sk-", "none", "The key topic is sorting."])
@pytest.mark.parametrize("key", ["", "EMPTY", "sk-hostile-9f31c2d4", "token-abc123"])
def test_other_texts_stay_unchanged(text: str, key: str) -> None:
    assert hide_key(text, key) == text


def test_a_refusal_with_a_huge_body_is_reported_in_one_line(campaign: Path) -> None:
    answer = completion(GRADE, layers=1, blanks=50).replace(b" 200 ", b" 400 ", 1)
    with running(ByteServer(answer=answer)) as server, pytest.raises(InputError) as error:
        judge(campaign, endpoint=server.address, model="m")
    assert "status 400" in str(error.value)
    assert len(str(error.value)) < 1000
