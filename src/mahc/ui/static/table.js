// The table of arcs: sortable, filterable; a click shows the arc.
import { button, h, number, percent } from "./dom.js";
import { confidenceOf, isShown, modelOf } from "./model.js";
import { register } from "./registry.js";
import { docOf } from "./state.js";

/** @import {Edge} from "./documents.js" */
/** @import {Link, Model} from "./model.js" */
/** @import {State, Store} from "./state.js" */

/** @typedef {string | number | null} Value */
/** @typedef {[string, string, (arc: Link) => Value]} ArcColumn key, title, value of an arc */

const MARK_TEXT = { tail: "-", arrow: ">", circle: "o" };

register({
  id: "arcs",
  title: "Arcs",
  place: "tab",
  steps: ["judge"],
  reads: ["doc", "minStrength", "minConfidence", "filter", "sort"],
  applies: (state) => state.doc !== null,
  attributes: { class: "pane" },
  build: ({ store }) => h("div", { class: "row" }, h("input", {
    type: "search", placeholder: "Filter by name", "aria-label": "Filter arcs by name", value: store.get().filter,
    oninput: (event) => store.set({ filter: event.target.value }),
  })),
  render(state, { store }) {
    const model = modelOf(docOf(state));
    const listed = columns(model);
    const found = rows(model, listed, state);
    return h(
      "table",
      { class: "arcs" },
      h("caption", {}, `${found.length} of ${model.arcs.length} arcs`),
      h("thead", {}, h("tr", {}, listed.map((column) => head(store, column)))),
      h("tbody", {}, found.map((arc) => h("tr", {}, listed.map(([key, , value]) => cell(store, arc, key, value(arc)))))),
    );
  },
});

/** @param {Model} model */
function columns({ names, doc }) {
  /** @type {ArcColumn[]} */
  const found = [
    ["from", "From", (arc) => names[arc.from]],
    ["marks", "Marks", (arc) => markText(arc)],
    ["to", "To", (arc) => names[arc.to]],
    ["strength", `Strength (${doc.unit})`, (arc) => arc.strength],
  ];
  if (doc.confidence) {
    found.push(["confidence", "Confidence", (arc) => confidenceOf(arc)?.either ?? 0]);
    found.push(["forward", "This direction", (arc) => confidenceOf(arc)?.forward ?? 0]);
  }
  found.push(["direction", "Direction", (arc) => (arc.reversible ? "either way" : "determined")]);
  return found;
}

/** @param {Model} model @param {ArcColumn[]} listed @param {State} state */
function rows({ arcs, names }, listed, { filter, sort, minStrength, minConfidence }) {
  const wanted = filter.toLowerCase();
  const value = listed.find(([key]) => key === sort.column)?.[2] || listed[0][2];
  return arcs
    .filter((arc) => isShown(arc, minStrength, minConfidence))
    .filter((arc) => [arc.from, arc.to].some((v) => names[v].toLowerCase().includes(wanted)))
    .sort((a, b) => (sort.down ? -1 : 1) * order(value(a), value(b)));
}

/** @param {Store} store @param {ArcColumn} column */
function head(store, [key, title]) {
  const { sort } = store.get();
  const mine = sort.column === key;
  const change = () => store.set({ sort: { column: key, down: mine ? !sort.down : key === "strength" || key === "confidence" } });
  const direction = mine ? (sort.down ? "descending" : "ascending") : "none";
  const sign = mine ? (sort.down ? " ▼" : " ▲") : "";
  return h("th", { scope: "col", "aria-sort": direction }, button(title + sign, change, { class: "link", "data-key": `sort-${key}` }));
}

/** @param {Store} store @param {Link} arc @param {string} key @param {Value} value */
function cell(store, arc, key, value) {
  const choose = () => store.set({ selection: { kind: "arc", a: arc.index } });
  if (key === "from") return h("td", {}, button(h("bdi", {}, value), choose, { class: "link", "data-key": `arc${arc.index}` }));
  if (key === "strength") return h("td", { class: "number" }, value === null ? "" : number(Number(value), 2));
  if (key === "confidence" || key === "forward") return h("td", { class: "number" }, percent(Number(value)));
  return h("td", {}, h("bdi", {}, value));
}

/** @param {Edge} arc */
function markText(arc) {
  const left = arc.marks[0] === "arrow" ? "<" : MARK_TEXT[arc.marks[0]];
  return `${left}-${MARK_TEXT[arc.marks[1]]}`;
}

/** Of two values of one column. @param {Value} a @param {Value} b */
function order(a, b) {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return Number(a ?? -Infinity) - Number(b ?? -Infinity);
}
