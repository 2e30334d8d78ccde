// Pointer and keyboard on the graph: pan, zoom, select, drag a variable, draw an arc, walk along arcs.
import { setTier } from "./state.js";
import { laneAt } from "./tiers.js";
import { neighboursInOrder } from "./view.js";

/** @import {Point} from "./documents.js" */
/** @import {Store} from "./state.js" */
/** @import {View} from "./view.js" */

/** @typedef {{start: Point, by: Point, arc: SVGElement | null, shift: boolean, moved: boolean}} Started where the pointer went down, and how far it has come */
/** @typedef {Started & {kind: "pan", v: null}} Pan */
/** @typedef {Started & {kind: "draw" | "box", v: number, offset: Point}} Hold on a variable, or from its border */
/** @typedef {{kind: "pinch", distance: number, scale: number}} Pinch */

const CLICK = 4; // pixels; a pointer that moved less has clicked
const BORDER = 7; // pixels from the border of a box where an arc begins

/**
 * @param {View} view @param {Store} store
 * @param {(from: number, to: number, at: Point) => void} onArc called when an arc was drawn
 */
export function addGestures(view, store, onArc) {
  const { svg } = view;
  const { editable } = store.get();
  /** @type {Map<number, Point>} */
  const pointers = new Map();
  /** @type {Pan | Hold | Pinch | null} what the pointer does now */
  let act = null;

  /** @param {number} x @param {number} y */
  const worldAt = (x, y) => [(x - view.x) / view.scale, (y - view.y) / view.scale];
  /** @param {MouseEvent} event */
  const localAt = (event) => {
    const frame = view.holder.getBoundingClientRect(); // what is inside it moves during a pan
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  /** @param {EventTarget | null} target @param {string} [what] @returns {SVGElement | null} */
  const nearest = (target, what = ".box") => /** @type {Element | null} */ (target)?.closest?.(what) ?? null;
  /** @param {EventTarget | null} target */
  const boxOf = (target) => {
    const box = nearest(target);
    return box ? Number(box.dataset.v) : null;
  };
  /** @param {number} v @param {Point} at */
  const atBorder = (v, at) => {
    const [x, y] = at;
    const place = view.places[v];
    const reach = BORDER / view.scale;
    const [dx, dy] = [place.width / 2 - Math.abs(x - place.x), place.height / 2 - Math.abs(y - place.y)];
    return Math.min(dx, dy) < Math.min(reach, place.height / 3.5);
  };

  svg.addEventListener("dblclick", (event) => {
    const v = boxOf(event.target);
    if (v !== null && !store.get().lanes) store.set({ focus: { v, steps: 1 } });
  });

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = localAt(event);
    view.settleZoom();
    pointers.set(event.pointerId, at);
    svg.setPointerCapture(event.pointerId);
    if (pointers.size === 2) {
      settle();
      act = { kind: "pinch", distance: spread(pointers), scale: view.scale };
      return;
    }
    const v = boxOf(event.target);
    const started = { start: at, by: [0, 0], arc: nearest(event.target, ".arc"), shift: event.shiftKey, moved: false };
    if (v === null) act = { kind: "pan", v, ...started };
    else {
      const world = worldAt(at[0], at[1]);
      const place = view.places[v];
      act = { kind: editable && atBorder(v, world) ? "draw" : "box", v, offset: [world[0] - place.x, world[1] - place.y], ...started };
    }
  });

  svg.addEventListener("pointermove", (event) => {
    const at = localAt(event);
    if (!act) {
      const v = boxOf(event.target);
      const crossing = editable && v !== null && atBorder(v, worldAt(at[0], at[1]));
      svg.classList.toggle("drawing", crossing);
      return;
    }
    pointers.set(event.pointerId, at);
    if (act.kind === "pinch") {
      const middle = [...pointers.values()].reduce((a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
      view.zoom((act.scale * spread(pointers)) / act.distance / view.currentScale(), middle, true);
      return;
    }
    if (act.kind === "pan" && !act.moved) svg.classList.add("moving");
    act.moved = act.moved || Math.hypot(at[0] - act.start[0], at[1] - act.start[1]) > CLICK;
    if (!act.moved) return;
    const world = worldAt(at[0], at[1]);
    if (act.kind === "pan") {
      act.by = [at[0] - act.start[0], at[1] - act.start[1]];
      view.slide(act.by[0], act.by[1]);
    } else if (act.kind === "box") view.drag(act.v, world[0] - act.offset[0], world[1] - act.offset[1], store.get());
    else view.rubber.setAttribute("d", `M${view.places[act.v].x} ${view.places[act.v].y}L${world[0]} ${world[1]}`);
  });

  /** The end of a pan: the shift of the picture becomes its place. */
  function settle() {
    if (act?.kind !== "pan" || !act.moved) return;
    view.slide(0, 0);
    view.moveTo(view.x + act.by[0], view.y + act.by[1], view.scale);
  }

  /** @param {PointerEvent} event */
  const finish = (event) => {
    pointers.delete(event.pointerId);
    settle();
    const done = act;
    act = null;
    view.rubber.setAttribute("d", "");
    svg.classList.remove("moving");
    if (!done || done.kind === "pinch") return;
    const at = localAt(event);
    if (!done.moved) click(done);
    else if (done.kind === "box") drop(done.v);
    else if (done.kind === "draw") connect(done.v, event, at);
  };
  svg.addEventListener("pointerup", finish);
  svg.addEventListener("pointercancel", finish);

  /** @param {Pan | Hold} done */
  function click({ v, arc, shift }) {
    const chosen = store.get().selection;
    if (v !== null && shift && chosen?.kind === "variable" && chosen.v !== v) {
      store.set({ selection: { kind: "pair", a: chosen.v, b: v } });
    } else if (v !== null) store.set({ selection: { kind: "variable", v } });
    else if (arc && Number(arc.dataset.a) >= 0) {
      store.set({ selection: { kind: "arc", a: Number(arc.dataset.a) } });
    } else store.set({ selection: null });
    if (v !== null) view.nodes[v].focus({ preventScroll: true });
  }

  /** @param {number} v */
  function drop(v) {
    const name = view.model.names[v];
    const { x, y } = view.places[v];
    if (!view.lanes.length) {
      if (!store.get().focus) store.set({ moved: { ...store.get().moved, [name]: [x / view.across, y / view.down] } });
      return;
    }
    const lane = laneAt(view.lanes, x);
    if (lane && editable) store.set({ knowledge: setTier(store.get().knowledge, name, lane.tier) });
    else view.draw(store.get());
  }

  /** @param {number} v @param {PointerEvent} event @param {Point} at */
  function connect(v, event, at) {
    const target = boxOf(document.elementFromPoint(event.clientX, event.clientY) || svg);
    if (target !== null && target !== v) onArc(v, target, at);
  }

  svg.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const step = event.deltaMode === 1 ? 16 : 1;
      settle();
      if (act?.kind === "pan") Object.assign(act, { start: localAt(event), by: [0, 0] });
      view.zoom(Math.exp(-event.deltaY * step * 0.0016), localAt(event), true);
    },
    { passive: false },
  );

  svg.addEventListener("keydown", (event) => {
    const chosen = store.get().selection;
    const focused = boxOf(document.activeElement) ?? (chosen?.kind === "variable" ? chosen.v : null);
    /** @param {number} v */
    const choose = (v) => {
      store.set({ selection: { kind: "variable", v } });
      view.reveal(v);
      view.nodes[v].focus({ preventScroll: true });
    };
    if (event.key === "+" || event.key === "=") view.zoom(1.25);
    else if (event.key === "-") view.zoom(0.8);
    else if (event.key === "0") view.fit();
    else if (event.key.startsWith("Arrow")) {
      if (focused === null) choose(0);
      else {
        const next = neighboursInOrder(view, focused, event.key)[0];
        if (next !== undefined) choose(next);
      }
    } else if ((event.key === "Enter" || event.key === " ") && boxOf(document.activeElement) !== null) choose(/** @type {number} */ (focused));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @param {Map<number, Point>} pointers */
function spread(pointers) {
  const [a, b] = [...pointers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
}
