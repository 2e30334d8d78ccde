// The share step: every export once, grouped by what a person wants to do with it.
import { button, copyButton, h, saveFile } from "./dom.js";
import { savePng, saveSvg } from "./picture.js";
import { readNumber } from "./numbers.js";
import { register } from "./registry.js";
import { aboutOf, runOf } from "./state.js";

/** @import {Data, Format} from "./documents.js" */
/** @import {Child} from "./dom.js" */
/** @import {ServerApp} from "./registry.js" */
/** @import {State} from "./state.js" */

/** @typedef {(fetching: () => Promise<{name: string, blob: Blob}>) => unknown} Keep a file of the server, saved */

const DPI = 300;

register({
  id: "share",
  title: "Share",
  place: "tab",
  steps: ["share"],
  reads: ["run", "doc", "data"],
  applies: (state) => state.data !== null,
  attributes: { class: "pane share" },
  /** @param {State} state @param {ServerApp} app */
  render(state, app) {
    const { doc, run, data } = state;
    const { session } = app;
    /** @type {Keep} */
    const keep = (fetching) => session.attempt(async () => {
      const { name, blob } = await fetching();
      saveFile(name, blob, blob.type);
    });
    /** @param {string} format */
    const save = (format) => keep(() => session.client.download(runOf(state), format));
    const done = run !== null && doc !== null && !doc.draft;
    return [
      h("h2", {}, "Share"),
      group("Project", "One file that reopens everything on another computer: choices, knowledge, all runs.",
        data && projectButtons(app, data, keep)),
      !done && h("p", { class: "hint" }, "Reports, pictures and graphs come with a run: learn first."),
      done && [
        group("Report", "One HTML file that anybody can open, without mahc and without a network.", button("Report", () => save("report"), { id: "save-report", class: "main" })),
        group("Picture", "The graph as it is shown in the step Judge.", pictureButtons(app, aboutOf(state).formats, save)),
        group("Methods", "The paragraph for a paper, with its references.", copyButton("Copy the methods paragraph", () => [doc.methods.paragraph, ...doc.methods.references.map((text, i) => `[${i + 1}] ${text}`)].join("\n"))),
        group("Repeat it", "The same run without the page.", [copyButton("Copy as command", () => doc.reproduce.commands), copyButton("Copy as Python", () => doc.reproduce.python)]),
        group("For other programs", "The graph, or the network with its tables.", formatButtons(aboutOf(state).formats, save)),
      ],
    ];
  },
});

/** @param {string} title @param {string} help @param {Child} content */
const group = (title, help, content) => h("section", { class: "export", "aria-label": title }, h("h3", {}, title), h("p", { class: "hint" }, help), h("div", { class: "row" }, content));

/** @param {ServerApp} app @param {Data} data @param {Keep} keep */
function projectButtons({ session }, data, keep) {
  const rows = h("input", { type: "checkbox", id: "with-rows", checked: data.bytes !== null, disabled: data.bytes === null });
  return [button("Project file", () => keep(() => session.client.downloadProject(data.id, rows.checked)), { id: "save-project" }),
    h("label", { class: "field" }, rows, " with the rows of the data")];
}

/** @param {ServerApp} app @param {Format[]} formats @param {(format: string) => void} save */
function pictureButtons(app, formats, save) {
  const width = h("input", { inputmode: "decimal", value: "16", class: "tiny", id: "picture-width", "aria-label": "Width in cm" });
  const dots = h("input", { inputmode: "numeric", value: String(DPI), class: "tiny", id: "picture-dpi", "aria-label": "Dots per inch" });
  const png = () => app.session.attempt(() => savePng(app.view, "graph", { centimetres: readNumber("Width in cm", width.value, { least: 2, most: 100 }), dpi: readNumber("Dots per inch", dots.value, { least: 72, most: 1200, whole: true }) }));
  return [
    button("SVG", () => saveSvg(app.view, "graph"), { id: "save-svg" }),
    formats.some((each) => each.format === "pdf") && button("PDF", () => save("pdf"), { id: "save-pdf" }),
    button("PNG", png, { id: "save-png" }),
    h("label", { class: "field" }, width, " cm wide"), h("label", { class: "field" }, dots, " dots per inch"),
  ];
}

/** @param {Format[]} formats @param {(format: string) => void} save */
function formatButtons(formats, save) {
  /** @type {Map<string, Format[]>} */
  const groups = new Map();
  for (const each of formats.filter(({ group: of }) => of !== "Picture" && of !== "Report")) groups.set(each.group, [...(groups.get(each.group) || []), each]);
  const select = h("select", { "aria-label": "Format", id: "format" }, [...groups].map(([title, listed]) => h("optgroup", { label: title }, listed.map((each) => h("option", { value: each.format }, each.title)))));
  return [select, button("Save", () => save(select.value), { id: "save-format" })];
}
