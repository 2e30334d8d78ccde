// How the data are read: settings of `mahc.read`, changed by one fix or choice at a time, and listed as sentences.

/**
 * Settings of `mahc.read` that the page changes; others stay as they are.
 * @typedef {object} Reading
 * @property {string | null} [encoding]
 * @property {string | null} [delimiter]
 * @property {string | null} [quote]
 * @property {string | null} [decimal]
 * @property {string | null} [sheet]
 * @property {string | null} [weights]
 * @property {string | null} [interventions] a column of targets of experiments
 * @property {string | null} [mechanism]
 * @property {string | null} [missing]
 * @property {boolean | null} [header]
 * @property {boolean | null} [merge_states]
 * @property {string[]} [drop]
 * @property {string[]} [categorical]
 * @property {string[]} [continuous]
 * @property {Record<string, States>} [ordinal]
 * @property {Rule | Record<string, Rule>} [discretise] one for all columns, or by column
 * @property {string[] | Record<string, string[]>} [missing_tokens] for all columns, or by column
 * @property {Panel | null} [panel] each row is one person at one time
 */
/** @typedef {{subject: string, time: string, static?: string[], lags?: number, gaps?: string}} Panel columns that say who, when, and what never changes */
/** @typedef {(string | string[])[]} States in order, lowest first; those that are one are a list */
/** @typedef {string | number[]} Rule that cuts a column, as "quantile:4", or the cut points */
/** @typedef {"automatic" | "states" | "ordered" | "number" | "cut" | "out"} Kind how a column is to be used */

/** @type {[Kind, string][]} */
export const KINDS = [["automatic", "automatic"], ["states", "states (nominal)"], ["ordered", "ordered states"], ["number", "number"], ["cut", "cut into intervals"], ["out", "left out"]];

/** @type {string[][]} */
export const ENCODINGS = [["utf-8", "UTF-8"], ["cp1252", "Western European (cp1252, Latin-1)"], ["cp1250", "Central European (cp1250)"], ["cp1251", "Cyrillic (cp1251)"], ["gb18030", "Chinese (gb18030)"], ["shift_jis", "Japanese (Shift JIS)"], ["utf-16", "UTF-16"]];
/** What experiments do: value and name. @type {string[][]} */
export const MECHANISMS = [["set", "set their targets"], ["changed", "change how their targets arise"]];
/** Methods for missing values: value, name, and what each assumes. @type {string[][]} */
export const MISSING = [
  ["drop", "Leave out incomplete rows", "Right if rows are incomplete by chance and few are."],
  ["state", "Make “missing” a state of its own", "Right if the fact that a value is missing tells something. Not for numbers."],
  ["impute", "Fill them from the variables around them", "Right if whether a value is missing depends on known values only. Works with every score, and with numbers."],
  ["structural-em", "Complete the rows by their probabilities", "Right if whether a value is missing depends on known values only. The most thorough; for columns of states."],
  ["pairwise", "Use the rows that are complete where it matters", "Right if values are missing completely at random. The choice for algorithms that test independence."],
  ["weighted", "The same, with rows weighted for those that are missing", "Right if what missing values depend on is in the data."],
];

/** What to do with columns of numbers that are not cut: value, name, and what it does. @type {string[][]} */
export const NUMBERS = [
  ["auto", "Choose by the data", "The one of the two that describes the data better."],
  ["smooth", "Use them as numbers", "Smooth functions of their ranks; nothing is cut."],
  ["cuts", "Cut them from the graph", "Cut points are learned with the graph: a column is cut where that tells something about other variables. Neighbours of ordered states may be merged."],
];

/** @template T @param {T} value @returns {value is Exclude<T, string | unknown[] | null | undefined>} */
const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @param {unknown} value */
const isEmpty = (value) => value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length) || (isTable(value) && !Object.keys(value).length);

/** The settings without those that say nothing. @param {Reading} reading @returns {Reading} */
export function tidy(reading) {
  return Object.fromEntries(Object.entries(reading).filter(([, value]) => !isEmpty(value)));
}

/** Texts that mean missing, by column; `*` is every column. @param {Reading} reading @returns {Record<string, string[]>} */
export function tokensOf({ missing_tokens: tokens }) {
  return isTable(tokens) ? tokens : tokens?.length ? { "*": tokens } : {};
}

/** The rule that cuts each column; a rule for all columns is under `*`. @param {Reading} reading @returns {Record<string, Rule>} */
export function cutsOf({ discretise }) {
  return isTable(discretise) ? discretise : isEmpty(discretise) ? {} : { "*": /** @type {Rule} */ (discretise) };
}

/** @param {Reading} reading @param {"drop" | "categorical" | "continuous"} setting */
const listOf = (reading, setting) => reading[setting] || [];
/** @param {string[]} list @param {string} name */
const without = (list, name) => list.filter((each) => each !== name);
/** @param {string[]} list @param {string[]} more */
const union = (list, more) => [...list, ...more.filter((each) => !list.includes(each))];
/** @template {object} T @param {T | undefined} table @param {string} name @returns {T} */
const omit = (table, name) => /** @type {T} */ (Object.fromEntries(Object.entries(table || {}).filter(([key]) => key !== name)));

/** @param {Reading} reading @param {unknown} names @param {Kind} kind */
const setKinds = (reading, names, kind) => /** @type {string[]} */ (names).reduce((found, name) => setKind(found, name, kind), reading);

