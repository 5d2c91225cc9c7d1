// Kinds of judgment: how operations name what is judged, what a label of it says, where both go.

import { BASE } from "../page/base.js";
import { isSameList } from "../passages/passages.js";

export class Kind {
  /**
   * @param {object} facts stream: what operations call the assignment or contest; unit: the doc or
   *   pair, in answers, too; place: where it stands on the page of its stream; about: all of an
   *   operation that names it; blank: the label of one that is not judged, its value first; api and
   *   page: where the addresses begin.
   */
  constructor(facts) {
    Object.assign(this, facts);
    [this.value] = Object.keys(this.blank);
  }

  /** What an operation must carry, so that any page can send it. */
  get carried() {
    const { stream, unit, place, api, page } = this;
    return { stream, unit, place, api, page };
  }

  /** What of a label can be gone back to; operations of 0.1.0 have no passages. */
  said(label) {
    const names = Object.keys(this.blank);
    return Object.fromEntries(names.map((name) => [name, label[name] ?? this.blank[name]]));
  }

  /** Whether two labels say the same. */
  isSame(one, other) {
    const [first, second] = [this.said(one), this.said(other)];
    return isSameList(first.passages, second.passages) && Object.keys(first).every(
      (name) => name === "passages" || first[name] === second[name],
    );
  }
}

export const DOCS = new Kind({
  stream: "assignment", unit: "doc", place: "position", about: ["doc", "position"],
  blank: { value: null, note: "", excerpt: "", passages: [] },
  api: "/api/assignments", page: "/judge",
});
export const PAIRS = new Kind({
  stream: "contest", unit: "pair", place: "pair", about: ["pair", "number"],
  blank: { outcome: null, passages: [] },
  api: "/api/contests", page: "/prefer",
});
export const ASPECTS = new Kind({
  stream: "answers", unit: "aspect", place: "position", about: ["aspect", "position", "name"],
  blank: { value: null, wording: "", related: "", note: "", passages: [] },
  api: "/api/answers", page: "/answers",
});

/** The address that takes an operation. */
export function pathOf(operation) {
  const { api, stream } = kindOf(operation);
  return `${api}/${operation[stream]}/${operation.kind === "undo" ? "undo" : "judgments"}`;
}

/** The page on which an operation can be decided on. */
export function pageOf(operation) {
  const { page, stream, place } = kindOf(operation);
  return `${BASE}${page}/${operation[stream]}/${operation[place]}`;
}

/** Whether two operations are about the same thing. */
export function isSameThing(one, other) {
  const { stream, unit } = kindOf(one);
  return one[stream] === other[stream] && one[unit] === other[unit];
}

function kindOf(operation) {
  // Operations of 0.2.0 carry no kind.
  return operation.judged ?? (operation.contest ? PAIRS : DOCS);
}
