// Everything about the run: facts, data, settings, pruning, steps, knowledge, confidence, methods, how to repeat it.
import { drawHistogram } from "./curve.js";
import { copyButton, h, number, percent, s } from "./dom.js";
import { docOf, listStatements } from "./state.js";
import { register } from "./registry.js";

/** @import {Audit, Pruning, Result, RunRecord, Sample} from "./documents.js" */
/** @import {Child} from "./dom.js" */

register({
  id: "about",
  title: "About this run",
  place: "tab",
  steps: ["judge"],
  reads: ["doc"],
  applies: (state) => state.doc !== null,
  attributes: { class: "pane about" },
  render(state) {
    const doc = docOf(state);
    if (doc.draft) return h("p", {}, "There is no run yet: press Learn.");
    return [
      section("Result", definitions(doc.run.facts)),
      doc.methods && section("Methods", methods(doc.methods)),
      doc.audit && section("Data", audit(doc.audit)),
      section("Settings", definitions(settings(doc.run))),
      doc.run.pruning && section("Pruning", pruning(doc.run.pruning)),
      doc.run.steps.length > 1 && section("Steps", steps(doc)),
      section("Knowledge", knowledge(doc)),
      doc.confidence && section("Confidence", confidence(doc, doc.confidence)),
      section("Repeat this run", reproduce(doc.reproduce)),
      section("Versions and fingerprint", definitions(versions(doc.run))),
    ];
  },
});

/** @param {string} title @param {Child[]} content */
const section = (title, ...content) => h("section", {}, h("h2", {}, title), ...content);
/** @param {unknown[][]} pairs */
const definitions = (pairs) => h("dl", {}, pairs.map(([label, text]) => [h("dt", {}, String(label)), h("dd", {}, String(text))]));

/** @param {RunRecord} run */
function settings(run) {
  const score = Object.entries(run.score).filter(([name]) => name !== "value" && name !== "name");
  return [
    ["algorithm", run.algorithm],
    ...Object.entries(run.settings).map(([name, value]) => [name, value === null ? "not set" : JSON.stringify(value)]),
    ["score", run.score.name],
    ...score,
    ["ties", run.ties],
    ["start graph", run.start.length ? `${run.start.length} arcs` : "empty"],
  ];
}

/** @param {RunRecord} run */
function versions(run) {
  return [
    ["Learned by", `mahc ${run.version}`],
    ["Written by", `mahc ${run.written_by}`],
    ["Fingerprint of the data", run.fingerprint],
    ["Seconds of the search", number(run.seconds)],
    ["Seconds of the whole run", number(run.total_seconds)],
  ];
}

/** @param {Audit} found */
function audit(found) {
  const rows = found.columns.map((column) =>
    h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, column.name)), h("td", { class: "word" }, column.kind),
      h("td", { class: "number" }, column.states ?? ""), h("td", { class: "number" }, column.missing),
      h("td", { class: "small-chart" }, drawHistogram(column, 40)),
      h("td", {}, column.remarks.map((each) => each.text).join("; ") || "ok")),
  );
  const heads = ["Column", "Type", "States", "Missing", "Values", "Remarks"].map((text) => h("th", { scope: "col" }, text));
  return [
    h("p", {}, found.conclusion),
    found.notes.map((note) => h("p", {}, note)),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Columns" },
      h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows))),
  ];
}

/** @param {Pruning} found */
function pruning(found) {
  const most = Math.max(1, ...found.pruned_per_level);
  const rows = found.pruned_per_level.map((count, i) => {
    const fill = h("span", { class: "fill" });
    fill.style.width = `${(100 * count) / most}%`;
    return h("tr", {}, h("th", { scope: "row" }, `level ${i + 1}`), h("td", { class: "bar" }, h("span", { class: "bar" }, fill)),
      h("td", { class: "number" }, count.toLocaleString("en")),
      h("td", { class: "number" }, (found.candidate_sets_per_level[i] ?? "").toLocaleString("en")));
  });
  const heads = ["Level", "Relative", "Arcs pruned", "Candidate parent sets"].map((text) => h("th", { scope: "col" }, text));
  return [
    h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
    h("p", {}, `${found.arcs_left.toLocaleString("en")} arcs were left for the search.`),
  ];
}

