// The right panel: what is known of the chosen variable, arc or pair.
import { button, h, number, percent } from "./dom.js";
import { blanketOf, childrenOf, confidenceOf, edgeText, otherEnd, othersOf, parentsOf } from "./model.js";
import { tierOf } from "./state.js";
import { drawTable } from "./cpt.js";
import { drawStates } from "./whatif.js";

/** @param {any} app @returns {any[]} */
export function describeSelection(app) {
  const state = app.store.get();
  const { model } = app;
  const chosen = state.selection;
  if (!model) return [];
  if (!chosen) return describeNothing(app);
  if (chosen.kind === "variable") return describeVariable(app, chosen.v);
  if (chosen.kind === "arc") return describeArc(app, model.arcs[chosen.a]);
  return describePair(app, chosen.a, chosen.b);
}

function describeNothing(app) {
  return [
    h("h2", {}, app.model.doc.draft ? "No run yet" : "Result"),
    h("dl", {}, app.model.doc.run.facts.map(([label, text]) => [h("dt", {}, label), h("dd", {}, text)])),
    h("p", { class: "hint" }, "Click a variable or an arc. Shift-click a second variable to see why there is no arc."),
  ];
}

function variableButton(app, v, extra = "") {
  const name = app.model.names[v];
  const choose = () => app.choose(v);
  return h("li", {}, button(h("bdi", {}, name), choose, { class: "link", "data-key": `v${v}` }), extra && ` ${extra}`);
}

function describeVariable(app, v) {
  const { model } = app;
  const unit = model.doc.unit;
  const listed = (title, arcs) =>
    arcs.length > 0 && [
      h("h3", {}, title),
      h("ul", {}, arcs.map((arc) => variableButton(app, otherEnd(arc, v), arcNote(arc, unit)))),
    ];
  const blanket = [...blanketOf(model, v)].map((u) => model.names[u]).sort();
  return [
    h("h2", {}, h("bdi", {}, model.names[v])),
    drawStates(app, v),
    listed("Parents", parentsOf(model, v)),
    listed("Children", childrenOf(model, v)),
    listed("Other edges", othersOf(model, v)),
    h("h3", {}, "Markov blanket"),
    h("p", {}, blanket.length ? blanket.join(", ") : "empty: no arc joins this variable to another"),
    chooseOther(app, v),
    app.editable && chooseTier(app, v),
  ];
}

function arcNote(arc, unit) {
  const notes = [];
  if (arc.strength !== null) notes.push(`${number(arc.strength, 2)} ${unit}`);
  if (arc.reversible) notes.push("either way");
  const confidence = confidenceOf(arc);
  if (confidence) notes.push(percent(confidence.either));
  return notes.length ? `(${notes.join(", ")})` : "";
}

function otherOptions(app, v) {
  const found = app.model.names.map((name, u) => [name, u]).filter(([, u]) => u !== v);
  found.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return found.map(([name, u]) => h("option", { value: u }, name));
}

/** For keyboards: ask for the reason of a pair, or state something about it, without the picture. */
function chooseOther(app, v) {
  const select = h("select", { id: "other", "aria-label": "Other variable" }, otherOptions(app, v));
  const ask = () => app.store.dispatch({ type: "select", selection: { kind: "pair", a: v, b: Number(select.value) } });
  const state = (kind) => () => app.state(kind, v, Number(select.value));
  return [
    h("h3", {}, "Another variable"),
    h("div", { class: "row" }, select, button("Say why", ask)),
    app.editable &&
      h(
        "div",
        { class: "row" },
        button("Require arc to it", state("required_arcs")),
        button("Forbid arc to it", state("forbidden_arcs")),
        button("Forbid any edge", state("forbidden_edges")),
      ),
  ];
}

