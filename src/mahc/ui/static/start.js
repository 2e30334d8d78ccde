// The data step: choosing a file or a project, how the file is taken apart, missing values, and one card per column.
import { drawColumns } from "./columns.js";
import { button, choose, copyButton, h } from "./dom.js";
import { longTable } from "./longtable.js";
import { ENCODINGS, MECHANISMS, MISSING, NUMBERS, listChanges, tidy, tokensOf } from "./reading.js";
import { register } from "./registry.js";
import { aboutOf } from "./state.js";

/** @import {Audit, Data, FileView, Remark, Table} from "./documents.js" */
/** @import {Reading} from "./reading.js" */
/** @import {ServerApp} from "./registry.js" */
/** @import {State} from "./state.js" */

const ENDINGS = ".csv,.tsv,.txt,.gz,.parquet,.arrow,.feather,.xlsx,.xls,.ods,.sav,.zsav,.por,.dta,.sas7bdat,.xpt,.mahc";
const SEPARATORS = [["comma", "comma"], ["semicolon", "semicolon"], ["tab", "tab"], ["pipe", "bar |"], ["space", "blank"]];

register({
  id: "projects",
  title: "Projects",
  place: "left",
  steps: ["data"],
  reads: ["projects", "data"],
  /** @param {State} state @param {ServerApp} app */
  render({ projects, data }, { session }) {
    /** @param {Data} each */
    const open = (each) => session.attempt(() => session.openData(each));
    return [
      button("New project", () => session.close(), { id: "new-project", disabled: data === null }),
      h("ul", { class: "plain projects" }, projects.length === 0 && h("li", { class: "hint" }, "No projects yet."), projects.map((each) => h("li", {},
        button([h("bdi", {}, each.name), h("small", {}, `${each.runs} ${each.runs === 1 ? "run" : "runs"}`)], () => open(each), { class: "link", "aria-pressed": String(each.id === data?.id), "data-key": each.id }),
        h("div", { class: "row hint" }, each.bytes === null ? "its rows are not here" : each.used.slice(0, 16),
          button("Delete", () => session.attempt(() => session.remove(each)), { class: "link", "aria-label": `Delete project ${each.name}`, "data-key": `delete-${each.id}` }))))),
      h("p", { class: "hint" }, "Projects stay on this computer, also after the server ends."),
    ];
  },
});

register({
  id: "start",
  title: "Data",
  place: "tab",
  steps: ["data"],
  reads: ["data"],
  applies: (state) => state.data === null,
  attributes: { class: "pane start" },
  /** @param {State} _ @param {ServerApp} app */
  render: (_, app) => [
    h("h2", {}, "From a table to a graph of what depends on what"),
    h("ol", {}, h("li", {}, "Choose a file. Each column is shown with its problems and one-click fixes."),
      h("li", {}, "Say what you know: the order in time, arcs that must or must not be there."),
      h("li", {}, "Learn, judge the graph with the reason for every arc, and share it.")),
    dropZone(app),
  ],
});

register({
  id: "table",
  title: "Columns",
  place: "tab",
  steps: ["data"],
  reads: ["data", "table", "reading", "numbers"],
  applies: (state) => state.data !== null,
  attributes: { class: "pane start" },
  /** @param {State} state @param {ServerApp} app */
  render(state, app) {
    const { data, table, reading, numbers } = state;
    if (!data) return null;
    const heading = h("h2", {}, h("bdi", {}, data.name));
    if (!table) return [heading, h("p", { role: "status" }, "Reading ...")];
    const { audit } = table;
    return [
      heading,
      conclusion(app, table),
      table.problem && problem(app, table.problem),
      audit && audit.problems.map((each) => problem(app, each)),
      fileSettings(app, table, reading),
      longTable(app, table, reading),
      audit && missingValues(app, table, audit, reading),
      audit && columnsOfNumbers(app, audit, numbers),
      audit && drawColumns(app, audit, reading),
    ];
  },
});

register({
  id: "changes",
  title: "Changes",
  place: "details",
  steps: ["data"],
  reads: ["table", "reading", "numbers", "data"],
  applies: (state) => state.data !== null,
  render({ table, reading, numbers }, { store }) {
    /** @type {{text: string, back: Partial<State>}[]} */
    const changes = listChanges(reading).map(({ text, back }) => ({ text, back: { reading: back } }));
    if (numbers !== "auto") changes.push({ text: `Columns of numbers: ${titleOf(NUMBERS, numbers)}`, back: { numbers: "auto" } });
    return [
      h("h2", {}, "How the file is read"),
      changes.length === 0 && h("p", { class: "hint" }, "As it is. Fixes that you choose are listed here, each with Undo."),
      h("ul", { class: "plain changes" }, changes.map(({ text, back }) => h("li", {}, h("bdi", {}, text), " ",
        button("Undo", () => store.set(back), { class: "link", "aria-label": `Undo: ${text}`, "data-key": text })))),
      table && h("details", { "data-key": "as-text" }, h("summary", {}, "As command and Python"),
        h("h3", {}, "Command"), h("pre", { tabindex: "0" }, table.commands), copyButton("Copy as command", () => table.commands),
        h("h3", {}, "Python"), h("pre", { tabindex: "0" }, table.python), copyButton("Copy as Python", () => table.python)),
    ];
  },
});

