// A comparison of two graphs: a legend with counts and measures, and the list of edges that differ.
import { button, h, number } from "./dom.js";
import { modelOf, pairKey } from "./model.js";
import { register } from "./registry.js";

const WORDS = { added: "added", missing: "missing", reversed: "reversed", changed: "other marks" };

register({
  id: "comparison",
  title: "Comparison",
  place: "summary",
  reads: ["comparison", "doc"],
  applies: (state) => state.comparison !== null && state.doc !== null,
  attributes: { class: "compare" },
  render: ({ comparison, doc }, { store }) => [
    drawComparison(modelOf(doc), comparison),
    button("End the comparison", () => store.set({ comparison: null })),
  ],
});

/** The edges that differ between two documents: kinds are relative to `other`, the one compared with. @returns {import("./state.js").Edge[]} */
export function differences(model, other) {
  const at = (name) => model.at.get(name);
  const theirs = new Map();
  for (const arc of other.arcs) {
    const [a, b] = [at(other.variables[arc.from].name), at(other.variables[arc.to].name)];
    if (a !== undefined && b !== undefined) theirs.set(pairKey(a, b), { from: a, to: b, marks: arc.marks });
  }
  const found = [];
  for (const arc of model.arcs) {
    const mate = theirs.get(pairKey(arc.from, arc.to));
    theirs.delete(pairKey(arc.from, arc.to));
    if (!mate) found.push({ from: arc.from, to: arc.to, marks: arc.marks, kind: "added" });
    else if (!sameMarks(arc, mate)) found.push({ from: arc.from, to: arc.to, marks: arc.marks, kind: turned(arc, mate) });
  }
  for (const mate of theirs.values()) found.push({ ...mate, kind: "missing" });
  return found;
}

const seen = (arc, mate) => (arc.from === mate.from ? mate.marks : [mate.marks[1], mate.marks[0]]);
const sameMarks = (arc, mate) => arc.marks.join() === seen(arc, mate).join();
const turned = (arc, mate) => (arc.marks.join() === [...seen(arc, mate)].reverse().join() ? "reversed" : "changed");

/** A legend with counts, the measures, the edges. @returns {any[]} */
function drawComparison({ names }, comparison) {
  const counts = Object.entries(WORDS).map(([kind, word]) => {
    const many = comparison.edges.filter((edge) => edge.kind === kind).length;
    return h("li", { class: kind }, h("span", { class: `swatch ${kind}` }), `${many} ${word}`);
  });
  const edges = comparison.edges.map((edge) =>
    h("li", { class: edge.kind }, `${WORDS[edge.kind]}: `, h("bdi", {}, names[edge.from]), " – ", h("bdi", {}, names[edge.to])));
  const measures = Object.entries(comparison.measures || {}).map(([name, value]) => [h("dt", {}, name), h("dd", {}, number(value, 3))]);
  return [
    h("h3", {}, "Comparison"),
    h("p", {}, `${comparison.left} compared with ${comparison.right}`),
    h("ul", { class: "legend" }, counts),
    measures.length > 0 && h("dl", { class: "measures" }, measures),
    comparison.note && h("p", { class: "hint" }, comparison.note),
    h("details", {}, h("summary", {}, "Edges that differ"), h("ul", {}, edges)),
  ];
}
