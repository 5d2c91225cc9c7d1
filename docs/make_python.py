"""The page of the reference that lists the public names, made from signatures and docstrings."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from make_functions import function_lines, shared_parameters
from numpydoc_markdown import escaped, prose, signature, wrapped

from qrelsmith import public_names
from qrelsmith.base.questions import QUESTIONS
from qrelsmith.base.registry import Registry
from qrelsmith.base.results import Result

# What the types of inputs in the signatures are.
_INPUTS = """\
**Inputs of functions**

A DataFrame is one of pandas, polars or pyarrow, or a mapping of columns. Ids are text.

| input | object | DataFrame with the columns | plain Python | files |
| --- | --- | --- | --- | --- |
| qrels (`QrelsLike`) | `Qrels`, or a result that contains qrels | `query_id doc_id relevance`, `qid docno label` or `topic doc grade` | `{topic: {doc: grade}}` | a path |
| label sets (`LabelSets`) | a list of `Qrels` | one DataFrame with the column `assessor` | `{name: qrels}` | paths in a list or a mapping |
| judgments (`JudgmentsLike`) | `Judgments` | `topic doc assessor grade`; optional: `group`, `hit`, `judged_at` … | `{assessor: qrels}` | a path, or the qrels of each assessor |
| runs (`RunsLike`) | `Run`, or a list | `query_id doc_id score` or `qid docno score`; with several systems also `name`, `run` or `system` | `{topic: {doc: score}}`, or `{name: run}` | a path, a folder, a list |
| preferences (`PreferencesLike`) | `Preferences` | `topic left right outcome`; optional: `assessor`; an outcome below 0 means that left is better | `{topic: [(better, worse), (doc, doc, "tie")]}` | a path, or a list |
| measures (`MeasuresLike`) | a measure of ir_measures | | `"nDCG@10"`, or a list | |
| topics (`TopicSet`) | | a column | a list of ids | a file, one id per line |

The first argument of a function can be a campaign, or the path of its folder. The campaign's
label sets, reference, groups, scale, topics, runs, preferences and measures are then the defaults.
Write a scale as `Scale.parse("0..3")`.

**Results of functions**

A printed result includes its notes. `.asked.command("FOLDER")` returns the command that computes
the same result from a folder. Every result of a command has these methods; the classes below list
only further methods and figures. Every class with `to_pandas` also has `to_polars`:
"""  # noqa: E501

_SHARED_NOTE = """\
**Shared parameters**

Many functions have these parameters, so they are described only once. If a function has a command,
the linked section describes the columns and the options. A parameter that is neither described nor
listed as shared is an option of this command: `hit_size` is `--hit-size`. Signatures omit the types
of shared parameters, and of options whose values are text, numbers, or yes and no. Every function
that reads files raises `InputError` if a file is malformed.
"""


def python_page() -> str:
    """Every public name with its signature and docstring, or what is registered in it."""
    values = {name: getattr(import_module(module), name) for name, module in public_names().items()}
    functions = {name: value for name, value in values.items() if inspect.isfunction(value)}
    shared = shared_parameters(functions)
    lines = [
        "# Python",
        "",
        "`import qrelsmith` provides these names; each name is imported when it is first used.",
        "",
        *_INPUTS.splitlines(),
        "",
        *_methods(Result),
        *_SHARED_NOTE.splitlines(),
        "",
        *(line for item in sorted(shared) for line in wrapped(shared[item])),
        "",
    ]
    for name, value in values.items():
        lines += [f"## {name}", ""]
        if isinstance(value, Registry):
            lines += _registry(value)
        elif isinstance(value, type):
            lines += [*_signed(name, value), *_methods(value)]
        else:
            lines += function_lines(name, value, shared)
            asked = QUESTIONS.get(name)
            lines += _result(value) if asked is not None and asked.function is value else []
    return "\n".join(lines).rstrip() + "\n"


def _registry(registry: Registry[Any]) -> list[str]:
    return [f"The registry of every {registry.kind}; [names](names.md) lists them.", ""]


def _signed(name: str, value: Any) -> list[str]:
    """A signature in a block of code, and the docstring below it."""
    is_error = isinstance(value, type) and issubclass(value, BaseException | Warning)
    # The attributes have the types.
    names = () if is_error else tuple(inspect.signature(value).parameters)
    code = [] if is_error else ["```python", signature(name, value, untyped=names), "```", ""]
    return [*code, *prose(inspect.getdoc(value) or "")]


def _result(function: Any) -> list[str]:
    """What the result of a question holds, where its class is no public name itself."""
    asking = inspect.unwrap(function)
    of = asking.__globals__.get(asking.__annotations__["return"])
    if of is None or of.__name__ in public_names():
        return []
    return [f"### {of.__name__}", "", *prose(inspect.getdoc(of) or ""), *_methods(of)]


def _methods(of: type) -> list[str]:
    """The public methods and properties of a class, a line each."""
    rows = []
    for name in sorted({name for each in of.__mro__ for name in vars(each)}):
        member = inspect.getattr_static(of, name)
        if name.startswith("_") or not _is_ours(of, name):
            continue
        if name == "to_polars" and of is not Result:
            continue
        shared = vars(Result).get(name) if of is not Result else None
        if shared and (name != "figure" or member is shared):
            continue
        held = getattr(member, "fget", None) or getattr(member, "func", None) or member
        held = getattr(held, "__func__", held)
        if not inspect.isfunction(held):
            continue
        called = isinstance(member, classmethod | staticmethod) or inspect.isfunction(member)
        first = (inspect.getdoc(held) or "").partition("\n\n")[0].replace("\n", " ")
        shown = signature(name, held, bound=True) if called else name
        rows.append(f"- `{' '.join(shown.split())}`: {escaped(first)}")
    return [*rows, ""] if rows else []


def _is_ours(of: type, name: str) -> bool:
    """Whether a member is of a class of this package."""
    owner = next(each for each in of.__mro__ if name in vars(each))
    return owner.__module__.startswith("qrelsmith")
