"""Quadratic weighted κ topic by topic, which Tables 5, 6 and 7 are made of."""

from __future__ import annotations

from qrelsmith.agreement.group_agreement import TopicValues, mean_agreement, topic_values
from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement, ScopedAgreement
from qrelsmith_papers.judging_order.collection import JudgedCollection

COEFFICIENT = "kappa-quadratic"


def options(collection: JudgedCollection) -> AgreementOptions:
    """The options of agreement."""
    return AgreementOptions(COEFFICIENT, scale=collection.scale, seed=collection.seed)


def kappas(collection: JudgedCollection, by: str) -> list[TopicValues]:
    """κ of every topic, between environments or between assessors and groups."""
    agreement = LabelAgreement(collection.judgments, options(collection))
    return topic_values(agreement, collection.judgments, by)


def mean_kappa(values: TopicValues, collection: JudgedCollection) -> ScopedAgreement:
    """The mean over the topics, with its interval."""
    return mean_agreement(values, options(collection))


def sides(values: TopicValues) -> tuple[str, str]:
    """The two sides of a scope."""
    first, _, second = values.scope.partition(" ~ ")
    return first, second