register({
  id: "lacking",
  title: "Not yet",
  place: "tab",
  steps: ["knowledge", "learn", "judge", "share"],
  reads: ["data", "doc"],
  applies: ({ data, doc, step }) => data === null || (doc === null && (step === "knowledge" || step === "judge")),
  attributes: { class: "pane" },
  render: ({ data }, { store }) => [
    h("p", {}, data === null ? "Choose a file first." : "The file cannot be read yet: the step Data says why."),
    button("Go to Data", () => store.set({ step: "data" }), { class: "main", id: "go-to-data" }),
  ],
});

/** @param {ServerApp} app */
function dropZone(app) {
  const { session } = app;
  /** @type {HTMLInputElement} */
  const fileInput = h("input", { type: "file", id: "file", accept: ENDINGS, "aria-label": "Data file", onchange: () => fileInput.files?.[0] && take(app, fileInput.files[0]) });
  const zone = h("div", { class: "drop-zone" },
    h("p", {}, "Drop a file here, or choose one:"), fileInput,
    h("p", { class: "hint" }, "CSV or TSV in any encoding, Excel, Parquet, Arrow, SPSS, Stata, SAS, or a project (.mahc)."),
    h("p", {}, "or ", button("Try the sample", () => session.attempt(async () => session.openData(await session.client.sample())))));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) take(app, file);
  });
  return zone;
}

/** @param {ServerApp} app @param {File} file */
function take({ session, store }, file) {
  const limit = aboutOf(store.get()).upload_limit;
  if (file.size > limit) {
    store.set({ message: `The file is larger than ${Math.round(limit / 2 ** 20)} MB: start mahc ui with its name.` });
    return;
  }
  session.attempt(async () => {
    store.set({ message: `Reading ${file.name} ...` });
    await session.openData(await (file.name.endsWith(".mahc") ? session.client.importProject(file) : session.client.upload(file)));
  });
}

/** @param {ServerApp} app @param {Table} table */
function conclusion(app, table) {
  const { audit } = table;
  const { store, session } = app;
  const { suggested } = table;
  return h("div", { class: "row conclusion" },
    h("p", { class: audit?.ok ? "good" : "problem", role: "status" }, audit ? audit.conclusion : "The file cannot be read with these settings."),
    suggested && button("Apply all recommended fixes", () => store.set({ reading: tidy(suggested), message: "Fixes applied; they are listed on the right." }), { class: audit?.ok ? null : "main", id: "fix-all" }),
    audit?.ok && button("Next: what you know", () => store.set({ step: "knowledge", lanes: true }), { id: "next-knowledge" }),
    audit?.ok && button("Learn", () => session.learn(), { class: "main", id: "learn-here" }));
}

/** @param {ServerApp} app @param {Remark} remark */
function problem({ store, session }, remark) {
  return h("div", { class: remark.serious ? "problem row" : "row" }, h("span", {}, remark.text),
    remark.fixes.map((fix) => button(fix.text, () => store.set({ reading: session.fixed(fix) }), { "data-key": fix.text })));
}