function chooseTier(app, v) {
  const name = app.model.names[v];
  const { knowledge } = app.store.get();
  const tier = tierOf(knowledge, name);
  const options = [h("option", { value: "" }, "no tier")];
  for (let i = 0; i <= knowledge.tiers.length; i += 1) {
    options.push(h("option", { value: i }, i < knowledge.tiers.length ? `tier ${i + 1}` : `tier ${i + 1} (new)`));
  }
  const change = (event) => {
    const chosen = event.target.value === "" ? null : Number(event.target.value);
    app.store.dispatch({ type: "tier", name, tier: chosen });
  };
  const select = h("select", { id: "tier", onchange: change }, options);
  select.value = tier < 0 ? "" : String(tier);
  return [h("label", { class: "field" }, "Tier ", select)];
}

function describeArc(app, arc) {
  const { model } = app;
  const { doc } = model;
  const [a, b] = [model.names[arc.from], model.names[arc.to]];
  const facts = [];
  const fact = (label, text) => facts.push(h("dt", {}, label), h("dd", {}, text));
  if (arc.strength !== null) fact("Strength", `${number(arc.strength)} ${doc.unit} of score would be lost without it`);
  const confidence = confidenceOf(arc);
  if (confidence) {
    fact("Confidence", `${percent(confidence.either)} of ${doc.confidence.resamples} resamples have an edge here`);
    fact("Directions", directions(confidence, a, b));
  }
  fact("Direction", direction(arc, doc));
  if (arc.required) fact("Knowledge", "required");
  return [
    h("h2", {}, h("bdi", {}, edgeText(model, arc))),
    h("dl", {}, facts),
    h("h3", {}, "Why"),
    h("p", { class: "reason" }, arc.reason ? arc.reason.sentence : "The result was saved without the reasons of its arcs."),
    otherDirection(app, arc),
    app.editable && h("div", { class: "row" }, decideButtons(app, arc)),
    drawTable(app, arc.to),
  ];
}

function directions(confidence, a, b) {
  const parts = [`${a} → ${b} ${percent(confidence.forward)}`, `${b} → ${a} ${percent(confidence.backward)}`];
  if (confidence.undirected > 0) parts.push(`undirected ${percent(confidence.undirected)}`);
  return parts.join(", ");
}

function direction(arc, doc) {
  if (doc.kind === "PAG") return "tail: cause; arrowhead: not a cause; circle: undetermined";
  if (arc.reversible) return "not determined: the data and the knowledge allow either way";
  return arc.marks[1] === "arrow" ? "determined by data and knowledge" : "not determined";
}

function otherDirection(app, arc) {
  const place = h("p", { class: "reason" });
  app.reasons(arc.to, arc.from).then((text) => place.replaceChildren(text));
  return place;
}

function decideButtons(app, arc) {
  return [
    button("Confirm", () => app.state("required_arcs", arc.from, arc.to), { class: "main", "data-key": "confirm" }),
    button("Forbid this arc", () => app.state("forbidden_arcs", arc.from, arc.to), { "data-key": "forbid" }),
    button("Forbid any edge", () => app.state("forbidden_edges", arc.from, arc.to), { "data-key": "forbid-edge" }),
  ];
}

function describePair(app, a, b) {
  if (app.model.doc.draft) return [h("p", {}, "There is no run yet: press Learn.")];
  const { names, byPair } = app.model;
  const explain = (from, to) => {
    const place = h("p", { class: "reason", "aria-live": "polite" }, "…");
    app.reasons(from, to).then(
      (text) => place.replaceChildren(text),
      (problem) => place.replaceChildren(problem.message),
    );
    return [h("h3", {}, h("bdi", {}, names[from]), " → ", h("bdi", {}, names[to])), place];
  };
  const joined = byPair.get(a < b ? `${a},${b}` : `${b},${a}`);
  return [
    h("h2", {}, joined ? "Two variables" : "Why is there no arc?"),
    explain(a, b),
    explain(b, a),
    app.editable &&
      h(
        "div",
        { class: "row" },
        button(`Require ${names[a]} → ${names[b]}`, () => app.state("required_arcs", a, b)),
        button(`Require ${names[b]} → ${names[a]}`, () => app.state("required_arcs", b, a)),
        button("Forbid any edge", () => app.state("forbidden_edges", a, b)),
      ),
  ];
}
