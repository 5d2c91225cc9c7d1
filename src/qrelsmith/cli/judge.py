"""`qrelsmith judge`."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, TypedDict, Unpack

import click

from qrelsmith.base.options import Option
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.model_log import ModelLog, needs_log
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.io.writing import write_text, write_together
from qrelsmith.models.keys import VARIABLE, read_key


def _read_amount(text: str) -> Decimal:
    """Return the exact amount of money in a text."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise click.BadParameter(f"{text!r}; expected an amount of 0 or more.")
    return amount


class _Judging(TypedDict, total=False):
    """The options of `judge`, except the options of the endpoint."""

    # fmt: off
    model: Annotated[str, Option("Name of the model at the endpoint.", default="")]
    prompt: Annotated[str | None, Option(
        "Built-in prompt, or FILE.toml; default: grade, or pair with --pairs.")]
    assessor: Annotated[str, Option("Pseudonym of the model assessor; default: model and"
        " prompt.", default="")]
    group: Annotated[str, Option(
        "Group of the model assessor; default: the only group with the role 'llm'.", default="")]
    depth: Annotated[int | None, Option(
        "Judge this many docs from the top of each run; default: the pools, or the top 10 if"
        " there are no pools.", least=1)]
    topic_set: Annotated[str | None, Option("File of topics to use, one per line.",
        metavar="FILE", file=True)]
    spend: Annotated[Decimal | None, Option(
        "Maximum total cost for this campaign, over all runs of the command.",
        metavar="AMOUNT", read=_read_amount)]
    spend_tokens: Annotated[int | None, Option(
        "Maximum number of tokens for this campaign, over all runs of the command.", least=0)]
    price_in: Annotated[Decimal | None, Option(
        "Price per million tokens sent.", metavar="AMOUNT", read=_read_amount)]
    price_out: Annotated[Decimal | None, Option(
        "Price per million tokens of answers.", metavar="AMOUNT", read=_read_amount)]
    max_tokens: Annotated[int, Option("Maximum number of tokens in an answer.", least=1,
        default=256)]
    temperature: Annotated[float, Option("Sampling temperature; 0 gives the most likely answer.",
        least=0, default=0.0)]
    key_env: Annotated[str, Option(
        "Environment variable with the endpoint's key.", metavar="NAME", default=VARIABLE)]
    key_file: Annotated[str | None, Option(
        "File that contains the endpoint's key, with mode 600; - for standard input.",
        metavar="FILE", file=True)]
    concurrency: Annotated[int, Option("Number of simultaneous requests.", least=1, most=1024,
        default=8)]
    timeout: Annotated[float, Option(
        "Seconds until a request counts as lost.", least=0.001, default=120.0)]
    patience: Annotated[float, Option(
        "Seconds without any answer after which the command stops.", least=0, default=300.0)]
    pairs: Annotated[bool, Option(
        "Ask for preferences to find the best k docs of each topic; each pair is shown in both"
        " orders.")]
    label_set: Annotated[str | None, Option(
        "With --pairs: label set whose grades select the candidates.", metavar="NAME")]
    k: Annotated[int, Option(
        "With --pairs: number of best docs to find per topic.", ("-k", "--k"), least=1, default=5)]
    method: Annotated[str, Option(
        "With --pairs: method that chooses the pairs.", ("--scheduler",), default="tournament")]
    anchors: Annotated[str | None, Option(
        "Docs with human labels, which are labelled again in every run, for `drift`.",
        metavar="QRELS", file=True)]
    dry_run: Annotated[bool, Option("Send nothing; show the expected requests, tokens and cost.")]
    write_qrels: Annotated[str | None, Option("Also write the grades to this file, as qrels.",
        file=True)]
    write_replies: Annotated[str | None, Option(
        "Also write every answer and error record to this file, with model, prompt, tokens and"
        " cost.",
        file=True)]
    # fmt: on


