"""Passages of a doc that are most relevant to its topic: clusters of highlighted words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

# Maximum gap between words of a cluster, and maximum length of a cluster, in characters.
_GAP = 500
_LONGEST = 2500
# Clusters whose score is below this share of the best score are left out, and those beyond this
# number.
_LEAST = 0.3
_MOST = 12


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster of highlighted words.

    Attributes
    ----------
    start, end : int
        Its position in the text, in characters.
    first : int
        The number of its first hit.
    terms : int
        How many different terms it contains.
    score : float
        Its relevance to the topic: higher for different terms and for rare terms.
    """

    start: int
    end: int
    first: int
    terms: int
    score: float


def clusters(hits: Sequence[tuple[int, int, int]]) -> list[Cluster]:
    """Return the most relevant clusters, in the order of the text.

    Parameters
    ----------
    hits : sequence of (start, end, term)
        The highlighted words in the order of the text.
    """
    if not hits:
        return []
    counts = Counter(term for _, _, term in hits)
    weights = {term: 1 / log2(2 + count) for term, count in counts.items()}
    groups: list[list[int]] = []
    for number, (start, end, _) in enumerate(hits):
        group = groups[-1] if groups else []
        is_near = group and start - hits[group[-1]][1] <= _GAP
        if is_near and end - hits[group[0]][0] <= _LONGEST:
            group.append(number)
        else:
            groups.append([number])
    found = [_cluster(group, hits, weights) for group in groups]
    best = sorted(found, key=lambda each: (-each.score, each.start))[:_MOST]
    return sorted(
        (each for each in best if each.score >= _LEAST * best[0].score), key=lambda each: each.start
    )


def densest(found: Sequence[Cluster]) -> int:
    """Return the index of the first cluster with the highest score."""
    return max(range(len(found)), key=lambda n: (found[n].score, -n), default=0)


def _cluster(
    group: Sequence[int], hits: Sequence[tuple[int, int, int]], weights: dict[int, float]
) -> Cluster:
    counts = Counter(hits[number][2] for number in group)
    said = sum(weights[term] * (1 + log2(count) / 2) for term, count in counts.items())
    return Cluster(
        start=hits[group[0]][0],
        end=hits[group[-1]][1],
        first=group[0],
        terms=len(counts),
        score=len(counts) * said,
    )
