"""Commands that read the checked files, each together with its related files."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from qrelsmith.campaign.campaign_folder import CampaignFolder
from qrelsmith.collection.qrels import stem
from qrelsmith.formats.checked_file import ONE_EACH, FileCheck
from qrelsmith.forms.reading import current_reading

_MEASURE = ("-m", "nDCG@10")
_LOOSE = frozenset({"qrels", "judgments", "runs", "topics", "documents"})
_WITHOUT_COMMAND = frozenset({"pool", "scores", "sample", "assignments"})


def commands_for(checks: Sequence[FileCheck]) -> dict[str, str]:
    """Return a command for each readable file; it also reads other files that share topics."""
    readable = [each for each in checks if each.is_readable and each.kind not in _WITHOUT_COMMAND]
    return {
        each.file: shlex.join([*_words(each, readable), *_reading_words()]) for each in readable
    }


def _words(check: FileCheck, others: Sequence[FileCheck]) -> list[str]:
    def related_files(kind: str, of: FileCheck = check) -> list[FileCheck]:
        return [other for other in others if other.kind == kind and other.topics & of.topics]

    labels = [check] if check.kind == "qrels" else related_files("qrels")
    judgments = [*related_files("judgments"), *related_files(ONE_EACH)]
    campaigns = [Path(other.file).parent for other in others if other.kind == "campaign"]
    if check.kind in ("campaign", "topics", "documents") and campaigns:
        return _next_of_campaign(CampaignFolder(campaigns[0]))
    if check.kind in ("qrels", "runs"):
        labels = labels or judgments
        if labels and (runs := related_files("runs", labels[0])):
            return ["qrelsmith", "evaluate", labels[0].file, *_folder_or_files(runs), *_MEASURE]
    if check.kind == "judgments" or (check.kind == ONE_EACH and len(judgments) > 1):
        return ["qrelsmith", "agree", *(other.file for other in judgments)]
    if check.kind == "preferences":
        if labels or judgments:
            graded = [*judgments, *labels][0]
            return ["qrelsmith", "pdp", graded.file, "--preferences", check.file]
        return ["qrelsmith", "check", check.file]
    if check.kind in ("answers", "aspects") and (answers := _files_of("answers", others)):
        words = ["qrelsmith", "init", "campaign", *_options("--answers", answers)]
        labels_of_answers = [other for other in judgments if check.topics & other.topics]
        words += _options("--aspects", _files_of("aspects", others))
        return [*words, *_options("--qrels", [each.file for each in labels_of_answers])]
    loose = [other for other in others if other.kind.partition(" ")[0] in _LOOSE]
    named = [other.kind for other in loose]
    if check.kind in ("topics", "documents") and named.count(check.kind) == 1 < len(loose):
        return ["qrelsmith", "init", "campaign", *_folder_or_files(loose)]
    kind = check.kind.partition(" ")[0]
    suffix, form = f"{kind}.jsonl", "jsonl"
    if kind == "qrels" and check.form != "trec":
        suffix, form = "qrels", "trec"
    output = f"{stem(check.file)}.{suffix}"
    output = f"converted-{output}" if output == Path(check.file).name else output
    return ["qrelsmith", "convert", check.file, output, "--kind", kind, "--to", form]


def _next_of_campaign(campaign: CampaignFolder) -> list[str]:
    """Return the audit command for a campaign with labels, else the command for the next step."""
    folder = str(campaign.folder)
    if campaign.qrels or campaign.judgments is not None:
        return ["qrelsmith", "audit", folder]
    if campaign.runs and not campaign.pools:
        return ["qrelsmith", "pool", folder, "--depth", "10", "-o", f"{folder}/pools/"]
    if campaign.pools and campaign.assignments is None:
        return ["qrelsmith", "assign", folder, "-o", f"{folder}/assignments.csv"]
    return ["qrelsmith", "app", "import", folder]


def _files_of(kind: str, checks: Sequence[FileCheck]) -> list[str]:
    return [each.file for each in checks if each.kind == kind]


def _options(name: str, files: Sequence[str]) -> list[str]:
    return [word for file in files for word in (name, file)]


def _folder_or_files(checks: Sequence[FileCheck]) -> list[str]:
    """Return the files, or their folder if it contains nothing else."""
    files = [Path(each.file) for each in checks]
    folder = files[0].parent
    inside = {each for each in folder.iterdir() if each.name[0] != "."}
    return [str(folder)] if len(files) > 1 and inside == set(files) else list(map(str, files))


def _reading_words() -> list[str]:
    """Return the user's options for reading the files."""
    said = current_reading()
    columns = ",".join(f"{role}={name}" for role, name in said.columns.items())
    words = ["--from", said.form] if said.form else []
    return [*words, "--columns", columns] if columns else words
