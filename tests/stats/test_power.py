import numpy as np
import pytest

from qrelsmith.base.rng import rng_for
from qrelsmith.stats.power import discriminative_power
from qrelsmith.stats.significance import TESTS


def run(name, scores, **options):
    return TESTS.get(name)(scores, rng=rng_for(0, name), trials=1000, **options)


@pytest.mark.parametrize("name", TESTS.names())
def test_power_is_the_share_of_significant_pairs(name):
    scores = np.random.default_rng(0).normal(size=(40, 6)) + np.linspace(0, 1.5, 6)
    result = run(name, scores)
    power = discriminative_power(result)
    assert (power.test, power.alpha, power.pairs) == (name, 0.05, 15)
    assert power.significant == (result.p < 0.05).sum()
    assert power.power == power.significant / 15
    assert power.smallest == np.abs(result.difference[result.p < 0.05]).min()
    assert power.delta == result.critical.max()
    assert 0 < power.power < 1


@pytest.mark.parametrize("name", TESTS.names())
def test_a_stricter_level_finds_fewer_pairs_and_needs_a_larger_difference(name):
    scores = np.random.default_rng(1).normal(size=(30, 6)) + np.linspace(0, 1.5, 6)
    lax, strict = (discriminative_power(run(name, scores, alpha=a)) for a in (0.1, 0.01))
    assert strict.power < lax.power
    assert strict.delta > lax.delta


@pytest.mark.parametrize("name", TESTS.names())
def test_power_is_0_for_equal_systems_and_undefined_for_one_system(name):
    equal = discriminative_power(run(name, np.full((5, 3), 0.5)))
    assert equal.power == 0
    assert np.isnan(equal.smallest)
    alone = discriminative_power(run(name, np.full((5, 1), 0.5)))
    assert alone.pairs == 0
    assert np.isnan(alone.power)
    assert np.isnan(alone.delta)


def test_both_tukey_tests_need_one_difference_for_all_pairs():
    scores = np.random.default_rng(2).normal(size=(30, 5))
    for name in ("paired-tukey", "randomised-tukey"):
        assert len(set(run(name, scores).critical.tolist())) == 1


def test_the_required_difference_is_similar_for_all_tests_on_normal_scores():
    scores = np.random.default_rng(3).normal(size=(50, 4))
    needed = {name: discriminative_power(run(name, scores)).delta for name in TESTS.names()}
    assert needed["permutation"] == pytest.approx(needed["paired-t"], rel=0.15)
    assert needed["bootstrap"] == pytest.approx(needed["paired-t"], rel=0.35)
    assert needed["randomised-tukey"] == pytest.approx(needed["paired-tukey"], rel=0.1)
    assert needed["paired-tukey"] > needed["paired-t"] * 0.9
