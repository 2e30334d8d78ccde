// A long table: each row is one person at one time. Which column says who, which when, which never change.
import { choose, h } from "./dom.js";
import { tidy } from "./reading.js";

/** @import {Table} from "./documents.js" */
/** @import {Panel, Reading} from "./reading.js" */
/** @import {ServerApp} from "./registry.js" */

const LAGS = ["1", "2", "3", "4", "5"].map((each) => [each, each]);
/** @type {string[][]} */
const GAPS = [["drop", "drop: leave out what spans the gap"], ["next", "next: the next row of the person follows"]];

/** @param {ServerApp} app @param {Table} table @param {Reading} reading */
export function longTable({ store }, { file, panel: found }, { panel }) {
  if (!file.names.length) return null;
  /** @param {Panel | null} values */
  const set = (values) => store.set({ reading: tidy({ ...store.get().reading, panel: values }) });
  const box = h("label", { class: "field" }, h("input", { type: "checkbox", id: "long-table", checked: Boolean(panel), onchange: (event) => set(event.target.checked ? { subject: "", time: "" } : null) }),
    "each row is one person at one time");
  if (!panel) return h("div", { class: "row long-table" }, box);
  /** @param {Partial<Panel>} values */
  const change = (values) => set({ ...panel, ...values });
  const fixed = panel.static || [];
  const columns = [["", "choose"], ...file.names.map((name) => [name, name])];
  const others = file.names.filter((name) => name !== panel.subject && name !== panel.time);
  return h("fieldset", { class: "long-table" }, h("legend", {}, box),
    h("div", { class: "row" },
      choose("Column of the person ", "subject", panel.subject, columns, (subject) => change({ subject, static: fixed.filter((name) => name !== subject) })),
      choose("Column of the time ", "time", panel.time, columns, (time) => change({ time, static: fixed.filter((name) => name !== time) })),
      choose("Earlier times that may have an effect ", "lags", String(panel.lags || 1), LAGS, (lags) => change({ lags: Number(lags) })),
      choose("Where a person lacks a time ", "gaps", panel.gaps || "drop", GAPS, (gaps) => change({ gaps }))),
    h("div", { class: "row", role: "group", "aria-label": "Columns that never change" }, h("span", {}, "Never change within a person:"),
      others.map((name) => h("label", { class: "field" }, h("input", { type: "checkbox", checked: fixed.includes(name), "data-key": `static ${name}`,
        onchange: (event) => change({ static: event.target.checked ? [...fixed, name] : fixed.filter((each) => each !== name) }) }), h("bdi", {}, name)))),
    found && h("p", { class: "hint" }, `${found.size}. ${found.text}`),
    found && found.notes.map((note) => h("p", {}, note)));
}
