"""A small campaign of answers: written facts, fictitious systems, simulated labels.

No part of the campaign comes from a language model. A system's answer to a question contains some
of the facts, completely or in part, and cites a doc for each fact. The correct labels are therefore
known, and each assessor gets some of them wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from qrelsmith.answers.answer_files import write_answers
from qrelsmith.answers.answers import Sentence, SystemAnswer, Turn
from qrelsmith.answers.aspects import Aspect, write_aspects
from qrelsmith.base.items import citation_aspect
from qrelsmith.base.rng import rng_for
from qrelsmith.campaign.campaign import Campaign, Group, QrelsSource, write_campaign_toml
from qrelsmith.collection.topics import Topic, write_topics
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import write_judgments

FOLDER = "rag"
# By system: shares of facts stated completely, of facts stated in part, and of correct citations.
_SYSTEMS = {
    "basalt": (0.8, 0.1, 0.95), "chalk": (0.55, 0.25, 0.8), "granite": (0.9, 0.05, 0.7),
    "gravel": (0.3, 0.4, 0.9),
}  # fmt: skip
# By assessor: shares of labels that are one grade too low, and one grade too high.
_PEOPLE = {"simulated-ann": (0.04, 0.03), "simulated-ben": (0.08, 0.05)}
_MODEL, _LENIENCE = "simulated-model", (0.02, 0.25)
_TOP = 2
_Labels = dict[tuple[str, str, str], int]


def add_answers(folder: Path, *, seed: int = 0) -> Path:
    """Write the campaign of answers to the demo's folder, and return its path."""
    target = folder / FOLDER
    (target / "qrels").mkdir(parents=True, exist_ok=True)
    questions = [json.loads(line) for line in _text().splitlines()]
    docs = [
        {"doc_id": f"{asked['topic']}-{place}", "text": fact}
        for asked in questions
        for place, (fact, _) in enumerate(asked["facts"], start=1)
    ]
    answers: list[SystemAnswer] = []
    right: _Labels = {}
    for asked in questions:
        for system in _SYSTEMS:
            answer, labels = _answer(asked, system, seed)
            answers.append(answer)
            right |= labels
    write_text(target / "documents.jsonl", "".join(json.dumps(doc) + "\n" for doc in docs))
    write_topics([Topic(each["topic"], title=each["question"]) for each in questions],
                 target / "topics.jsonl")  # fmt: skip
    write_answers(answers, target / "answers.jsonl")
    write_aspects(_nuggets(questions), target / "aspects.csv")
    people = {who: _imperfect_labels(right, who, slips, seed) for who, slips in _PEOPLE.items()}
    write_judgments(_judgments(people), target / "judgments.csv")
    model = sorted(_imperfect_labels(right, _MODEL, _LENIENCE, seed))
    columns = (list(map(str, column)) for column in zip(*model, strict=True))
    write_table(target / "qrels" / f"{_MODEL}.csv",
                dict(zip(("topic", "doc", "aspect", "grade"), columns, strict=True)))  # fmt: skip
    write_campaign_toml(
        Campaign(
            folder=target,
            title="Answers about Python (of the demo collection of qrelsmith)",
            groups={"people": Group(role="gold", assessors=tuple(_PEOPLE))},
            qrels_of={f"{_MODEL}.csv": QrelsSource(kind="model")},
            measures=("NuggetRecall", "CitationPrecision"),
        )
    )
    return target


def _text() -> str:
    return (resources.files(__package__) / "facts.jsonl").read_text("utf-8")


def _nuggets(questions: list[dict[str, Any]]) -> Iterator[Aspect]:
    """Yield the facts as nuggets; the first two nuggets of a question are vital."""
    for asked in questions:
        for place, (fact, _) in enumerate(asked["facts"], start=1):
            importance = "vital" if place <= 2 else "okay"
            yield Aspect(asked["topic"], f"n{place}", "nugget", fact, importance)


def _answer(asked: dict[str, Any], system: str, seed: int) -> tuple[SystemAnswer, _Labels]:
    """Return a system's answer to a question, and the correct labels of its aspects."""
    whole, part, cited = _SYSTEMS[system]
    topic, facts = asked["topic"], asked["facts"]
    rng = rng_for(seed, "demo", "answers", system, topic)
    sentences: list[Sentence] = []
    labels: _Labels = {}
    for place, texts in enumerate(facts, start=1):
        luck, is_right = rng.random(), rng.random() < cited
        grade = 2 if luck < whole else 1 if luck < whole + part else 0
        labels[topic, system, f"n{place}"] = grade
        if grade:
            doc = f"{topic}-{place if is_right else place % len(facts) + 1}"
            labels[topic, system, citation_aspect(len(sentences), doc)] = _TOP * is_right
            sentences.append(Sentence(texts[2 - grade], (doc,)))
    cited_docs = tuple(doc for sentence in sentences for doc in sentence.citations)
    turns = (Turn("user", asked["question"]),)
    return SystemAnswer(
        topic, system, tuple(sentences), tuple(dict.fromkeys(cited_docs)), turns
    ), labels


def _imperfect_labels(
    right: _Labels, assessor: str, slips: tuple[float, float], seed: int
) -> Iterator[tuple[str, str, str, int]]:
    """Yield an assessor's labels, some of which are one grade too low or too high."""
    low, high = slips
    rng = rng_for(seed, "demo", "answers", assessor)
    for (topic, run, aspect), grade in right.items():
        luck = rng.random()
        slip = -1 if luck < low else 1 if luck > 1 - high else 0
        yield topic, run, aspect, min(max(grade + slip, 0), _TOP)


def _judgments(labels: Mapping[str, Iterable[tuple[str, str, str, int]]]) -> Judgments:
    """Return the labels as judgments of simulated people."""
    rows = [(*label, who, "people") for who, own in labels.items() for label in own]
    names = ("topic", "doc", "aspect", "grade", "assessor", "group")
    return Judgments.from_columns(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