/** The score after each step as a curve. @param {Result} doc */
function steps(doc) {
  const scores = doc.run.steps.map((step) => step[3]);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const [wide, tall] = [640, 160];
  /** @param {number} i */
  const x = (i) => 60 + ((wide - 70) * i) / Math.max(1, scores.length - 1);
  /** @param {number} score */
  const y = (score) => 10 + (tall - 40) * (1 - (score - low) / (high - low || 1));
  const path = scores.map((score, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(score).toFixed(1)}`).join("");
  const label = `Score after each of ${scores.length} steps, from ${number(scores[0])} to ${number(scores.at(-1))} ${doc.unit}`;
  const last = doc.run.steps.slice(-5).map(([move, a, b]) => `${move} ${a} -> ${b}`).join("; ");
  return [
    s("svg", { class: "curve", viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": label },
      s("path", { class: "axis", d: `M60 10V${tall - 30}H${wide - 10}` }),
      s("path", { class: "line", d: path }),
      s("text", { x: 56, y: 16, class: "end" }, number(high)),
      s("text", { x: 56, y: tall - 30, class: "end" }, number(low)),
      s("text", { x: 60, y: tall - 12 }, "step 1"),
      s("text", { x: wide - 10, y: tall - 12, class: "end" }, `step ${scores.length}`)),
    h("p", { class: "hint" }, `${label}. The last steps: ${last}.`),
  ];
}

/** @param {Result} doc */
function knowledge(doc) {
  const stated = listStatements(doc.knowledge);
  if (!stated.length && !doc.constraint_costs.length) return [h("p", {}, "No prior knowledge was given.")];
  const costs = doc.constraint_costs.map((each) =>
    h("tr", {}, h("th", { scope: "row" }, each.constraint),
      h("td", { class: "number" }, each.cost > 0 ? `${number(each.cost)} ${doc.unit}` : "none")));
  return [
    h("ul", {}, stated.map((each) => h("li", {}, each.text))),
    costs.length > 0 && h("table", {}, h("caption", {}, "Score that each constraint cost"), h("tbody", {}, costs)),
  ];
}

/** @param {Result} doc @param {Sample} found */
function confidence(doc, found) {
  /** @type {[number, string][]} */
  const bands = [[0.9, "90 % or more"], [0.5, "50 % to 90 %"], [0, "below 50 %"]];
  let above = Infinity;
  const rows = bands.map(([low, text]) => {
    const count = doc.arcs.filter((arc) => arc.confidence && arc.confidence.either >= low && arc.confidence.either < above).length;
    above = low;
    return h("tr", {}, h("th", { scope: "row" }, text), h("td", { class: "number" }, count));
  });
  const weak = (found.absent || []).slice(0, 20).map((pair) =>
    h("li", {}, `${pair.from} and ${pair.to}: ${percent(pair.either)} of the ${found.noun}, not in the graph`));
  return [
    h("p", {}, `${found.text}.`),
    h("table", {}, h("caption", {}, `Arcs by the share of ${found.noun} that have an edge there`), h("tbody", {}, rows)),
    weak.length > 0 && h("ul", {}, weak),
  ];
}

/** @param {Result["methods"]} found */
function methods(found) {
  return [
    h("p", { class: "copy" }, found.paragraph),
    h("ol", {}, found.references.map((text) => h("li", {}, text))),
    copyButton("Copy the paragraph", () => [found.paragraph, ...found.references.map((text, i) => `[${i + 1}] ${text}`)].join("\n")),
  ];
}

/** @param {Result["reproduce"]} found */
function reproduce(found) {
  const { knowledge_file: file } = found;
  return [
    h("h3", {}, "Commands"), h("pre", { tabindex: "0" }, found.commands), copyButton("Copy as command", () => found.commands),
    h("h3", {}, "Python"), h("pre", { tabindex: "0" }, found.python), copyButton("Copy as Python", () => found.python),
    file && [h("h3", {}, "knowledge.json"), h("pre", { tabindex: "0" }, file), copyButton("Copy the knowledge file", () => file)],
  ];
}
