// The frame around the graph: tabs, lists, sliders, panels, keys. Report, notebook and server use the same.
import { button, h, number, percent, replace } from "./dom.js";
import { buildModel } from "./model.js";
import { createStore, initialState, tierOf } from "./state.js";
import { createView } from "./view.js";
import { addGestures } from "./gestures.js";
import { describeSelection } from "./panels.js";
import { createTable } from "./table.js";
import { drawAbout } from "./about.js";
import { drawComparison } from "./compare.js";
import { makeReasons } from "./reasons.js";
import { savePng, saveSvg } from "./picture.js";
import { openMenu } from "./menu.js";

const TABS = [["graph", "Graph"], ["arcs", "Arcs"], ["about", "About this run"]];

/**
 * @param {HTMLElement} root
 * @param {any} doc the document, or null where there is none yet
 * @param {any} options {editable, ask: (from, to) => promise of a reason, canAsk, keys: element that hears keys}
 */
export function createApp(root, doc, options = {}) {
  const store = createStore(initialState(doc, options.knowledge));
  const app = { root, store, model: doc && buildModel(doc), editable: Boolean(options.editable), canAsk: false, options };
  app.reasons = doc && makeReasons(doc, options.ask || null);
  const slots = buildFrame(app);
  app.slots = slots;
  app.view = createView(slots.graph);
  app.table = createTable(slots.arcs, app);
  app.message = (text) => slots.message.replaceChildren(text || "");
  app.choose = (v) => {
    store.dispatch({ type: "select", selection: { kind: "variable", v } });
    app.view.reveal(v);
  };
  app.state = (kind, a, b) => {
    const pair = [app.model.names[a], app.model.names[b]];
    store.dispatch({ type: "add", kind, pair });
    app.message(`Stated: ${kind.replace("_", " ").replace(/s$/, "")} ${pair.join(kind.endsWith("arcs") ? " -> " : " - ")}. Learn again to use it.`);
  };
  app.suppose = () => {};
  app.refresh = () => update(app, store.get(), null);
  app.fit = () => app.view.fit();
  addGestures(app.view, store, {
    editable: app.editable,
    search: () => slots.search.focus(),
    onArc: (from, to, at) => openMenu(app, from, to, at),
  });
  addKeys(app, options.keys || document);
  store.subscribe((state, before) => update(app, state, before));
  new ResizeObserver(() => {
    if (!app.fitted && app.view.svg.clientWidth && app.model) {
      app.fitted = true;
      app.view.fit();
    }
  }).observe(app.view.svg);
  update(app, store.get(), null);
  return app;
}

function buildFrame(app) {
  const { root } = app;
  const search = h("input", { type: "search", placeholder: "Search variables", "aria-label": "Search variables", oninput: () => listVariables(app) });
  const slots = {
    search,
    header: h("div", { class: "head-slot row" }),
    title: h("span", { class: "title" }),
    variables: h("ul", { class: "variables", "aria-label": "Variables" }),
    left: h("div", { class: "left-slot" }),
    graph: h("div", { class: "pane graph-pane", id: "pane-graph", role: "tabpanel", "aria-label": "Graph" }),
    arcs: h("div", { class: "pane", id: "pane-arcs", role: "tabpanel", "aria-label": "Arcs", tabindex: "0" }),
    about: h("div", { class: "pane about", id: "pane-about", role: "tabpanel", "aria-label": "About this run", tabindex: "0" }),
    start: h("div", { class: "pane start", hidden: true }),
    tools: h("div", { class: "tools", role: "toolbar", "aria-label": "View" }),
    details: h("div", { class: "details", "aria-live": "polite" }),
    compare: h("div", { class: "compare" }),
    message: h("span", { role: "status" }),
    footer: h("div", { class: "foot-slot row" }),
    tabs: h("div", { role: "tablist", "aria-label": "Views", class: "tabs" }),
  };
  const sheet = (side) => button(side === "left" ? "Lists" : "Details", () => {
    root.classList.toggle(`show-${side}`);
    root.classList.remove(side === "left" ? "show-right" : "show-left");
  }, { class: "sheet-button" });
  const save = h("details", { class: "save" }, h("summary", {}, "Save"), h("div", { class: "drop" },
    button("Picture as SVG", () => saveSvg(app.view, "graph")), button("Picture as PNG", () => savePng(app.view, "graph"))));
  slots.save = save.lastChild;
  const fold = button("Hide panels", () => {
    const bare = root.classList.toggle("bare");
    fold.textContent = bare ? "Show panels" : "Hide panels";
    if (app.model) app.view.fit();
  }, { class: "fold" });
  root.classList.add("mahc");
  root.replaceChildren(
    h("header", {}, h("h1", {}, "mahc"), slots.title, slots.header, fold, save, sheet("left"), sheet("right")),
    h("nav", { class: "left", "aria-label": "Variables and knowledge" }, h("h2", {}, "Variables"), search, slots.variables, slots.left),
    h("main", {}, slots.tabs, slots.graph, slots.arcs, slots.about, slots.start, slots.tools),
    h("aside", { class: "right", "aria-label": "Details" }, slots.compare, slots.details),
    h("footer", {}, slots.message, slots.footer),
  );
  return slots;
}

