"""The operations that a model assessor is driven by."""

from __future__ import annotations

from qrelsmith.web.models import ApiToken
from qrelsmith.web.openapi.composites import Fields, Items, NamedSchema, Nullable
from qrelsmith.web.openapi.operations import Operation, Parameter
from qrelsmith.web.openapi.schemas import Flag, Number, Schema, Text, Whole

LARGEST_BATCH = 200
_MOST_DOCS = 100
_LONGEST_DOC = 100_000_000
# A month: longer no judgment takes.
_MOST_MS = 31 * 24 * 3600 * 1000

_TOPIC = Text("The topic.", shortest=1, longest=500)
_DOC = Text("The doc.", shortest=1, longest=500)
_ROUND = Whole("The round of judging; 1 is the first.", least=1)
_SHA256 = Text(
    "The SHA-256 of the doc's version.",
    longest=64,
    pattern="^[0-9a-f]{64}$",
    like="the 64 hexadecimal digits of a doc's version",
)
_VERSION = Whole("Which version of it, counted from 1.", least=1)
_TEXT = Text(longest=_LONGEST_DOC)

_TOPIC_TEXT: dict[str, Schema] = {
    "topic": _TOPIC,
    "version": _VERSION,
    "title": _TEXT,
    "description": _TEXT,
    "narrative": _TEXT,
}
_TOPIC_OBJECT = Fields("Topic", _TOPIC_TEXT, "A topic as it reads now.")
_ASSIGNED = Fields(
    "AssignedTopic",
    _TOPIC_TEXT
    | {
        "round": _ROUND,
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
        "version": _VERSION,
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
        "topic": _TOPIC,
        "topic_version": _VERSION,
        "round": _ROUND,
        "doc": _DOC,
        "sha256": _SHA256,
        "title": _TEXT,
        "url": _TEXT,
        "text": Text("The words that a person would read.", longest=_LONGEST_DOC),
        "revision": Whole("How often its label was changed; to be sent back with the judgment."),
    },
    "A doc that has no label yet.",
)
_SETTING = Fields(
    "Setting",
    {
        "model": Text("The model.", shortest=1, longest=200, examples=("gpt-x-2026-01",)),
        "prompt": Text("All of the prompt.", shortest=1, longest=200_000),
        "parameters": NamedSchema("Temperature, seed and the like."),
    },
    "What the labels were made by; another prompt is another version.",
    frozenset({"parameters"}),
)
_JUDGMENT = Fields(
    "Judgment",
    {
        "op_id": Text(
            "The client's name of this judgment: sent again, it is one judgment.",
            longest=64,
            pattern="^[0-9A-Za-z_-]{8,64}$",
            like="8 to 64 letters, digits, _ or -",
        ),
        "topic": _TOPIC,
        "doc": _DOC,
        "grade": Number("A level of the scale, or a code below 0.", examples=(1.0,)),
        "round": _ROUND,
        "revision": Whole(
            "The revision of the label that the client saw, 0 for a doc without one (the default):"
            " so that nothing is judged twice by mistake."
        ),
        "sha256": Text(
            f"{_SHA256.about} Left out: the current one.",
            longest=64,
            pattern=_SHA256.pattern,
            like=_SHA256.like,
        ),
        "topic_version": _VERSION,
        "scale_version": _VERSION,
        "note": Text("Why, in words.", longest=10_000),
        "excerpt": Text("The passage of the doc that decided.", longest=20_000),
        "active_ms": Whole("How long the model took, in milliseconds.", most=_MOST_MS),
    },
    "A judgment.",
    frozenset(
        {"round", "revision", "sha256", "topic_version", "scale_version", "note", "excerpt",
         "active_ms"}
    ),
)  # fmt: skip
_RECORDED = Fields(
    "RecordedSetting", {"version": _VERSION, "prompt_sha256": _SHA256}, "The setting's record."
)
_RESULT = Fields(
    "Result",
    {
        "item": Whole("Which judgment of the batch, counted from 0."),
        "op_id": Text(longest=64),
        "result": Text(
            "`accepted`, or `repeated` if it was there.", pattern="^(accepted|repeated)$"
        ),
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
