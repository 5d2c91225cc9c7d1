"""Numbers in one JSON object {topic: {doc: number}}, as in BEIR, MTEB, ranx and pytrec_eval."""

from __future__ import annotations

import math

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table
from qrelsmith.io.numbers import finite_number

_META = "mteb_model_meta"


@FORMS.add(
    "ranx", kinds=("qrels", "runs", "judgments"), about="https://amenra.github.io/ranx/qrels/"
)
def nested_numbers(looked: Looked) -> FormTable | None:
    """Read the numbers of {topic: {doc: number}}, the format of pytrec_eval, BEIR and ranx."""
    return _numbers(looked, looked.document)


@FORMS.add("mteb", kinds=("runs",), about="https://embeddings-benchmark.github.io/mteb/")
def predictions(looked: Looked) -> FormTable | None:
    """Read MTEB's predictions, {subset: {split: {topic: {doc: score}}}} with metadata."""
    held: object = looked.document
    if not isinstance(held, dict) or _META not in held:
        return None
    path = []
    for _ in range(2):
        inner = {name: held for name, held in held.items() if name != _META}
        if len(inner) != 1:
            raise InputError(
                f"the file has predictions of {', '.join(map(quoted, inner))}; "
                "expected one subset and one split",
                path=looked.path,
            )
        name, held = next(iter(inner.items()))
        path.append(name)
        if not isinstance(held, dict):
            return None
    return _numbers(looked, held, prefix=f"{'/'.join(path)}: ")


def _numbers(looked: Looked, value: dict[str, object], *, prefix: str = "") -> FormTable | None:
    role = "score" if looked.kind == "runs" else "grade"
    rows: list[tuple[str, str, str]] = []
    for topic, docs in value.items():
        if not isinstance(docs, dict):
            return None
        for doc, number in docs.items():
            if isinstance(number, dict):
                return None
            if not isinstance(number, str) or math.isnan(finite_number(number.encode())):
                raise InputError(
                    f"topic {quoted(topic)} doc {quoted(doc)} has {quoted(number)}; "
                    "expected {topic: {doc: number}}",
                    path=looked.path,
                )
            rows.append((topic, doc, number))
    if not value:
        return None
    taken = {"topic": f"{prefix}the keys", "doc": "their keys", role: "the numbers"}
    return form_table(looked, rows, taken)
