// The frame around the panels: places, tabs, keys. Report, notebook and server use the same.
import { button, h, number, replace } from "./dom.js";
import { modelOf } from "./model.js";
import { addPair, createStore, differs, initialState } from "./state.js";
import { listTabs, mountPanels, register } from "./registry.js";
import { explain } from "./reasons.js";
import "./panels.js";

/** @typedef {import("./registry.js").App} App */

register({
  id: "title",
  title: "What is shown",
  place: "title",
  reads: ["doc", "data"],
  render({ doc, data }) {
    if (doc) return `${doc.title}  ${number(doc.run.rows)} rows × ${doc.variables.length}`;
    return data && h("bdi", {}, data.name);
  },
});

register({
  id: "message",
  title: "What just happened",
  place: "foot",
  reads: ["message"],
  attributes: { role: "status" },
  render: (state) => state.message,
});

/**
 * @param {HTMLElement} root
 * @param {Partial<import("./state.js").State>} values what the state begins with
 * @param {{session?: any, keys?: any, bare?: boolean}} options what can be done with a server; the element that hears keys; whether the panels are hidden at first
 * @returns {App}
 */
export function createApp(root, values, { session = null, keys = document, bare = false } = {}) {
  const store = createStore(initialState(values));
  /** @type {App} */
  const app = {
    root,
    store,
    view: null,
    session,
    choose(v) {
      store.set({ selection: { kind: "variable", v } });
      app.view.reveal(v);
    },
    declare(kind, a, b) {
      const { names } = modelOf(store.get().doc);
      const pair = [names[a], names[b]];
      const what = `${kind.replace("_", " ").replace(/s$/, "")} ${pair.join(kind.endsWith("arcs") ? " -> " : " - ")}`;
      store.set({ knowledge: addPair(store.get().knowledge, kind, pair), message: `Stated: ${what}. Learn again to use it.` });
    },
    explain: (from, to) => explain(app, from, to),
  };
  root.classList.toggle("bare", bare);
  const tabs = h("div", { role: "tablist", "aria-label": "Views", class: "tabs" });
  const show = mountPanels(app, buildFrame(app, tabs));
  const update = (state, before) => {
    if (differs(state, before, ["tab", "doc"])) drawTabs(app, tabs);
    show(state, before);
    const chosen = before && ["selection", "comparison"].some((part) => state[part] && state[part] !== before[part]);
    if (chosen) root.classList.add("show-right");
    else if (!state.selection && !state.comparison && root.classList.contains("bare")) root.classList.remove("show-right");
  };
  store.subscribe(update);
  update(store.get(), null);
  addKeys(app, keys);
  return app;
}

/** The places for panels, by name. @param {App} app @returns {Record<string, HTMLElement>} */
function buildFrame(app, tabs) {
  const { root } = app;
  const places = {
    title: h("span", { class: "title" }),
    head: h("div", { class: "head row" }),
    save: h("div", { class: "drop" }),
    left: h("nav", { class: "left", "aria-label": "Variables and knowledge" }),
    tab: h("div", { class: "panes" }),
    tools: h("div", {}),
    summary: h("div", {}),
    details: h("div", { class: "details", "aria-live": "polite" }),
    foot: h("footer", {}),
  };
  const sheet = (side) => button(side === "left" ? "Lists" : "Details", () => {
    root.classList.toggle(`show-${side}`);
    root.classList.remove(side === "left" ? "show-right" : "show-left");
  }, { class: "sheet-button" });
  const foldText = () => (root.classList.contains("bare") ? "Show panels" : "Hide panels");
  const fold = button(foldText(), () => {
    root.classList.toggle("bare");
    fold.textContent = foldText();
    if (app.store.get().doc) app.view.fit();
  }, { class: "fold" });
  const save = h("details", { class: "save" }, h("summary", {}, "Save"), places.save);
  root.classList.add("mahc");
  root.replaceChildren(
    h("header", {}, h("h1", {}, "mahc"), places.title, places.head, fold, save, sheet("left"), sheet("right")),
    places.left,
    h("main", {}, tabs, places.tab, places.tools),
    h("aside", { class: "right", "aria-label": "Details" }, places.summary, places.details),
    places.foot,
  );
  return places;
}

/** @param {App} app */
function drawTabs({ store }, holder) {
  const { tabs, usable, open } = listTabs(store.get());
  const turn = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = usable[(usable.indexOf(open) + step + usable.length) % usable.length];
    store.set({ tab: next.id });
    holder.querySelector(`[data-key="tab-${next.id}"]`).focus();
  };
  replace(holder, tabs.map((panel) => button(panel.title, () => store.set({ tab: panel.id }), {
    role: "tab", "aria-selected": String(panel === open), "aria-controls": `pane-${panel.id}`, "data-key": `tab-${panel.id}`,
    disabled: !usable.includes(panel), tabindex: panel === open ? "0" : "-1", onkeydown: turn,
  })));
}

/** @param {App} app */
function addKeys(app, target) {
  const { root, store } = app;
  target.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range";
    if (event.key === "Escape") {
      const menu = root.querySelector(".menu");
      if (menu) menu.remove();
      else store.set({ selection: null });
      root.classList.remove("show-left", "show-right");
      return;
    }
    if (typing) return;
    const { selection, doc, editable } = store.get();
    const arc = selection?.kind === "arc" && editable ? doc.arcs[selection.a] : null;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") (event.shiftKey ? store.redo : store.undo)();
    else if (event.key === "/") /** @type {HTMLElement} */ (root.querySelector(".left input[type=search]")).focus();
    else if (event.key === "Delete" && arc) app.declare("forbidden_arcs", arc.from, arc.to);
    else if (event.key === "Enter" && arc && event.target.tagName !== "BUTTON") app.declare("required_arcs", arc.from, arc.to);
    else return;
    event.preventDefault();
  });
}
