// The graph as SVG. It is drawn anew when the document or places change, and only restyled otherwise.
import { h, s } from "./dom.js";
import { arrowhead, bounds, edgeShape } from "./geometry.js";
import { blanketOf, childrenOf, confidenceOf, edgeText, isShown, modelOf, otherEnd, parentsOf, pairKey } from "./model.js";
import { differs } from "./state.js";
import { drawLanes, laneBounds, lanePlaces } from "./tiers.js";

const GROUND = 300; // how far the ground reaches beyond the boxes

/** @param {HTMLElement} holder */
export function createView(holder) {
  const lanes = s("g", { class: "lanes", "aria-hidden": "true" });
  const lines = s("g", { class: "arcs" });
  const boxes = s("g", { class: "boxes" });
  const rubber = s("path", { class: "rubber" });
  const ground = s("rect", { class: "ground" });
  const world = s("g", { class: "world" }, ground, lanes, lines, boxes, rubber);
  const svg = s("svg", { class: "graph", role: "group", tabindex: "0", "aria-label": "Graph" }, world);
  const sheet = h("div", { class: "sheet" }, svg);
  holder.append(sheet);
  const view = { holder, svg, world, rubber, x: 0, y: 0, scale: 1, places: [], nodes: [], edges: [], model: null, lanes: [] };

  function moveTo(x, y, scale) {
    Object.assign(view, { x, y, scale });
    world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})`);
  }

  /**
   * Shift the finished picture by some pixels while the pointer is down. The browser moves the layer and draws nothing anew,
   * which is what keeps a pan smooth with hundreds of variables; `moveTo` at the end of the pan makes it last.
   */
  function slide(dx, dy) {
    sheet.style.transform = dx || dy ? `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px)` : "";
  }

  const around = () => (view.lanes.length ? laneBounds(view.lanes) : bounds(view.places));

  /** One rectangle below everything: without it the browser adds up the areas that hear events box by box in each frame. */
  function layGround() {
    const { x, y, width, height } = around();
    const place = { x: x - GROUND, y: y - GROUND, width: width + 2 * GROUND, height: height + 2 * GROUND };
    for (const [name, value] of Object.entries(place)) ground.setAttribute(name, String(value));
  }

  function fit() {
    const whole = around();
    const [wide, high] = [svg.clientWidth || 800, svg.clientHeight || 600];
    const scale = Math.min(1.6, (wide - 32) / whole.width, (high - 40) / whole.height);
    const usable = Math.max(scale, 0.02);
    const x = (wide - whole.width * usable) / 2 - whole.x * usable;
    const top = matchMedia("(max-width: 820px)").matches ? 16 : (high - whole.height * usable) / 2; // on a phone a sheet covers the lower half
    moveTo(x, top - whole.y * usable, usable);
  }

  function zoom(factor, at = [svg.clientWidth / 2, svg.clientHeight / 2]) {
    const scale = Math.min(8, Math.max(0.02, view.scale * factor));
    const ratio = scale / view.scale;
    moveTo(at[0] - (at[0] - view.x) * ratio, at[1] - (at[1] - view.y) * ratio, scale);
  }

  /** Bring a variable into the picture where it is outside. */
  function reveal(v) {
    const { x, y } = view.places[v];
    const [px, py] = [x * view.scale + view.x, y * view.scale + view.y];
    const [wide, high] = [svg.clientWidth, svg.clientHeight];
    if (px > 40 && px < wide - 40 && py > 30 && py < high - 30) return;
    const scale = Math.max(view.scale, 0.5);
    moveTo(wide / 2 - x * scale, high / 2 - y * scale, scale);
  }

  let latest = null;
  let fitted = false;

  /** Show a state; what stays as it was is not drawn again. */
  function show(state) {
    const before = latest;
    latest = state;
    const lanesChange = state.lanes && differs(state, before, ["knowledge"]);
    if (lanesChange || differs(state, before, ["doc", "moved", "lanes", "comparison", "ghosts", "pattern"])) draw(state);
    else restyle(state);
    if (differs(state, before, ["lanes"])) fit();
  }

  new ResizeObserver(() => {
    if (!fitted && svg.clientWidth && latest) {
      fitted = true;
      fit();
    }
  }).observe(svg);

  function draw(state) {
    const model = modelOf(state.doc);
    view.model = model;
    const laid = state.lanes ? lanePlaces(model, state.knowledge) : null;
    view.lanes = laid ? laid.lanes : [];
    view.places = model.doc.variables.map((variable, v) => {
      const moved = state.moved[variable.name];
      const [x, y] = laid ? laid.places[v] : moved || [variable.x, variable.y];
      return { x, y, width: variable.width, height: variable.height, moved: Boolean(laid || moved) };
    });
    drawLanes(lanes, view.lanes);
    layGround();
    view.nodes = view.places.map((place, v) => drawBox(model, v, place));
    boxes.replaceChildren(...view.nodes);
    view.edges = listEdges(state, model).map((edge) => ({ edge, element: s("g", {}) }));
    for (const drawn of view.edges) drawEdge(view, drawn, state);
    lines.replaceChildren(...view.edges.map((drawn) => drawn.element));
    const kind = model.doc.kind === "DAG" && state.pattern ? "CPDAG" : model.doc.kind;
    const size = `${model.names.length} variables and ${model.arcs.length} arcs`;
    svg.setAttribute("aria-label", `${kind} of ${size}. Use arrow keys to walk along arcs, slash to search.`);
    restyle(state);
  }

  function restyle(state) {
    const { model } = view;
    const chosen = state.selection;
    const focus = chosen?.kind === "variable" ? chosen.v : null;
    const blanket = focus === null ? null : blanketOf(model, focus);
    const pair = chosen?.kind === "pair" ? [chosen.a, chosen.b] : [];
    const ends = chosen?.kind === "arc" ? [model.arcs[chosen.a].from, model.arcs[chosen.a].to] : pair;
    view.nodes.forEach((node, v) => {
      node.classList.toggle("chosen", v === focus || ends.includes(v));
      node.classList.toggle("blanket", Boolean(blanket?.has(v)));
      node.classList.toggle("pale", blanket !== null && v !== focus && !blanket.has(v));
      node.setAttribute("tabindex", v === (focus ?? 0) ? "0" : "-1");
      node.setAttribute("aria-pressed", String(v === focus));
      markEvidence(node, state, model.names[v]);
    });
    for (const { edge, element } of view.edges) {
      const shown = edge.kind || isShown(edge.arc, state.minStrength, state.minConfidence);
      element.classList.toggle("hidden", !shown);
      element.classList.toggle("chosen", chosen?.kind === "arc" && edge.arc.index === chosen.a && !edge.kind);
      const touches = focus !== null && (edge.arc.from === focus || edge.arc.to === focus);
      element.classList.toggle("touching", touches);
      element.classList.toggle("pale", focus !== null && !touches);
    }
  }

  /** Move one box while it is dragged, and its edges with it. */
  function drag(v, x, y, state) {
    Object.assign(view.places[v], { x, y, moved: true });
    placeBox(view.nodes[v], view.places[v]);
    for (const drawn of view.edges) {
      if (drawn.edge.arc.from === v || drawn.edge.arc.to === v) drawEdge(view, drawn, state);
    }
  }

  return Object.assign(view, { moveTo, slide, fit, zoom, reveal, show, draw, drag });
}

/** The edges to draw: of the document, of the comparison (with the marks that were compared), and ghosts of the run before. */
function listEdges(state, model) {
  const compared = new Map((state.comparison?.edges || []).map((edge) => [pairKey(edge.from, edge.to), edge]));
  const fresh = new Set(state.fresh);
  const found = model.arcs.map((arc) => {
    const key = pairKey(arc.from, arc.to);
    const edge = compared.get(key);
    const marks = edge && (edge.from === arc.from ? edge.marks : [edge.marks[1], edge.marks[0]]);
    return { arc, kind: "", compared: edge && edge.kind, marks, fresh: fresh.has(key) };
  });
  for (const edge of state.comparison?.edges || []) {
    if (edge.kind === "missing") found.push({ arc: { ...edge, rank: 0.4, index: -1 }, kind: "missing" });
  }
  for (const edge of state.comparison ? [] : state.ghosts) found.push({ arc: { ...edge, rank: 0.2, index: -1 }, kind: "ghost" });
  return found;
}

const SIGNS = { extra: "+", missing: "−", reversed: "⇄", marks: "⇄" };

function drawEdge(view, drawn, state) {
  const { edge, element } = drawn;
  const { arc } = edge;
  const [from, to] = [view.places[arc.from], view.places[arc.to]];
  const marks = edge.marks || (state.pattern && arc.patternMarks ? arc.patternMarks : arc.marks);
  const undirected = edge.marks ? marks.every((mark) => mark === "tail") : arc.reversible;
  const width = 1 + 3 * arc.rank;
  const route = from.moved || to.moved ? null : arc.route;
  const shape = edgeShape(from, to, route, marks, width);
  const confidence = confidenceOf(arc);
  const kind = edge.kind || edge.compared || "";
  element.setAttribute("class", `arc ${kind} ${edge.fresh ? "fresh" : ""} ${undirected ? "reversible" : ""}`);
  element.dataset.a = arc.index;
  const [x, y] = shape.middle;
  const parts = [
    s("title", {}, arcTitle(view.model, arc, kind, marks)),
    s("path", { class: "touch", d: shape.d }),
    s("path", { class: "line", d: shape.d, "stroke-width": width.toFixed(2) }),
    ...shape.marks.map((mark) => drawMark(mark)),
  ];
  if (undirected && !edge.kind) parts.push(s("circle", { class: "dot", cx: x, cy: y, r: 2.2 + width / 2 }));
  if (arc.required && !edge.kind) parts.push(drawLock(x, y));
  if (SIGNS[kind]) parts.push(s("text", { class: "sign", x: x + 7, y: y - 5 }, SIGNS[kind]));
  element.replaceChildren(...parts);
  for (const part of ["stroke-opacity", "fill-opacity"]) { // `opacity` would cost a layer of its own
    if (confidence) element.setAttribute(part, (0.35 + 0.65 * confidence.either).toFixed(2));
    else element.removeAttribute(part);
  }
}

function drawMark(mark) {
  if (mark.mark === "arrow") return s("polygon", { class: "head", points: arrowhead(mark) });
  const [x, y] = [(mark.tip[0] + mark.base[0]) / 2, (mark.tip[1] + mark.base[1]) / 2];
  return s("circle", { class: "ring", cx: x.toFixed(1), cy: y.toFixed(1), r: 3.5 });
}

function drawLock(x, y) {
  const shackle = s("path", { d: `M${x - 3} ${y - 3}v-2a3 3 0 0 1 6 0v2` });
  return s("g", { class: "lock" }, shackle, s("rect", { x: x - 4.5, y: y - 3, width: 9, height: 7, rx: 1.5 }));
}

function arcTitle(model, arc, kind, marks) {
  const text = edgeText(model, arc, marks);
  if (kind) return `${text} (${kind})`;
  const notes = [arc.reversible ? "direction not determined" : "", arc.required ? "required" : ""].filter(Boolean);
  return notes.length ? `${text} (${notes.join(", ")})` : text;
}

function drawBox(model, v, place) {
  const name = model.names[v];
  const { lines } = model.doc.variables[v];
  const sizes = `${parentsOf(model, v).length} parents, ${childrenOf(model, v).length} children`;
  const node = s(
    "g",
    { class: "box", "data-v": v, role: "button", "aria-label": `${name}, ${sizes}` },
    s("title", {}, name),
    s("rect", { width: place.width, height: place.height, rx: 8 }),
    lines.map((line) => s("text", {}, line)),
    s("text", { class: "evidence" }),
  );
  placeBox(node, place);
  return node;
}

/** Coordinates instead of a transform on each box: with hundreds of transforms the browser cuts the picture into as many layers. */
function placeBox(node, { x, y, width, height }) {
  const [, rect, ...texts] = node.children;
  rect.setAttribute("x", x - width / 2);
  rect.setAttribute("y", y - height / 2);
  const lines = texts.length - 1; // the last is the evidence
  texts.forEach((text, i) => {
    text.setAttribute("x", x);
    text.setAttribute("y", i < lines ? y + 4 - 7 * (lines - 1) + 14 * i : y + height / 2 + 12);
  });
}

function markEvidence(node, state, name) {
  const text = name in state.intervened ? `do ${state.intervened[name]}` : name in state.given ? `= ${state.given[name]}` : "";
  const shown = node.lastChild;
  if (shown.textContent !== text) shown.textContent = text;
  node.classList.toggle("set", text !== "");
}

/** The variables at the other ends of the arcs of `v`, in the order of their places, for the arrow keys. */
export function neighboursInOrder(view, v, key) {
  const mine = view.places[v];
  const score = (u) => {
    const { x, y } = view.places[u];
    const [dx, dy] = [x - mine.x, y - mine.y];
    const along = { ArrowUp: -dy, ArrowDown: dy, ArrowLeft: -dx, ArrowRight: dx }[key];
    return along / (Math.hypot(dx, dy) || 1);
  };
  const around = view.model.around[v].map((arc) => otherEnd(arc, v));
  return around.filter((u) => score(u) > 0.2).sort((a, b) => score(b) - score(a));
}
