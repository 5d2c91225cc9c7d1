"""Statistics of system means and topic scores; functions take arrays.

ties                 the only definition of equal means
correlation          CORRELATIONS: kendall, ap_correlation, spearman, rank_overlap
tau_intervals        INTERVALS: fieller, consistent
significance         TESTS on scores[topic, system]: paired_t, paired_tukey, randomised_tukey,
                     permutation, bootstrap; and INDEPENDENT_TESTS on unpaired samples
letters, power       who outperforms whom, and how many pairs differ
multiplicity         ADJUSTMENTS: Holm, Benjamini–Hochberg
split_halves         rank correlation between random halves of the topics
kendall_stack        τ-b of thousands of pairs of rankings at once
effects, proportions, intervals     effect sizes, equal proportions, Student's interval of a mean

Intervals that generalise beyond the data, usually to other topics (docs/intervals.md):

topic_draws          resampled topics, determined by names and seed: samples, disjoint halves
population           PopulationInterval; jackknife_interval, mean_interval
shrunken_means       system means without the variance due to the choice of topics
ranking_intervals    any statistic of system means, such as τ of two label sets
top_agreement, differences_kept, places, consistency_intervals     such statistics
group_means          groups of assessors, with equal weights
self_check           a check of interval widths by halves of the topics

This module imports nothing, so that `ties` does not load scipy. Import the registries from the
modules above: `qrelsmith.stats.significance.TESTS` has every test, because that module loads them.
"""
