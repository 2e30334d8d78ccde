// All that changes while a person works is one object, `State`. It changes by `store.set` (and undo, redo) alone, and
// whoever wants to know of changes subscribes to the store.

/** @import {About, Audit, Belief, ComparedEdge, Data, Document, Edge, Job, Knowledge, PanelView, Point, Run, Statement, Table} from "./documents.js" */
/** @import {Reading} from "./reading.js" */

/** @typedef {{kind: "variable", v: number} | {kind: "arc", a: number} | {kind: "pair", a: number, b: number}} Selection */
/** @typedef {"required_arcs" | "required_edges" | "forbidden_arcs" | "forbidden_edges"} PairKind */
/** @typedef {{kind: PairKind | "tiers" | "strict_tiers" | "contexts" | "beliefs", pair: string[] | Belief, text: string}} Stated a statement as a sentence */
/** @typedef {Edge & {route?: Point[] | null}} Ghost an arc of the previous run */
/** @typedef {{left: string, right: string, edges: ComparedEdge[], measures: Record<string, number>, note: string | null}} Comparison */
/** @typedef {"data" | "knowledge" | "learn" | "judge" | "share"} Step */
/** @typedef {{message: string | null, conflict: Statement[]}} Clash */

/**
 * @typedef {object} State
 *
 * @property {Document | null} doc the result that is shown; a draft before the first run
 * @property {Selection | null} selection
 * @property {Step} step
 * @property {string} tab id of the tab that the user opened
 * @property {{v: number, steps: number} | null} focus the neighbourhood that is shown alone
 * @property {boolean} bars whether variables show the probabilities of their states
 * @property {number | null} other the variable that "Another variable" names
 * @property {boolean} pattern whether a DAG is shown as its CPDAG
 * @property {boolean} lanes whether tiers are shown as lanes
 * @property {number} minStrength weaker arcs are hidden
 * @property {number} minConfidence arcs with less confidence are hidden
 * @property {Record<string, Point>} moved where variables were dragged, by name
 * @property {Ghost[]} ghosts arcs of the previous run that this run lacks
 * @property {string[]} fresh pairs that this run added
 * @property {Comparison | null} comparison
 * @property {{selection: Selection | null, kinds: Map<string, string>, adjusted: string[]} | null} paths of an effect: by pair of variables causal, open or blocked; shown until something else is chosen
 * @property {string} search part of the names in the list of variables
 * @property {string} filter part of the names in the table of arcs
 * @property {{column: string, down: boolean}} sort order of the table of arcs
 * @property {string} message what just happened
 *
 * @property {boolean} editable whether knowledge can be stated here
 * @property {Knowledge} knowledge
 * @property {{first: string, relation: string, second: string, percent: string}} statement what the form of knowledge holds
 * @property {Clash | null} clash statements that cannot hold together
 * @property {Partial<State>[]} past what undo brings back, the latest last
 * @property {Partial<State>[]} future what redo brings back
 *
 * @property {Record<string, string>} given what if: observed state of a variable
 * @property {Record<string, string>} intervened what if: state that a variable is set to
 * @property {Record<string, number[]> | null} answer what if: probabilities of the states of each variable
 *
 * @property {About | null} about what the server can do: algorithms, scores, formats; null without a server
 * @property {Data | null} data
 * @property {Reading} reading how the data are read
 * @property {string} numbers how columns of numbers are treated: auto, smooth or cuts
 * @property {Table | null} table what the server found in the data
 * @property {Audit | null} audit
 * @property {Data[]} projects
 * @property {Run[]} runs
 * @property {number | null} run the run that is shown
 * @property {number | null} job the job that is under way
 * @property {Job | null} progress the latest report of that job
 * @property {string} algorithm
 * @property {string} objective the score; empty for the default of the algorithm
 * @property {string} timeLimit in seconds, as typed
 * @property {Record<string, string | boolean>} settings of algorithm and score, as typed
 * @property {string} resamples of a bootstrap, as typed
 */

