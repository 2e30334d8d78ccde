// The frame around the panels: steps, places, tabs, keys. Report, notebook and server use the same.
import { button, h, number, replace } from "./dom.js";
import { modelOf } from "./model.js";
import { addPair, createStore, differs, docOf, initialState, listStatements } from "./state.js";
import { STEPS, hasPanels, listTabs, mountPanels, register } from "./registry.js";
import { explain } from "./reasons.js";
import "./panels.js";

/** @import {App, Place} from "./registry.js" */
/** @import {Session} from "./session.js" */
/** @import {State, Step} from "./state.js" */
/** @import {View} from "./view.js" */

register({
  id: "title",
  title: "What is shown",
  place: "title",
  reads: ["doc", "data"],
  render({ doc, data }) {
    if (doc && !doc.draft) return [h("bdi", {}, doc.title), ` ${number(doc.run.rows)} rows × ${doc.variables.length}`];
    return data && h("bdi", {}, data.name);
  },
});

register({
  id: "message",
  title: "What just happened",
  place: "foot",
  reads: ["message"],
  attributes: { role: "status", class: "message" },
  render: (state) => state.message,
});

register({
  id: "undo",
  title: "Undo",
  place: "foot",
  reads: ["past", "future"],
  attributes: { class: "row undo" },
  render: ({ past, future }, { store }) => [
    button("Undo", () => store.undo(), { disabled: !past.length, "data-key": "undo" }),
    button("Redo", () => store.redo(), { disabled: !future.length, "data-key": "redo" }),
  ],
});

/**
 * @param {HTMLElement} root
 * @param {Partial<State>} values what the state begins with
 * @param {{session?: Session | null, keys?: GlobalEventHandlers, bare?: boolean}} options what can be done with a server; the element that hears keys; whether the panels are hidden at first
 * @returns {App}
 */
export function createApp(root, values, { session = null, keys = document, bare = false } = {}) {
  const store = createStore(initialState(values));
  /** @type {App} */
  const app = {
    root,
    store,
    view: /** @type {View} */ (/** @type {unknown} */ (null)), // made when there is a document
    session,
    choose(v) {
      const { step } = store.get();
      store.set({ selection: { kind: "variable", v }, ...(step === "knowledge" || step === "judge" ? {} : { step: "judge" }) });
      app.view.reveal(v);
    },
    declare(kind, a, b) {
      const { names } = modelOf(docOf(store.get()));
      const knowledge = addPair(store.get().knowledge, kind, [names[a], names[b]]);
      const added = listStatements(knowledge).find((each) => each.kind === kind && each.pair === knowledge[kind].at(-1));
      store.set({ knowledge, message: `Stated: ${added?.text}. Learn again to use it.` });
    },
    explain: (from, to) => explain(app, from, to),
  };
  root.classList.toggle("bare", bare);
  const tabs = h("div", { role: "tablist", "aria-label": "Views", class: "tabs" });
  const steps = session && h("nav", { class: "steps", "aria-label": "Steps" });
  const show = mountPanels(app, buildFrame(app, tabs, steps));
  /** @param {State} state @param {State | null} before */
  const update = (state, before) => {
    if (differs(state, before, ["step", "tab", "doc", "data"])) drawTabs(app, tabs);
    if (steps && differs(state, before, ["step", "table", "clash"])) drawSteps(app, steps);
    root.dataset.step = state.step;
    root.classList.toggle("no-left", !hasPanels(state, "left"));
    root.classList.toggle("no-right", !hasPanels(state, "details") && !hasPanels(state, "summary"));
    show(state, before);
    const chosen = before && /** @type {("selection" | "comparison")[]} */ (["selection", "comparison"]).some((part) => state[part] && state[part] !== before[part]);
    if (chosen) root.classList.add("show-right");
    else if (!state.selection && !state.comparison && root.classList.contains("bare")) root.classList.remove("show-right");
  };
  store.subscribe(update);
  update(store.get(), null);
  addKeys(app, keys);
  addClosing(root);
  return app;
}

