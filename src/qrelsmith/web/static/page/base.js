// Where the app is: empty, or the prefix of a campaign on a server of several.
//
// What is kept in this browser has it in its name: nothing of one campaign is seen from another.

export const BASE = new URL(import.meta.url).pathname.replace(/\/static\/.*$/, "");

/** A name of something kept in this browser. */
export function own(name) {
  return BASE ? `${name}@${BASE}` : name;
}
