import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation import Systems, rank_docs, system_scores


def test_a_system_without_noise_ranks_by_relevance():
    truth = np.array([0.2, 0.9, 0.9, 0.1])
    systems = Systems(count=2, noise=(0.0, 0.0))
    scores = system_scores(truth, systems, rng=np.random.default_rng(0))
    assert rank_docs(scores, depth=3).tolist() == [[1, 2, 0]] * 2
    assert rank_docs(scores, depth=10).shape == (2, 4)


def test_noise_has_the_requested_standard_deviation_and_correlation():
    truth = np.full((200, 200), 0.5)
    systems = Systems(count=3, noise=(0.1, 0.3), shared=0.4)
    assert systems.deviations() == pytest.approx([0.1, 0.2, 0.3])
    scores = system_scores(truth, systems, rng=np.random.default_rng(0)).reshape(3, -1)
    assert scores.std(axis=1) == pytest.approx([0.1, 0.2, 0.3], rel=0.02)
    assert np.corrcoef(scores)[np.triu_indices(3, 1)] == pytest.approx([0.4] * 3, abs=0.025)


def test_systems_that_share_all_noise_differ_only_in_its_size():
    scores = system_scores(
        np.zeros(50), Systems(count=2, noise=(0.1, 0.2), shared=1.0), rng=np.random.default_rng(1)
    )
    assert scores[1] == pytest.approx(2 * scores[0])


@pytest.mark.parametrize(
    "options", [{"count": 0}, {"noise": (-0.1, 0.2)}, {"shared": 1.1}, {"shared": float("nan")}]
)
def test_parameters_out_of_range_are_errors(options):
    with pytest.raises(UsageError, match=f"{next(iter(options))}="):
        Systems(**options)
    with pytest.raises(UsageError, match="depth=0"):
        rank_docs([0.1], depth=0)


def test_systems_of_a_team_have_more_common_errors():
    systems = Systems(count=6, noise=(1.0, 1.0), shared=0.2, teams=3, team_shared=0.5)
    assert systems.team_of().tolist() == [0, 1, 2, 0, 1, 2]
    noise = system_scores(np.zeros(40_000), systems, rng=np.random.default_rng(0))
    correlation = np.corrcoef(noise)
    assert correlation[0, 3] == pytest.approx(0.7, abs=0.02)
    assert correlation[0, 1] == pytest.approx(0.2, abs=0.02)
    with pytest.raises(UsageError, match=r"team_shared=0\.9"):
        Systems(team_shared=0.9)
    with pytest.raises(UsageError, match="teams=0"):
        Systems(teams=0)


def test_more_systems_are_good_if_the_spacing_is_above_one():
    systems = Systems(count=5, noise=(0.1, 0.5), spacing=2.0)
    assert systems.deviations() == pytest.approx([0.1, 0.125, 0.2, 0.325, 0.5])
    assert Systems(count=1, noise=(0.1, 0.5)).deviations() == pytest.approx([0.1])


def test_hard_topics_and_preferences_of_systems_scale_the_noise():
    truth = np.zeros((400, 300))
    noise = {"count": 3, "noise": (0.2, 0.2), "shared": 0.0}
    hard = system_scores(
        truth, Systems(**noise, topic_spread=0.5), rng=np.random.default_rng(0)
    ).std(axis=-1)
    liked = system_scores(truth, Systems(**noise, taste=0.5), rng=np.random.default_rng(0)).std(
        axis=-1
    )
    # The logarithm of the noise, topic by topic: shared by all systems, or separate for each
    # system.
    assert np.log(hard / 0.2).std() == pytest.approx(0.5, rel=0.07)
    assert np.log(liked / 0.2).std() == pytest.approx(0.5, rel=0.07)
    assert np.corrcoef(np.log(hard))[0, 1] > 0.95
    assert abs(np.corrcoef(np.log(liked))[0, 1]) < 0.15


def test_without_these_options_the_draws_stay_unchanged():
    truth = np.linspace(0, 1, 40)
    plain = system_scores(truth, Systems(count=2), rng=np.random.default_rng(3))
    spread = Systems(count=2, topic_spread=1e-300)
    again = system_scores(truth, spread, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(plain, again)


@examples(60)
@given(st.lists(st.integers(0, 5), min_size=12, max_size=60), st.integers(1, 4))
def test_the_first_ranks_equal_those_of_a_full_sort(scores, depth):
    full = np.argsort(-np.array(scores, dtype=float), kind="stable")[:depth]
    assert rank_docs(scores, depth=depth).tolist() == full.tolist()


@pytest.mark.parametrize("name", ["spacing", "topic_spread", "taste"])
def test_negative_spreads_are_refused(name):
    with pytest.raises(UsageError, match=f"{name}=-1"):
        Systems(**{name: -1.0})


@pytest.mark.parametrize("what", ["count", "teams"])
def test_more_systems_than_can_be_drawn_are_refused(what):
    with pytest.raises(UsageError, match=f"{what}={2**63}; expected a whole number from 1 to 1"):
        Systems(**{what: 2**63})
