"""The API operations of model assessors."""

from __future__ import annotations

from qrelsmith.web.core.fields import DOC, ROUND, SHA256, TOPIC, VERSION
from qrelsmith.web.model_assessors.labels import GivenLabel
from qrelsmith.web.model_assessors.settings import GivenSetting
from qrelsmith.web.models import ApiToken
from qrelsmith.web.openapi.composites import Fields, Items, Nullable
from qrelsmith.web.openapi.declared import object_of
from qrelsmith.web.openapi.operations import Operation, Parameter
from qrelsmith.web.openapi.schemas import Choice, Flag, Number, Schema, Text, Whole

LARGEST_BATCH = 200
_MOST_DOCS = 100
_LONGEST_DOC = 100_000_000
_TEXT = Text(longest=_LONGEST_DOC)

_TOPIC_TEXT: dict[str, Schema] = {
    "topic": TOPIC,
    "version": VERSION,
    "title": _TEXT,
    "description": _TEXT,
    "narrative": _TEXT,
}
_TOPIC_OBJECT = Fields("Topic", _TOPIC_TEXT, "The current text of a topic.")
_ASSIGNED = Fields(
    "AssignedTopic",
    _TOPIC_TEXT
    | {
        "round": ROUND,
        "hit": Text("The HIT; empty for a whole topic.", longest=500),
        "is_open": Flag("Whether the topic can be judged."),
        "judged": Whole("The number of docs with a label."),
        "total": Whole("The number of docs."),
    },
    "A topic to be judged.",
)
_LEVEL = Fields(
    "Level",
    {
        "grade": Number("The grade."),
        "label": _TEXT,
        "text": _TEXT,
        "note": Text("Whether a note is required: none, optional or required.", longest=10),
        "excerpt": Text(
            "Whether a passage of the doc is required: none, optional or required.", longest=10
        ),
    },
    "A level of the scale.",
)
_CODE = Fields(
    "ErrorCode", {"code": Number("The code, below 0."), "label": _TEXT},
    "A reason why a doc cannot be judged.",
)  # fmt: skip
_SCALE = Fields(
    "Scale",
    {
        "version": VERSION,
        "control": Text(
            "The value `number` means that any positive number is a grade.", longest=20
        ),
        "instructions": _TEXT,
        "levels": Items(_LEVEL),
        "errors": Items(_CODE),
    },
    "The possible judgments, and the instructions for assessors.",
)
_WORK_DOC = Fields(
    "WorkDoc",
    {
        "topic": TOPIC,
        "topic_version": VERSION,
        "round": ROUND,
        "doc": DOC,
        "sha256": SHA256,
        "title": _TEXT,
        "url": _TEXT,
        "text": Text("The text that a person would read.", longest=_LONGEST_DOC),
        "revision": Whole("The number of changes of the label; send it back with the judgment."),
    },
    "A doc without a label.",
)
_SETTING = object_of(
    GivenSetting,
    "Setting",
    "The model and prompt that made the labels; a new prompt is a new version.",
)
_JUDGMENT = object_of(GivenLabel, "Judgment", "A judgment.")
_RECORDED = Fields(
    "RecordedSetting", {"version": VERSION, "prompt_sha256": SHA256}, "The record of the setting."
)
_RESULT = Fields(
    "Result",
    {
        "item": Whole("The index of the judgment in the batch, counted from 0."),
        "op_id": Text(longest=64),
        "result": Choice(
            ("accepted", "repeated"),
            "`accepted`, or `repeated` if the judgment was already recorded.",
        ),
        "revision": Whole("The new revision of the label.", least=1),
    },
    "The result of a judgment.",
)

TOPICS = Operation(
    path="/api/topics",
    method="GET",
    name="topics",
    summary="Topics to be judged, with their progress",
    scope=ApiToken.Scope.WORK_READ.value,
    answer=Fields("Topics", {"topics": Items(_ASSIGNED)}),
)
WORK = Operation(
    path="/api/work",
    method="GET",
    name="work",
    summary="Docs without a label",
    about=(
        "The answer includes the scale, the instructions and the topics. To get the next docs,"
        " pass `next` as `after`."
    ),
    scope=ApiToken.Scope.WORK_READ.value,
    answer=Fields(
        "Work",
        {
            "scale": _SCALE,
            "topics": Items(_TOPIC_OBJECT),
            "docs": Items(_WORK_DOC),
            "next": Nullable(Whole("The value of `after` in the next request.", most=2**53 - 1)),
        },
    ),
    parameters=(
        Parameter("topic", Text("The topic to which the docs are restricted.", longest=500), ""),
        Parameter("limit", Whole("The maximum number of docs.", least=1, most=_MOST_DOCS), 20),
        Parameter("after", Whole("The value of `next` in the previous answer.", most=2**53 - 1), 0),
    ),
    problems=((404, "The assessor does not judge this topic."),),
)
JUDGMENTS = Operation(
    path="/api/judgments",
    method="POST",
    name="judge",
    summary="Record all judgments of a batch, or none",
    about=(
        "All judgments are checked before any is recorded, and all errors are reported. If the"
        " answer to a batch was lost, send the batch again: judgments that were already recorded"
        " are reported as `repeated`."
    ),
    scope=ApiToken.Scope.JUDGMENTS_WRITE.value,
    body=Fields(
        "Batch", {"setting": _SETTING, "judgments": Items(_JUDGMENT, fewest=1, most=LARGEST_BATCH)}
    ),
    answer=Fields("Recorded", {"setting": _RECORDED, "results": Items(_RESULT)}),
    problems=(
        (
            409,
            (
                "A label was changed in the meantime, or an op_id was already used for another"
                " judgment."
            ),
        ),
        (413, "The body is too large. Send fewer judgments at once."),
        (415, "The body does not have the content type application/json."),
        (422, "A judgment has an unknown topic, doc or version, or its grade is not on the scale."),
    ),
)
OPERATIONS = (TOPICS, WORK, JUDGMENTS)