@action(
    "judge",
    "judge",
    everyday=True,
    example="qrelsmith judge my-campaign --endpoint http://127.0.0.1:8080/v1 --model qwen3"
    " -o labels.csv",
    renamed={"--budget": "--spend", "--budget-tokens": "--spend-tokens", "--method": "--scheduler"},
)
@common_options("seed", "reads")
@write_together()
def command(
    common: Common,
    campaign: CampaignFolder,
    endpoint: Annotated[str, Option(
        "Base URL of an endpoint with the chat-completions protocol, such as http://HOST:PORT/v1;"
        " or builtin:lexical, a baseline that needs no model.", metavar="URL")],
    **values: Unpack[_Judging],
) -> None:  # fmt: skip
    """Judge a campaign's docs with a language model.

    There is one request per doc. The pools are judged, or the top of the runs if there are no
    pools. Columns: topic, doc, assessor, group, grade, note. Replies are cached in CAMPAIGN, so
    that no request is repeated and an interrupted run can resume. If an answer is not a grade of
    the scale, the request is repeated up to twice. If all answers are invalid, the doc gets an
    error record, which is not a label. With --pairs, the columns are topic, left, right, outcome,
    assessor, round, as used by `topk result`. If the campaign has an app, grades also become labels
    in the app, in a group with the role `llm`. The app's preference tasks use the model's answers
    to pairs if [preferences] lists the group.
    """
    from qrelsmith.collection.qrels import write_qrels as write_labels
    from qrelsmith.models.judge import judge
    from qrelsmith.models.prompts import read_prompt

    options: dict[str, Any] = {"endpoint": endpoint, **values}
    key = read_key(variable=options.pop("key_env"), file=options.pop("key_file"))
    write_qrels, write_replies = options.pop("write_qrels"), options.pop("write_replies")
    own = {name: options.pop(name) for name in ("prompt", "k", "method", "label_set", "dry_run")}
    prompt, dry_run = own["prompt"], own["dry_run"]
    if options.pop("pairs"):
        if options.pop("anchors") is not None:
            raise click.UsageError(
                "--anchors cannot be used with --pairs, because anchors are grades"
            )
        if write_qrels is not None:
            raise click.UsageError(
                "--pairs cannot be used with --write-qrels, because pairs have no grades"
            )
        own["prompt"] = prompt or "pair"
        _judge_pairs(common, campaign, key, write_replies, own, options)
        return
    if own["label_set"] is not None:
        raise click.UsageError("--label-set needs --pairs")
    # The app does not record models' labels of aspects of answers yet: they are written to -o.
    has_log = not dry_run and (prompt is None or read_prompt(prompt).kind != "aspects")
    log = ModelLog(campaign) if has_log and needs_log(campaign, options["group"]) else None
    with progress("labels", None, quiet=common.quiet) as advance:
        result = judge(
            campaign, key=key, seed=common.seed, prompt=prompt or "grade", dry_run=dry_run,
            advance=advance, log=log, **options,
        )  # fmt: skip
    common.say(result.notes)
    if dry_run:
        common.emit(result.table())
        return
    if log is not None:
        common.say([log.note])
    if write_qrels is not None:
        write_labels(result.judgments.to_qrels(), write_qrels)
    if write_replies is not None:
        write_text(write_replies, result.replies().text("csv"))
    common.emit(result.table())


_OF_TERMS = (
    "endpoint", "model", "assessor", "group", "price_in", "price_out",
    "concurrency", "timeout", "patience",
)  # fmt: skip


def _judge_pairs(
    common: Common,
    campaign: str,
    key: str,
    write_replies: str | None,
    own: dict[str, Any],
    options: dict[str, Any],
) -> None:
    """Collect the model's preferences, and print these as a log."""
    from qrelsmith.models.pairs import judge_pairs
    from qrelsmith.models.session import ModelTerms

    if options.pop("depth") is not None:
        raise click.UsageError(
            "--depth cannot be used with --pairs, because candidates are chosen by grade"
        )
    has_log = not own["dry_run"] and needs_log(campaign, options["group"])
    log = ModelLog(campaign) if has_log else None
    terms = ModelTerms(
        key=key,
        budget=options.pop("spend"),
        budget_tokens=options.pop("spend_tokens"),
        **{name: options.pop(name) for name in _OF_TERMS},
    )
    with progress("answers", None, quiet=common.quiet) as advance:
        result = judge_pairs(
            campaign, terms, seed=common.seed, advance=advance, app=log, **own, **options
        )
    common.say(result.notes)
    if log is not None:
        common.say([log.pairs_note])
    if write_replies is not None and result.forecast is None:
        write_text(write_replies, result.replies().text("csv"))
    common.emit(result.table())
