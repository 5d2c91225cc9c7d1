"""`qrelsmith judge`."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

import click

from qrelsmith.cli.actions import action
from qrelsmith.cli.model_log import ModelLog, needs_log
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.stored_commands import Finite
from qrelsmith.io.writing import write_text, write_together
from qrelsmith.models.keys import VARIABLE, read_key


class _Amount(click.ParamType[Decimal]):
    """An amount of money, exactly as it is written."""

    name = "amount"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """Return the amount, or a usage error."""
        try:
            amount = Decimal(str(value))
        except InvalidOperation:
            amount = Decimal(-1)
        if not amount.is_finite() or amount < 0:
            self.fail(f"{value!r}: expected an amount from 0 on.", param, ctx)
        return amount


@action(
    "judge",
    "judge",
    everyday=True,
    example="qrelsmith judge my-campaign --endpoint http://127.0.0.1:8080/v1 --model qwen3"
    " -o labels.csv",
    renamed={"--budget": "--spend", "--budget-tokens": "--spend-tokens", "--method": "--scheduler"},
)
@click.argument("campaign", type=click.Path())
@click.option(
    "--endpoint", required=True, metavar="URL",
    help="Base of an endpoint with the chat-completions protocol, http://HOST:PORT/v1; or"
    " builtin:lexical, a baseline that needs no model.",
)  # fmt: skip
@click.option("--model", default="", help="The model, as the endpoint calls it.")
@click.option(
    "--prompt", help="A prompt of the library, or FILE.toml; default: grade, with --pairs pair."
)
@click.option("--assessor", default="", help="Its pseudonym; default: model and prompt.")
@click.option("--group", default="", help="Its group; default: the only one with the role llm.")
@click.option(
    "--depth", type=click.IntRange(min=1),
    help="Judge the top of the runs; default: the pools, else the top 10.",
)  # fmt: skip
@click.option("--topic-set", type=click.Path(), metavar="FILE", help="Only these topics.")
@click.option(
    "--spend", type=_Amount(), help="What all runs for this campaign may cost together; a cap."
)
@click.option("--spend-tokens", type=click.IntRange(min=0), help="The same in tokens.")
@click.option("--price-in", type=_Amount(), help="Price of a million tokens that are sent.")
@click.option("--price-out", type=_Amount(), help="Price of a million tokens of answers.")
@click.option(
    "--max-tokens", type=click.IntRange(min=1), default=256, show_default=True,
    help="What one answer can have at most.",
)  # fmt: skip
@click.option(
    "--temperature", type=Finite(min=0), default=0.0, show_default=True,
    help="0 for the likeliest answer.",
)  # fmt: skip
@click.option(
    "--key-env", default=VARIABLE, show_default=True, metavar="NAME",
    help="The variable that holds the endpoint's key.",
)  # fmt: skip
@click.option(
    "--key-file", type=click.Path(), metavar="FILE", help="A file of mode 600 that holds the key."
)
@click.option(
    "--concurrency", type=click.IntRange(1, 1024), default=8, show_default=True,
    help="Requests at once.",
)  # fmt: skip
@click.option(
    "--timeout", type=Finite(min=0.001), default=120.0, show_default=True,
    help="Seconds until a request counts as lost.",
)  # fmt: skip
@click.option(
    "--patience", type=Finite(min=0), default=300.0, show_default=True,
    help="Seconds without any answer until the run ends.",
)  # fmt: skip
@click.option(
    "--pairs", is_flag=True, help="Ask for preferences: the top k of each topic, both ways round."
)
@click.option(
    "--label-set", metavar="NAME", help="With --pairs: whose grades candidates come from."
)
@click.option(
    "-k", "--k", type=click.IntRange(min=1), default=5, show_default=True,
    help="With --pairs: how many docs are to be found.",
)  # fmt: skip
@click.option(
    "--scheduler",
    "method",
    default="tournament",
    show_default=True,
    help="With --pairs: who meets whom.",
)
@click.option(
    "--anchors", type=click.Path(), metavar="QRELS",
    help="Docs with human labels that are labelled anew at every run, for drift.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Send nothing; show requests, tokens and money.")
@click.option("--write-qrels", type=click.Path(), help="Also the grades as qrels.")
@click.option(
    "--write-replies", type=click.Path(),
    help="Also every answer with model, prompt, parameters, tokens, money; error records too.",
)  # fmt: skip
@common_options("seed", "reads")
@write_together()
def command(
    common: Common,
    campaign: str,
    key_env: str,
    key_file: str | None,
    write_qrels: str | None,
    write_replies: str | None,
    prompt: str | None,
    pairs: bool,
    label_set: str | None,
    k: int,
    method: str,
    dry_run: bool,
    **options: Any,
) -> None:
    """Judge a campaign's docs by a language model.

    Each doc is one request; its pools are judged, else the top of its runs. Columns: topic, doc,
    assessor, group, grade, note. Replies are kept in CAMPAIGN: what is known is not asked again,
    and an interrupted run goes on where it was. An answer that is no grade of the scale is asked
    for twice more and then an error record, which is no label. With --pairs the columns are topic,
    left, right, outcome, assessor, round: what `topk result` reads. Where the campaign has an app,
    grades become labels there too, under a group with the role llm, and its contests take answers
    to pairs if [preferences] names the group.
    """
    from qrelsmith.collection.qrels import write_qrels as write_labels
    from qrelsmith.models.judge import judge
    from qrelsmith.models.prompts import read_prompt

    key = read_key(variable=key_env, file=key_file)
    if pairs and options.pop("anchors") is not None:
        raise click.UsageError("--anchors does not go with --pairs: anchors are grades")
    if pairs:
        if write_qrels is not None:
            raise click.UsageError("--pairs does not go with --write-qrels: it asks for no grades")
        own = {
            "prompt": prompt or "pair", "k": k, "method": method, "label_set": label_set,
            "dry_run": dry_run,
        }  # fmt: skip
        _judge_pairs(common, campaign, key, write_replies, own, options)
        return
    if label_set is not None:
        raise click.UsageError("--label-set goes with --pairs")
    # The app has no kind of judgment for aspects of answers yet: their labels are written to -o.
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
    """Preferences, printed as a log."""
    from qrelsmith.models.pairs import judge_pairs
    from qrelsmith.models.session import ModelTerms

    if options.pop("depth") is not None:
        raise click.UsageError("--depth does not go with --pairs: grades choose the candidates")
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
