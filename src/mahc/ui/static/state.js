// All that changes while a person works, in one object; a reducer with undo for what a person would want back.

const UNDOABLE = ["knowledge", "moved"];

/** @param {any} doc @param {any} knowledge */
export function initialState(doc, knowledge = null) {
  return {
    doc,
    selection: null, // {kind: "variable", v} | {kind: "arc", a} | {kind: "pair", a, b}
    tab: "graph",
    pattern: doc ? doc.kind === "DAG" : true,
    minStrength: -Infinity,
    minConfidence: 0,
    moved: {}, // name -> [x, y], where a variable was dragged
    lanes: false,
    knowledge: knowledge || emptyKnowledge(),
    ghosts: [], // arcs of the run before that this one lacks
    fresh: [], // pairs that this run added
    comparison: null,
    given: {}, // what if: name -> observed state
    intervened: {}, // what if: name -> state that is set
    answer: null, // what if: name -> probabilities
    past: [],
    future: [],
  };
}

export function emptyKnowledge() {
  return { required_arcs: [], required_edges: [], forbidden_arcs: [], forbidden_edges: [], tiers: [], strict_tiers: false };
}

/** The next state; actions are {type, ...}. */
export function reduce(state, action) {
  if (action.type === "undo") return step(state, "past", "future");
  if (action.type === "redo") return step(state, "future", "past");
  const next = change(state, action);
  if (UNDOABLE.some((part) => next[part] !== state[part]) && action.type !== "load") {
    return { ...next, past: [...state.past, keep(state)], future: [] };
  }
  return next;
}

function keep(state) {
  return Object.fromEntries(UNDOABLE.map((part) => [part, state[part]]));
}

function step(state, from, to) {
  const kept = state[from].at(-1);
  if (!kept) return state;
  return { ...state, ...kept, [from]: state[from].slice(0, -1), [to]: [...state[to], keep(state)] };
}

function change(state, action) {
  switch (action.type) {
    case "set":
      return { ...state, ...action.values };
    case "select":
      return { ...state, selection: action.selection };
    case "move":
      return { ...state, moved: { ...state.moved, [action.name]: action.place } };
    case "layout":
      return { ...state, moved: {} };
    case "load":
      return { ...state, ...action.values };
    case "knowledge":
      return { ...state, knowledge: action.knowledge };
    case "add":
      return { ...state, knowledge: addPair(state.knowledge, action.kind, action.pair) };
    case "remove":
      return { ...state, knowledge: removePair(state.knowledge, action.kind, action.pair) };
    case "tier":
      return { ...state, knowledge: setTier(state.knowledge, action.name, action.tier) };
    default:
      throw new Error(`unknown action ${action.type}`);
  }
}

const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

export function addPair(knowledge, kind, pair) {
  const undirected = kind.endsWith("edges");
  const kept = undirected ? [...pair].sort() : pair;
  if (knowledge[kind].some((other) => isSame(other, kept))) return knowledge;
  return { ...knowledge, [kind]: [...knowledge[kind], kept] };
}

export function removePair(knowledge, kind, pair) {
  if (kind === "tiers") return setTier(knowledge, pair[0], null);
  if (kind === "strict_tiers") return { ...knowledge, strict_tiers: false };
  return { ...knowledge, [kind]: knowledge[kind].filter((other) => !isSame(other, pair)) };
}

/** Put a variable into a tier, counted from 0; null takes it out of its tier, and empty tiers disappear. */
export function setTier(knowledge, name, tier) {
  const tiers = knowledge.tiers.map((each) => each.filter((other) => other !== name));
  if (tier !== null) {
    while (tiers.length <= tier) tiers.push([]);
    tiers[tier] = [...tiers[tier], name];
  }
  return { ...knowledge, tiers: tiers.filter((each) => each.length > 0) };
}

/** The tier of a variable, counted from 0; -1 where it has none. */
export function tierOf(knowledge, name) {
  return knowledge.tiers.findIndex((tier) => tier.includes(name));
}

/** What the user stated, one entry each: {kind, pair, text}. */
export function listStatements(knowledge) {
  const found = [];
  const say = (kind, word, sign) => {
    for (const pair of knowledge[kind] || []) found.push({ kind, pair, text: `${word} ${pair[0]} ${sign} ${pair[1]}` });
  };
  say("required_arcs", "required arc", "->");
  say("required_edges", "required edge", "-");
  say("forbidden_arcs", "forbidden arc", "->");
  say("forbidden_edges", "forbidden edge", "-");
  (knowledge.tiers || []).forEach((tier, number) => {
    for (const name of tier) found.push({ kind: "tiers", pair: [name], text: `${name} in tier ${number + 1}` });
  });
  if (knowledge.strict_tiers) found.push({ kind: "strict_tiers", pair: [], text: "strict tiers" });
  return found;
}

/** @param {any} state */
export function createStore(state) {
  const listeners = new Set();
  return {
    get: () => state,
    dispatch(action) {
      const before = state;
      state = reduce(state, action);
      if (state !== before) for (const listener of listeners) listener(state, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
