// One card per column: its use, a small chart, what is missing, and each problem with its one-click fixes.
import { button, h, number, percent, s } from "./dom.js";
import { KINDS, applyFix, cutsOf, kindOf, nameOf, setKind } from "./reading.js";

/** @import {Audit, Column, Fix} from "./documents.js" */
/** @import {Child} from "./dom.js" */
/** @import {Kind, Reading, Rule, States} from "./reading.js" */
/** @import {App} from "./registry.js" */

const MOST_BARS = 5;
const WIDE = 180;
const HIGH = 34;
/** @type {Record<string, string>} */
const LEVELS = { nominal: "states", ordinal: "ordered states", continuous: "number" };

/** @param {App} app @param {Audit} audit @param {Reading} reading */
export function drawColumns(app, audit, reading) {
  /** @param {Column} column */
  const weight = (column) => (column.refused ? 0 : toCheck(column).length ? 1 : 2);
  const listed = audit.columns.map((column, i) => ({ column, i })).sort((a, b) => weight(a.column) - weight(b.column) || a.i - b.i);
  const gone = (reading.drop || []).filter((name) => !audit.columns.some((column) => column.name === name));
  return h("ul", { class: "plain cards", "aria-label": "Columns" }, listed.map(({ column }) => drawCard(app, column, audit.rows, reading)), gone.map((name) => drawGone(app, name)));
}

/** What a person should look at. @param {Column} column */
const toCheck = (column) => column.remarks.filter((remark) => !remark.note);

/** @param {App} app @param {string} name */
function drawGone({ store }, name) {
  return h("li", { class: "card gone", "data-column": name }, h("div", { class: "card-head" }, h("h3", {}, h("bdi", {}, name)), h("span", { class: "hint" }, "left out"),
    button("Use it", () => store.set({ reading: setKind(store.get().reading, name, "automatic") }), { "aria-label": `Use it: ${name}`, "data-key": `use ${name}` })));
}

/** @param {App} app @param {Column} column @param {number} rows @param {Reading} reading */
function drawCard(app, column, rows, reading) {
  const { store } = app;
  /** @param {Kind} kind @param {States | Rule} [value] */
  const set = (kind, value) => store.set({ reading: setKind(store.get().reading, column.name, kind, value) });
  const chosen = kindOf(reading, column.name);
  const automatic = column.refused ? "refused" : column.cuts ? "cut" : LEVELS[column.level] || column.kind;
  const options = KINDS.filter(([kind]) => usable(kind, column)).map(([kind, text]) => h("option", { value: kind }, kind === "automatic" ? `automatic: ${automatic}` : text));
  const select = h("select", { "aria-label": `Kind of ${column.name}`, "data-key": `kind ${column.name}`, onchange: (event) => set(/** @type {Kind} */ (event.target.value), initial(event.target.value, column)) }, options);
  select.value = chosen;
  const missing = column.missing ? `${column.missing.toLocaleString("en")} missing (${percent(column.missing / rows)})` : "none missing";
  const offered = new Set(); // a fix that solves two problems is offered once
  /** @param {Fix} fix */
  const isNew = (fix) => !offered.has(fix.text) && Boolean(offered.add(fix.text));
  return h("li", { class: column.refused ? "card serious" : toCheck(column).length ? "card warned" : "card", "data-column": column.name },
    h("div", { class: "card-head" }, h("h3", {}, h("bdi", {}, column.name)), select, h("div", { class: "chart" }, drawChart(column)), h("span", { class: "missing hint" }, missing)),
    toCheck(column).map((remark) => h("div", { class: remark.serious ? "remark problem row" : "remark row" }, h("span", {}, remark.text),
      remark.fixes.filter(isNew).map((fix) => button(fix.text, () => store.set({ reading: applyFix(store.get().reading, fix) }), { "aria-label": `${fix.text}: ${column.name}`, "data-key": `${column.name} ${fix.text}` })))),
    column.labels && column.labels.length > 1 && !column.cuts && drawValues(app, column),
    chosen === "ordered" && drawOrder(column, (reading.ordinal || {})[column.name], (order) => set("ordered", order)),
    (chosen === "cut" || (column.cuts && column.histogram)) && drawCuts(column, cutsOf(reading)[column.name], (rule) => set("cut", rule),
      () => store.set({ reading: setKind(store.get().reading, column.name, "number"), numbers: "cuts" }), (message) => store.set({ message })));
}

