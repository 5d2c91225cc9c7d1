// What a person wants of a doc, after several operations on it that the server has not taken.

/**
 * The judgment that stands at the end of operations on one doc: each undo takes back the judgment
 * that it names. Null when none stands.
 */
export function standing(operations) {
  const stack = [];
  for (const operation of operations) {
    if (operation.kind === "judge") stack.push(operation);
    const place = stack.findIndex((each) => each.op_id === operation.undoes);
    if (operation.kind === "undo" && place >= 0) stack.splice(place, 1);
  }
  return stack.at(-1) ?? null;
}
