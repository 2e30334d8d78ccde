// Choosing data: drop a file or take the sample; see the audit; choose how to read it.
import { drawHistogram } from "./curve.js";
import { button, h } from "./dom.js";
import { register } from "./registry.js";

const MISSING = [["error", "error: refuse them"], ["state", "state: one of their own"], ["drop", "drop those rows"]];

/** @typedef {import("./registry.js").App} App */
/** @typedef {import("./state.js").Audit} Audit */

register({
  id: "start",
  title: "Data",
  place: "tab",
  reads: ["data", "audit", "reading"],
  attributes: { class: "pane start" },
  build: (app) => [h("h2", {}, "Data"), dropZone(app)],
  render({ data, audit, reading }, app) {
    if (!data) return null;
    const found = audit && [conclusion(app, audit), controls(app, audit, reading), columns(app, audit, reading)];
    return [h("h2", {}, h("bdi", {}, data.name)), found || h("p", {}, "Reading ...")];
  },
});

/** @param {App} app */
function dropZone(app) {
  const { session } = app;
  const fileInput = h("input", { type: "file", id: "file", accept: ".csv,.tsv,.txt,.gz,.parquet,.arrow,.feather", "aria-label": "Data file",
    onchange: () => fileInput.files[0] && take(app, fileInput.files[0]) });
  const zone = h("div", { class: "drop-zone" },
    h("p", {}, "Drop a CSV or Parquet file here, or choose one:"), fileInput,
    h("p", {}, "or ", button("Try the sample", () => session.attempt(async () => session.openData(await session.client.sample())))));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files[0]) take(app, event.dataTransfer.files[0]);
  });
  return zone;
}

/** @param {App} app @param {File} file */
function take({ session, store }, file) {
  const limit = store.get().about.upload_limit;
  if (file.size > limit) {
    store.set({ message: `The file is larger than ${Math.round(limit / 2 ** 20)} MB: start mahc ui with its name.` });
    return;
  }
  session.attempt(async () => {
    store.set({ message: `Reading ${file.name} ...` });
    await session.openData(await session.client.upload(file));
  });
}

/** @param {App} app @param {Audit} audit */
function conclusion(app, audit) {
  return [
    h("p", { class: audit.ok ? "" : "problem", role: "status" }, audit.conclusion),
    audit.problems.slice(0, 6).map((text) => h("p", { class: "problem" }, text)),
    audit.notes.map((text) => h("p", { class: "hint" }, text)),
    audit.ok && h("p", { class: "row" }, button("Learn", () => app.session.learn(), { class: "main", id: "learn-here" }),
      "or first state what you know in the tab Graph, for instance the order in time (Tiers)."),
  ];
}

/** Read the data again with other choices. @param {App} app */
const change = ({ session, store }, values) => session.read({ ...store.get().reading, ...values });

/** @param {App} app @param {Audit} audit */
function controls(app, audit, reading) {
  const missing = h("select", { id: "missing", onchange: (event) => change(app, { missing: event.target.value }) }, MISSING.map(([value, text]) => h("option", { value }, text)));
  missing.value = reading.missing || "error";
  const tokens = h("input", { id: "tokens", placeholder: "NA, ?", value: (reading.missing_tokens || []).join(", "),
    onchange: (event) => change(app, { missing_tokens: event.target.value.split(",").map((text) => text.trim()).filter(Boolean) }) });
  const cuts = h("input", { id: "cuts", placeholder: "quantile:4 or equal-width:5", value: typeof reading.discretise === "string" ? reading.discretise : "",
    onchange: (event) => change(app, { discretise: event.target.value.trim() || null }) });
  const kept = h("input", { id: "categorical", placeholder: "names of columns", value: (reading.categorical || []).join(", "),
    onchange: (event) => change(app, { categorical: event.target.value.split(",").map((text) => text.trim()).filter(Boolean) }) });
  const weights = h("select", { id: "weights", onchange: (event) => change(app, { weights: event.target.value || null }) },
    h("option", { value: "" }, "none"), audit.columns.map((column) => h("option", { value: column.name }, column.name)));
  weights.value = reading.weights || "";
  return h("div", { class: "row" }, h("label", { class: "field" }, "Missing values ", missing), h("label", { class: "field" }, "Texts that mean missing ", tokens),
    h("label", { class: "field" }, "Cut real numbers ", cuts), h("label", { class: "field" }, "Keep every number as a state ", kept), h("label", { class: "field" }, "Column of weights ", weights));
}

/** @param {App} app @param {Audit} audit */
function columns(app, audit, reading) {
  const dropped = new Set(reading.drop || []);
  const known = [...new Set([...audit.columns.map((column) => column.name), ...dropped])];
  const byName = new Map(audit.columns.map((column) => [column.name, column]));
  const rows = known.map((name) => {
    const column = byName.get(name);
    const use = h("input", { type: "checkbox", checked: !dropped.has(name), "aria-label": `Use ${name}`, "data-key": `use ${name}`, onchange: (event) => {
      if (event.target.checked) dropped.delete(name);
      else dropped.add(name);
      change(app, { drop: [...dropped] });
    } });
    const remarks = column ? column.remarks.join("; ") || "ok" : "left out";
    return h("tr", {}, h("td", {}, use), h("th", { scope: "row" }, h("bdi", {}, name)), h("td", { class: "word" }, column?.kind ?? ""), h("td", { class: "number" }, column?.states ?? ""),
      h("td", { class: "number" }, column?.missing ?? ""), h("td", { class: "small-chart" }, column && drawHistogram(column, 40)), h("td", { class: column?.refused ? "problem" : "" }, remarks));
  });
  const heads = ["Use", "Column", "Type", "States", "Missing", "Values", "Remarks"].map((text) => h("th", { scope: "col" }, text));
  return h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
}