/** The places for panels, by name. @param {App} app @param {HTMLElement} tabs @param {HTMLElement | null} steps @returns {Record<Place, HTMLElement>} */
function buildFrame(app, tabs, steps) {
  const { root } = app;
  const places = {
    title: h("span", { class: "title" }),
    head: h("div", { class: "head row" }),
    save: h("div", { class: "drop" }),
    left: h("nav", { class: "left", "aria-label": "Lists" }),
    tab: h("div", { class: "panes" }),
    tools: h("div", {}),
    corner: h("div", { class: "corner" }),
    summary: h("div", {}),
    details: h("div", { class: "details", "aria-live": "polite" }),
    foot: h("footer", {}),
  };
  /** @param {"left" | "right"} side */
  const sheet = (side) => button(side === "left" ? "Lists" : "Details", () => {
    root.classList.toggle(`show-${side}`);
    root.classList.remove(side === "left" ? "show-right" : "show-left");
  }, { class: `sheet-button ${side}-button` });
  const foldText = () => (root.classList.contains("bare") ? "Show panels" : "Hide panels");
  const fold = button(foldText(), () => {
    root.classList.toggle("bare");
    fold.textContent = foldText();
    if (app.store.get().doc) app.view.fit();
  }, { class: "fold" });
  const save = !app.session && h("details", { class: "save" }, h("summary", {}, "Save"), places.save);
  root.classList.add("mahc");
  replace(root,
    h("header", {}, h("h1", {}, "mahc"), places.title, steps, places.head, fold, save, sheet("left"), sheet("right")),
    places.left,
    h("main", {}, tabs, places.tab, places.corner, places.tools),
    h("aside", { class: "right", "aria-label": "Details" }, places.summary, places.details),
    places.foot);
  return places;
}

/** The steps; one that needs attention says so with a number. @param {App} app @param {HTMLElement} holder */
function drawSteps({ store }, holder) {
  const state = store.get();
  const problems = (state.table?.problem ? 1 : 0) + (state.audit ? state.audit.problems.filter((each) => each.serious).length + state.audit.columns.filter((each) => each.refused).length : 0);
  /** @type {Partial<Record<Step, number>>} */
  const attention = { data: problems, knowledge: state.clash ? Math.max(1, state.clash.conflict.length) : 0 };
  replace(holder, STEPS.map(([id, title], i) => {
    const many = attention[id] || 0;
    return button([h("span", { class: "step-number" }, String(i + 1)), ` ${title}`, many > 0 && h("span", { class: "badge" }, String(many), h("span", { class: "unseen-words" }, " to look at"))],
      () => store.set(enterStep(id, state)), { "aria-current": state.step === id ? "step" : null, "data-key": `step-${id}` });
  }));
}

/** What a step shows when it is entered. @param {Step} step @param {State} state @returns {Partial<State>} */
export function enterStep(step, { doc, focus, lanes }) {
  return { step, lanes: step === "knowledge" || (step === "judge" ? Boolean(doc?.panel) : lanes), focus: step === "judge" ? focus : null };
}

/** @param {App} app @param {HTMLElement} holder */
function drawTabs({ store }, holder) {
  const { usable, open } = listTabs(store.get());
  /** @param {KeyboardEvent} event */
  const turn = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = usable[(usable.indexOf(open) + step + usable.length) % usable.length];
    store.set({ tab: next.id });
    /** @type {HTMLElement} */ (holder.querySelector(`[data-key="tab-${next.id}"]`)).focus();
  };
  holder.hidden = usable.length < 2;
  replace(holder, usable.map((panel) => button(panel.title, () => store.set({ tab: panel.id }), {
    role: "tab", "aria-selected": String(panel === open), "aria-controls": `pane-${panel.id}`, "data-key": `tab-${panel.id}`,
    tabindex: panel === open ? "0" : "-1", onkeydown: turn,
  })));
}

/** Menus close when something else is clicked. @param {HTMLElement} root */
function addClosing(root) {
  root.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    for (const menu of root.querySelectorAll("details.save[open]")) if (!menu.contains(target)) menu.removeAttribute("open");
    for (const menu of root.querySelectorAll(".menu")) if (!menu.contains(target)) menu.remove();
  }, true);
}

/** @param {App} app @param {GlobalEventHandlers} heard */
function addKeys(app, heard) {
  const { root, store } = app;
  heard.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target); // or any other element
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== "range";
    if (event.key === "Escape") {
      const open = root.querySelectorAll("details.save[open]");
      const menu = root.querySelector(".menu");
      for (const each of open) each.removeAttribute("open");
      if (menu) menu.remove();
      else if (!open.length) store.set({ selection: null });
      root.classList.remove("show-left", "show-right");
      return;
    }
    if (typing) return;
    const { selection, doc, editable } = store.get();
    const arc = selection?.kind === "arc" && editable && doc ? doc.arcs[selection.a] : null;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") (event.shiftKey ? store.redo : store.undo)();
    else if (event.key === "/") /** @type {HTMLElement | null} */ (root.querySelector(".left section:not([hidden]) input[type=search]"))?.focus();
    else if (event.key === "Delete" && arc) app.declare("forbidden_arcs", arc.from, arc.to);
    else if (event.key === "Enter" && arc && target.tagName !== "BUTTON") app.declare("required_arcs", arc.from, arc.to);
    else return;
    event.preventDefault();
  });
}
