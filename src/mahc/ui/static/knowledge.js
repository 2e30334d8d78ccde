// The knowledge panel: what is stated, as sentences; contradictions; a form for keyboards; files and text.
import { button, h, replace, saveFile } from "./dom.js";
import { addBelief, addPair, emptyKnowledge, listStatements, removeStatement, setTier, withSlices } from "./state.js";
import { readNumber } from "./numbers.js";
import { register } from "./registry.js";

/** @import {Knowledge} from "./documents.js" */
/** @import {ServerApp} from "./registry.js" */
/** @import {PairKind, State, Stated} from "./state.js" */

/** @type {Record<string, Stated["kind"]>} */
const KINDS = { required_arc: "required_arcs", required_edge: "required_edges", forbidden_arc: "forbidden_arcs", forbidden_edge: "forbidden_edges", in_tier: "tiers", strict_tiers: "strict_tiers" };
const RELATIONS = [["required_arcs", "causes (required)"], ["forbidden_arcs", "does not cause (forbidden)"], ["belief", "causes, likely"], ["before", "is before"], ["required_edges", "is joined to"], ["forbidden_edges", "is not joined to"], ["contexts", "is a context (place, year)"]];

register({
  id: "knowledge",
  title: "Knowledge",
  place: "left",
  steps: ["knowledge", "judge"],
  reads: ["knowledge", "clash", "step", "doc", "table"],
  build: () => h("div", { role: "alert" }),
  /** @param {State} state @param {ServerApp} app @param {HTMLElement} holder */
  render({ knowledge, clash, step, doc, table }, app, holder) {
    const { store } = app;
    /** @param {Stated} statement */
    const remove = ({ kind, pair, text }) =>
      button("Remove", () => store.set({ knowledge: removeStatement(store.get().knowledge, kind, pair) }), { class: "link", "aria-label": `Remove ${text}`, "data-key": text });
    const slices = table?.panel?.knowledge;
    const whole = knowledge.tiers.length === slices?.tiers.length; // the present slice is one tier
    const stated = listStatements(knowledge).filter(({ kind, pair }) => !slices || !((kind === "tiers" && whole) || (["tiers", "contexts"].includes(kind) && slices.contexts.includes(String(pair[0])))));
    const clashing = (clash?.conflict || []).map((each) => ({ kind: KINDS[each.kind], pair: each.variables })).filter(({ kind }) => kind);
    /** @param {Stated} statement */
    const clashes = ({ kind, pair }) => clashing.some((each) => each.kind === kind && (kind === "strict_tiers" || each.pair[0] === pair[0]) && (pair.length < 2 || sameEnds(each.pair, pair, kind)));
    replace(/** @type {HTMLElement} */ (holder.querySelector("[role=alert]")), clash && h("div", { class: "problem" }, h("p", {}, stated.some(clashes) ? "These statements contradict each other. Remove one:" : clash.message),
      h("ul", { class: "plain" }, stated.filter(clashes).map((each) => h("li", {}, h("bdi", {}, each.text), " ", remove(each))))));
    /** @type {HTMLInputElement} */
    const strict = h("input", { type: "checkbox", id: "strict", checked: knowledge.strict_tiers, onchange: () => store.set({ knowledge: { ...knowledge, strict_tiers: strict.checked } }) });
    return [
      h("ul", { class: "plain statements" },
        slices && h("li", { class: "hint" }, "Earlier times come first, and nothing causes them: that follows from the time column."),
        stated.length === 0 && !slices && h("li", { class: "hint" }, "Nothing stated yet. Drag variables into lanes, earlier ones to the left, or drag from the border of a variable to another."),
        stated.map((each) => h("li", { class: clashes(each) ? "problem" : null }, h("bdi", {}, each.text), " ", remove(each)))),
      step === "knowledge" && doc && [form(app, doc.variables.map((each) => each.name)), h("label", { class: "field" }, strict, " no arcs within a tier"), files(app, knowledge)],
    ];
  },
});

/** @param {string[]} one @param {Stated["pair"]} other @param {string} kind */
const sameEnds = (one, other, kind) => (one[0] === other[0] && one[1] === other[1]) || (kind.endsWith("edges") && one[0] === other[1] && one[1] === other[0]);

