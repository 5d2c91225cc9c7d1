"""`qrelsmith judge` for a campaign with an app: labels in its log, as events of a model."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.model_assessors.test_label_files import LLM, is_verified

from qrelsmith.cli import run
from qrelsmith.web.models import Event, ModelSetting


def test_labels_of_the_baseline_are_events_with_prompt_and_parameters(
    app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["judge", str(app.folder), "--endpoint", "builtin:lexical"]
    assert run(words) == 2
    assert "expected --group with a group of the role 'llm' (none" in capsys.readouterr().err
    with (app.folder / "campaign.toml").open("a", encoding="utf-8") as out:
        out.write(LLM)
    assert run(words) == 0
    labels = Event.objects.filter(assessor__name="baseline-lexical").count()
    assert (
        f"{labels} new labels, 0 changed labels; 0 were already recorded" in capsys.readouterr().err
    )
    assert labels > 0
    setting = ModelSetting.objects.get()
    assert setting.model == "builtin:lexical"
    assert '"prompt_name": "grade"' in setting.parameters
    assert is_verified()
    assert run(words) == 0
    assert (
        f"0 new labels, 0 changed labels; {labels} were already recorded" in capsys.readouterr().err
    )
