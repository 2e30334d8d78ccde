// The toolbar below the graph: which arcs are shown, as which graph, zoom, undo.
import { button, h, number, percent } from "./dom.js";
import { register } from "./registry.js";

register({
  id: "tools",
  title: "View",
  place: "tools",
  reads: ["doc", "pattern", "lanes", "past", "future", "ghosts", "minStrength", "minConfidence"],
  applies: (state) => state.doc !== null && state.tab === "graph",
  attributes: { class: "tools", role: "toolbar", "aria-label": "View" },
  render(state, { store, view }) {
    const { doc, ghosts, lanes, minConfidence, minStrength } = state;
    const strengths = doc.arcs.map((arc) => arc.strength).filter((value) => value !== null).sort((a, b) => a - b);
    const place = strengths.filter((value) => value < minStrength).length;
    const choice = (pattern, text) => button(text, () => store.set({ pattern }), { "aria-pressed": String(state.pattern === pattern), "data-key": text });
    const tiers = state.editable || state.knowledge.tiers.length > 0;
    return [
      strengths.length > 0 && slider("strength", "Strength", strengths.length - 1, place,
        (value) => store.set({ minStrength: value === 0 ? -Infinity : strengths[value] }), `≥ ${number(strengths[place] ?? 0, 1)} ${doc.unit}`),
      doc.confidence && slider("confidence", "Confidence", 100, Math.round(100 * minConfidence),
        (value) => store.set({ minConfidence: value / 100 }), `≥ ${percent(minConfidence)}`),
      doc.kind === "DAG" && h("span", { class: "choice", role: "group", "aria-label": "Kind of graph" }, choice(false, "DAG"), choice(true, "CPDAG")),
      tiers && button("Tiers", () => store.set({ lanes: !lanes }), { "aria-pressed": String(lanes), "data-key": "tiers" }),
      button("Fit", () => view.fit(), { "data-key": "fit" }),
      button("+", () => view.zoom(1.25), { "aria-label": "Zoom in", "data-key": "in" }),
      button("−", () => view.zoom(0.8), { "aria-label": "Zoom out", "data-key": "out" }),
      button("Undo", () => store.undo(), { disabled: !state.past.length, "data-key": "undo" }),
      button("Redo", () => store.redo(), { disabled: !state.future.length, "data-key": "redo" }),
      Object.keys(state.moved).length > 0 && button("Restore places", () => store.set({ moved: {} }), { "data-key": "places" }),
      doc.original && button("Lay out again", () => {
        store.set({ doc: doc.original, moved: {}, ghosts: [] });
        view.fit();
      }, { "data-key": "again" }),
      ghosts.length > 0 && button("Dismiss removed arcs", () => store.set({ ghosts: [], fresh: [] }), { "data-key": "ghosts" }),
    ];
  },
});

function slider(id, title, max, value, change, text) {
  const input = h("input", { type: "range", id: `slider-${id}`, min: 0, max, "aria-valuetext": text, oninput: (event) => change(Number(event.target.value)) });
  input.value = value;
  return h("label", { class: "slider" }, `${title} `, input, h("output", {}, text));
}
