// Kinds of judgment: the fields of operations and labels, and the addresses.

import { BASE } from "../page/base.js";
import { isSameList } from "../passages/passages.js";

export class Kind {
  /**
   * @param {object} facts stream: name of the assignment or task in operations; unit: name of the
   *   item, in responses, too; place: its position on the stream's page; about: all fields of
   *   an operation that name it; blank: the label of an unjudged item, its value first; api and
   *   page: prefixes of the addresses.
   */
  constructor(facts) {
    Object.assign(this, facts);
    [this.value] = Object.keys(this.blank);
  }

  /** The fields of an operation with which any page can send it. */
  get carried() {
    const { stream, unit, place, api, page } = this;
    return { stream, unit, place, api, page };
  }

  /** The fields of a label that can be restored; operations of 0.1.0 have no passages. */
  said(label) {
    const names = Object.keys(this.blank);
    return Object.fromEntries(names.map((name) => [name, label[name] ?? this.blank[name]]));
  }

  /** Whether two labels are equal. */
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

/** The address for an operation. */
export function pathOf(operation) {
  const { api, stream } = kindOf(operation);
  return `${api}/${operation[stream]}/${operation.kind === "undo" ? "undo" : "judgments"}`;
}

/** The page for deciding on an operation. */
export function pageOf(operation) {
  const { page, stream, place } = kindOf(operation);
  return `${BASE}${page}/${operation[stream]}/${operation[place]}`;
}

/** Whether two operations are about the same item. */
export function isSameThing(one, other) {
  const { stream, unit } = kindOf(one);
  return one[stream] === other[stream] && one[unit] === other[unit];
}

function kindOf(operation) {
  // Operations of 0.2.0 have no kind.
  return operation.judged ?? (operation.contest ? PAIRS : DOCS);
}