/** @param {ServerApp} app @param {Table} table @param {Reading} reading */
function fileSettings({ store }, table, reading) {
  const { file, audit } = table;
  /** @param {Reading} values */
  const change = (values) => store.set({ reading: tidy({ ...store.get().reading, ...values }) });
  const encoding = reading.encoding || "utf-8";
  const known = ENCODINGS.some(([each]) => each === encoding);
  const encodings = known ? ENCODINGS : [...ENCODINGS, [encoding, encoding]];
  const separator = file.separator ? `found: ${file.separator}` : "found automatically";
  const codes = (tokensOf(reading)["*"] || []).join(", ");
  const text = file.kind === "text";
  const fields = [
    text && choose("Encoding ", "encoding", encoding, encodings, (value) => change({ encoding: value === "utf-8" ? null : value })),
    text && choose("Separator ", "separator", reading.delimiter || "", [["", separator], ...SEPARATORS], (value) => change({ delimiter: value || null })),
    text && choose("Decimal mark ", "decimal", reading.decimal || ".", [[".", "point 1.5"], [",", "comma 1,5"]], (value) => change({ decimal: value === "." ? null : value })),
    file.sheets.length > 0 && choose("Sheet ", "sheet", reading.sheet || file.sheets[0], file.sheets.map((each) => [each, each]), (value) => change({ sheet: value === file.sheets[0] ? null : value })),
    (text || file.kind === "sheet") && h("label", { class: "field" }, h("input", { type: "checkbox", id: "header", checked: reading.header !== false, onchange: (event) => change({ header: event.target.checked ? null : false }) }), "first line is the header"),
    h("label", { class: "field" }, "Codes for missing ", h("input", { id: "tokens", placeholder: "NA, ?", class: "short", value: codes,
      onchange: (event) => {
        const all = event.target.value.split(",").map((each) => each.trim()).filter(Boolean);
        const rest = Object.fromEntries(Object.entries(tokensOf(reading)).filter(([name]) => name !== "*"));
        change({ missing_tokens: all.length ? { ...rest, "*": all } : rest });
      } })),
    audit && choose("Column of weights ", "weights", reading.weights || "", [["", "none"], ...file.names.map((name) => [name, name])], (value) => change({ weights: value || null })),
    audit && choose("Column of experiment targets ", "interventions", reading.interventions || "", [["", "none"], ...file.names.map((name) => [name, name])], (value) => change({ interventions: value || null, mechanism: null })),
    audit && reading.interventions && choose("Experiments ", "mechanism", reading.mechanism || "set", MECHANISMS, (value) => change({ mechanism: value === "set" ? null : value })),
  ];
  return h("details", { class: "file-settings", "data-key": "file", open: true }, h("summary", {}, "File"), h("div", { class: "row" }, fields), preview(file));
}

/** @param {FileView} file */
function preview(file) {
  if (!file.names.length) return file.lines.length > 0 && h("pre", { tabindex: "0", "aria-label": "First lines" }, file.lines.join("\n"));
  const shown = file.names.slice(0, 60);
  return h("div", { class: "scroll preview", tabindex: "0", role: "region", "aria-label": "First rows" }, h("table", {},
    h("thead", {}, h("tr", {}, shown.map((name) => h("th", { scope: "col" }, h("bdi", {}, name))))),
    h("tbody", {}, file.rows.map((row) => h("tr", {}, row.slice(0, 60).map((value) => h("td", {}, value === null ? h("small", {}, "missing") : h("bdi", {}, value))))))));
}

/** @param {string[][]} options @param {string | null | undefined} value */
const titleOf = (options, value) => options.find(([each]) => each === value)?.[1].toLowerCase();

/** How columns of numbers are learned from. @param {ServerApp} app @param {Audit} audit @param {string} numbers */
function columnsOfNumbers({ store }, audit, numbers) {
  if (!audit.columns.some((column) => column.level === "continuous" && !column.cuts && !column.refused)) return null;
  /** @param {string[]} how */
  const choice = ([value, title, sentence]) => h("li", {}, h("input", { type: "radio", name: "numbers", id: `numbers-${value}`, checked: numbers === value, onchange: () => store.set({ numbers: value }) }),
    h("label", { for: `numbers-${value}` }, h("strong", {}, title), h("span", { class: "hint" }, ` ${sentence}`)));
  return h("details", { class: "missing-values", "data-key": "numbers" }, h("summary", {}, `Columns of numbers: ${titleOf(NUMBERS, numbers)}`),
    h("div", { role: "radiogroup", "aria-label": "Columns of numbers" }, h("ul", { class: "plain" }, NUMBERS.map(choice))));
}

/** @param {ServerApp} app @param {Table} table @param {Audit} audit @param {Reading} reading */
function missingValues({ store }, table, audit, reading) {
  if (!audit.columns.some((column) => column.missing)) return null;
  const { missing } = table;
  const numbers = audit.columns.some((column) => column.level === "continuous" && column.missing);
  /** @param {string[]} method */
  const choice = ([value, title, sentence]) => {
    const id = `missing-${value}`;
    const best = missing?.recommended === value;
    return h("li", {}, h("input", { type: "radio", name: "missing", id, checked: reading.missing === value, disabled: numbers && value === "state",
      onchange: () => store.set({ reading: { ...store.get().reading, missing: value } }) }),
    h("label", { for: id }, h("strong", {}, title), best && h("span", { class: "badge" }, "recommended"), h("span", { class: "hint" }, ` ${sentence}`)));
  };
  const title = titleOf(MISSING, reading.missing);
  const sentences = (missing?.sentences || []).map((text) => text.charAt(0).toUpperCase() + text.slice(1));
  return h("details", { class: "missing-values", "data-key": title ? "missing-chosen" : "missing", open: !title }, h("summary", {}, title ? `Missing values: ${title}` : "Missing values: choose what to do"),
    missing && h("p", { class: "hint" }, !audit.ok && table.suggested && "With the recommended fixes: ", `${sentences.join(". ")}. Recommended because ${missing.reason}.`),
    h("div", { role: "radiogroup", "aria-label": "Method for missing values" }, h("ul", { class: "plain" }, MISSING.map(choice))));
}
