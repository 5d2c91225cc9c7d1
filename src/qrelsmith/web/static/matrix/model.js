// The data of the matrix: assessors, topics and cells; search, filters, sorting.

/** The counts of a cell, in the order of the server. */
const NOTHING = { total: 0, judged: 0, open: 0, pairs: 0, answered: 0, answers: 0, openAnswers: 0 };

export class Model {
  assessors = [];
  topics = [];
  newest = null;
  #cells = new Map();
  #rowOf = new Map();
  #columnOf = new Map();

  /** Load the counts of all cells. */
  set({ newest, assessors, topics, cells }) {
    this.newest = newest;
    this.assessors = assessors.map(([id, name, group, hasAccount]) => ({
      id, name, group, hasAccount, words: `${name} ${group}`.toLowerCase(), flags: [], pace: null,
      alike: null, ...NOTHING,
    }));
    this.topics = topics.map(([id, name, title]) => ({
      id, name, title, words: `${name} ${title}`.toLowerCase(), alike: null, ...NOTHING,
    }));
    this.#rowOf = new Map(this.assessors.map((each) => [each.id, each]));
    this.#columnOf = new Map(this.topics.map((each) => [each.id, each]));
    this.#cells.clear();
    this.change({ newest, cells });
  }

  /** Update changed cells. */
  change({ newest, cells }) {
    this.newest = newest;
    for (const [assessor, topic, ...counts] of cells) {
      const row = this.#rowOf.get(assessor);
      const column = this.#columnOf.get(topic);
      if (!row || !column) continue;
      const key = keyOf(assessor, topic);
      const cell = this.#cells.get(key) ?? { ...NOTHING, alike: null };
      const now = Object.fromEntries(Object.keys(NOTHING).map((name, place) => [name, counts[place]]));
      for (const name of Object.keys(NOTHING)) {
        row[name] += now[name] - cell[name];
        column[name] += now[name] - cell[name];
      }
      this.#cells.set(key, Object.assign(cell, now));
    }
  }

  /** Load the results computed from events. */
  figure({ pace, alike, topics, cells, flags }) {
    const rows = new Map(this.assessors.map((each) => [each.name, each]));
    const columns = new Map(this.topics.map((each) => [each.name, each]));
    for (const row of this.assessors) {
      row.pace = pace[row.name] ?? null;
      row.alike = alike[row.name] ?? null;
      row.flags = flags[row.name] ?? [];
    }
    for (const column of this.topics) column.alike = topics[column.name] ?? null;
    for (const [assessor, topic, same, all] of cells) {
      const cell = this.cell(rows.get(assessor)?.id, columns.get(topic)?.id);
      if (cell) cell.alike = [same, all];
    }
  }

  /** The cell of an assessor and topic, or undefined. */
  cell(assessor, topic) {
    return this.#cells.get(keyOf(assessor, topic));
  }

  /** The matching assessors in order. */
  rows({ find, filter, by, isDown }) {
    const wanted = this.assessors.filter((row) => holds(row, find) && FILTERS[filter](row));
    return sorted(wanted, by, isDown);
  }

  /** The matching topics in order. */
  columns({ find, by, isDown }) {
    return sorted(this.topics.filter((column) => holds(column, find)), by, isDown);
  }
}

/** A single number for an assessor and a topic. */
function keyOf(assessor, topic) {
  return assessor * 2 ** 26 + topic;
}

/** The remaining work. */
export function leftOf({ total, judged, pairs, answered }) {
  return total - judged + pairs - answered;
}

/** Quality alerts of an assessor; an assessor without an account has naturally not started. */
export function flagsOf({ flags, hasAccount }) {
  return hasAccount ? flags : ["uninvited", ...flags.filter((flag) => flag !== "unopened")];
}

/** The share of agreeing pairs of labels; null if none were compared. */
export function shareAlike({ alike }) {
  return alike && alike[1] ? alike[0] / alike[1] : null;
}

/** The filters of assessors. */
export const FILTERS = {
  all: () => true,
  flags: (row) => flagsOf(row).length > 0,
  left: (row) => leftOf(row) > 0,
  done: (row) => row.total + row.pairs > 0 && leftOf(row) === 0,
  uninvited: ({ hasAccount }) => !hasAccount,
};

/** The sort keys. */
const KEYS = {
  name: ({ name }) => name,
  group: ({ group, name }) => `${group} ${name}`,
  judged: ({ total, judged, pairs, answered }) => (judged + answered) / (total + pairs || 1),
  left: leftOf,
  pace: ({ pace }) => pace,
  alike: shareAlike,
  flags: (row) => flagsOf(row).length,
};

function holds({ words }, find) {
  return find.every((word) => words.includes(word));
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** Missing values come last in both directions. */
function sorted(list, by, isDown) {
  const sign = isDown ? -1 : 1;
  const keyed = list.map((each) => [KEYS[by](each), each]);
  keyed.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "string" ? COLLATOR.compare(a, b) : a - b);
  });
  return keyed.map(([, each]) => each);
}