/** All values, each of which can be declared missing. @param {App} app @param {Column} column */
function drawValues({ store }, column) {
  const [labels, counts] = [column.labels || [], column.counts || []];
  /** @param {string} value */
  const declare = (value) => store.set({ reading: applyFix(store.get().reading, { setting: "missing_tokens", value: { [column.name]: [value] } }) });
  return h("details", { "data-key": `values ${column.name}`, class: "values" }, h("summary", {}, `${column.states} values`), h("ul", { class: "plain" }, labels.map((value, k) => h("li", {},
    h("bdi", {}, value), h("span", { class: "hint" }, ` ${counts[k].toLocaleString("en")} rows `),
    value !== "missing" && button("means missing", () => declare(value), { class: "link", "aria-label": `“${value}” means missing in ${column.name}` })))));
}

/** Whether a column can be used so. @param {Kind} kind @param {Column} column */
function usable(kind, column) {
  const numeric = ["integer", "real"].includes(column.kind) || column.histogram !== null;
  if (kind === "number" || kind === "cut") return numeric;
  if (kind === "ordered") return column.labels !== null && column.labels.length < 60;
  return true;
}

/** @param {string} kind @param {Column} column @returns {States | Rule | undefined} */
function initial(kind, column) {
  if (kind === "ordered") return (column.labels || []).filter((each) => each !== "missing");
  return kind === "cut" ? "quantile:4" : undefined;
}

/** @param {Column} column @returns {Child} */
function drawChart(column) {
  if (column.histogram && column.level !== "nominal" && column.level !== "ordinal") return drawHistogram(column);
  if (column.histogram && column.cuts) return drawHistogram(column);
  if (!column.labels || !column.counts) return h("span", { class: "hint" }, column.examples.length ? `such as ${column.examples.join(", ")}` : "");
  const { labels, counts } = { labels: column.labels, counts: column.counts };
  const total = counts.reduce((a, b) => a + b, 0) || 1;
  const order = column.level === "ordinal" ? counts.map((_, i) => i) : counts.map((_, i) => i).sort((a, b) => counts[b] - counts[a]);
  const shown = order.slice(0, MOST_BARS);
  const more = (column.states ?? 0) - shown.length;
  const rows = shown.map((k) => {
    const fill = h("span", { class: "fill" });
    fill.style.width = `${((100 * counts[k]) / total).toFixed(1)}%`;
    return h("span", { class: "mini" }, h("bdi", { class: "mini-label", title: labels[k] }, labels[k]), h("span", { class: "bar" }, fill), h("span", { class: "number" }, percent(counts[k] / total)));
  });
  return [rows, more > 0 && h("span", { class: "hint" }, `and ${more.toLocaleString("en")} more`)];
}

/** @param {Column} column @param {(at: number, to: number) => void} [move] called when a cut was dragged @param {number} [high] */
function drawHistogram(column, move, high = HIGH) {
  const { edges, counts } = column.histogram || { edges: [0, 1], counts: [0] };
  const [low, top] = [edges[0], edges[edges.length - 1]];
  const most = Math.max(1, ...counts);
  const wide = WIDE / counts.length;
  const bars = counts.map((count, i) => s("rect", { class: "column-bar", x: i * wide, y: high - (count / most) * high, width: Math.max(0.5, wide - 1), height: (count / most) * high }));
  /** @param {number} x */
  const across = (x) => ((x - low) / (top - low || 1)) * WIDE;
  const lines = (column.cuts || []).map((cut, i) => s("g", { class: "cut" }, s("line", { x1: across(cut), x2: across(cut), y1: 0, y2: high }),
    move && s("rect", { class: "handle", x: across(cut) - 6, y: 0, width: 12, height: high, "data-cut": i })));
  const svg = s("svg", { class: "column-histogram", viewBox: `0 0 ${WIDE} ${high}`, preserveAspectRatio: "none", role: "img", "aria-label": `Histogram of ${column.name}, from ${number(low)} to ${number(top)}` }, bars, lines);
  if (move) addDragging(svg, lines, (share) => low + share * (top - low), move);
  return [svg, h("span", { class: "ends hint" }, h("span", {}, number(low)), h("span", {}, number(top)))];
}

