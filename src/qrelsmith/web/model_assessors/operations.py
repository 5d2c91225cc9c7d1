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
_TOPIC_OBJECT = Fields("Topic", _TOPIC_TEXT, "A topic as it reads now.")
_ASSIGNED = Fields(
    "AssignedTopic",
    _TOPIC_TEXT
    | {
        "round": ROUND,
        "hit": Text("The HIT, empty for a whole topic.", longest=500),
        "is_open": Flag("Whether it can be judged."),
        "judged": Whole("How many of its docs have a label."),
        "total": Whole("How many docs it has."),
    },
    "A topic that is to be judged.",
)
_LEVEL = Fields(
    "Level",
    {
        "grade": Number("The grade."),
        "label": _TEXT,
        "text": _TEXT,
        "note": Text("Whether a note is wished: none, optional, required.", longest=10),
        "excerpt": Text("The same for a passage of the doc.", longest=10),
    },
    "A level of the scale.",
)
_CODE = Fields(
    "ErrorCode", {"code": Number("Below 0: no grade."), "label": _TEXT},
    "Why a doc cannot be judged.",
)  # fmt: skip
_SCALE = Fields(
    "Scale",
    {
        "version": VERSION,
        "control": Text("`number`: any positive number is a grade.", longest=20),
        "instructions": _TEXT,
        "levels": Items(_LEVEL),
        "errors": Items(_CODE),
    },
    "What a judgment can be, and what assessors are told.",
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
        "text": Text("The words that a person would read.", longest=_LONGEST_DOC),
        "revision": Whole("How often its label was changed; to be sent back with the judgment."),
    },
    "A doc that has no label yet.",
)
_SETTING = object_of(
    GivenSetting, "Setting", "What the labels were made by; another prompt is another version."
)
_JUDGMENT = object_of(GivenLabel, "Judgment", "A judgment.")
_RECORDED = Fields(
    "RecordedSetting", {"version": VERSION, "prompt_sha256": SHA256}, "The setting's record."
)
_RESULT = Fields(
    "Result",
    {
        "item": Whole("Which judgment of the batch, counted from 0."),
        "op_id": Text(longest=64),
        "result": Choice(("accepted", "repeated"), "`accepted`, or `repeated` if it was there."),
        "revision": Whole("The revision that it made of the label.", least=1),
    },
    "What became of a judgment.",
)

TOPICS = Operation(
    path="/api/topics",
    method="GET",
    name="topics",
    summary="The topics that are to be judged, and how far they are",
    scope=ApiToken.Scope.WORK_READ.value,
    answer=Fields("Topics", {"topics": Items(_ASSIGNED)}),
)
WORK = Operation(
    path="/api/work",
    method="GET",
    name="work",
    summary="Docs that have no label yet",
    about="With the scale, the instructions and the topics. `next` goes on after them.",
    scope=ApiToken.Scope.WORK_READ.value,
    answer=Fields(
        "Work",
        {
            "scale": _SCALE,
            "topics": Items(_TOPIC_OBJECT),
            "docs": Items(_WORK_DOC),
            "next": Nullable(Whole("`after` of the next request.", most=2**53 - 1)),
        },
    ),
    parameters=(
        Parameter("topic", Text("Only this topic.", longest=500), ""),
        Parameter("limit", Whole("How many docs at most.", least=1, most=_MOST_DOCS), 20),
        Parameter("after", Whole("What `next` said before.", most=2**53 - 1), 0),
    ),
    problems=((404, "No such topic is to be judged."),),
)
JUDGMENTS = Operation(
    path="/api/judgments",
    method="POST",
    name="judge",
    summary="Record a batch of judgments: all of them or none",
    about=(
        "All judgments are looked at before one is recorded, and every fault of every one is"
        " told. Repeat a batch whose answer was lost: what was recorded is told as `repeated`."
    ),
    scope=ApiToken.Scope.JUDGMENTS_WRITE.value,
    body=Fields(
        "Batch", {"setting": _SETTING, "judgments": Items(_JUDGMENT, fewest=1, most=LARGEST_BATCH)}
    ),
    answer=Fields("Recorded", {"setting": _RECORDED, "results": Items(_RESULT)}),
    problems=(
        (409, "A label was changed meanwhile, or an op_id was used for something else."),
        (413, "The body is too large; send fewer judgments at once."),
        (415, "The body is not of the type application/json."),
        (422, "A judgment is of an unknown topic, doc or version, or its grade on no level."),
    ),
)
OPERATIONS = (TOPICS, WORK, JUDGMENTS)