function update(app, state, before) {
  if (!before || state.doc !== before.doc) {
    app.model = state.doc && buildModel(state.doc);
    app.reasons = state.doc && makeReasons(state.doc, app.options.ask || null);
  }
  const differs = (...parts) => !before || parts.some((part) => state[part] !== before[part]);
  const { slots } = app;
  if (differs("tab", "doc")) showTab(app, state);
  if (!app.model) return;
  if (differs("doc")) slots.title.replaceChildren(`${app.model.doc.title}  ${number(app.model.doc.run.rows)} rows × ${app.model.names.length}`);
  const lanes = state.lanes && differs("knowledge");
  if (differs("doc", "moved", "lanes", "comparison", "ghosts", "pattern") || lanes) app.view.draw(state, app.model);
  else if (differs("selection", "minStrength", "minConfidence", "given", "intervened")) app.view.restyle(state);
  if (!before || differs("lanes")) app.view.fit();
  if (differs("doc", "selection", "knowledge")) listVariables(app);
  if (differs("doc", "pattern", "lanes", "past", "future", "ghosts", "minStrength", "minConfidence")) drawTools(app);
  if (differs("doc", "selection", "answer", "given", "intervened", "knowledge")) replace(slots.details, describeSelection(app));
  if (before && state.selection && state.selection !== before.selection) app.root.classList.add("show-right");
  if (differs("comparison", "doc")) replace(slots.compare, state.comparison ? drawComparison(app, state.comparison) : null);
  if (differs("doc", "tab", "minStrength", "minConfidence") && state.tab === "arcs") app.table.draw();
  if (differs("doc", "tab") && state.tab === "about") drawAbout(slots.about, app);
}

function showTab(app, state) {
  const { slots } = app;
  const shown = app.model || !app.options.startTab ? state.tab : "start";
  for (const name of ["graph", "arcs", "about", "start"]) slots[name].hidden = name !== shown;
  slots.tools.hidden = shown !== "graph";
  const tabs = app.options.startTab ? [["start", "Data"], ...TABS] : TABS;
  replace(slots.tabs, tabs.map(([name, title], i) => button(title, () => app.store.dispatch({ type: "set", values: { tab: name } }), {
    role: "tab", "aria-selected": String(name === shown), "aria-controls": name === "start" ? null : `pane-${name}`, "data-key": `tab-${name}`,
    disabled: !app.model && name !== "start", tabindex: name === shown ? "0" : "-1",
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step || !app.model) return;
      const next = tabs[(i + step + tabs.length) % tabs.length][0];
      app.store.dispatch({ type: "set", values: { tab: next } });
      slots.tabs.querySelector(`[data-key="tab-${next}"]`).focus();
    },
  })));
}

