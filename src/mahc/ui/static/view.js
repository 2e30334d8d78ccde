// The graph as SVG. It is drawn anew when the document or places change, and only restyled otherwise.
import { countOf, h, percent, s } from "./dom.js";
import { arrowhead, bounds, bowedRoute, edgeShape } from "./geometry.js";
import { layeredPlaces, neighbourhood } from "./layout.js";
import { createMinimap } from "./minimap.js";
import { blanketOf, childrenOf, confidenceOf, edgeText, isShown, modelOf, otherEnd, parentsOf, pairKey, pointsTo } from "./model.js";
import { routeAround } from "./routing.js";
import { differs, docOf } from "./state.js";
import { speaksOf, statedLines, statedTier } from "./stated.js";
import { drawLanes, laneBounds, lanePlaces } from "./tiers.js";

/** @import {Box, Mark, Point, Variable} from "./documents.js" */
/** @import {DrawnMark} from "./geometry.js" */
/** @import {Link, Model} from "./model.js" */
/** @import {Ghost, State} from "./state.js" */
/** @import {Line} from "./stated.js" */
/** @import {Lane} from "./tiers.js" */

const GROUND = 300; // how far the ground reaches beyond the boxes
const TEXT = 12; // size of the names in the drawing
const LEAST_TEXT = 9; // pixels on the screen: smaller names are not shown in their boxes
const OVERVIEW_TEXT = 9.6; // pixels of the names that are shown instead, where there is room
const OVERVIEW_LINE = 11; // pixels from line to line of such a name
const MOST_STRETCH = 3.4; // of a layout that is much wider or higher than the picture
const CONTROLS = 44; // pixels at the right and below, for the buttons
const MANY = 60; // variables from which the finished picture is scaled while somebody zooms
const REST = 140; // milliseconds without a turn of the wheel, after which a zoom has ended
const BAR_ROW = 14;
const MOST_BARS = 6;

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

/** @typedef {ReturnType<typeof createView>} View */
/** @typedef {Box & {moved: boolean, away: boolean}} PlacedBox moved from where the layout has it; away where only a neighbourhood is shown */
/** @typedef {Pick<Link, "patternMarks" | "reversible" | "required" | "confidence">} LinkFacts */
/** @typedef {Ghost & {rank: number, index: number} & Partial<LinkFacts>} Shade an arc that the document does not have */
/** @typedef {{arc: Link, kind: "", compared?: string, marks?: Mark[], fresh: boolean, line?: Line, bowed?: undefined}} LinkEdge `line` is what was stated about it */
/** @typedef {{arc: Shade, kind: "missing" | "ghost" | "stated", compared?: undefined, marks?: undefined, fresh?: undefined, line?: Line, bowed?: boolean}} ShadeEdge bowed where another line joins the two variables */
/** @typedef {{edge: LinkEdge | ShadeEdge, element: SVGGElement, extent: Box, sign: Point | null}} DrawnEdge */
/** @typedef {Pick<View, "places" | "model" | "across" | "down" | "edges" | "scale">} Drawn what is drawn, and how far it is stretched */

