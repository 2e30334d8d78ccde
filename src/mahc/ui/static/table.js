// The table of arcs: sortable, filterable; a click shows the arc.
import { button, h, number, percent, replace } from "./dom.js";
import { confidenceOf, isShown } from "./model.js";

const MARK_TEXT = { tail: "-", arrow: ">", circle: "o" };

/** @param {HTMLElement} holder */
export function createTable(holder, app) {
  let sort = { column: "strength", down: true };
  let filter = "";
  const body = h("div", {});
  const input = h("input", {
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter arcs by name",
    oninput: (event) => {
      filter = event.target.value;
      draw();
    },
  });
  holder.append(h("div", { class: "row" }, input), body);

  /** The columns as [key, title, value of an arc]. @returns {any[]} */
  function columns() {
    const names = app.model.names;
    /** @type {any[]} */
    const found = [
      ["from", "From", (arc) => names[arc.from]],
      ["marks", "Marks", (arc) => markText(arc)],
      ["to", "To", (arc) => names[arc.to]],
      ["strength", `Strength (${app.model.doc.unit})`, (arc) => arc.strength],
    ];
    if (app.model.doc.confidence) {
      found.push(["confidence", "Confidence", (arc) => confidenceOf(arc)?.either ?? 0]);
      found.push(["forward", "This direction", (arc) => confidenceOf(arc)?.forward ?? 0]);
    }
    found.push(["direction", "Direction", (arc) => (arc.reversible ? "either way" : "determined")]);
    return found;
  }

  function rows(listed) {
    const state = app.store.get();
    const wanted = filter.toLowerCase();
    const value = listed.find(([key]) => key === sort.column)?.[2] || listed[0][2];
    return app.model.arcs
      .filter((arc) => isShown(arc, state.minStrength, state.minConfidence))
      .filter((arc) => [arc.from, arc.to].some((v) => app.model.names[v].toLowerCase().includes(wanted)))
      .sort((a, b) => (sort.down ? -1 : 1) * order(value(a), value(b)));
  }

  function head([key, title]) {
    const mine = sort.column === key;
    const change = () => {
      sort = { column: key, down: mine ? !sort.down : key === "strength" || key === "confidence" };
      draw();
    };
    const direction = mine ? (sort.down ? "descending" : "ascending") : "none";
    const sign = mine ? (sort.down ? " ▼" : " ▲") : "";
    return h("th", { scope: "col", "aria-sort": direction }, button(title + sign, change, { class: "link", "data-key": `sort-${key}` }));
  }

  function draw() {
    if (!app.model) return;
    const listed = columns();
    const found = rows(listed);
    const cells = (arc) => listed.map(([key, , value]) => cell(app, arc, key, value(arc)));
    const table = h(
      "table",
      { class: "arcs" },
      h("caption", {}, `${found.length} of ${app.model.arcs.length} arcs`),
      h("thead", {}, h("tr", {}, listed.map(head))),
      h("tbody", {}, found.map((arc) => h("tr", {}, cells(arc)))),
    );
    replace(body, table);
  }
  return { draw };
}

function cell(app, arc, key, value) {
  const choose = () => app.store.dispatch({ type: "select", selection: { kind: "arc", a: arc.index } });
  if (key === "from") return h("td", {}, button(h("bdi", {}, value), choose, { class: "link", "data-key": `arc${arc.index}` }));
  if (key === "strength") return h("td", { class: "number" }, value === null ? "" : number(value, 2));
  if (key === "confidence" || key === "forward") return h("td", { class: "number" }, percent(value));
  return h("td", {}, h("bdi", {}, value));
}

function markText(arc) {
  const left = arc.marks[0] === "arrow" ? "<" : MARK_TEXT[arc.marks[0]];
  return `${left}-${MARK_TEXT[arc.marks[1]]}`;
}

function order(a, b) {
  if (typeof a === "string") return a < b ? -1 : a > b ? 1 : 0;
  return (a ?? -Infinity) - (b ?? -Infinity);
}
