// What follows from the document: neighbours, Markov blankets, ranks of strength, which arcs are shown.

/**
 * The result as `ui/document.py` writes it; `draft.js` makes one without arcs.
 * @typedef {object} Document
 * @property {boolean} [draft] whether there is no run yet
 * @property {Document} [original] the document in its own layout, where this one is in the places of the previous run
 * @property {string} title
 * @property {string} kind DAG, CPDAG or PAG
 * @property {string} unit of scores
 * @property {{name: string, lines: string[], x: number, y: number, width: number, height: number, states: string[] | null, counts: number[] | null, histogram?: {edges: number[], counts: number[]}}[]} variables
 * @property {Arc[]} arcs
 * @property {{from: number, to: number, marks: string[]}[] | null} pattern the CPDAG
 * @property {{parents: number[], numbers: number, rows: number[][] | null, seen?: boolean[] | null}[] | null} tables
 * @property {any} confidence
 * @property {any} run
 * @property {any} [reasons]
 * @property {any} [audit]
 * @property {any} [methods]
 * @property {any} [knowledge]
 * @property {any[]} [constraint_costs]
 * @property {{commands: string, python: string, knowledge_file: string | null}} [reproduce]
 */

/**
 * @typedef {object} Arc
 * @property {number} from
 * @property {number} to
 * @property {string[]} marks at the two ends: tail, arrow or circle
 * @property {number[][] | null} route
 * @property {number | null} strength
 * @property {boolean} reversible
 * @property {boolean} required
 * @property {{either: number, forward: number, backward: number, undirected: number} | null} confidence
 * @property {{sentence: string} | null} reason
 * @property {any} [curve] how the head changes with the tail, where one of them holds numbers
 */

/** @typedef {ReturnType<typeof buildModel>} Model */

/** @type {WeakMap<Document, Model>} */
const models = new WeakMap();

/** What follows from a document, found once. @param {Document} doc @returns {Model} */
export function modelOf(doc) {
  const known = models.get(doc);
  if (known) return known;
  const made = buildModel(doc);
  models.set(doc, made);
  return made;
}

/** @param {Document} doc */
function buildModel(doc) {
  const names = doc.variables.map((v) => v.name);
  const arcs = doc.arcs.map((arc, index) => ({ ...arc, index, patternMarks: arc.marks, rank: 0.5 }));
  const byPair = new Map(arcs.map((arc) => [pairKey(arc.from, arc.to), arc]));
  for (const edge of doc.pattern || []) {
    const arc = byPair.get(pairKey(edge.from, edge.to));
    if (arc) arc.patternMarks = arc.from === edge.from ? edge.marks : [edge.marks[1], edge.marks[0]];
  }
  const around = names.map(() => /** @type {typeof arcs} */ ([]));
  for (const arc of arcs) {
    around[arc.from].push(arc);
    around[arc.to].push(arc);
  }
  rankStrengths(arcs);
  return { doc, names, arcs, byPair, around, at: new Map(names.map((name, i) => [name, i])) };
}

/** The same for both orders of two variables. */
export function pairKey(a, b) {
  return a < b ? `${a},${b}` : `${b},${a}`;
}

function rankStrengths(arcs) {
  const known = arcs.filter((arc) => arc.strength !== null).sort((a, b) => a.strength - b.strength);
  known.forEach((arc, place) => {
    arc.rank = known.length > 1 ? place / (known.length - 1) : 1;
  });
}

/** Whether the arc is directed from `a` to `b` with these marks. */
export function pointsTo(arc, marks, b) {
  const [near, far] = arc.to === b ? marks : [marks[1], marks[0]];
  return near !== "arrow" && far === "arrow";
}

export function parentsOf(model, v) {
  return model.around[v].filter((arc) => pointsTo(arc, arc.marks, v));
}

export function childrenOf(model, v) {
  return model.around[v].filter((arc) => pointsTo(arc, arc.marks, otherEnd(arc, v)));
}

/** Edges that are neither to a child nor from a parent: undirected, or with circles or two arrowheads. */
export function othersOf(model, v) {
  return model.around[v].filter((arc) => !pointsTo(arc, arc.marks, v) && !pointsTo(arc, arc.marks, otherEnd(arc, v)));
}

export function otherEnd(arc, v) {
  return arc.from === v ? arc.to : arc.from;
}

/** The Markov blanket: parents, children, other parents of children; neighbours by undetermined edges too. */
export function blanketOf(model, v) {
  const found = new Set(model.around[v].map((arc) => otherEnd(arc, v)));
  for (const arc of childrenOf(model, v)) {
    for (const parent of parentsOf(model, otherEnd(arc, v))) found.add(otherEnd(parent, otherEnd(arc, v)));
  }
  found.delete(v);
  return found;
}

/** The confidence of an arc: how many resamples had it in this direction, reversed, undirected, at all; or null. */
export function confidenceOf(arc) {
  return arc.confidence || null;
}

/** Whether the sliders leave the arc in the picture. */
export function isShown(arc, minStrength, minConfidence) {
  if (arc.strength !== null && arc.strength < minStrength) return false;
  const confidence = confidenceOf(arc);
  return !(confidence && confidence.either < minConfidence);
}

const SIGNS = { tail: ["-", "-"], arrow: ["<", ">"], circle: ["o", "o"] };

/** The sign between the ends of an edge: "->", "-", "o->". @param {string[]} marks */
export function signOf(marks) {
  const [left, right] = [SIGNS[marks[0]][0], SIGNS[marks[1]][1]];
  return left === "-" && right === "-" ? "-" : left === "-" ? `-${right}` : `${left}-${right}`;
}

/** The edge as text: "A -> B", "A - B", "A o-> B". */
export function edgeText(model, arc, marks = arc.marks) {
  return `${model.names[arc.from]} ${signOf(marks)} ${model.names[arc.to]}`;
}
