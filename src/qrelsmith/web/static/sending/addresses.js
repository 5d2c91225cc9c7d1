// Where an operation goes: it is about a doc of an assignment, or about a pair of a contest.

/** The address that takes an operation. */
export function pathOf(operation) {
  const what = operation.kind === "undo" ? "undo" : "judgments";
  return operation.contest
    ? `/api/contests/${operation.contest}/${what}`
    : `/api/assignments/${operation.assignment}/${what}`;
}

/** The page on which an operation can be decided on. */
export function pageOf(operation) {
  return operation.contest
    ? `/prefer/${operation.contest}/${operation.pair}`
    : `/judge/${operation.assignment}/${operation.position}`;
}

/** Whether two operations are about the same thing. */
export function isSameThing(one, other) {
  const names = one.contest ? ["contest", "pair"] : ["assignment", "doc"];
  return names.every((name) => one[name] === other[name]);
}
