// The right panel: what is known of the chosen variable, arc or pair.
import { button, h, number, percent } from "./dom.js";
import { blanketOf, childrenOf, confidenceOf, edgeText, modelOf, otherEnd, othersOf, parentsOf, pairKey } from "./model.js";
import { docOf, setTier, tierOf } from "./state.js";
import { drawTable } from "./cpt.js";
import { drawCurve } from "./curve.js";
import { drawStates } from "./whatif.js";
import { register } from "./registry.js";

/** @import {Arc, Document, Shares} from "./documents.js" */
/** @import {Child} from "./dom.js" */
/** @import {Link, Model} from "./model.js" */
/** @import {App} from "./registry.js" */
/** @import {PairKind, State} from "./state.js" */

register({
  id: "variable",
  title: "Variable",
  place: "details",
  steps: ["knowledge", "judge"],
  reads: ["doc", "selection", "answer", "given", "intervened", "knowledge", "focus", "other"],
  applies: (state) => state.selection?.kind === "variable",
  render: (state, app) => state.selection?.kind === "variable" && describeVariable(state, app, state.selection.v),
});

register({
  id: "arc",
  title: "Arc",
  place: "details",
  steps: ["knowledge", "judge"],
  reads: ["doc", "selection"],
  applies: (state) => state.selection?.kind === "arc",
  render: (state, app) => state.selection?.kind === "arc" && describeArc(state, app, state.selection.a),
});

register({
  id: "pair",
  title: "Two variables",
  place: "details",
  steps: ["knowledge", "judge"],
  reads: ["doc", "selection"],
  applies: (state) => state.selection?.kind === "pair",
  render: (state, app) => state.selection?.kind === "pair" && describePair(state, app, state.selection.a, state.selection.b),
});

/** @param {State} state @param {App} app @param {number} v */
function describeVariable(state, app, v) {
  const doc = docOf(state);
  const model = modelOf(doc);
  /** @param {number} u */
  const linkTo = (u) => button(h("bdi", {}, model.names[u]), () => app.choose(u), { class: "link", "data-key": `v${u}` });
  /** @param {string} title @param {Link[]} arcs */
  const listed = (title, arcs) =>
    arcs.length > 0 && [
      h("h3", {}, title),
      h("ul", {}, arcs.map((arc) => h("li", {}, linkTo(otherEnd(arc, v)), arcNote(arc, doc.unit)))),
    ];
  const blanket = [...blanketOf(model, v)].map((u) => model.names[u]).sort();
  return [
    h("h2", {}, h("bdi", {}, model.names[v])),
    !doc.draft && chooseFocus(state, app, v),
    drawStates(state, app, v),
    listed("Parents", parentsOf(model, v)),
    listed("Children", childrenOf(model, v)),
    listed("Other edges", othersOf(model, v)),
    h("h3", {}, "Markov blanket"),
    h("p", {}, blanket.length ? blanket.join(", ") : "empty: no arc joins this variable to another"),
    chooseOther(model, app, v, state),
    state.editable && chooseTier(state, app, model.names[v]),
  ];
}

/** Show the neighbourhood alone. @param {State} state @param {App} app @param {number} v */
function chooseFocus({ focus }, app, v) {
  /** @param {number} steps @param {string} text */
  const choice = (steps, text) => button(text, () => app.store.set({ focus: steps ? { v, steps } : null, lanes: false, tab: "graph" }), { "aria-pressed": String((focus?.v === v ? focus.steps : 0) === steps), "data-key": `focus${steps}` });
  return h("div", { class: "row" }, h("span", { class: "choice", role: "group", "aria-label": "Neighbourhood" }, choice(0, "All"), choice(1, "1 step"), choice(2, "2 steps")), h("span", { class: "hint" }, "around it"));
}

/** @param {Arc} arc @param {string} unit */
function arcNote(arc, unit) {
  const notes = [];
  if (arc.strength !== null) notes.push(`${number(arc.strength, 2)} ${unit}`);
  if (arc.reversible) notes.push("either way");
  const confidence = confidenceOf(arc);
  if (confidence) notes.push(percent(confidence.either));
  return notes.length > 0 && ` (${notes.join(", ")})`;
}

/**
 * For keyboards: ask for the reason of a pair, or state something about it, without the picture.
 * @param {Model} model @param {App} app @param {number} v @param {State} state
 */
function chooseOther({ names, doc }, app, v, { editable, other }) {
  const others = names.map((name, u) => ({ name, u })).filter(({ u }) => u !== v).sort((a, b) => (a.name < b.name ? -1 : 1));
  /** @type {HTMLSelectElement} */
  const select = h("select", { id: "other", "aria-label": "Other variable", onchange: () => app.store.set({ other: Number(select.value) }) }, others.map(({ name, u }) => h("option", { value: u }, name)));
  if (other !== null && other !== v && other < names.length) select.value = String(other);
  const ask = () => app.store.set({ selection: { kind: "pair", a: v, b: Number(select.value) } });
  /** @param {PairKind} kind */
  const declare = (kind) => () => app.declare(kind, v, Number(select.value));
  return [
    h("h3", {}, "Another variable"),
    h("div", { class: "row" }, select, !doc.draft && button("Say why", ask)),
    editable &&
      h(
        "div",
        { class: "row" },
        button("Require arc to it", declare("required_arcs")),
        button("Forbid arc to it", declare("forbidden_arcs")),
        button("Forbid any edge", declare("forbidden_edges")),
      ),
  ];
}

