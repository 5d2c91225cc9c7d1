"""The audit of a campaign: all sections, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import qrelsmith.audit.sections  # noqa: F401 - fills the registry
from qrelsmith.audit.calibration_section import calibration_section
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import section_names
from qrelsmith.audit.scorecard import scorecard
from qrelsmith.audit.section_processes import SecondProcess, make_section
from qrelsmith.audit.verdicts.bounds import RULES
from qrelsmith.audit.wording import count
from qrelsmith.base.content import Report
from qrelsmith.base.keyword_words import command_line
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.io.text import FilePath
from qrelsmith.models.model_costs import model_costs

_NOTICE_SUFFIX = "simulated"


def audit_campaign(
    folder: FilePath,
    *,
    measures: Sequence[object] = (),
    reference: str | None = None,
    order: str = "trec",
    seed: int = 0,
    jobs: int | None = None,
    properties: Sequence[str] = (),
) -> Report:
    """Check which labels of a campaign can be trusted, as `qrelsmith audit` does.

    Parameters
    ----------
    folder : path
        The campaign's folder.
    measures : sequence of str
        Measures that rank the systems; by default those of campaign.toml, else nDCG@10.
    reference : str, optional
        The label set with which the other sets are compared. By default the set of a group with
        the role `gold`, else the set named `gold`, else the only set of human labels.
    order : str
        How the docs of a run are ranked: one of `RUN_ORDERS`.
    seed : int
        Random seed.
    jobs : int, optional
        Threads that read runs. With two or more, a second process computes some sections of a
        large audit.
    properties : sequence of str
        Doc fields to test for a relation to errors, besides length, overlap and language.

    Returns
    -------
    Report
        `findings()` returns the sentences of the summary, `table(key)` a table. `write_report`
        writes the report to files.

    Raises
    ------
    InputError
        If the folder is not a campaign, or one of its files is invalid.
    UsageError
        If the label set does not exist.
    """
    names = tuple(map(str, measures))
    return compute_audit(
        AuditInputs(
            folder,
            measures=names,
            reference=reference,
            order=order,
            seed=seed,
            jobs=jobs,
            properties=properties,
        )
    )


@command_line()
def compute_audit(inputs: AuditInputs, *, advance: Callable[[], None] | None = None) -> Report:
    """Compute every section.

    Parameters
    ----------
    inputs : AuditInputs
        The campaign.
    advance : callable, optional
        Called after each section, to show progress.
    """
    names = section_names(inputs.about)
    inputs.check_scores()
    with SecondProcess(inputs) as second:
        made = {}
        for name in names:
            if name not in second.names:
                made[name] = make_section(inputs, name)
            if advance is not None:
                advance()
        made |= second.sections()
    inputs.keep({key: of for name in names for key, of in made[name][1].items()})
    sections = [made[name][0] for name in names]
    if inputs.calibrated and not inputs.reference_notice and inputs.runs:
        sections.append(calibration_section(inputs))
    card = scorecard(inputs)
    models = model_costs(inputs.campaign.folder) if inputs.campaign.is_folder else []
    manifest = manifest_for(
        ("qrelsmith", "audit", *inputs.campaign.arguments),
        parameters={
            "measures": list(inputs.measures),
            "reference": inputs.reference,
            "order": inputs.order,
            "rules": {name: [rule.good, rule.bad] for name, rule in RULES.items()},
            "priors": {name: list(rule.prior) for name, rule in RULES.items() if rule.prior},
            **({"models": models} if models else {}),
        },
        seed=inputs.seed,
        inputs=inputs.inputs(),
        folder=inputs.campaign.folder,
    )
    return Report(
        title=inputs.campaign.title or inputs.campaign.folder.name,
        subtitle=f"{count(len(inputs.label_sets), 'label set', 'label sets')},"
        f" {count(len(inputs.runs), 'run', 'runs')},"
        f" {count(len(inputs.topics), 'common topic', 'common topics')};"
        f" ranked by {inputs.measures[0]}",
        notices=_notices(inputs),
        sections=tuple(sections),
        manifest=manifest_text(manifest),
        answers=inputs.answers,
        scorecard=card,
        campaign=inputs.campaign.placeholder,
    )


def _notices(inputs: AuditInputs) -> tuple[str, ...]:
    """Return the notices at the top: no human labels, and a reference chosen by default."""
    notices = []
    simulated = [name for name in inputs.label_sets if _NOTICE_SUFFIX in name.lower()]
    if simulated:
        notices.append(f"Simulated label sets: {', '.join(simulated)}.")
    if inputs.reference_notice:
        notices.append(f"{inputs.reference_notice}.")
    return tuple(notices)
