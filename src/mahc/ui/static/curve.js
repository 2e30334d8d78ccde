// Small charts of numbers: the histogram of a column, and how a variable changes with a parent.
import { h, number, s } from "./dom.js";

/** @import {Arc, Histogram, Point, Variable} from "./documents.js" */
/** @import {Child} from "./dom.js" */
/** @import {Model} from "./model.js" */

const WIDTH = 260;
const HEIGHT = 110;
const EDGE = 6; // around the lines
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 2", "10 4", "4 4", "12 2 2 2"];

/** The histogram of a column of numbers, where it has one. @param {{name: string, histogram?: Histogram | null}} variable @param {number} [height] */
export function drawHistogram(variable, height = HEIGHT) {
  const found = variable?.histogram;
  if (!found) return null;
  const most = Math.max(1, ...found.counts);
  const wide = WIDTH / found.counts.length;
  const bars = found.counts.map((count, i) => {
    const tall = (count / most) * height;
    return s("rect", { x: i * wide, y: height - tall, width: Math.max(0.5, wide - 1), height: tall },
      s("title", {}, `${number(found.edges[i])} to ${number(found.edges[i + 1])}: ${count.toLocaleString("en")}`));
  });
  const label = `Histogram of ${variable.name}, from ${number(found.edges[0])} to ${number(found.edges.at(-1))}`;
  return s("svg", { class: "histogram", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label, preserveAspectRatio: "none" }, bars);
}

/** The numbers of a column: histogram and quartiles. @param {Variable} variable @returns {Child[]} */
export function drawNumbers(variable) {
  /** @type {[string, number | undefined][]} */
  const rows = [["least", variable.least], ["lower quartile", variable.lower_quartile], ["median", variable.median],
    ["upper quartile", variable.upper_quartile], ["greatest", variable.greatest], ["mean", variable.mean]];
  return [
    h("figure", {}, drawHistogram(variable), h("figcaption", { class: "ends" }, h("span", {}, number(variable.least)), h("span", {}, number(variable.greatest)))),
    h("table", { class: "states" }, h("caption", {}, `${number(variable.values)} numbers`),
      h("tbody", {}, rows.map(([label, value]) => h("tr", {}, h("th", { scope: "row" }, label), h("td", { class: "number" }, number(value)))))),
  ];
}

/** How the head of an arc changes with its tail. @param {Model} model @param {Arc} arc @returns {Child[]} */
export function drawCurve({ names }, arc) {
  const { curve } = arc;
  if (!curve) return [];
  const [tail, head] = [names[arc.from], names[arc.to]];
  const places = curve.x ?? (curve.states || []).map((_, i) => i);
  const [left, right] = spread(places);
  const all = curve.lines.flatMap(({ y }) => y).filter((value) => value !== null);
  const shares = curve.lines.length > 1 || curve.lines[0].name !== head;
  const [low, high] = shares ? [0, 1] : spread(all);
  /** @param {number} x */
  const across = (x) => EDGE + ((x - left) / (right - left || 1)) * (WIDTH - 2 * EDGE);
  /** @param {number} y */
  const up = (y) => HEIGHT - EDGE - ((y - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const drawn = curve.lines.map(({ name, y }, i) => {
    const points = /** @type {Point[]} */ (places.map((x, k) => [x, y[k]]).filter(([, value]) => value !== null));
    const text = points.map(([x, value]) => `${across(x).toFixed(1)},${up(value).toFixed(1)}`).join(" ");
    /** @param {number} x */
    const said = (x) => (curve.states ? curve.states[x] : number(x));
    return [
      !curve.states && s("polyline", { class: "line", points: text, "stroke-dasharray": DASHES[i % DASHES.length] || null }),
      points.map(([x, value]) => s("circle", { class: "dot", cx: across(x), cy: up(value), r: 3 }, s("title", {}, `${tail} ${said(x)}: ${name} ${number(value)}`))),
    ];
  });
  const what = shares ? `Shares of the states of ${head}` : `Mean of ${head}`;
  const ends = curve.states ? [curve.states[0], curve.states.at(-1)] : [number(left), number(right)];
  return [
    h("h3", {}, what, " by ", h("bdi", {}, tail)),
    h("figure", {},
      s("svg", { class: "curve arc-curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${what} by ${tail}, from ${number(low)} to ${number(high)}` },
        s("path", { class: "axis", d: `M 0.5 0 V ${HEIGHT - 0.5} H ${WIDTH}` }), drawn),
      h("figcaption", { class: "ends" }, ends.map((text) => h("span", {}, text)))),
    shares && h("ul", { class: "legend" }, curve.lines.map(({ name }, i) => h("li", {},
      s("svg", { class: "curve key", viewBox: "0 0 30 8" }, s("path", { class: "line", d: "M 0 4 H 30", "stroke-dasharray": DASHES[i % DASHES.length] || null })), h("bdi", {}, name)))),
    h("p", { class: "hint" }, `${shares ? "Shares from 0 to 1" : `From ${number(low)} to ${number(high)}`}; the other parents are not held fixed.`),
  ];
}

/** Least and greatest. @param {number[]} values */
function spread(values) {
  return [Math.min(...values), Math.max(...values)];
}