/** @param {HTMLElement} holder */
export function createView(holder) {
  const lanes = s("g", { class: "lanes", "aria-hidden": "true" });
  const lines = s("g", { class: "arcs" });
  const boxes = s("g", { class: "boxes" });
  const charts = s("g", { class: "charts", "aria-hidden": "true" });
  const labels = s("g", { class: "labels", "aria-hidden": "true" });
  const rubber = s("path", { class: "rubber" });
  const ground = s("rect", { class: "ground" });
  const world = s("g", { class: "world" }, ground, lanes, lines, boxes, charts, labels, rubber);
  const svg = s("svg", { class: "graph", role: "group", tabindex: "0", "aria-label": "Graph" }, world);
  const sheet = h("div", { class: "sheet" }, svg);
  holder.append(sheet);
  const minimap = createMinimap(holder, (x, y) => moveTo(svg.clientWidth / 2 - x * view.scale, svg.clientHeight / 2 - y * view.scale, view.scale));
  const view = {
    holder, svg, world, rubber, x: 0, y: 0, scale: 1, stretch: [1, 1], across: 1, down: 1,
    places: /** @type {PlacedBox[]} */ ([]), nodes: /** @type {SVGGElement[]} */ ([]), bars: /** @type {(SVGGElement | null)[]} */ ([]),
    edges: /** @type {DrawnEdge[]} */ ([]), lanes: /** @type {Lane[]} */ ([]),
    model: /** @type {Model} */ (/** @type {unknown} */ (null)), // made when a state is shown
  };
  let pending = 0;

  /** @param {number} x @param {number} y @param {number} scale */
  function moveTo(x, y, scale) {
    Object.assign(view, { x, y, scale });
    world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})`);
    pending ||= requestAnimationFrame(settleView);
  }

  /** What follows from the zoom: which names there is room for, and the frame of the minimap. */
  function settleView() {
    cancelAnimationFrame(pending);
    pending = 0;
    if (!view.model) return;
    drawLabels();
    const { x, y, scale } = view;
    const [wide, high] = [svg.clientWidth, svg.clientHeight];
    const all = x + whole.x * scale >= -2 && y + whole.y * scale >= -2 && x + (whole.x + whole.width) * scale <= wide + 2 && y + (whole.y + whole.height) * scale <= high + 2;
    minimap.show(-x / scale, -y / scale, wide / scale, high / scale, all);
  }

  /** Where names in the boxes would be too small, names of a readable size as room allows: chosen ones and those with most arcs first. */
  function drawLabels() {
    const overview = TEXT * view.scale < LEAST_TEXT;
    svg.classList.toggle("overview", overview);
    svg.style.setProperty("--enlarged", Math.max(1, LEAST_TEXT / TEXT / view.scale).toFixed(3));
    labels.style.fontSize = `${(OVERVIEW_TEXT / view.scale).toFixed(2)}px`;
    labels.style.strokeWidth = `${(3 / view.scale).toFixed(2)}px`;
    if (!overview) {
      if (labels.firstChild) labels.replaceChildren();
      return;
    }
    const { model, places, scale } = view;
    const [wide, high] = [svg.clientWidth, svg.clientHeight];
    /** @param {number} v */
    const weight = (v) => (view.nodes[v].classList.contains("chosen") ? 1e6 : view.nodes[v].classList.contains("blanket") ? 1e4 : 0) + model.around[v].length;
    const order = places.map((_, v) => v).filter((v) => !places[v].away).sort((a, b) => weight(b) - weight(a) || a - b);
    /** @type {number[][]} */
    const taken = [];
    const made = [];
    for (const v of order) {
      const words = model.doc.variables[v].lines;
      const half = Math.max(...words.map(widthOf)) / 2 + 3;
      const tall = (OVERVIEW_LINE * (words.length - 1)) / 2;
      const below = view.bars[v] ? places[v].height * scale / 2 + tall + OVERVIEW_LINE / 2 : 0; // bars fill the box
      let [x, y] = [places[v].x * scale + view.x, places[v].y * scale + view.y + below];
      const right = wide - (x < wide - CONTROLS ? CONTROLS : 0);
      if (x > 0 && x < wide) x = Math.max(half, Math.min(right - half, x)); // a name stays in the picture while its box is there
      if (y > 0 && y - below < high) y = Math.max(tall + 6, Math.min(high - tall - 6, y));
      if (x + half < 0 || x - half > wide || y + tall < -8 || y - tall > high + 8) continue;
      if (taken.some(([a, b, c, d]) => Math.abs(b - y) < OVERVIEW_TEXT + 3 + tall + d && Math.abs(a - x) < half + c)) continue;
      taken.push([x, y, half, tall]);
      made.push(...words.map((line, i) => s("text", { x: ((x - view.x) / scale).toFixed(1), y: ((y - view.y + 3.5 - tall + OVERVIEW_LINE * i) / scale).toFixed(1) }, line)));
    }
    labels.replaceChildren(...made);
  }

  /**
   * Shift the finished picture by some pixels while the pointer is down. The browser moves the layer and draws nothing anew,
   * which is what keeps a pan smooth with hundreds of variables; `moveTo` at the end of the pan makes it last.
   * @param {number} dx @param {number} dy
   */
  function slide(dx, dy) {
    sheet.style.transform = dx || dy ? `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px)` : "";
  }

  let whole = bounds([]);
  /** Find the rectangle around all that is drawn: lanes, boxes and lines. */
  function measure() {
    const frame = view.lanes.length ? [laneBounds(view.lanes)] : [];
    const lanesAsBoxes = frame.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2, width, height }));
    whole = bounds([...lanesAsBoxes, ...view.places.filter((place) => !place.away), ...view.edges.map(({ extent }) => extent)]);
    layGround();
  }

  /** One rectangle below everything: without it the browser adds up the areas that hear events box by box in each frame. */
  function layGround() {
    const { x, y, width, height } = whole;
    const place = { x: x - GROUND, y: y - GROUND, width: width + 2 * GROUND, height: height + 2 * GROUND };
    for (const [name, value] of Object.entries(place)) ground.setAttribute(name, String(value));
  }

  /** A layout that is much wider than the picture is stretched downwards, so that the picture is used. */
  function chooseStretch() {
    if (!latest?.doc || latest.lanes || latest.focus || !svg.clientWidth) return;
    const raw = bounds(modelOf(latest.doc).doc.variables);
    const shape = (svg.clientWidth - 32 - CONTROLS) / Math.max(1, svg.clientHeight - 40 - CONTROLS) / (raw.width / raw.height);
    const wanted = [Math.min(MOST_STRETCH, Math.max(1, shape)), Math.min(MOST_STRETCH, Math.max(1, 1 / shape))];
    if (wanted.every((each, i) => Math.abs(each - view.stretch[i]) < 0.02)) return;
    view.stretch = wanted;
    draw(latest);
  }

  /** The height of the picture that no panel lies over: on a phone, panels cover its lower part. */
  function heightInSight() {
    const { top, height } = svg.getBoundingClientRect();
    const panels = [...(svg.closest(".mahc")?.querySelectorAll(".left, .right") || [])].filter((each) => getComputedStyle(each).position === "fixed" && each.getClientRects().length);
    return Math.max(3 * CONTROLS, Math.min(height, ...panels.map((each) => each.getBoundingClientRect().top - top)));
  }

  function fit() {
    fitted = svg.clientWidth > 0;
    if (!view.model || !fitted) return;
    chooseStretch();
    const [wide, high] = [svg.clientWidth, heightInSight()];
    const usable = Math.max(0.02, Math.min(1.6, (wide - 32 - CONTROLS) / whole.width, (high - 40 - CONTROLS) / whole.height));
    const x = (wide - CONTROLS - whole.width * usable) / 2 - whole.x * usable;
    const top = matchMedia("(max-width: 820px)").matches ? 16 : (high - CONTROLS - whole.height * usable) / 2; // on a phone a sheet covers the lower half
    moveTo(x, top - whole.y * usable, usable);
    [fittedTo, fittedIn] = [placeNow(), windowOf()];
    settleView();
  }

  /** @type {{x: number, y: number, scale: number} | null} where a zoom that goes on has come to */
  let gliding = null;
  let rest = 0;
  const current = () => gliding || view;

  /** @param {number} factor @param {Point} [at] @param {boolean} [quick] */
  function zoom(factor, at = [svg.clientWidth / 2, svg.clientHeight / 2], quick = false) {
    const now = current();
    const scale = Math.min(8, Math.max(0.02, now.scale * factor));
    const ratio = scale / now.scale;
    const [x, y] = [at[0] - (at[0] - now.x) * ratio, at[1] - (at[1] - now.y) * ratio];
    clearTimeout(rest);
    if (!quick || view.places.length < MANY) {
      gliding = null;
      sheet.style.transform = "";
      moveTo(x, y, scale);
      return;
    }
    // As in `slide`: the browser scales the finished picture, and it is drawn anew when the zoom rests.
    gliding = { x, y, scale };
    const larger = scale / view.scale;
    sheet.style.transform = `translate(${(x - view.x * larger).toFixed(1)}px, ${(y - view.y * larger).toFixed(1)}px) scale(${larger.toFixed(4)})`;
    rest = setTimeout(settleZoom, REST);
  }

  /** The end of a zoom: the picture is drawn at its new size. */
  function settleZoom() {
    clearTimeout(rest);
    if (!gliding) return;
    const { x, y, scale } = gliding;
    gliding = null;
    sheet.style.transform = "";
    moveTo(x, y, scale);
  }

  /** Bring a variable into the picture where it is outside, or too small to read. @param {number} v */
  function reveal(v) {
    if (view.places[v].away) return;
    const { x, y } = view.places[v];
    const [px, py] = [x * view.scale + view.x, y * view.scale + view.y];
    const [wide, high] = [svg.clientWidth, svg.clientHeight];
    if (px > 40 && px < wide - 40 && py > 30 && py < high - 30) return;
    const scale = Math.max(view.scale, LEAST_TEXT / TEXT);
    moveTo(wide / 2 - x * scale, high / 2 - y * scale, scale);
  }

  /** @type {State | null} */
  let latest = null;
  let fitted = false;
  let [fittedTo, fittedIn] = ["", ""];
  const windowOf = () => `${innerWidth} ${innerHeight}`;
  const placeNow = () => [view.x, view.y, view.scale].join(" ");
  /** Whether nobody has moved the picture since it was fitted. */
  const untouched = () => fittedTo === placeNow();

  /** Show a state; what stays as it was is not drawn again. @param {State} state */
  function show(state) {
    const before = latest;
    const lanesBefore = view.lanes.length;
    latest = state;
    const statedChange = (state.lanes || state.editable) && differs(state, before, ["knowledge", "step"]);
    const barsChange = state.bars && differs(state, before, ["answer"]);
    if (statedChange || barsChange || differs(state, before, ["doc", "moved", "lanes", "comparison", "ghosts", "pattern", "focus", "bars"])) draw(state);
    else restyle(state);
    if (before && (differs(state, before, ["lanes", "focus", "bars"]) || (state.lanes && view.lanes.length !== lanesBefore))) fit();
  }

  new ResizeObserver(() => {
    if (latest && (!fitted || (untouched() && windowOf() !== fittedIn))) fit(); // panels that open move nothing
    else settleView();
  }).observe(svg);

  /** @param {State} state */
  function draw(state) {
    const model = modelOf(docOf(state));
    view.model = model;
    const sizes = model.doc.variables.map((variable) => sizeOf(variable, state.bars));
    const laid = state.lanes ? lanePlaces(model, state.knowledge, svg.clientWidth / Math.max(1, svg.clientHeight) || 1) : null;
    const shown = state.focus && !laid ? neighbourhood(model, state.focus.v, state.focus.steps) : null;
    const near = shown && layeredPlaces(model, shown, (v) => sizes[v][0], 58 + Math.max(...[...shown].map((v) => sizes[v][1])));
    view.lanes = laid ? laid.lanes : [];
    const spread = state.bars ? spreadOf(model.doc.variables, sizes) : [1, 1];
    const [across, down] = [view.stretch[0] * spread[0], view.stretch[1] * spread[1]];
    view.places = model.doc.variables.map((variable, v) => {
      const [width, height] = laid ? [variable.width, variable.height] : sizes[v];
      const moved = !near && state.moved[variable.name];
      const [x, y] = laid ? laid.places[v] : near ? near.get(v) || [0, 0] : [(moved || [variable.x, variable.y])[0] * across, (moved || [variable.x, variable.y])[1] * down];
      return { x, y, width, height, moved: Boolean(laid || near || moved), away: shown !== null && !shown.has(v) };
    });
    Object.assign(view, { across, down });
    drawLanes(lanes, view.lanes);
    view.nodes = view.places.map((place, v) => drawBox(model, v, place));
    boxes.replaceChildren(...view.nodes);
    view.bars = view.places.map((place, v) => (state.bars && !view.lanes.length && !place.away ? drawBars(model.doc.variables[v], state.answer?.[model.names[v]]) : null));
    view.places.forEach((place, v) => placeBox(view.nodes[v], place, view.bars[v]));
    charts.replaceChildren(...view.bars.filter((each) => each !== null));
    view.edges = listEdges(state, model).filter(({ arc }) => !view.places[arc.from].away && !view.places[arc.to].away).map((edge) => ({ edge, element: s("g", {}), extent: NOWHERE, sign: null }));
    for (const drawn of view.edges) drawEdge(view, drawn, state);
    measure();
    lines.replaceChildren(...view.edges.map((drawn) => drawn.element));
    const kind = model.doc.kind === "DAG" && state.pattern ? "CPDAG" : model.doc.kind;
    const size = `${model.names.length} variables and ${model.arcs.length} arcs`;
    svg.setAttribute("aria-label", `${kind} of ${size}. Use arrow keys to walk along arcs, slash to search.`);
    minimap.draw(view.places.filter((place) => !place.away), whole);
    restyle(state);
    pending ||= requestAnimationFrame(settleView);
  }

  /** @param {State} state */
  function restyle(state) {
    const { model } = view;
    const chosen = state.selection;
    const focus = chosen?.kind === "variable" ? chosen.v : null;
    const blanket = focus === null ? null : blanketOf(model, focus);
    const paths = state.paths?.selection === chosen ? state.paths : null;
    const pair = chosen?.kind === "pair" ? [chosen.a, chosen.b] : [];
    const ends = chosen?.kind === "arc" ? [model.arcs[chosen.a].from, model.arcs[chosen.a].to] : pair;
    view.nodes.forEach((node, v) => {
      node.classList.toggle("chosen", v === focus || ends.includes(v));
      node.classList.toggle("blanket", Boolean(blanket?.has(v)));
      for (const part of [node, view.bars[v]]) part?.classList.toggle("pale", blanket !== null && v !== focus && !blanket.has(v));
      node.classList.toggle("context", Boolean(state.knowledge?.contexts?.includes(model.names[v])));
      node.classList.toggle("adjusted", Boolean(paths?.adjusted.includes(model.names[v])));
      node.setAttribute("tabindex", v === (focus ?? 0) ? "0" : "-1");
      node.setAttribute("aria-pressed", String(v === focus));
      markTier(node, statedTier(state, model.names[v]));
      markEvidence(node, state, model, v);
    });
    for (const { edge, element } of view.edges) {
      const visible = edge.kind || isShown(edge.arc, state.minStrength, state.minConfidence);
      element.classList.toggle("hidden", !visible);
      element.classList.toggle("chosen", chosen?.kind === "arc" && edge.arc.index === chosen.a && !edge.kind);
      const touches = focus !== null && (edge.arc.from === focus || edge.arc.to === focus);
      element.classList.toggle("touching", touches);
      element.classList.toggle("pale", focus !== null && !touches);
      const kind = edge.kind ? null : paths?.kinds.get(pairKey(edge.arc.from, edge.arc.to));
      const { from, to, marks } = edge.arc; // what is set does not depend on its causes any more
      const cut = !edge.kind && [from, to].some((v) => model.names[v] in state.intervened && pointsTo(edge.arc, marks, v));
      element.classList.toggle("cut", cut);
      for (const each of ["causal", "open", "blocked"]) element.classList.toggle(`path-${each}`, each === kind);
    }
    pending ||= requestAnimationFrame(settleView);
  }

  /** Move one box while it is dragged, and its edges with it. @param {number} v @param {number} x @param {number} y @param {State} state */
  function drag(v, x, y, state) {
    Object.assign(view.places[v], { x, y, moved: true });
    placeBox(view.nodes[v], view.places[v], view.bars[v]);
    for (const drawn of view.edges) {
      if (drawn.edge.arc.from === v || drawn.edge.arc.to === v) drawEdge(view, drawn, state);
    }
  }

  return Object.assign(view, { moveTo, slide, fit, zoom, settleZoom, currentScale: () => current().scale, reveal, show, draw, drag });
}

/** @type {Map<string, number>} */
const widths = new Map();
/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** The width of a name in an overview, in pixels of the screen. @param {string} text */
function widthOf(text) {
  ruler ||= document.createElement("canvas").getContext("2d");
  if (ruler && !widths.has(text)) {
    ruler.font = `${OVERVIEW_TEXT}px Helvetica, Arial, sans-serif`;
    widths.set(text, ruler.measureText(text).width);
  }
  return widths.get(text) ?? text.length * OVERVIEW_TEXT * 0.7;
}

/** The size of a box, with or without bars. @param {Variable} variable @param {boolean} bars */
function sizeOf(variable, bars) {
  const rows = bars && variable.states ? Math.min(MOST_BARS, variable.states.length) : 0;
  if (!rows) return [variable.width, variable.height];
  return [Math.max(variable.width, 164), variable.height + 6 + BAR_ROW * rows];
}

/** How much further apart boxes have to be when they are larger. @param {Variable[]} variables @param {number[][]} sizes */
function spreadOf(variables, sizes) {
  const higher = Math.max(1, ...variables.map((each, v) => sizes[v][1] - each.height));
  let across = 1;
  variables.forEach((one, v) => {
    for (let u = 0; u < v; u += 1) {
      const other = variables[u];
      const inOneRow = Math.abs(one.y - other.y) < (one.height + other.height) / 2;
      if (inOneRow) across = Math.max(across, ((sizes[v][0] + sizes[u][0]) / 2 + 6) / Math.max(1, Math.abs(one.x - other.x)));
    }
  });
  return [Math.min(MOST_STRETCH, across), 1 + higher / 80];
}

/** The edges to draw: of the document, of the comparison (with the marks that were compared), and ghosts of the run before. @param {State} state @param {Model} model @returns {(LinkEdge | ShadeEdge)[]} */
function listEdges(state, model) {
  const compared = new Map((state.comparison?.edges || []).map((edge) => [pairKey(edge.from, edge.to), edge]));
  const fresh = new Set(state.fresh);
  /** @type {(LinkEdge | ShadeEdge)[]} */
  const found = model.arcs.map((arc) => {
    const key = pairKey(arc.from, arc.to);
    const edge = compared.get(key);
    const marks = edge && (edge.from === arc.from ? edge.marks : [edge.marks[1], edge.marks[0]]);
    return { arc, kind: "", compared: edge && edge.kind, marks, fresh: fresh.has(key) };
  });
  for (const edge of state.comparison?.edges || []) {
    if (edge.kind === "missing") found.push({ arc: { ...edge, rank: 0.4, index: -1 }, kind: "missing" });
  }
  addStated(found, state, model);
  for (const edge of state.comparison ? [] : state.ghosts) found.push({ arc: { ...edge, rank: 0.2, index: -1 }, kind: "ghost" });
  return found;
}

/** Add what was stated: to the arc that it speaks of, or as a line of its own. @param {(LinkEdge | ShadeEdge)[]} edges @param {State} state @param {Model} model */
function addStated(edges, state, model) {
  const lines = statedLines(state, model);
  const drawn = new Map(edges.map((edge) => [pairKey(edge.arc.from, edge.arc.to), edge]));
  for (const [key, stated] of lines) {
    const edge = drawn.get(key);
    for (const line of stated) {
      const free = edge && !edge.line && isShown(/** @type {Link} */ (edge.arc), state.minStrength, state.minConfidence);
      if (free && speaksOf(line, edge.arc, marksOf(edge, state))) edge.line = line;
      else edges.push({ arc: { ...line, rank: 0.3, index: -1 }, kind: "stated", line, bowed: Boolean(edge) || stated.length > 1 });
    }
  }
}

/** The marks that an edge is drawn with. @param {LinkEdge | ShadeEdge} edge @param {State} state */
function marksOf({ arc, marks }, state) {
  return marks || (state.pattern && arc.patternMarks ? arc.patternMarks : arc.marks);
}

/** @type {Record<string, string>} */
const SIGNS = { extra: "+", missing: "−", reversed: "⇄", marks: "⇄" };

/** @param {Drawn} view @param {DrawnEdge} drawn @param {State} state */
function drawEdge(view, drawn, state) {
  const { edge, element } = drawn;
  const { arc } = edge;
  const [from, to] = [view.places[arc.from], view.places[arc.to]];
  const { line } = edge;
  const marks = marksOf(edge, state);
  const undirected = edge.marks ? marks.every((mark) => mark === "tail") : arc.reversible;
  const width = 1 + 3 * arc.rank;
  const laid = from.moved || to.moved ? null : stretchedRoute(view, arc);
  const route = edge.bowed ? bowedRoute(from, to) : laid || routeAround(from, to, view.places.filter((place) => !place.away));
  const shape = edgeShape(from, to, route, marks, width);
  drawn.extent = shape.extent;
  const confidence = confidenceOf(arc);
  const kind = edge.kind || edge.compared || "";
  element.setAttribute("class", `arc ${kind} ${edge.fresh ? "fresh" : ""} ${undirected ? "reversible" : ""} ${line ? `stated-${line.stance}` : ""}`);
  element.dataset.a = String(arc.index);
  const [x, y] = shape.middle;
  const parts = [
    s("title", {}, edge.kind === "stated" && line ? line.text : `${arcTitle(view.model, arc, kind, marks)}${line ? `; stated: ${line.text}` : ""}`),
    s("path", { class: "touch", d: shape.d }),
    s("path", { class: "line", d: shape.d, "stroke-width": width.toFixed(2) }),
    ...shape.marks.map((mark) => drawMark(mark)),
  ];
  if (undirected && !edge.kind) parts.push(s("circle", { class: "dot", cx: x, cy: y, r: 2.2 + width / 2 }));
  if ((arc.required && !edge.kind) || line?.stance === "required") parts.push(drawLock(x, y));
  const sign = SIGNS[kind] || line?.sign;
  drawn.sign = null;
  if (sign) {
    const [atX, atY] = freePlace(shape.places, view);
    drawn.sign = [atX, atY];
    parts.push(s("text", { class: "sign", x: atX + 7, y: atY - 5 }, sign));
  }
  element.replaceChildren(...parts);
  for (const part of ["stroke-opacity", "fill-opacity"]) { // `opacity` would cost a layer of its own
    if (confidence) element.setAttribute(part, (0.35 + 0.65 * confidence.either).toFixed(2));
    else element.removeAttribute(part);
  }
}

/** The first of these places that is far enough from the signs of other lines. @param {Point[]} places @param {Drawn} view */
function freePlace(places, { edges, scale }) {
  const far = 18 * Math.max(1, LEAST_TEXT / TEXT / scale);
  return places.find(([x, y]) => !edges.some(({ sign }) => sign && Math.hypot(sign[0] - x, sign[1] - y) < far)) || places[0];
}

/** The route of the layout in the stretched drawing; its ends stay at their boxes. @param {Drawn} view @param {Ghost} arc */
function stretchedRoute({ model, places, across, down }, arc) {
  const { route: laid } = arc;
  if (!laid) return null;
  const route = laid.map(([x, y]) => [x * across, y * down]);
  for (const [at, v] of [[0, arc.from], [route.length - 1, arc.to]]) {
    const { x, y } = model.doc.variables[v];
    route[at] = [places[v].x + laid[at][0] - x, places[v].y + laid[at][1] - y];
  }
  return route;
}

/** @param {DrawnMark} mark */
function drawMark(mark) {
  if (mark.mark === "arrow") return s("polygon", { class: "head", points: arrowhead(mark) });
  const [x, y] = [(mark.tip[0] + mark.base[0]) / 2, (mark.tip[1] + mark.base[1]) / 2];
  return s("circle", { class: "ring", cx: x.toFixed(1), cy: y.toFixed(1), r: 3.5 });
}

/** @param {number} x @param {number} y */
function drawLock(x, y) {
  const shackle = s("path", { d: `M${x - 3} ${y - 3}v-2a3 3 0 0 1 6 0v2` });
  return s("g", { class: "lock" }, shackle, s("rect", { x: x - 4.5, y: y - 3, width: 9, height: 7, rx: 1.5 }));
}

/** @param {Model} model @param {Link | Shade} arc @param {string} kind @param {Mark[]} marks */
function arcTitle(model, arc, kind, marks) {
  const text = edgeText(model, arc, marks);
  if (kind) return `${text} (${kind})`;
  const notes = [arc.reversible ? "direction not determined" : "", arc.required ? "required" : ""].filter(Boolean);
  return notes.length ? `${text} (${notes.join(", ")})` : text;
}

/** @param {Model} model @param {number} v @param {PlacedBox} place */
function drawBox(model, v, place) {
  const name = model.names[v];
  const variable = model.doc.variables[v];
  const { lines } = variable;
  const node = s(
    "g",
    { class: place.away ? "box away" : "box", "data-v": v, role: "button", "aria-label": nameBox(model, v, "") },
    s("title", {}, name),
    s("rect", { width: place.width, height: place.height, rx: 8 }),
    readable(name, lines).map((line) => s("text", { class: "name" }, line)),
    s("text", { class: "tier" }),
    s("text", { class: "evidence" }),
  );
  return node;
}

/** The states with their probabilities: after what is supposed filled, before it as outline. Where text would be too small, the bars alone fill the box. @param {Variable} variable @param {number[]} [answer] */
function drawBars(variable, answer) {
  const { states, counts } = variable;
  if (!states || !counts) return null;
  const total = counts.reduce((a, b) => a + b, 0) || 1;
  const shown = states.slice(0, MOST_BARS).map((label, k) => ({ label, before: counts[k] / total, now: answer ? answer[k] : counts[k] / total }));
  const top = -8 - 14 * variable.lines.length; // inside the box, whose name is above the bars
  const row = (BAR_ROW * shown.length + variable.height - 14 * variable.lines.length - 10 - top) / shown.length;
  /** @param {number} x @param {number} y @param {number} long @param {number} tall @param {{before: number, now: number}} share */
  const pair = (x, y, long, tall, { before, now }) => [
    s("rect", { class: "bar-fill", x, y: y.toFixed(1), width: (long * now).toFixed(1), height: tall.toFixed(1) }),
    answer && s("rect", { class: "bar-before", x, y: y.toFixed(1), width: (long * before).toFixed(1), height: tall.toFixed(1) }),
  ];
  const written = shown.map((each, k) => [
    s("text", { class: "state-label", x: 66, y: k * BAR_ROW + 10 }, [...each.label].length > 9 ? `${[...each.label].slice(0, 8).join("")}…` : each.label),
    pair(70, k * BAR_ROW + 2, 44, 9, each),
    s("text", { class: "state-share", x: 117, y: k * BAR_ROW + 10 }, percent(each.now).replace(" ", "\u2009")),
  ]);
  const alone = shown.map((each, k) => pair(4, top + row * (k + 0.1), 152, 0.8 * row, each));
  return s("g", { class: "bars" }, s("g", { class: "written" }, written), s("g", { class: "alone" }, alone));
}

/** Coordinates instead of a transform on each box: with hundreds of transforms the browser cuts the picture into as many layers. @param {SVGGElement} node @param {PlacedBox} place @param {SVGGElement | null} bars */
function placeBox(node, { x, y, width, height }, bars) {
  const [rect, tier, evidence] = /** @type {SVGElement[]} */ ([node.querySelector("rect"), node.querySelector(".tier"), node.lastChild]);
  rect.setAttribute("x", String(x - width / 2));
  rect.setAttribute("y", String(y - height / 2));
  const names = [...node.querySelectorAll(".name")];
  const middle = bars ? y - height / 2 + 8 + 7 * names.length : y;
  names.forEach((text, i) => {
    text.setAttribute("x", String(x));
    text.setAttribute("y", String(middle + 4 - 7 * (names.length - 1) + 14 * i));
  });
  bars?.setAttribute("transform", `translate(${x - 80} ${(middle + 7 * names.length + 4).toFixed(1)})`);
  tier.setAttribute("x", String(x - width / 2 + 4));
  tier.setAttribute("y", String(y - height / 2 - 4));
  evidence.setAttribute("x", String(x));
  evidence.setAttribute("y", String(y + height / 2 + 13));
}

/** The lines of a name, with the blanks at which it was broken: what is read from the picture is then the name. @param {string} name @param {string[]} lines */
function readable(name, lines) {
  let at = 0;
  return lines.map((line) => {
    at = Math.max(at, name.indexOf(line, at) + line.length);
    return name[at] === " " ? `${line} ` : line;
  });
}

/** What a screen reader says of a box. @param {Model} model @param {number} v @param {string} evidence */
function nameBox(model, v, evidence) {
  return `${model.names[v]}${evidence && ` ${evidence}`}, ${countOf(parentsOf(model, v).length, "parent")}, ${countOf(childrenOf(model, v).length, "child", "children")}`;
}

/** @param {SVGGElement} node @param {string} text */
function markTier(node, text) {
  const shown = /** @type {SVGElement} */ (node.querySelector(".tier"));
  const spoken = text && ` ${text}`; // the blank parts it from the name for screen readers
  if (shown.textContent !== spoken) shown.textContent = spoken;
}

/** @param {SVGGElement} node @param {State} state @param {Model} model @param {number} v */
function markEvidence(node, state, model, v) {
  const name = model.names[v];
  const text = name in state.intervened ? `set to ${state.intervened[name]}` : name in state.given ? `observed: ${state.given[name]}` : "";
  const shown = /** @type {SVGElement} */ (node.lastChild);
  const spoken = text && ` ${text}`; // the blank parts it from the name for screen readers
  if (shown.textContent === spoken) return;
  shown.textContent = spoken;
  node.setAttribute("aria-label", nameBox(model, v, text));
  node.classList.toggle("observed", name in state.given);
  node.classList.toggle("set", name in state.intervened);
}

/** The variables at the other ends of the arcs of `v`, in the order of their places, for the arrow keys. @param {View} view @param {number} v @param {string} key */
export function neighboursInOrder(view, v, key) {
  const mine = view.places[v];
  /** @param {number} u */
  const score = (u) => {
    const { x, y } = view.places[u];
    const [dx, dy] = [x - mine.x, y - mine.y];
    const along = { ArrowUp: -dy, ArrowDown: dy, ArrowLeft: -dx, ArrowRight: dx }[key] ?? 0;
    return along / (Math.hypot(dx, dy) || 1);
  };
  const around = view.model.around[v].map((arc) => otherEnd(arc, v));
  return around.filter((u) => score(u) > 0.2).sort((a, b) => score(b) - score(a));
}
