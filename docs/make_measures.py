"""Write docs/measures.md: a few sentences, and the table that `qrelsmith measures` prints."""

from pathlib import Path

from qrelsmith.cli.measures import measures_table

INTRODUCTION = """# Measures

Measures are named as in ir_measures: `nDCG@10`, `RBP(p=0.8)`, `P(rel=2)@5`, `Compat(p=0.95)`.
Names are not case-sensitive; `MAP`, `MRR`, `Precision` and `Recall` are aliases.

- `rel` is the lowest grade that counts as relevant. A measure with this parameter uses grades; all
  other measures use gains (`--gains`), which are the grades by default.
- `@k` is a rank cutoff; a cutoff in square brackets is optional. `IPrec@x` takes a recall level.
- Unjudged docs have gain 0 and keep their rank; `--condensed` removes them first. Docs with codes
  below 0 count neither as relevant nor as judged.
- A topic without relevant docs scores 0 with every measure of relevance, as in trec_eval; a note
  names the topic. A topic missing from a run counts as a ranking without docs, or is excluded with
  `--missing-topics drop`.
- gmax is the gain of the top level of `--scale`, or by default of the highest grade in the qrels.
- `--order` breaks ties in score: `trec` (the default: 64-bit scores, then the higher docno),
  `trec32` (32-bit scores: trec_eval 9.0.8 and older, pytrec_eval, ir_measures), `file` (NTCIREVAL),
  `rank`, `docno-ascending` (compatibility.py). `--ties` counts the ties across the cutoffs.

## Where other tools differ

- `IPrec` rounds the number of docs needed for a recall level like trec_eval 10. trec_eval 9,
  pytrec_eval and ir_measures add 0.9 and truncate.
- ir_measures breaks ties in RR@k and Judged@k by ascending docno, and in other measures like
  `trec32`. The ERR@k of ir_measures equals that of qrelsmith with `gain='exp'`, a scale up to 4
  and the order `trec`.
- `Judged@k` counts codes below 0 as unjudged (ir_measures: as judged). If fewer than k docs were
  returned, `Judged@k` divides by the number of returned docs (trec_eval's `unj_k`: by k).
- The `NumRelRet` of ir_measures prints as `NumRet(rel=1)`, which qrelsmith does not accept. The
  `judged_only` of ir_measures is `--condensed` here.
- Measures with the source ir_measures need the extra `ir_measures`. Measures of subtopics (α-nDCG,
  ERR-IA and others) need qrels whose second field is a subtopic. For other measures, the grade of a
  doc is the highest grade over its subtopics.
- `Compat` uses 1,000 ranks like compatibility.py. ir_measures uses the longer of run and ideal
  ranking, which differs for short runs. The `normalize=False` of ir_measures is
  `norm='none'` here.
- The `rbp` of trec_eval 10 reads an uninitialised variable; `RBP` follows Moffat and Zobel.

"""


def main() -> None:
    page = INTRODUCTION + measures_table().text("markdown")
    Path(__file__).with_name("measures.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
