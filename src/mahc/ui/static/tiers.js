// Tiers as lanes: columns from the earliest on the left, then a lane for a new tier and one for no tier.
import { s } from "./dom.js";
import { tierOf } from "./state.js";

/** @import {Knowledge, Point} from "./documents.js" */
/** @import {Model} from "./model.js" */

const ROW = 60;
const MOST_ROW = 120;
const HEAD = 44;
const SLICE = /\((t(?:-\d+)?)\)$/;

/** The names of the tiers where they are time slices, as those of a panel are, or null. @param {{tiers: string[][]}} knowledge @returns {string[] | null} */
export function sliceNames({ tiers }) {
  const names = tiers.map((tier) => new Set(tier.map((name) => SLICE.exec(name)?.[1] ?? "static")));
  const slices = names.every((each, i) => each.size === 1 && (i === 0 || !each.has("static"))) && names.at(-1)?.has("t");
  return slices ? names.flatMap((each) => [...each]) : null;
}

/** @typedef {{title: string, tier: number | null, x: number, width: number, height: number}} Lane its tier is null where it has none */

/**
 * The lanes with their left edge and width, and the place of each variable in them; `shape` is the width of the picture over its height.
 * @param {Model} model @param {Knowledge} knowledge @param {number} [shape]
 */
export function lanePlaces(model, knowledge, shape = 1) {
  const count = knowledge.tiers.length;
  const slices = sliceNames(knowledge);
  const others = slices && model.names.every((name) => tierOf(knowledge, name) >= 0) ? [] : ["new tier", "no tier"];
  const titles = [...(slices ?? knowledge.tiers.map((_, i) => `tier ${i + 1}`)), ...others];
  const members = titles.map(() => /** @type {number[]} */ ([]));
  model.names.forEach((name, v) => {
    const tier = tierOf(knowledge, name);
    members[tier < 0 ? count + 1 : tier].push(v);
  });
  /** @param {number} a @param {number} b */
  const order = (a, b) => model.doc.variables[a].y - model.doc.variables[b].y || a - b;
  /** @type {Point[]} */
  const places = [];
  /** @type {Lane[]} */
  const lanes = [];
  const rows = Math.max(6, Math.ceil(Math.sqrt(model.names.length) * 1.6), ...members.slice(0, count).map((m) => Math.min(m.length, 16)));
  /** @param {number[]} lane */
  const width = (lane) => Math.max(110, ...lane.map((v) => model.doc.variables[v].width)) + 30;
  const whole = members.reduce((sum, lane) => sum + width(lane) * Math.max(1, Math.ceil(lane.length / rows)) + 8, -8);
  const row = Math.min(MOST_ROW, Math.max(ROW, (whole / shape - HEAD) / rows)); // the lanes use the height of the picture
  let left = 0;
  const bottom = HEAD + rows * row;
  members.forEach((lane, i) => {
    lane.sort(order);
    const columns = Math.max(1, Math.ceil(lane.length / rows));
    const wide = width(lane);
    lane.forEach((v, k) => {
      const column = Math.floor(k / rows);
      places[v] = [left + wide * (column + 0.5), HEAD + ((k % rows) + 0.5) * row];
    });
    const tier = i < count ? i : i === count ? count : null;
    lanes.push({ title: titles[i], tier, x: left, width: wide * columns, height: bottom });
    left += wide * columns + 8;
  });
  return { lanes, places };
}

/** @param {SVGElement} group @param {Lane[]} lanes */
export function drawLanes(group, lanes) {
  group.replaceChildren(
    ...lanes.map((lane) =>
      s(
        "g",
        { class: lane.tier === null ? "lane none" : "lane" },
        s("rect", { x: lane.x, y: 0, width: lane.width, height: lane.height, rx: 10 }),
        s("text", { x: lane.x + lane.width / 2, y: 26 }, lane.title),
      ),
    ),
  );
}

/** The lane at a place of the drawing, or null. @param {Lane[]} lanes @param {number} x */
export function laneAt(lanes, x) {
  return lanes.find((lane) => x >= lane.x && x <= lane.x + lane.width) || null;
}

/** @param {Lane[]} lanes */
export function laneBounds(lanes) {
  const last = lanes[lanes.length - 1];
  return { x: 0, y: 0, width: last.x + last.width, height: last.height };
}
