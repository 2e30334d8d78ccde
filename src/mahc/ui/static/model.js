// What follows from the document: neighbours, Markov blankets, ranks of strength, which arcs are shown.

/** @import {Arc, Document, Edge, Mark, Shares} from "./documents.js" */

/** @typedef {Arc & {index: number, patternMarks: Mark[], rank: number}} Link an arc with its marks in the CPDAG and how strong it is among all, from 0 to 1 */
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
  /** @type {Link[]} */
  const arcs = doc.arcs.map((arc, index) => ({ ...arc, index, patternMarks: arc.marks, rank: 0.5 }));
  const byPair = new Map(arcs.map((arc) => [pairKey(arc.from, arc.to), arc]));
  for (const edge of doc.pattern || []) {
    const arc = byPair.get(pairKey(edge.from, edge.to));
    if (arc) arc.patternMarks = arc.from === edge.from ? edge.marks : [edge.marks[1], edge.marks[0]];
  }
  const around = names.map(() => /** @type {Link[]} */ ([]));
  for (const arc of arcs) {
    around[arc.from].push(arc);
    around[arc.to].push(arc);
  }
  rankStrengths(arcs);
  return { doc, names, arcs, byPair, around, at: new Map(names.map((name, i) => [name, i])) };
}

/** The same for both orders of two variables. @param {number} a @param {number} b */
export function pairKey(a, b) {
  return a < b ? `${a},${b}` : `${b},${a}`;
}

/** @param {Link[]} arcs */
function rankStrengths(arcs) {
  const known = arcs.filter((arc) => arc.strength !== null).sort((a, b) => Number(a.strength) - Number(b.strength));
  known.forEach((arc, place) => {
    arc.rank = known.length > 1 ? place / (known.length - 1) : 1;
  });
}

/** Whether the arc is directed to `b` with these marks. @param {Edge} arc @param {Mark[]} marks @param {number} b */
export function pointsTo(arc, marks, b) {
  const [near, far] = arc.to === b ? marks : [marks[1], marks[0]];
  return near !== "arrow" && far === "arrow";
}

/** @param {Model} model @param {number} v */
export function parentsOf(model, v) {
  return model.around[v].filter((arc) => pointsTo(arc, arc.marks, v));
}

/** @param {Model} model @param {number} v */
export function childrenOf(model, v) {
  return model.around[v].filter((arc) => pointsTo(arc, arc.marks, otherEnd(arc, v)));
}

/** Edges that are neither to a child nor from a parent: undirected, or with circles or two arrowheads. @param {Model} model @param {number} v */
export function othersOf(model, v) {
  return model.around[v].filter((arc) => !pointsTo(arc, arc.marks, v) && !pointsTo(arc, arc.marks, otherEnd(arc, v)));
}

/** @param {Edge} arc @param {number} v */
export function otherEnd(arc, v) {
  return arc.from === v ? arc.to : arc.from;
}

/** The Markov blanket: parents, children, other parents of children; neighbours by undetermined edges too. @param {Model} model @param {number} v */
export function blanketOf(model, v) {
  const found = new Set(model.around[v].map((arc) => otherEnd(arc, v)));
  for (const arc of childrenOf(model, v)) {
    for (const parent of parentsOf(model, otherEnd(arc, v))) found.add(otherEnd(parent, otherEnd(arc, v)));
  }
  found.delete(v);
  return found;
}

/** The confidence of an arc: how many resamples had it in this direction, reversed, undirected, at all; or null. @param {{confidence?: Shares | null}} arc */
export function confidenceOf(arc) {
  return arc.confidence || null;
}

/** Whether the sliders leave the arc in the picture. @param {Arc} arc @param {number} minStrength @param {number} minConfidence */
export function isShown(arc, minStrength, minConfidence) {
  if (arc.strength !== null && arc.strength < minStrength) return false;
  const confidence = confidenceOf(arc);
  return !(confidence && confidence.either < minConfidence);
}

const SIGNS = { tail: ["-", "-"], arrow: ["<", ">"], circle: ["o", "o"] };

/** The sign between the ends of an edge: "->", "-", "o->". @param {Mark[]} marks */
export function signOf(marks) {
  const [left, right] = [SIGNS[marks[0]][0], SIGNS[marks[1]][1]];
  return left === "-" && right === "-" ? "-" : left === "-" ? `-${right}` : `${left}-${right}`;
}

/** The edge as text: "A -> B", "A - B", "A o-> B". @param {Model} model @param {Edge} arc @param {Mark[]} [marks] */
export function edgeText(model, arc, marks = arc.marks) {
  return `${model.names[arc.from]} ${signOf(marks)} ${model.names[arc.to]}`;
}
