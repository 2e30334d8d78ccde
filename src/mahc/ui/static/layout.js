// A layered layout of a few variables, for the neighbourhood of one: arcs point downwards, layers are ordered to cross little.
import { otherEnd } from "./model.js";

/** @import {Point} from "./documents.js" */
/** @import {Link, Model} from "./model.js" */

const ROW = 84;
const SPACE = 26;

/** The variables within some steps of `v`. @param {Model} model @param {number} v @param {number} steps */
export function neighbourhood(model, v, steps) {
  const found = new Set([v]);
  let edge = [v];
  for (let k = 0; k < steps; k += 1) {
    edge = edge.flatMap((u) => model.around[u].map((arc) => otherEnd(arc, u))).filter((u) => !found.has(u));
    for (const u of edge) found.add(u);
  }
  return found;
}

/**
 * The place of each of these variables.
 * @param {Model} model @param {Set<number>} shown @param {(v: number) => number} widthOf @param {number} [row] height of a layer
 * @returns {Map<number, Point>}
 */
export function layeredPlaces(model, shown, widthOf, row = ROW) {
  const arcs = model.arcs.filter((arc) => shown.has(arc.from) && shown.has(arc.to));
  const layer = longestPaths([...shown], arcs);
  /** @type {number[][]} */
  const layers = [];
  for (const v of shown) (layers[layer.get(v) ?? 0] ||= []).push(v);
  /** @type {Map<number, number>} */
  const rank = new Map();
  /** @param {number} v */
  const rankOf = (v) => rank.get(v) ?? 0;
  for (const each of layers) each?.forEach((v, i) => rank.set(v, i - each.length / 2));
  const beside = new Map([...shown].map((v) => [v, arcs.filter((arc) => arc.from === v || arc.to === v).map((arc) => otherEnd(arc, v))]));
  for (let sweep = 0; sweep < 8; sweep += 1) {
    for (const each of sweep % 2 ? layers : [...layers].reverse()) {
      const middle = new Map(each.map((v) => [v, mean((beside.get(v) || []).map(rankOf)) ?? rankOf(v)]));
      each.sort((a, b) => Number(middle.get(a)) - Number(middle.get(b)) || a - b);
      each.forEach((v, i) => rank.set(v, i - (each.length - 1) / 2));
    }
  }
  /** @type {Map<number, Point>} */
  const places = new Map();
  layers.forEach((each, k) => {
    const total = each.reduce((sum, v) => sum + widthOf(v) + SPACE, -SPACE);
    let left = -total / 2;
    each.forEach((v, i) => {
      const wide = widthOf(v);
      places.set(v, [left + wide / 2, k * row + (each.length > 3 && i % 2 ? row * 0.3 : 0)]);
      left += wide + SPACE;
    });
  });
  return places;
}

/** @param {number[]} values */
const mean = (values) => (values.length ? values.reduce((a, b) => a + b, 0) / values.length : null);

/** The layer of each variable: one below all its parents. @param {number[]} variables @param {Link[]} arcs */
function longestPaths(variables, arcs) {
  const layer = new Map(variables.map((v) => [v, 0]));
  /** @param {number} v */
  const layerOf = (v) => layer.get(v) ?? 0;
  const forward = arcs.map((arc) => (arc.marks[1] === "arrow" || arc.marks[0] !== "arrow" ? [arc.from, arc.to] : [arc.to, arc.from]));
  for (let round = 0; round < variables.length; round += 1) {
    let changed = false;
    for (const [a, b] of forward) {
      if (layerOf(b) <= layerOf(a) && layerOf(a) < variables.length) {
        layer.set(b, layerOf(a) + 1);
        changed = true;
      }
    }
    if (!changed) break;
  }
  return layer;
}