/** The settings with a fix applied. @param {Reading} reading @param {{setting: string, value: unknown}} fix @returns {Reading} */
export function applyFix(reading, { setting, value }) {
  if (setting === "missing_tokens") {
    const tokens = { ...tokensOf(reading) };
    for (const [column, own] of Object.entries(/** @type {Record<string, string[]>} */ (value))) tokens[column] = union(tokens[column] || [], own);
    return { ...reading, missing_tokens: tokens };
  }
  if (setting === "drop") return setKinds(reading, value, "out");
  if (setting === "continuous") return setKinds(reading, value, "number");
  if (setting === "categorical") return setKinds(reading, value, "states");
  return { ...reading, [setting]: value };
}

/** How a column is to be used, as far as that was chosen. @param {Reading} reading @param {string} name @returns {Kind} */
export function kindOf(reading, name) {
  if (listOf(reading, "drop").includes(name)) return "out";
  if (listOf(reading, "categorical").includes(name)) return "states";
  if (name in (reading.ordinal || {})) return "ordered";
  if (listOf(reading, "continuous").includes(name)) return "number";
  return name in cutsOf(reading) ? "cut" : "automatic";
}

/** The settings with another use of a column. @param {Reading} reading @param {string} name @param {Kind} kind @param {States | Rule} [value] order of states, or rule to cut @returns {Reading} */
export function setKind(reading, name, kind, value) {
  const found = {
    ...reading,
    drop: without(listOf(reading, "drop"), name),
    categorical: without(listOf(reading, "categorical"), name),
    continuous: without(listOf(reading, "continuous"), name),
    ordinal: omit(reading.ordinal, name),
    discretise: omit(cutsOf(reading), name),
  };
  if (kind === "out") {
    found.drop = [...found.drop, name];
    found.missing_tokens = omit(tokensOf(reading), name);
  }
  if (kind === "states") found.categorical = [...found.categorical, name];
  if (kind === "number") found.continuous = [...found.continuous, name];
  if (kind === "ordered") found.ordinal = { ...found.ordinal, [name]: /** @type {States} */ (value) };
  if (kind === "cut") found.discretise = { ...found.discretise, [name]: /** @type {Rule} */ (value) };
  return tidy(found);
}

/** States that are one have one name. @param {string | string[]} group */
export const nameOf = (group) => (Array.isArray(group) ? group.join(" or ") : String(group));

/** The value of a setting by the name that its field shows. @param {string} setting @param {unknown} value */
function inWords(setting, value) {
  if (setting === "decimal") return value === "," ? "comma" : value;
  const known = { encoding: ENCODINGS, missing: MISSING, mechanism: MECHANISMS }[setting]?.find(([each]) => each === value);
  return known ? known[1] : value;
}

const LABELS = { encoding: "Encoding", delimiter: "Separator", quote: "Quotes", decimal: "Decimal mark", sheet: "Sheet", weights: "Column of weights", interventions: "Column of experiment targets", mechanism: "Experiments", missing: "Missing values" };

/**
 * What differs from reading the file as it is: one sentence each, with the settings that take it back.
 * @param {Reading} reading @returns {{text: string, back: Reading}[]}
 */
export function listChanges(reading) {
  /** @type {{text: string, back: Reading}[]} */
  const found = [];
  /** @param {string} text @param {Reading} back */
  const say = (text, back) => found.push({ text, back: tidy(back) });
  for (const [setting, label] of /** @type {[keyof typeof LABELS, string][]} */ (Object.entries(LABELS))) {
    if (setting in reading) say(`${label}: ${inWords(setting, reading[setting])}`, omit(reading, setting));
  }
  if (reading.panel) say(`Each row is one ${reading.panel.subject || "person"} at one ${reading.panel.time || "time"}`, omit(reading, "panel"));
  if (reading.header === false) say("The file has no header", omit(reading, "header"));
  if (reading.merge_states) say("Spellings that differ in case or blanks are merged", omit(reading, "merge_states"));
  for (const [column, own] of Object.entries(tokensOf(reading))) {
    for (const token of own) {
      const rest = without(own, token);
      const tokens = rest.length ? { ...tokensOf(reading), [column]: rest } : omit(tokensOf(reading), column);
      say(`“${token}” means missing${column === "*" ? "" : ` in ${column}`}`, { ...reading, missing_tokens: tokens });
    }
  }
  for (const name of listOf(reading, "drop")) say(`${name} is left out`, setKind(reading, name, "automatic"));
  for (const name of listOf(reading, "categorical")) say(`each value of ${name} is a state`, setKind(reading, name, "automatic"));
  for (const name of listOf(reading, "continuous")) say(`${name} is a number`, setKind(reading, name, "automatic"));
  for (const [name, order] of Object.entries(reading.ordinal || {})) say(`${name} is ordered: ${order.map(nameOf).join(" < ")}`, setKind(reading, name, "automatic"));
  for (const [name, rule] of Object.entries(cutsOf(reading))) {
    say(`${name === "*" ? "all numbers are" : `${name} is`} cut${Array.isArray(rule) ? ` at ${rule.join(", ")}` : ` by ${String(rule).replace(":", " ")}`}`, { ...reading, discretise: omit(cutsOf(reading), name) });
  }
  return found;
}