/** @param {State} state @param {App} app @param {string} name */
function chooseTier({ knowledge }, app, name) {
  const tier = tierOf(knowledge, name);
  const options = [h("option", { value: "" }, "no tier")];
  for (let i = 0; i <= knowledge.tiers.length; i += 1) {
    options.push(h("option", { value: i }, i < knowledge.tiers.length ? `tier ${i + 1}` : `tier ${i + 1} (new)`));
  }
  const change = () => {
    const chosen = select.value === "" ? null : Number(select.value);
    app.store.set({ knowledge: setTier(knowledge, name, chosen) });
  };
  /** @type {HTMLSelectElement} */
  const select = h("select", { id: "tier", onchange: change }, options);
  select.value = tier < 0 ? "" : String(tier);
  return [h("label", { class: "field" }, "Tier ", select)];
}

/** @param {State} state @param {App} app @param {number} index */
function describeArc(state, app, index) {
  const { editable } = state;
  const doc = docOf(state);
  const model = modelOf(doc);
  const arc = model.arcs[index];
  const [a, b] = [model.names[arc.from], model.names[arc.to]];
  /** @type {Child[]} */
  const facts = [];
  /** @param {string} label @param {string} text */
  const fact = (label, text) => facts.push(h("dt", {}, label), h("dd", {}, text));
  if (arc.strength !== null) fact("Strength", `${number(arc.strength)} ${doc.unit} of score would be lost without it`);
  const confidence = confidenceOf(arc);
  if (confidence && doc.confidence) {
    fact("Confidence", `${percent(confidence.either)} of ${doc.confidence.resamples} ${doc.confidence.noun} have an edge here`);
    if (confidence.right !== undefined) fact("Probability", `${percent(confidence.right)} that there is an edge, measured on known networks`);
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
    editable && h("div", { class: "row" }, decideButtons(app, arc)),
    drawCurve(model, arc),
    drawTable(model, arc.to),
  ];
}

/** @param {Shares} confidence @param {string} a @param {string} b */
function directions(confidence, a, b) {
  const parts = [`${a} → ${b} ${percent(confidence.forward)}`, `${b} → ${a} ${percent(confidence.backward)}`];
  if (confidence.undirected > 0) parts.push(`undirected ${percent(confidence.undirected)}`);
  return parts.join(", ");
}

/** @param {Arc} arc @param {Document} doc */
function direction(arc, doc) {
  if (doc.kind === "PAG") return "tail: cause; arrowhead: not a cause; circle: undetermined";
  if (arc.reversible) return "not determined: the data and the knowledge allow either way";
  return arc.marks[1] === "arrow" ? "determined by data and knowledge" : "not determined";
}

/** @param {App} app @param {Arc} arc */
function otherDirection(app, arc) {
  const place = h("p", { class: "reason" });
  app.explain(arc.to, arc.from).then((text) => place.replaceChildren(text));
  return place;
}

/** @param {App} app @param {Arc} arc */
function decideButtons(app, arc) {
  return [
    button("Confirm", () => app.declare("required_arcs", arc.from, arc.to), { class: "main", "data-key": "confirm" }),
    button("Forbid this arc", () => app.declare("forbidden_arcs", arc.from, arc.to), { "data-key": "forbid" }),
    button("Forbid any edge", () => app.declare("forbidden_edges", arc.from, arc.to), { "data-key": "forbid-edge" }),
  ];
}

/** @param {State} state @param {App} app @param {number} a @param {number} b */
function describePair(state, app, a, b) {
  const { editable } = state;
  const doc = docOf(state);
  if (doc.draft) return [h("p", {}, "There is no run yet: press Learn.")];
  const { names, byPair } = modelOf(doc);
  /** @param {number} from @param {number} to */
  const explain = (from, to) => {
    const place = h("p", { class: "reason", "aria-live": "polite" }, "…");
    app.explain(from, to).then(
      (text) => place.replaceChildren(text),
      (problem) => place.replaceChildren(problem.message),
    );
    return [h("h3", {}, h("bdi", {}, names[from]), " → ", h("bdi", {}, names[to])), place];
  };
  const joined = byPair.get(pairKey(a, b));
  return [
    h("h2", {}, joined ? "Two variables" : "Why is there no arc?"),
    explain(a, b),
    explain(b, a),
    editable &&
      h(
        "div",
        { class: "row" },
        button(`Require ${names[a]} → ${names[b]}`, () => app.declare("required_arcs", a, b)),
        button(`Require ${names[b]} → ${names[a]}`, () => app.declare("required_arcs", b, a)),
        button("Forbid any edge", () => app.declare("forbidden_edges", a, b)),
      ),
  ];
}
