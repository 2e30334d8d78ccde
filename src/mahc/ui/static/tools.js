// The toolbar below the graph: which arcs are shown, as which graph, zoom, undo.
import { button, h, number, percent, replace, s } from "./dom.js";
import { register } from "./registry.js";
import { docOf } from "./state.js";

/** @import {Attributes, Child} from "./dom.js" */
/** @import {State} from "./state.js" */

register({
  id: "tools",
  title: "View",
  place: "tools",
  steps: ["knowledge", "judge"],
  reads: ["doc", "pattern", "lanes", "minStrength", "minConfidence", "focus", "bars", "step"],
  applies: (state) => state.doc !== null && (state.tab === "graph" || state.step === "knowledge"),
  attributes: { class: "tools", role: "toolbar", "aria-label": "View" },
  render(state, { store }) {
    const { lanes, minConfidence, minStrength } = state;
    const doc = docOf(state);
    const strengths = doc.arcs.map((arc) => arc.strength).filter((value) => value !== null).sort((a, b) => a - b);
    const place = strengths.filter((value) => value < minStrength).length;
    /** @param {boolean} pattern @param {string} text */
    const choice = (pattern, text) => button(text, () => store.set({ pattern }), { "aria-pressed": String(state.pattern === pattern), "data-key": text });
    const tiers = state.editable || state.knowledge.tiers.length > 0;
    return [
      strengths.length > 0 && slider("strength", "Strength", strengths.length - 1, place,
        (value) => store.set({ minStrength: value === 0 ? -Infinity : strengths[value] }), place === 0 ? "all" : `≥ ${number(strengths[place], 1)} ${doc.unit}`),
      doc.confidence && slider("confidence", "Confidence", 100, Math.round(100 * minConfidence),
        (value) => store.set({ minConfidence: value / 100 }), minConfidence ? `≥ ${percent(minConfidence)}` : "all"),
      doc.kind === "DAG" && !doc.draft && h("span", { class: "choice", role: "group", "aria-label": "Kind of graph" }, choice(false, "DAG"), choice(true, "CPDAG")),
      doc.variables.some((each) => each.states) && !lanes && button("Bars", () => store.set({ bars: !state.bars }), { "aria-pressed": String(state.bars), "data-key": "bars" }),
      state.focus && button("Show all", () => store.set({ focus: null }), { class: "main", "data-key": "all" }),
      tiers && !state.focus && button("Tiers", () => store.set({ lanes: !lanes }), { "aria-pressed": String(lanes), "data-key": "tiers" }),
    ];
  },
});

register({
  id: "corner",
  title: "Layout",
  place: "corner",
  steps: ["knowledge", "judge"],
  reads: ["doc", "ghosts", "comparison", "moved", "lanes"],
  applies: (state) => state.doc !== null && (state.tab === "graph" || state.step === "knowledge"),
  attributes: { class: "row" },
  render(state, { store, view }) {
    const { ghosts } = state;
    const doc = docOf(state);
    return [
      legendMenu(state),
      Object.keys(state.moved).length > 0 && button("Restore places", () => store.set({ moved: {} }), { "data-key": "places" }),
      doc.original && button("New layout", () => {
        store.set({ doc: doc.original, moved: {}, ghosts: [] });
        view.fit();
      }, { "data-key": "again" }),
      ghosts.length > 0 && button("Hide removed arcs", () => store.set({ ghosts: [], fresh: [] }), { "data-key": "ghosts" }),
    ];
  },
});

/** @param {string} id @param {string} title @param {number} max @param {number} value @param {(value: number) => void} change @param {string} text */
function slider(id, title, max, value, change, text) {
  const input = h("input", { type: "range", id: `slider-${id}`, min: 0, max, "aria-valuetext": text, oninput: (event) => change(Number(event.target.value)) });
  input.value = String(value);
  return h("label", { class: "slider" }, `${title} `, input, h("output", {}, text));
}

/** @param {Attributes} props @param {Child[]} more */
const arrow = (props, ...more) => s("svg", { class: "graph key", viewBox: "0 0 54 14", "aria-hidden": "true" }, s("g", { class: "arc", ...props }, s("path", { class: "line", d: "M2 7H44", "stroke-width": props.wide || 2 }), more));
const head = () => s("polygon", { class: "head", points: "52,7 42,3 42,11" });

/** The legend, drawn when it is opened. @param {State} state */
function legendMenu(state) {
  const list = h("div", { class: "drop up" });
  return h("details", { class: "save legend-menu", "data-key": "legend", ontoggle: (event) => replace(list, event.target.open && legend(state)) }, h("summary", {}, "Legend"), list);
}

/** What the marks mean that can occur here. @param {State} state */
function legend(state) {
  const { comparison, editable, ghosts } = state;
  const doc = docOf(state);
  const rows = /** @type {[Child, string][]} */ ([
    [arrow({}, head()), "direction determined by data and knowledge"],
    doc.kind !== "PAG" && [arrow({}, s("circle", { class: "dot", cx: 24, cy: 7, r: 3.4 })), "could point either way"],
    doc.kind === "PAG" && [arrow({}, s("circle", { class: "ring", cx: 47, cy: 7, r: 3.5 })), "end not determined"],
    [arrow({ wide: 4 }, head()), "wider: stronger"],
    doc.confidence && [arrow({ "stroke-opacity": 0.4, "fill-opacity": 0.4 }, head()), "paler: less sure"],
    editable && [arrow({ class: "arc stated-required" }, head()), "stated: required (lock) or likely (%)"],
    editable && [arrow({ class: "arc stated-forbidden" }, head()), "stated: forbidden (×)"],
    ghosts.length > 0 && [arrow({ class: "arc ghost" }), "gone since the previous run"],
    comparison && [arrow({ class: "arc extra" }, head()), "added (+)"],
    comparison && [arrow({ class: "arc missing" }, head()), "missing (−)"],
    comparison && [arrow({ class: "arc reversed" }, head()), "reversed (⇄)"],
    comparison && [arrow({ class: "arc marks" }, head()), "other marks (⇄)"],
  ].filter(Boolean));
  return h("ul", { class: "plain legend-list" }, rows.map(([picture, text]) => h("li", {}, picture, text)), h("li", {}, "Double-click a variable: its neighbourhood alone."));
}