function listVariables(app) {
  const { slots, model, store } = app;
  if (!model) return;
  const state = store.get();
  const wanted = slots.search.value.toLowerCase();
  const rows = model.names.map((name, v) => ({ name, v })).filter(({ name }) => name.toLowerCase().includes(wanted));
  replace(slots.variables, rows.map(({ name, v }) => {
    const chosen = state.selection?.kind === "variable" && state.selection.v === v;
    const states = model.doc.variables[v].states?.length;
    const tier = tierOf(state.knowledge, name);
    const note = [states && `${states} states`, tier >= 0 && `tier ${tier + 1}`].filter(Boolean).join(", ");
    return h("li", {}, button([h("bdi", {}, name), h("small", {}, note)].flat(), () => app.choose(v), { class: "link", "aria-pressed": String(chosen), "data-key": `list${v}` }));
  }));
}

function drawTools(app) {
  const { store, view, model } = app;
  const state = store.get();
  const set = (values) => store.dispatch({ type: "set", values });
  const strengths = model.arcs.map((arc) => arc.strength).filter((value) => value !== null).sort((a, b) => a - b);
  const place = strengths.filter((value) => value < state.minStrength).length;
  const choice = (pattern, text) => button(text, () => set({ pattern }), { "aria-pressed": String(state.pattern === pattern), "data-key": text });
  const tiers = app.editable || state.knowledge.tiers.length > 0;
  replace(
    app.slots.tools,
    strengths.length > 0 && slider("strength", "Strength", strengths.length - 1, place,
      (value) => set({ minStrength: value === 0 ? -Infinity : strengths[value] }), `≥ ${number(strengths[place] ?? 0, 1)} ${model.doc.unit}`),
    model.doc.confidence && slider("confidence", "Confidence", 100, Math.round(100 * state.minConfidence),
      (value) => set({ minConfidence: value / 100 }), `≥ ${percent(state.minConfidence)}`),
    model.doc.kind === "DAG" && h("span", { class: "choice", role: "group", "aria-label": "Kind of graph" }, choice(false, "DAG"), choice(true, "CPDAG")),
    tiers && button("Tiers", () => set({ lanes: !state.lanes }), { "aria-pressed": String(state.lanes), "data-key": "tiers" }),
    button("Fit", () => view.fit(), { "data-key": "fit" }),
    button("+", () => view.zoom(1.25), { "aria-label": "Zoom in", "data-key": "in" }),
    button("−", () => view.zoom(0.8), { "aria-label": "Zoom out", "data-key": "out" }),
    button("Undo", () => store.dispatch({ type: "undo" }), { disabled: !state.past.length, "data-key": "undo" }),
    button("Redo", () => store.dispatch({ type: "redo" }), { disabled: !state.future.length, "data-key": "redo" }),
    Object.keys(state.moved).length > 0 && button("Restore places", () => store.dispatch({ type: "layout" }), { "data-key": "places" }),
    model.doc.original && button("Lay out again", () => {
      store.dispatch({ type: "load", values: { doc: model.doc.original, moved: {}, ghosts: [] } });
      view.fit();
    }, { "data-key": "again" }),
    state.ghosts.length > 0 && button("Dismiss removed arcs", () => set({ ghosts: [], fresh: [] }), { "data-key": "ghosts" }),
  );
}

function slider(id, title, max, value, change, text) {
  const input = h("input", { type: "range", id: `slider-${id}`, min: 0, max, "aria-valuetext": text, oninput: (event) => change(Number(event.target.value)) });
  input.value = value;
  return h("label", { class: "slider" }, `${title} `, input, h("output", {}, text));
}

function addKeys(app, target) {
  target.addEventListener("keydown", (event) => {
    const { store } = app;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range";
    if (event.key === "Escape") {
      const open = app.root.querySelector(".menu");
      if (open) open.remove();
      else store.dispatch({ type: "select", selection: null });
      app.root.classList.remove("show-left", "show-right");
      return;
    }
    if (typing) return;
    const chosen = store.get().selection;
    const arc = chosen?.kind === "arc" ? app.model.arcs[chosen.a] : null;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") store.dispatch({ type: event.shiftKey ? "redo" : "undo" });
    else if (event.key === "/") app.slots.search.focus();
    else if (event.key === "Delete" && arc && app.editable) app.state("forbidden_arcs", arc.from, arc.to);
    else if (event.key === "Enter" && arc && app.editable && event.target.tagName !== "BUTTON") app.state("required_arcs", arc.from, arc.to);
    else return;
    event.preventDefault();
  });
}
