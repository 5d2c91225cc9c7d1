"""A new run among old ones: only its own docs are drawn, and its rank is that of full judging."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qrelsmith import UsageError, estimate, sample

TOPICS, DOCS = 12, 60


def world() -> tuple[dict[str, Any], dict[str, dict[str, int]], dict[str, Any]]:
    """Return old runs, human grades of all docs, and a new run with unique docs."""
    rng = np.random.default_rng(4)
    people = {f"t{t}": {f"d{d:02}": int(rng.random() < 0.4) for d in range(DOCS)}
              for t in range(TOPICS)}  # fmt: skip

    def run_of(noise: float, among: range) -> dict[str, dict[str, float]]:
        return {t: {f"d{d:02}": of[f"d{d:02}"] + noise * rng.normal() for d in among}
                for t, of in people.items()}  # fmt: skip

    old = {f"old{n}": run_of(0.3 + 0.4 * n, range(30)) for n in range(6)}
    return old, people, {"new": run_of(0.2, range(20, DOCS))}


def test_the_new_run_gets_its_true_rank_which_the_old_pool_alone_does_not_give() -> None:
    old, people, new = world()
    drawn = sample(runs=old, measures="P@5", budget=30, new=new)
    pool = {(t, d) for run in old.values() for t, of in run.items()
            for d in sorted(of, key=of.get, reverse=True)[:5]}  # fmt: skip
    assert not pool & set(drawn.rows_drawn.keys)
    wanted = pool | set(drawn.rows_drawn.keys)
    judged = {t: {d: g for d, g in of.items() if (t, d) in wanted} for t, of in people.items()}
    result = estimate(runs=old, measures="P@5", sample=drawn, judgments=judged, new=new)
    (row,) = result.placed
    means = {
        name: np.mean([people[t][d] for t, of in run.items()
                       for d in sorted(of, key=of.get, reverse=True)[:5]])
        for name, run in {**old, **new}.items()
    }  # fmt: skip
    true = 1 + sum(mean > means["new"] for mean in means.values())
    assert row.low <= true <= row.high
    assert row.old_pool_place == 7 > row.high
    assert result.table().columns == (
        "measure", "run", "place", "place_low", "place_high", "old_pool_place", "systems", "labels",
    )  # fmt: skip


@pytest.mark.parametrize("options", [{"pairs": True}, {"ranking": True}])
def test_ranks_are_neither_pairs_nor_a_ranking(options: dict[str, bool]) -> None:
    old, people, new = world()
    with pytest.raises(UsageError, match="new cannot be used with"):
        estimate(runs=old, measures="P@5", judgments=people, new=new, **options)


def test_new_runs_need_only_one_wave() -> None:
    old, people, new = world()
    drawn = sample(runs=old, measures="P@5", budget=30, new=new)
    with pytest.raises(UsageError, match="in one wave"):
        sample(runs=old, measures="P@5", budget=30, new=new, after=drawn, judgments=people)
