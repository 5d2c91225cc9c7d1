"""Statistics over system means and topic scores: arrays in, arrays or frozen results out.

ties                 which means are equal: the one place that decides it
correlation          CORRELATIONS: kendall, ap_correlation, spearman, rank_overlap
tau_intervals        INTERVALS: fieller, consistent
significance         TESTS on scores[topic, system]: paired_t, paired_tukey, randomised_tukey,
                     permutation, bootstrap; and INDEPENDENT_TESTS on samples without pairs
letters, power       what a test's result says: who outperforms whom, how many pairs differ
multiplicity         ADJUSTMENTS: Holm, Benjamini–Hochberg
split_halves         how alike random halves of the topics rank the systems
kendall_stack        τ-b of thousands of pairs of rankings at once
effects, proportions, intervals     effect sizes, equal proportions, Student's interval of a mean

Intervals for whoever is not in the data, other topics above all (docs/intervals.md):

topic_draws          topics drawn again, by their names and the seed: samples and disjoint halves
population           PopulationInterval; jackknife_interval, mean_interval
shrunken_means       system means without what the choice of topics adds to their scatter
ranking_intervals    any statistic of system means, such as τ of two label sets
top_agreement, differences_kept, places, consistency_intervals     such statistics
group_means          groups of assessors, each of whom counts once
self_check           whether intervals are as wide as halves of the topics say

Nothing is imported here, so that `ties` costs no scipy. Ask the registries from the modules named
above: `qrelsmith.stats.significance.TESTS` holds every test, because that module loads them.
"""
