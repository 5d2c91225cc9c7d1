"""The OpenAPI document, compared with the served app by schemathesis."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="needs the extra test")

from hypothesis import HealthCheck, Phase, given, settings  # noqa: E402
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance  # noqa: E402

from qrelsmith import __version__  # noqa: E402
from qrelsmith.web.openapi.composites import Fields, Items, NamedSchema, Nullable  # noqa: E402
from qrelsmith.web.openapi.schemas import Choice, Flag, Number, Scalar, Schema, Text, Whole  # noqa: E402

FEW = settings(
    max_examples=15,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
# The same errors are tested with a wrong token, to which the rate limit answers 429.
NO_AUTH = [ignored_auth]
# An unknown topic matches the schema, and is refused with 422.
NO_MEANING = [ignored_auth, positive_data_acceptance]


@dataclass
class Served:
    """A served app with a model, and its schema for schemathesis."""

    url: str
    token: str
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)

    def operation(self, label: str) -> Any:
        schema = schemathesis.openapi.from_url(f"{self.url}/api/openapi.json")
        found = {result.ok().label: result.ok() for result in schema.get_all_operations()}
        assert set(found) == {"GET /api/topics", "GET /api/work", "POST /api/judgments"}
        return found[label]

    def check(
        self,
        label: str,
        mode: Any,
        *,
        token: str | None = None,
        without: list[Any] = NO_AUTH,
        change: Callable[[Any], None] = lambda _: None,
    ) -> set[int]:
        """Send requests by schemathesis; return the statuses of the responses, all documented."""
        headers = {"Authorization": f"Bearer {self.token if token is None else token}"}
        seen = set()

        @FEW
        @given(case=self.operation(label).as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            change(case)
            answer = case.call(headers=headers if token != "" else {})
            seen.add(answer.status_code)
            case.validate_response(answer, excluded_checks=without)

        send()
        return seen


@pytest.fixture
def served(
    database_url: str,
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
) -> Iterator[Served]:
    """Serve the app as a process, on both databases in turn."""
    folder = make_campaign(tmp_path / "campaign", topics=3, docs=40)
    with (folder / "campaign.toml").open("a") as out:
        out.write('\n[groups.llm]\nrole = "llm"\nassessors = ["gpt-x"]\n')
    server = start_server(folder, database_url=database_url)
    yield Served(server.url, server.run("token", "--assessor", "gpt-x").strip())
    log = (folder / "server.log").read_text()
    assert '"status": 500' not in log
    assert "qrelsmith_" not in log  # no token


POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE


@pytest.mark.full
def test_schemathesis_finds_no_error_in_the_served_app(served: Served) -> None:
    assert served.check("GET /api/topics", POSITIVE) == {200}
    assert 200 in served.check("GET /api/topics", NEGATIVE)  # there are no invalid inputs
    assert 200 in served.check("GET /api/work", POSITIVE, without=NO_MEANING)
    assert 400 in served.check("GET /api/work", NEGATIVE)
    assert served.check("POST /api/judgments", POSITIVE, without=NO_MEANING) <= {409, 422}
    assert 400 in served.check("POST /api/judgments", NEGATIVE)
    assert 200 in served.check("POST /api/judgments", POSITIVE, change=about_what_is_there())
    # And without a token, or with a wrong one.
    for label in ("GET /api/work", "POST /api/judgments"):
        for token in ("", "qrelsmith_wrong"):
            assert served.check(label, POSITIVE, token=token, without=NO_MEANING) <= {401, 429}


def about_what_is_there() -> Callable[[Any], None]:
    """Return a function that makes a generated batch refer to docs of the campaign, each once."""
    docs = iter([(f"q{topic}", f"d{doc:05}") for doc in range(40) for topic in (1, 2, 3)])

    def change(case: Any) -> None:
        body, judgments = case.body, []
        for number, each in enumerate(body["judgments"][:2]):
            topic, doc = next(docs)
            kept = {key: each[key] for key in ("note", "excerpt", "active_ms") if key in each}
            judgments.append(
                kept
                | {"op_id": f"generated-{doc}-{topic}-{number}", "topic": topic, "doc": doc}
                | {"grade": number}
            )
        case.body = body | {"judgments": judgments}

    return change


def test_the_document_has_this_version_and_names_every_refusal(lite_app: Any) -> None:
    document = lite_app.client().get("/api/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert document["info"]["version"] == __version__
    judgments = document["paths"]["/api/judgments"]["post"]
    statuses = {"200", "400", "401", "403", "409", "413", "415", "422", "429"}
    assert set(judgments["responses"]) == statuses
    assert judgments["security"] == [{"token": ["judgments:write"]}]
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert named == set(document["components"]["schemas"])


# --- Schemas ------------------------------------------------------------------------------------


def faults(schema: Schema, value: Any) -> list[tuple[Any, ...]]:
    return [(*fault.place, fault.found) for fault in schema.faults(value)]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (
            Text(shortest=1, longest=3),
            ["a", "関連度", "\n"],
            ["", "abcd", 1, None, "\x00", "\ud800"],
        ),
        (Text(pattern="^(a|b)$"), ["a", "b"], ["c", "ab", "a\n"]),
        (Whole(least=1, most=9), [1, 9, 2.0], [0, 10, 1.5, True, "1", 10**400, float("inf")]),
        (Number(), [0, -1.5, 10**15], [float("nan"), float("inf"), 1e16, 10**400, True, "1"]),
        (Choice(("a", "b")), ["a", "b"], ["", "ab", 1, None, []]),
        (Flag(), [True, False], [0, 1, "true", None]),
        (Scalar(), [None, True, 1, "x"], [[], {}, float("nan"), "\x00"]),
        (Nullable(Whole()), [None, 3], ["x", -1]),
        (Items(Whole(), fewest=1, most=2), [[1], [1, 2]], [[], [1, 2, 3], {}, ["x"]]),
        (NamedSchema(most=1), [{}, {"a": 1}], [{"a": 1, "b": 2}, {"": 1}, {"a": []}, []]),
    ],
)
def test_a_schema_accepts_the_same_values_as_its_document(
    schema: Schema, good: list[Any], bad: list[Any]
) -> None:
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    written = jsonschema_rs.validator_for(schema.document())
    for value in good:
        assert not faults(schema, value), value
        assert written.is_valid(value), value
    for value in bad:
        assert faults(schema, value), value
        # Values that JSON itself cannot represent are outside its schema.
        if is_json(value):
            assert not written.is_valid(value), value


def is_json(value: Any) -> bool:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        text.encode("utf-8")
    except (ValueError, UnicodeEncodeError):
        return False
    return len(text) < 300


def test_every_error_has_its_place() -> None:
    inner = Fields("Inner", {"n": Whole(), "t": Text()}, optional=frozenset({"t"}))
    outer = Fields("Outer", {"list": Items(inner)})
    assert not faults(outer, {"list": [{"n": 1}, {"n": 2, "t": "x"}]})
    wrong = {"list": [{"n": -1}, {"t": 5}, 7, {"n": 1, "m": 2}], "more": 1}
    assert faults(outer, wrong) == [
        ('the key "more"',),
        ("list", 0, "n", "-1"),
        ("list", 1, "n", "nothing"),
        ("list", 1, "t", "5"),
        ("list", 2, "7"),
        ("list", 3, 'the key "m"'),
    ]


def test_long_values_are_truncated_in_messages() -> None:
    (fault,) = Text(longest=3).faults("x" * 5000)
    assert len(fault.found) == 80


# --- The page that describes the API -------------------------------------------------------------


def test_the_example_in_the_docs_works(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "model-assessors.md").read_text("utf-8")
    (example,) = page.split("```python\n")[1:]
    folder = make_campaign(tmp_path / "campaign")
    with (folder / "campaign.toml").open("a") as out:
        out.write('\n[groups.llm]\nrole = "llm"\nassessors = ["gpt-x"]\n')
    server = start_server(folder)
    monkeypatch.setenv("QRELSMITH_URL", server.url)
    monkeypatch.setenv("QRELSMITH_TOKEN", server.run("token", "--assessor", "gpt-x").strip())
    code = example.partition("```")[0]
    exec(compile(code, "model-assessors.md", "exec"), {})  # noqa: S102 - our own page
    assert capsys.readouterr().out == "12 judgments\n"
    rows = server.run("verify").splitlines()
    assert "model settings are unchanged,13,0" in rows
    assert all(row.endswith(",0") for row in rows[1:])
