// Lines between boxes: smooth along the curves of the layout, cut at the borders, with a mark at each end.

/** @import {Box, Mark, Point} from "./documents.js" */

/** @typedef {{mark: Mark, tip: Point, base: Point, width: number}} DrawnMark */

const STEPS = 10;
const PLACES = [0.5, 0.3, 0.7, 0.15, 0.85]; // along a line where a sign may stand, the best first
const BOW = 40; // how far the control points of a bowed line are beside the straight one

/** Points on a chain of cubic Bezier curves: start, then two control points and an end for each curve. @param {Point[]} route */
export function flatten(route) {
  const found = [route[0]];
  for (let i = 0; i + 3 < route.length; i += 3) {
    const [a, b, c, d] = route.slice(i, i + 4);
    for (let k = 1; k <= STEPS; k += 1) {
      const t = k / STEPS;
      found.push([bezier(a[0], b[0], c[0], d[0], t), bezier(a[1], b[1], c[1], d[1], t)]);
    }
  }
  return found;
}

/** @param {number} a @param {number} b @param {number} c @param {number} d @param {number} t */
function bezier(a, b, c, d, t) {
  const u = 1 - t;
  return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
}

/** The line without its beginning, up to the last point where `inside` held. @param {Point[]} points @param {(point: Point) => boolean} inside */
function cut(points, inside) {
  let first = 0;
  while (first + 1 < points.length && inside(points[first + 1])) first += 1;
  if (first + 1 >= points.length) return points.slice(-2);
  let [low, high] = [points[first], points[first + 1]];
  for (let k = 0; k < 12; k += 1) {
    const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    if (inside(middle)) low = middle;
    else high = middle;
  }
  return [high, ...points.slice(first + 1)];
}

/** @param {Box} box @param {number} gap @returns {(point: Point) => boolean} */
function insideBox(box, gap) {
  return ([x, y]) => Math.abs(x - box.x) < box.width / 2 + gap && Math.abs(y - box.y) < box.height / 2 + gap;
}

/** @param {Point} point @param {number} distance @returns {(point: Point) => boolean} */
function near(point, distance) {
  return ([x, y]) => Math.hypot(x - point[0], y - point[1]) < distance;
}

/** A straight line. @param {Box} from @param {Box} to @returns {Point[]} */
function directRoute(from, to) {
  /** @param {number} t */
  const at = (t) => [from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t];
  return [at(0), at(0.25), at(0.75), at(1)];
}

/** A line that bends to its left, beside another between the two boxes. @param {Box} from @param {Box} to @returns {Point[]} */
export function bowedRoute(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const side = BOW / (Math.hypot(dx, dy) || 1);
  return directRoute(from, to).map(([x, y], k) => (k === 1 || k === 2 ? [x + side * dy, y - side * dx] : [x, y]));
}

/**
 * The line of an edge and its marks.
 * @param {Box} from @param {Box} to
 * @param {Point[] | null} route points of Bezier curves, or null for a straight line
 * @param {Mark[]} marks at the two ends
 * @param {number} width
 */
export function edgeShape(from, to, route, marks, width) {
  let points = flatten(route || directRoute(from, to));
  const [xs, ys] = [0, 1].map((side) => points.map((point) => point[side]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const extent = { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
  /** @type {DrawnMark[]} */
  const drawn = [];
  for (const [box, mark] of /** @type {[Box, Mark][]} */ ([[from, marks[0]], [to, marks[1]]])) {
    points = cut(points, insideBox(box, 2));
    const tip = points[0];
    const length = mark === "arrow" ? 7 + 1.6 * width : mark === "circle" ? 7 : 0;
    if (length) {
      points = cut(points, near(tip, length));
      drawn.push({ mark, tip, base: points[0], width });
    }
    points = points.slice().reverse();
  }
  return { d: `M${points.map(write).join("L")}`, marks: drawn, middle: points[Math.floor(points.length / 2)], places: PLACES.map((share) => points[Math.round(share * (points.length - 1))]), extent };
}

/** @param {Point} point */
const write = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** An arrowhead as the points of a polygon. @param {{tip: Point, base: Point}} mark */
export function arrowhead({ tip, base }) {
  const [dx, dy] = [tip[0] - base[0], tip[1] - base[1]];
  const side = 0.45;
  const corners = [tip, [base[0] - side * dy, base[1] + side * dx], [base[0] + side * dy, base[1] - side * dx]];
  return corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

/** The smallest rectangle around all boxes; `x` and `y` are its corner. @param {Box[]} boxes */
export function bounds(boxes) {
  if (!boxes.length) return { x: 0, y: 0, width: 100, height: 100 };
  const left = Math.min(...boxes.map((box) => box.x - box.width / 2));
  const right = Math.max(...boxes.map((box) => box.x + box.width / 2));
  const top = Math.min(...boxes.map((box) => box.y - box.height / 2));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height / 2));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
