"""`qrelsmith demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from qrelsmith.base.errors import MissingDependencyError
from qrelsmith.base.options import Source
from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.options import Common, common_options
from qrelsmith.io.writing import write_text

_MEASURES = ("nDCG@10", "AP", "P@5", "RBP(p=0.8)", "Judged@10")


@action("demo", "show", everyday=True, example="qrelsmith demo qrelsmith-demo")
@common_options("seed", "jobs")
def command(
    common: Common,
    folder: Annotated[Path, Source("A folder.", "", many=False)] = Path("qrelsmith-demo"),
) -> None:  # fmt: skip
    """Build a small test collection, then evaluate and audit it.

    FOLDER is created for the collection. Files of an earlier demo are rebuilt; other files are
    kept.

    The docs are the docstrings of Python's standard library; nothing is downloaded. The result is a
    campaign folder. The folder contains docs, 25 topics, qrels, 14 runs, the judgments of three
    simulated groups of assessors, labels of a baseline that counts words, a sample of docs for the
    audit's estimates, evaluation.csv with every run's scores, and the audit in audit/audit.html.
    The folder rag/ is a campaign with answers of four made-up systems, nuggets, citations and
    simulated labels.
    """
    from qrelsmith.audit.campaign_audit import compute_audit
    from qrelsmith.audit.inputs import AuditInputs
    from qrelsmith.demo.answers import add_answers
    from qrelsmith.demo.baseline import add_baseline
    from qrelsmith.demo.collection import build, foreign_files
    from qrelsmith.evaluation import score_runs
    from qrelsmith.judgments.given_labels import read_qrels
    from qrelsmith.report.files import write_report

    made = build(folder)
    result = score_runs(read_qrels(made.qrels), made.runs, _MEASURES, gmax=3.0, jobs=common.jobs)
    scores = result.scores.mean(axis=2)
    ranked = sorted(zip(result.systems, scores.T.tolist(), strict=True), key=lambda row: -row[1][0])
    rows = [
        (system, "all", measure, value)
        for system, values in ranked
        for measure, value in zip(result.measures, values, strict=True)
    ]
    csv = Table.of(("run", "topic", "measure", "score"), rows).sorted().text("csv")
    write_text(folder / "evaluation.csv", csv)
    common.say(result.notes)
    sizes = f"{made.docs} docs, {made.topics} topics, {made.judgments} judgments"
    common.say([f"{sizes}, {len(made.runs)} runs in {folder}"])
    if foreign := foreign_files(folder):
        told = (
            "other files in the folder were kept and may be used by the audit:"
            f" {', '.join(foreign)}"
        )
        common.say([f"{told}. To get the numbers shown in the documentation, use a new folder"])
    if made.absent:
        common.say([f"{made.absent} judgments of docs that this Python lacks were left out"])
    common.emit(Table.of(("run", *result.measures), [(name, *values) for name, values in ranked]))
    common.say([f"the collection is in {folder}; the scores are in {folder / 'evaluation.csv'}"])
    common.say(add_baseline(folder, seed=common.seed))
    common.say([f"a campaign of answers of RAG systems is in {add_answers(folder)}"])
    audit = compute_audit(AuditInputs(folder, seed=common.seed, jobs=common.jobs))
    try:
        write_report(audit, folder / "audit")
    except MissingDependencyError as error:
        common.say([f"the audit has no report: {error}"])
        return
    common.say([f"to see the audit, open {folder / 'audit' / 'audit.html'} in a browser"])
