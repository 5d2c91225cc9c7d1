// The user's final label of a doc after several unsent operations.

/**
 * The judgment that remains after some operations on one doc: each undo cancels the judgment
 * that it names. Null if none remains.
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