/** Cut points are dragged along the histogram. @param {SVGElement} svg @param {SVGElement[]} lines @param {(share: number) => number} valueAt @param {(at: number, to: number) => void} move */
function addDragging(svg, lines, valueAt, move) {
  let held = -1;
  /** @param {PointerEvent} event */
  const shareAt = (event) => {
    const frame = svg.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - frame.left) / frame.width));
  };
  svg.addEventListener("pointerdown", (event) => {
    /** @type {SVGElement | null} */
    const handle = /** @type {Element} */ (event.target).closest(".handle");
    if (!handle) return;
    held = Number(handle.dataset.cut);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (held < 0) return;
    const x = shareAt(event) * WIDE;
    for (const part of lines[held].children) for (const side of part.tagName === "line" ? ["x1", "x2"] : ["x"]) part.setAttribute(side, String(part.tagName === "line" ? x : x - 6));
  });
  svg.addEventListener("pointerup", (event) => {
    if (held < 0) return;
    const at = held;
    held = -1;
    move(at, valueAt(shareAt(event)));
  });
}

/** @param {Column} column @param {Rule} rule @param {(rule: Rule) => void} set @param {() => void} learn called when the cuts are to be learned with the graph @param {(text: string) => void} refuse */
function drawCuts(column, rule, set, learn, refuse) {
  const points = column.cuts || [];
  const edges = column.histogram?.edges || [0, 1];
  const [low, top] = [edges[0], edges[edges.length - 1]];
  const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.max(1e-9, top - low)))));
  /** @param {number} at @param {number} to */
  const move = (at, to) => {
    const next = points.map((each, i) => (i === at ? Number(to.toFixed(digits)) : each)).sort((a, b) => a - b);
    set([...new Set(next)]);
  };
  /** @type {HTMLInputElement} */
  const typed = h("input", { class: "cut-points", value: points.map((each) => String(Number(each.toPrecision(12)))).join(", "), "aria-label": `Cut points of ${column.name}`, "data-key": `cuts ${column.name}`,
    onchange: () => {
      const found = typed.value.split(/[,;\s]+/).filter(Boolean).map(Number);
      if (found.length && found.every(Number.isFinite)) set([...new Set(found)].sort((a, b) => a - b));
      else refuse(`“Cut points of ${column.name}”: “${typed.value}” is not a list of numbers. Type numbers with commas between them, such as 18, 65.`);
    } });
  const rules = [["quantile:2", "halves"], ["quantile:3", "thirds"], ["quantile:4", "quarters"], ["equal-width:5", "five equal steps"]];
  return h("div", { class: "cuts" }, column.histogram && h("div", { class: "cut-chart" }, drawHistogram(column, move, 60)),
    h("div", { class: "row" }, h("label", { class: "field" }, "Cut at ", typed), rules.map(([each, text]) =>
      button(text, () => set(each), { "aria-pressed": String(rule === each), "aria-label": `Cut ${column.name} into ${text}`, "data-key": `${column.name} ${each}` })),
    button("from the graph", learn, { "aria-label": `Cut ${column.name} from the graph`, "data-key": `${column.name} learned` })));
}

/** The states in order, lowest first: drag, or use the buttons; neighbours can be made one state, given as a list. @param {Column} column @param {States} order @param {(order: States) => void} set */
function drawOrder(column, order, set) {
  /** @param {number} from @param {number} to */
  const move = (from, to) => {
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    set(next);
  };
  /** @param {number} at */
  const join = (at) => set([...order.slice(0, at), [order[at], order[at + 1]].flat(), ...order.slice(at + 2)]);
  /** @param {number} at */
  const split = (at) => set([...order.slice(0, at), ...[order[at]].flat(), ...order.slice(at + 1)]);
  return h("ol", { class: "order", "aria-label": `Order of ${column.name}, lowest first` }, order.map((state, i) => h("li", {
    draggable: "true", "data-place": i,
    ondragstart: (event) => event.dataTransfer?.setData("text/plain", String(i)),
    ondragover: (event) => event.preventDefault(),
    ondrop: (event) => {
      event.preventDefault();
      move(Number(event.dataTransfer?.getData("text/plain")), i);
    },
  }, h("bdi", {}, nameOf(state)), " ",
  button("Up", () => move(i, i - 1), { class: "link", disabled: i === 0, "aria-label": `Move ${nameOf(state)} up`, "data-key": `${column.name} up ${state}` }),
  button("Down", () => move(i, i + 1), { class: "link", disabled: i === order.length - 1, "aria-label": `Move ${nameOf(state)} down`, "data-key": `${column.name} down ${state}` }),
  i < order.length - 1 && order.length > 2 && button("Merge with the next", () => join(i), { class: "link", "aria-label": `Merge with the next: ${nameOf(state)}`, "data-key": `${column.name} merge ${state}` }),
  Array.isArray(state) && button("Keep apart", () => split(i), { class: "link", "aria-label": `Keep apart: ${nameOf(state)}`, "data-key": `${column.name} split ${state}` }))));
}