/** @returns {Knowledge} */
export function emptyKnowledge() {
  return { required_arcs: [], required_edges: [], forbidden_arcs: [], forbidden_edges: [], tiers: [], strict_tiers: false, beliefs: [], contexts: [] };
}

/** The document that is shown, where there must be one. @param {{doc: State["doc"]}} state */
export function docOf({ doc }) {
  if (!doc) throw new Error("there is no document");
  return doc;
}

/** The run that is shown, where there must be one. @param {{run: State["run"]}} state */
export function runOf({ run }) {
  if (run === null) throw new Error("there is no run");
  return run;
}

/** What the server can do, where there must be one. @param {{about: State["about"]}} state */
export function aboutOf({ about }) {
  if (!about) throw new Error("there is no server");
  return about;
}

/** @param {Partial<State>} values @returns {State} */
export function initialState(values) {
  return {
    doc: null,
    selection: null,
    step: "judge",
    tab: "graph",
    focus: null,
    bars: false,
    other: null,
    pattern: values.doc ? values.doc.kind === "DAG" : true,
    lanes: false,
    minStrength: -Infinity,
    minConfidence: 0,
    moved: {},
    ghosts: [],
    fresh: [],
    comparison: null,
    paths: null,
    search: "",
    filter: "",
    sort: { column: "strength", down: true },
    message: "",
    editable: false,
    knowledge: emptyKnowledge(),
    statement: { first: "", relation: "required_arcs", second: "", percent: "80" },
    clash: null,
    past: [],
    future: [],
    given: {},
    intervened: {},
    answer: null,
    about: null,
    data: null,
    reading: {},
    numbers: "auto",
    table: null,
    audit: null,
    projects: [],
    runs: [],
    run: null,
    job: null,
    progress: null,
    algorithm: "best",
    objective: "",
    timeLimit: "",
    settings: {},
    resamples: "100",
    ...values,
  };
}

/** @type {(keyof State)[]} what undo brings back */
const UNDOABLE = ["knowledge", "moved", "reading", "numbers"];

/** Whether one of the parts differs between two states. @param {State} state @param {State | null} before @param {(keyof State)[]} parts */
export function differs(state, before, parts) {
  return !before || parts.some((part) => state[part] !== before[part]);
}

/** @typedef {ReturnType<typeof createStore>} Store */

/** @param {State} state */
export function createStore(state) {
  /** @type {Set<(state: State, before: State) => void>} */
  const listeners = new Set();

  /** @param {Partial<State>} values */
  function enter(values) {
    const before = state;
    state = { ...state, ...values };
    for (const listener of listeners) listener(state, before);
  }

  const kept = () => Object.fromEntries(UNDOABLE.map((part) => [part, state[part]]));

  return {
    get: () => state,

    /** Change parts of the state. Undo brings back knowledge, places and how the data are read, unless they came with other data or a new document. @param {Partial<State>} values */
    set(values) {
      const undoable = !("doc" in values) && !("data" in values) && UNDOABLE.some((part) => part in values && values[part] !== state[part]);
      enter(undoable ? { ...values, past: [...state.past, kept()], future: [] } : values);
    },
    undo() {
      if (state.past.length) enter({ ...state.past.at(-1), past: state.past.slice(0, -1), future: [...state.future, kept()] });
    },
    redo() {
      if (state.future.length) enter({ ...state.future.at(-1), past: [...state.past, kept()], future: state.future.slice(0, -1) });
    },
    /** @param {(state: State, before: State) => void} listener */
    subscribe: (listener) => listeners.add(listener),
  };
}

/** @param {(string | number)[]} one @param {(string | number)[]} other */
const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/** @param {Knowledge} knowledge @param {PairKind} kind @param {string[]} pair @returns {Knowledge} */
export function addPair(knowledge, kind, pair) {
  const undirected = kind.endsWith("edges");
  const kept = undirected ? [...pair].sort() : pair;
  if (knowledge[kind].some((other) => isSame(other, kept))) return knowledge;
  return { ...knowledge, [kind]: [...knowledge[kind], kept] };
}