/** State something without the picture; the form keeps its choices. @param {ServerApp} app @param {string[]} names */
function form({ session, store }, names) {
  const sorted = [...names].sort();
  const chosen = store.get().statement;
  const keep = () => store.set({ statement: { first: first.value, relation: relation.value, second: second.value, percent: chance.value } });
  /** @param {string} label @param {string[][]} options @param {string} value @returns {HTMLSelectElement} */
  const select = (label, options, value) => {
    const made = h("select", { "aria-label": label, onchange: keep }, options.map(([each, text]) => h("option", { value: each }, text)));
    if (options.some(([each]) => each === value)) made.value = value;
    return made;
  };
  const listed = sorted.map((name) => [name, name]);
  const first = select("First variable", listed, chosen.first);
  const second = select("Second variable", listed, chosen.second || sorted[1]);
  /** @type {HTMLInputElement} */
  const chance = h("input", { inputmode: "decimal", value: chosen.percent, class: "tiny", "aria-label": "Likely, in percent", id: "belief-percent", onchange: keep });
  const percentage = h("label", { class: "field", hidden: chosen.relation !== "belief" }, chance, "%");
  const relation = select("Relation", RELATIONS, chosen.relation);
  second.toggleAttribute("hidden", chosen.relation === "contexts");
  relation.addEventListener("change", () => {
    percentage.toggleAttribute("hidden", relation.value !== "belief");
    second.toggleAttribute("hidden", relation.value === "contexts");
  });
  const add = () => session.attempt(() => {
    keep();
    if (relation.value !== "contexts" && first.value === second.value) store.set({ message: "Choose two different variables." });
    else store.set({ knowledge: stateAbout(store.get().knowledge, relation.value, first.value, second.value, relation.value === "belief" ? readNumber("Likely, in percent", chance.value, { least: 1, most: 99 }) / 100 : 0) });
  });
  return h("fieldset", { class: "statement-form" }, h("legend", {}, "Add a statement"), first, relation, percentage, second, button("Add", add, { id: "add-statement" }));
}

/** @param {Knowledge} knowledge @param {string} relation @param {string} first @param {string} second @param {number} probability @returns {Knowledge} */
function stateAbout(knowledge, relation, first, second, probability) {
  if (relation === "contexts") return knowledge.contexts.includes(first) ? knowledge : { ...knowledge, contexts: [...knowledge.contexts, first] };
  if (relation === "belief") return addBelief(knowledge, first, second, Math.min(0.99, Math.max(0.01, probability)));
  if (relation === "before") {
    /** @param {string} name */
    const place = (name) => knowledge.tiers.findIndex((tier) => tier.includes(name));
    const [a, b] = [place(first), place(second)];
    if (a < 0 && b < 0) return setTier(setTier(knowledge, first, knowledge.tiers.length), second, knowledge.tiers.length + 1);
    if (a < 0) return b > 0 ? setTier(knowledge, first, b - 1) : { ...knowledge, tiers: [[first], ...knowledge.tiers] };
    return setTier(knowledge, second, Math.max(a + 1, b));
  }
  return addPair(knowledge, /** @type {PairKind} */ (relation), [first, second]);
}

/** @param {ServerApp} app @param {Knowledge} knowledge */
function files(app, knowledge) {
  const { store } = app;
  /** @type {HTMLInputElement} */
  const file = h("input", { type: "file", accept: ".toml,.json,.csv", hidden: true, "aria-label": "Knowledge file", onchange: () => file.files?.[0] && load(app, file.files[0], file) });
  const text = h("textarea", { rows: "5", "aria-label": "Knowledge as text", placeholder: 'required_arcs = [["smoke", "lung"]]\ntiers = [["age"], ["illness"]]', "data-key": "knowledge-text" });
  return [
    h("div", { class: "row" }, button("Load file", () => file.click(), { id: "load-knowledge" }), file,
      button("Save file", () => save(knowledge), { id: "save-knowledge" }), button("Clear", () => store.set({ knowledge: withSlices(emptyKnowledge(), store.get().table?.panel) }), { id: "clear-knowledge" })),
    h("details", { "data-key": "paste" }, h("summary", {}, "Paste as text"), text,
      button("Use this text", () => load(app, new File([text.value], text.value.trim().startsWith("{") ? "pasted.json" : "pasted.toml")), { id: "use-text" })),
  ];
}

/** @param {ServerApp} app @param {File} file @param {HTMLInputElement} [input] */
function load({ session, store }, file, input) {
  session.attempt(async () => {
    const found = await session.client.readKnowledge(file);
    store.set({ knowledge: withSlices({ ...emptyKnowledge(), ...found }, store.get().table?.panel), message: `Knowledge read: ${listStatements(found).length} statements.` });
    if (input) input.value = "";
  });
}

/** @param {Knowledge} knowledge */
function save(knowledge) {
  const known = Object.fromEntries(Object.entries(knowledge).filter(([, value]) => (Array.isArray(value) ? value.length : value)));
  saveFile("knowledge.json", `${JSON.stringify(known, null, 1)}\n`, "application/json");
}
