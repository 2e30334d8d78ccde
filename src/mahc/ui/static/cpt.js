// The probability table of a variable given its parents.
import { h } from "./dom.js";

/** @import {Child} from "./dom.js" */
/** @import {Model} from "./model.js" */

const MAX_ROWS = 60;

/** @param {Model} model @param {number} v @returns {Child[]} */
export function drawTable({ doc, names }, v) {
  if (!doc.tables) return [];
  const table = doc.tables[v];
  const title = h("h3", {}, "Probabilities of ", h("bdi", {}, names[v]));
  if (!table.rows) return [title, h("p", {}, `The table has ${table.numbers.toLocaleString("en")} numbers, too many to show.`)];
  const states = table.parents.map((p) => doc.variables[p].states || []);
  const rows = table.rows.slice(0, MAX_ROWS).map((row, i) => {
    const given = configuration(i, states).map((state) => h("th", { scope: "row" }, h("bdi", {}, state)));
    const unseen = table.seen && !table.seen[i];
    return h("tr", { class: unseen ? "unseen" : null }, given, row.map((p) => h("td", { class: "number" }, p.toFixed(3))), table.seen?.includes(false) && h("td", { class: "word" }, unseen ? "never observed" : ""));
  });
  const heads = [...table.parents.map((p) => names[p]), ...(doc.variables[v].states || [])];
  if (table.seen?.includes(false)) heads.push("Seen");
  const head = h("tr", {}, heads.map((text) => h("th", { scope: "col" }, h("bdi", {}, text))));
  const more = table.rows.length - MAX_ROWS;
  return [
    title,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Probability table" },
      h("table", { class: "cpt" }, h("thead", {}, head), h("tbody", {}, rows))),
    more > 0 && h("p", {}, `and ${more} more rows`),
    h("p", { class: "hint" }, table.seen?.includes(false) ? "Observed frequencies. A row that was never observed is uniform: it says nothing." : "Observed frequencies."),
  ];
}

/** The states of the parents in row `i`: the last parent changes fastest. @param {number} i @param {string[][]} states */
function configuration(i, states) {
  const found = [];
  for (const each of [...states].reverse()) {
    found.unshift(each[i % each.length]);
    i = Math.floor(i / each.length);
  }
  return found;
}