/** Take a statement back, of any kind that `listStatements` lists. @param {Knowledge} knowledge @param {Stated["kind"]} kind @param {Stated["pair"]} pair @returns {Knowledge} */
export function removeStatement(knowledge, kind, pair) {
  if (kind === "tiers") return setTier(knowledge, pair[0], null);
  if (kind === "strict_tiers") return { ...knowledge, strict_tiers: false };
  if (kind === "contexts") return { ...knowledge, contexts: knowledge.contexts.filter((other) => other !== pair[0]) };
  if (kind === "beliefs") return { ...knowledge, beliefs: knowledge.beliefs.filter((other) => other !== pair) };
  return { ...knowledge, [kind]: knowledge[kind].filter((other) => !isSame(other, pair)) };
}

/**
 * Put a variable into a tier, counted from 0; null takes it out of its tier, and empty tiers disappear.
 * @param {Knowledge} knowledge @param {string} name @param {number | null} tier @returns {Knowledge}
 */
export function setTier(knowledge, name, tier) {
  const tiers = knowledge.tiers.map((each) => each.filter((other) => other !== name));
  if (tier !== null) {
    while (tiers.length <= tier) tiers.push([]);
    tiers[tier] = [...tiers[tier], name];
  }
  return { ...knowledge, tiers: tiers.filter((each) => each.length > 0) };
}

/**
 * Knowledge with the order in time of a panel: earlier slices first; tiers that are stated order the present slice.
 * @param {Knowledge} knowledge @param {PanelView | null | undefined} panel @returns {Knowledge}
 */
export function withSlices(knowledge, panel) {
  if (!panel) return knowledge;
  const earlier = panel.knowledge.tiers.slice(0, -1);
  const present = panel.knowledge.tiers.slice(-1);
  const own = knowledge.tiers.filter((tier) => tier.every((name) => present[0].includes(name)));
  const contexts = [...panel.knowledge.contexts, ...knowledge.contexts.filter((name) => present[0].includes(name))];
  return { ...knowledge, tiers: [...earlier, ...(own.length ? own : present)], contexts };
}

/** The tier of a variable, counted from 0; -1 where it has none. @param {{tiers: string[][]}} knowledge @param {string} name */
export function tierOf(knowledge, name) {
  return knowledge.tiers.findIndex((tier) => tier.includes(name));
}

/** State how likely an arc is; the previous belief about it is replaced. @param {Knowledge} knowledge @param {string} first @param {string} second @param {number} probability @returns {Knowledge} */
export function addBelief(knowledge, first, second, probability) {
  const others = knowledge.beliefs.filter((each) => !(each[0] === first && each[1] === "->" && each[2] === second));
  return { ...knowledge, beliefs: [...others, [first, "->", second, probability]] };
}

const SENTENCES = { required_arcs: ["→", "is required"], required_edges: ["–", "are joined, either way"], forbidden_arcs: ["→", "is forbidden"], forbidden_edges: ["–", "are not joined"] };

/** What the user stated as sentences, one entry each. @param {Partial<Knowledge>} knowledge */
export function listStatements(knowledge) {
  /** @type {Stated[]} */
  const found = [];
  for (const [kind, [sign, words]] of /** @type {[PairKind, string[]][]} */ (Object.entries(SENTENCES))) {
    for (const pair of knowledge[kind] || []) found.push({ kind, pair, text: `${pair[0]} ${sign} ${pair[1]} ${words}` });
  }
  (knowledge.tiers || []).forEach((tier, number) => {
    for (const name of tier) found.push({ kind: "tiers", pair: [name], text: `${name} is in tier ${number + 1}` });
  });
  for (const name of knowledge.contexts || []) found.push({ kind: "contexts", pair: [name], text: `${name} is a context: where or when a row is from` });
  for (const each of knowledge.beliefs || []) {
    found.push({ kind: "beliefs", pair: each, text: `${each[0]} ${each[1] === "->" ? "→" : "–"} ${each[2]}: ${Math.round(100 * Number(each[3]))} % likely` });
  }
  if (knowledge.strict_tiers) found.push({ kind: "strict_tiers", pair: [], text: "no arcs within a tier" });
  return found;
}
