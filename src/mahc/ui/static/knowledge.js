// The knowledge panel: what is stated, each with a button to remove it; contradictions; files.
import { button, h, replace, saveFile } from "./dom.js";
import { emptyKnowledge, listStatements, removeStatement } from "./state.js";
import { register } from "./registry.js";

const KINDS = { required_arc: "required_arcs", required_edge: "required_edges", forbidden_arc: "forbidden_arcs", forbidden_edge: "forbidden_edges", in_tier: "tiers", strict_tiers: "strict_tiers" };

register({
  id: "knowledge",
  title: "Knowledge",
  place: "left",
  reads: ["knowledge", "clash"],
  build: () => h("div", { role: "alert" }),
  render({ knowledge, clash }, app, holder) {
    const { store } = app;
    const remove = (kind, pair, text) =>
      button("Remove", () => store.set({ knowledge: removeStatement(store.get().knowledge, kind, pair) }), { class: "link", "aria-label": `Remove ${text}`, "data-key": text });
    replace(holder.querySelector("[role=alert]"), clash && h("div", { class: "problem" }, h("p", {}, clash.message),
      h("ul", { class: "plain" }, clash.conflict.filter((each) => KINDS[each.kind]).map((each) =>
        h("li", {}, h("bdi", {}, each.text), " ", remove(KINDS[each.kind], each.variables, each.text))))));
    const stated = listStatements(knowledge);
    const strict = h("input", { type: "checkbox", id: "strict", checked: knowledge.strict_tiers, onchange: () => store.set({ knowledge: { ...knowledge, strict_tiers: strict.checked } }) });
    const file = h("input", { type: "file", accept: ".toml,.json,.csv", hidden: true, "aria-label": "Knowledge file", onchange: () => file.files[0] && load(app, file) });
    return [
      h("ul", { class: "plain statements" },
        stated.length === 0 && h("li", { class: "hint" }, "Nothing stated yet. Click an arc to confirm or forbid it, drag from the border of a variable to another, or open Tiers."),
        stated.map((each) => h("li", {}, h("bdi", {}, each.text), " ", remove(each.kind, each.pair, each.text)))),
      h("label", { class: "field" }, strict, " no arcs within a tier"),
      h("div", { class: "row" }, button("Load file", () => file.click(), { id: "load-knowledge" }), file,
        button("Save file", () => save(knowledge), { id: "save-knowledge" }), button("Clear", () => store.set({ knowledge: emptyKnowledge() }), { id: "clear-knowledge" })),
    ];
  },
});

/** @param {import("./registry.js").App} app */
function load({ session, store }, input) {
  session.attempt(async () => {
    const found = await session.client.readKnowledge(input.files[0]);
    store.set({ knowledge: { ...emptyKnowledge(), ...found } });
    input.value = "";
  });
}

function save(knowledge) {
  const known = Object.fromEntries(Object.entries(knowledge).filter(([, value]) => (Array.isArray(value) ? value.length : value)));
  saveFile("knowledge.json", `${JSON.stringify(known, null, 1)}\n`, "application/json");
}
