"""The number of topics that a collection needs: power and interval width by topic set size.

power      POWERS: anova, paired-t, two-sample-t
width      WIDTHS: paired-interval, two-sample-interval
search     the smallest number of topics, the smallest difference that can be detected
"""
