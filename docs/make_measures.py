"""Write docs/measures.md: a few sentences, and the table that `qrelsmith measures` prints."""

from pathlib import Path

from qrelsmith.cli.measures import measures_table

INTRODUCTION = """# Measures

A measure is named as in ir_measures: `nDCG@10`, `RBP(p=0.8)`, `P(rel=2)@5`, `Compat(p=0.95)`.
Labels are printed back with every parameter that is not the default (`p` always), in alphabetical
order. Names are not case-sensitive, and `MAP`, `MRR`, `Precision`, `Recall` are understood.

- `rel` is the lowest grade that counts as relevant; a measure that has it looks at grades, all
  others at gains (`--gains`), which are the grades by default.
- `@k` is a rank cutoff; in square brackets, it is optional. `IPrec@x` takes a recall level.
- Unjudged docs have gain 0 and keep their rank; `--condensed` removes them first. Codes below 0
  are kept apart: they never count as relevant, nor as judged.
- A topic without relevant docs scores 0 with every measure of relevance, as in trec_eval, and is
  named in a note. A topic that a run lacks is a ranking without docs (or, with
  `--missing-topics drop`, does not count).
- gmax is the gain of the scale's top level: of `--scale`, else the highest in the qrels (a note
  says so).
- Ties in score are broken by the run order: `trec` (the default: 64-bit scores, then the higher
  docno), `trec32` (32-bit scores: trec_eval 9.0.8 and older, pytrec_eval, ir_measures), `file`
  (NTCIREVAL), `rank`, `docno-ascending` (compatibility.py). `--ties` says where they matter.

## Where other tools differ

- `IPrec` rounds the number of docs that a recall level needs as trec_eval 10 does; trec_eval 9,
  pytrec_eval and ir_measures add 0.9 and cut off.
- ir_measures breaks ties in RR@k and Judged@k by ascending docno; elsewhere as `trec32`. Its ERR@k
  is ours with `gain='exp'`, a scale to 4 and the order `trec`.
- `Judged@k` does not count codes below 0 as judged (ir_measures does), and divides by the docs
  returned when there are fewer than k (trec_eval's `unj_k` divides by k).
- ir_measures prints its `NumRelRet` as `NumRet(rel=1)`, which is not a name of ours. Its
  `judged_only` is `--condensed` here.
- Measures with the source ir_measures (α-nDCG, ERR-IA and others of subtopics, SDCG, INST, INSQ,
  BPM, the NERR family, SetAP) are computed by it, with a note that says so, if the extra
  `ir_measures` is installed. The docs are those that qrelsmith ranks. Measures of subtopics need
  qrels whose second field is a subtopic; for other measures a doc has the highest grade of its
  subtopics.
- `Compat` goes to depth 1000 as compatibility.py does; ir_measures goes to the longer of run and
  ideal, which differs on short runs. Its `normalize=False` is our `norm='none'`.
- trec_eval 10's own `rbp` reads a variable that it never set; ours follows Moffat and Zobel.

"""


def main() -> None:
    page = INTRODUCTION + measures_table().text("markdown")
    Path(__file__).with_name("measures.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
