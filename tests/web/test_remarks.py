"""Remarks of tables, which are computed in English, in the language of the page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize(
    "ratings",
    [[[1.0, 2.0]], [[np.nan, np.nan]], [[1, 1], [1, 1]], [[1, np.nan], [np.nan, 2]]],
)
def test_reasons_of_coefficients_are_known(lite_app: Any, ratings: Any) -> None:
    from django.utils.translation import override

    from qrelsmith.agreement import COEFFICIENTS
    from qrelsmith.web.templatetags.remarks import remark

    reason = COEFFICIENTS.get("alpha-ordinal")(ratings).reason
    assert remark(reason) == reason
    with override("ja"):
        assert not any(each.isascii() and each.isalpha() for each in remark(reason))


def test_several_remarks_in_one(lite_app: Any) -> None:
    from django.utils.translation import override

    from qrelsmith.stats.population import few_topics_note
    from qrelsmith.web.templatetags.remarks import remark

    text = f"undefined in 2 of 5 topics, which the mean leaves out; {few_topics_note(3)}"
    assert remark(text) == text
    with override("ja"):
        assert remark(text).startswith("5 トピックのうち 2 では定義されず")
        assert remark("what nobody knows") == "what nobody knows"
