// What was stated about pairs of variables, as lines of the graph: they are seen at once, before the graph is learned again.
import { pairKey, pointsTo } from "./model.js";
import { docOf, listStatements, tierOf } from "./state.js";

/** @import {Mark} from "./documents.js" */
/** @import {Model} from "./model.js" */
/** @import {State} from "./state.js" */

/** @typedef {"required" | "forbidden" | "likely"} Stance */
/** @typedef {{from: number, to: number, marks: Mark[], stance: Stance, text: string, sign: string}} Line a statement about two variables */

/** @type {Record<string, Stance>} */
const STANCES = { required_arcs: "required", required_edges: "required", forbidden_arcs: "forbidden", forbidden_edges: "forbidden", beliefs: "likely" };

/**
 * The statements to draw, by pair of variables. Beside a result they are those that it was not learned with: the others are seen in its arcs.
 * @param {State} state @param {Model} model
 */
export function statedLines(state, model) {
  /** @type {Map<string, Line[]>} */
  const found = new Map();
  if (!state.editable || state.comparison) return found;
  const learned = learnedWith(state);
  for (const { kind, pair, text } of listStatements(state.knowledge)) {
    const stance = STANCES[kind];
    if (!stance || learned.has(text)) continue;
    const [first, second] = kind === "beliefs" ? [pair[0], pair[2]] : pair;
    const [from, to] = [model.at.get(String(first)), model.at.get(String(second))];
    if (from === undefined || to === undefined) continue; // of a column that is left out now
    const directed = kind.endsWith("arcs") || pair[1] === "->";
    const sign = { required: "", forbidden: "×", likely: `${Math.round(100 * Number(pair[3]))} %` }[stance];
    const key = pairKey(from, to);
    found.set(key, [...(found.get(key) || []), { from, to, marks: ["tail", directed ? "arrow" : "tail"], stance, text, sign }]);
  }
  return found;
}

/** Whether an arc that is drawn with these marks is what the statement speaks of. @param {Line} line @param {{from: number, to: number}} arc @param {Mark[]} marks */
export function speaksOf(line, arc, marks) {
  return line.marks[1] === "tail" || pointsTo({ ...arc, marks }, marks, line.to);
}

/** The tier of a variable in words, where it is to be written beside the box. @param {State} state @param {string} name */
export function statedTier(state, name) {
  const tier = state.editable && !state.lanes ? tierOf(state.knowledge, name) : -1;
  if (tier < 0 || (state.step !== "knowledge" && tierOf({ tiers: docOf(state).knowledge?.tiers || [] }, name) === tier)) return "";
  return `tier ${tier + 1}`;
}

/** @param {State} state */
function learnedWith(state) {
  const known = state.step === "knowledge" ? {} : docOf(state).knowledge || {};
  return new Set(listStatements(known).map(({ text }) => text));
}
