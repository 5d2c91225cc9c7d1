// The path of the app: empty, or the prefix of a campaign on a server of several campaigns.
//
// The path is part of all names in the browser's storage, so that campaigns do not see each other's
// data.

export const BASE = new URL(import.meta.url).pathname.replace(/\/static\/.*$/, "");

/** Return a name for the browser's storage. */
export function own(name) {
  return BASE ? `${name}@${BASE}` : name;
}
