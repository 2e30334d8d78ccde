// The result in plain words first: what was found, what is uncertain, what to do next; figures second.
import { button, countOf, h } from "./dom.js";
import { modelOf } from "./model.js";
import { register } from "./registry.js";
import { docOf } from "./state.js";

/** @import {Arc, Document} from "./documents.js" */
/** @import {Child} from "./dom.js" */
/** @import {Link} from "./model.js" */

const DOUBTFUL = 0.6; // share of graphs below which an arc is doubtful
const MOST_NAMED = 5;

register({
  id: "verdict",
  title: "Result",
  place: "details",
  steps: ["judge"],
  reads: ["doc", "run"],
  applies: (state) => state.doc !== null && !state.doc.draft && state.selection === null && state.comparison === null,
  attributes: { class: "verdict-panel" },
  render(state, app) {
    const { run } = state;
    const doc = docOf(state);
    const { arcs, names, around } = modelOf(doc);
    const doubtful = arcs.filter((arc) => arc.confidence && arc.confidence.either < DOUBTFUL);
    const alone = names.map((_, v) => v).filter((v) => around[v].length === 0);
    /** @param {Link} arc */
    const arcLink = (arc) => button([h("bdi", {}, names[arc.from]), " – ", h("bdi", {}, names[arc.to])], () => app.store.set({ selection: { kind: "arc", a: arc.index } }), { class: "link" });
    /** @param {number} v */
    const variableLink = (v) => button(h("bdi", {}, names[v]), () => app.choose(v), { class: "link" });
    const server = run !== null && app.session;
    return [
      h("h2", {}, "Result"),
      h("p", {}, `${countOf(arcs.length, "arc")} among ${countOf(names.length, "variable")}. `, directions(doc, arcs)),
      doc.confidence && (doubtful.length
        ? h("p", {}, `${countOf(doubtful.length, "arc")} ${doubtful.length === 1 ? "is" : "are"} doubtful (in fewer than ${100 * DOUBTFUL} % of the ${doc.confidence.noun}): `, some(doubtful, arcLink))
        : h("p", {}, `No arc is doubtful: each is in ${100 * DOUBTFUL} % or more of the ${doc.confidence.noun}.`)),
      doc.panel && h("p", {}, doc.panel),
      !doc.confidence && h("p", {}, "How sure each arc is has not been examined yet."),
      alone.length > 0 && h("p", {}, "Connected to nothing: ", some(alone, variableLink)),
      h("h3", {}, "Next"),
      h("ul", { class: "plain next" },
        server && !doc.confidence && !doc.panel && h("li", {}, button("How sure is each arc?", () => app.session?.posterior(), { id: "next-posterior" })),
        server && doc.tables && h("li", { class: "hint" }, "Click a variable and use “observe” or “set” to ask what if."),
        server && h("li", { class: "hint" }, doc.panel ? "Confirm and forbid arcs and learn again." : "Estimate an effect below, or confirm and forbid arcs and learn again."),
        server && doc.panel && h("li", { class: "hint" }, "How sure each arc is, forecasts and unrolled slices: mahc panel and mahc.learn_panel, as the step Share shows."),
        h("li", { class: "hint" }, "Click an arc for its reason. Shift-click a second variable to see why there is no arc.")),
      h("details", { "data-key": "figures" }, h("summary", {}, "Figures"), h("dl", {}, doc.run.facts.map(([label, text]) => [h("dt", {}, label), h("dd", {}, text)]))),
    ];
  },
});

register({
  id: "no-run",
  title: "Result",
  place: "details",
  steps: ["judge"],
  reads: ["doc", "audit", "job"],
  applies: (state) => Boolean(state.doc?.draft) && state.selection === null,
  render: ({ audit, job }, { session }) => [
    h("h2", {}, "Result"),
    h("p", {}, audit?.ok ? "There is no run yet: these are the variables." : "There is no run yet, and the data cannot be used yet: the step Data lists what to solve."),
    button("Learn", () => session?.learn(), { id: "learn-first", disabled: !audit?.ok || job !== null }),
  ],
});

register({
  id: "knowledge-help",
  title: "Help",
  place: "details",
  steps: ["knowledge"],
  reads: ["doc"],
  applies: (state) => state.doc !== null && state.selection === null,
  render: () => [
    h("h2", {}, "What do you know?"),
    h("ul", {}, h("li", {}, "Drag variables into lanes: what comes earlier in time stands further left. No arc leads back."),
      h("li", {}, "Drag from the border of one variable to another to require, forbid or believe in an arc."),
      h("li", {}, "Contradictions are shown at once, with the statements that clash."),
      h("li", {}, "Nothing is needed here: without statements the data decide alone.")),
  ],
});

/** How many directions follow from the data. @param {Document} doc @param {Arc[]} arcs */
function directions(doc, arcs) {
  if (doc.kind === "PAG") return "Circles mark ends that the data do not determine; hidden common causes are possible.";
  const open = arcs.filter((arc) => arc.reversible || !arc.marks.includes("arrow")).length;
  if (!open) return arcs.length ? "All directions follow from the data and your knowledge." : "";
  return `${countOf(arcs.length - open, "direction")} ${arcs.length - open === 1 ? "follows" : "follow"} from the data and your knowledge; ${open} could point either way.`;
}

/** The first of some things, and how many more. @template T @param {T[]} things @param {(thing: T) => Child} link */
function some(things, link) {
  return h("span", { class: "links" }, things.slice(0, MOST_NAMED).map(link), things.length > MOST_NAMED && h("span", {}, `and ${things.length - MOST_NAMED} more`));
}
