// A comparison of two graphs: a legend with counts and measures, and the list of edges that differ.
import { button, h, number } from "./dom.js";
import { modelOf, signOf } from "./model.js";
import { register } from "./registry.js";
import { docOf } from "./state.js";

/** @import {Child} from "./dom.js" */
/** @import {Model} from "./model.js" */
/** @import {Comparison} from "./state.js" */

/** @type {Record<string, string>} */
const MEASURES = { shd: "Edges to change (SHD)", f1: "F1", bsf: "Balanced score (BSF)", precision: "Precision", recall: "Recall" };
/** @type {Record<string, string>} */
const WORDS = { extra: "added", missing: "missing", reversed: "reversed", marks: "with other marks" };

register({
  id: "comparison",
  title: "Comparison",
  place: "summary",
  steps: ["judge"],
  reads: ["comparison", "doc"],
  applies: (state) => state.comparison !== null && state.doc !== null,
  attributes: { class: "compare" },
  render: (state, { store }) => [
    state.comparison && drawComparison(modelOf(docOf(state)), state.comparison),
    button("End the comparison", () => store.set({ comparison: null })),
  ],
});

/** A legend with counts, the measures, the edges. @param {Model} model @param {Comparison} comparison @returns {Child[]} */
function drawComparison({ names }, comparison) {
  const counts = Object.entries(WORDS).map(([kind, word]) => {
    const many = comparison.edges.filter((edge) => edge.kind === kind).length;
    return h("li", { class: kind }, h("span", { class: `swatch ${kind}` }), `${many} ${word}`);
  });
  const edges = comparison.edges.filter((edge) => edge.kind in WORDS).map((edge) =>
    h("li", { class: edge.kind }, `${WORDS[edge.kind]}: `, h("bdi", {}, names[edge.from]), ` ${signOf(edge.marks)} `, h("bdi", {}, names[edge.to])));
  const measures = Object.entries(comparison.measures || {}).map(([name, value]) => [h("dt", {}, MEASURES[name] || name), h("dd", {}, number(value, 3))]);
  return [
    h("h2", {}, "Comparison"),
    h("p", {}, `${comparison.left} compared with ${comparison.right}`),
    h("ul", { class: "legend" }, counts),
    measures.length > 0 && h("dl", { class: "measures" }, measures),
    comparison.note && h("p", { class: "hint" }, comparison.note),
    h("details", {}, h("summary", {}, "Edges that differ"), h("ul", {}, edges)),
  ];
}
