// Lines that go round boxes: the shortest way along the corners of the boxes between two others.

/** @import {Box, Point} from "./documents.js" */

const GAP = 9; // between a line and a box that it passes
const REACH = 220; // beyond the two boxes, where ways are looked for
const MOST_BOXES = 130;
const ROUND = 22; // radius of a bend

/** Whether the segment from `a` to `b` crosses the box, made wider by `gap`. @param {Point} a @param {Point} b @param {Box} box @param {number} gap */
export function crosses(a, b, box, gap) {
  const [halfWide, halfHigh] = [box.width / 2 + gap, box.height / 2 + gap];
  let [enter, leave] = [0, 1];
  for (const [start, delta, low, high] of [[a[0], b[0] - a[0], box.x - halfWide, box.x + halfWide], [a[1], b[1] - a[1], box.y - halfHigh, box.y + halfHigh]]) {
    if (Math.abs(delta) < 1e-9) {
      if (start <= low || start >= high) return false;
      continue;
    }
    const [one, other] = [(low - start) / delta, (high - start) / delta];
    enter = Math.max(enter, Math.min(one, other));
    leave = Math.min(leave, Math.max(one, other));
  }
  return enter < leave;
}

/**
 * The route from one box to another round all others, as points of Bezier curves; null where the straight line is free.
 * @param {Box} from @param {Box} to @param {Box[]} boxes @returns {Point[] | null}
 */
export function routeAround(from, to, boxes) {
  const [start, end] = [[from.x, from.y], [to.x, to.y]];
  const others = boxes.filter((box) => box !== from && box !== to);
  if (others.length > MOST_BOXES || !others.some((box) => crosses(start, end, box, 3))) return null;
  const [left, right] = [Math.min(from.x, to.x) - REACH, Math.max(from.x, to.x) + REACH];
  const [top, bottom] = [Math.min(from.y, to.y) - REACH, Math.max(from.y, to.y) + REACH];
  const near = others.filter((box) => box.x + box.width / 2 > left && box.x - box.width / 2 < right && box.y > top && box.y < bottom);
  const way = shortestWay(start, end, near);
  return way && smooth(way);
}

/** A* over the corners of the boxes. @param {Point} start @param {Point} end @param {Box[]} boxes @returns {Point[] | null} */
function shortestWay(start, end, boxes) {
  const points = [start, end, ...boxes.flatMap(({ x, y, width, height }) => [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([i, j]) => [x + i * (width / 2 + GAP), y + j * (height / 2 + GAP)]))];
  /** @param {Point} a @param {Point} b */
  const free = (a, b) => !boxes.some((box) => crosses(a, b, box, GAP - 2));
  const cost = points.map(() => Infinity);
  const before = points.map(() => -1);
  const done = points.map(() => false);
  /** @param {number} a @param {number} b */
  const length = (a, b) => Math.hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]);
  cost[0] = 0;
  for (;;) {
    let best = -1;
    for (let i = 0; i < points.length; i += 1) {
      if (!done[i] && cost[i] < Infinity && (best < 0 || cost[i] + length(i, 1) < cost[best] + length(best, 1))) best = i;
    }
    if (best < 0) return null;
    if (best === 1) break;
    done[best] = true;
    for (let i = 1; i < points.length; i += 1) {
      const price = cost[best] + length(best, i) + 12; // a bend costs a little
      if (!done[i] && price < cost[i] && free(points[best], points[i])) [cost[i], before[i]] = [price, best];
    }
  }
  const found = [];
  for (let i = 1; i >= 0; i = before[i]) found.unshift(points[i]);
  return found;
}

/** Straight pieces with round bends, as a chain of Bezier curves. @param {Point[]} way @returns {Point[]} */
function smooth(way) {
  /** @param {Point} a @param {Point} b @param {number} t */
  const between = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  /** @param {Point} a @param {Point} b */
  const towards = (a, b) => between(a, b, Math.min(0.5, ROUND / (Math.hypot(b[0] - a[0], b[1] - a[1]) || 1)));
  const found = [way[0]];
  let at = way[0];
  /** @param {Point} to */
  const line = (to) => found.push(between(at, to, 1 / 3), between(at, to, 2 / 3), to);
  for (let i = 1; i + 1 < way.length; i += 1) {
    const [entry, exit] = [towards(way[i], way[i - 1]), towards(way[i], way[i + 1])];
    line(entry);
    found.push(between(entry, way[i], 2 / 3), between(exit, way[i], 2 / 3), exit);
    at = exit;
  }
  line(way[way.length - 1]);
  return found;
}
