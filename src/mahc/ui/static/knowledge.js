// The knowledge panel: what is stated, each with a button to remove it; contradictions; files.
import { button, h, replace, saveFile } from "./dom.js";
import { emptyKnowledge, listStatements } from "./state.js";

const KINDS = { required_arc: "required_arcs", required_edge: "required_edges", forbidden_arc: "forbidden_arcs", forbidden_edge: "forbidden_edges", in_tier: "tiers", strict_tiers: "strict_tiers" };

/** @param {any} page */
export function createKnowledgePanel(page) {
  const { app } = page;
  const { store } = app;
  const clash = h("div", { role: "alert" });
  const list = h("ul", { class: "plain statements" });
  const file = h("input", { type: "file", accept: ".toml,.json,.csv", hidden: true, "aria-label": "Knowledge file", onchange: () => file.files[0] && load(file.files[0]) });
  const strict = h("input", { type: "checkbox", id: "strict", onchange: () => set({ ...store.get().knowledge, strict_tiers: strict.checked }) });
  const section = h("section", { "aria-label": "Knowledge" }, h("h2", {}, "Knowledge"), clash, list,
    h("label", { class: "field" }, strict, " no arcs within a tier"),
    h("div", { class: "row" }, button("Load file", () => file.click(), { id: "load-knowledge" }), file, button("Save file", save, { id: "save-knowledge" }), button("Clear", () => set(emptyKnowledge()), { id: "clear-knowledge" })));
  app.slots.left.append(section);
  let asked = 0;

  const set = (knowledge) => store.dispatch({ type: "knowledge", knowledge });

  function load(chosen) {
    page.attempt(async () => {
      const found = await page.client.readKnowledge(chosen);
      set({ ...emptyKnowledge(), ...found });
      file.value = "";
    });
  }

  function save() {
    const known = Object.fromEntries(Object.entries(store.get().knowledge).filter(([, value]) => (Array.isArray(value) ? value.length : value)));
    saveFile("knowledge.json", `${JSON.stringify(known, null, 1)}\n`, "application/json");
  }

  function draw() {
    const { knowledge } = store.get();
    strict.checked = knowledge.strict_tiers;
    const stated = listStatements(knowledge);
    replace(list, stated.length === 0 && h("li", { class: "hint" }, "Nothing stated yet. Click an arc to confirm or forbid it, drag from the border of a variable to another, or open Tiers."),
      stated.map((each) => h("li", {}, h("bdi", {}, each.text), " ", removeButton(each.kind, each.pair, each.text))));
    check();
  }

  function removeButton(kind, pair, text) {
    return button("Remove", () => store.dispatch({ type: "remove", kind, pair }), { class: "link", "aria-label": `Remove ${text}`, "data-key": text });
  }

  /** Ask the server whether all statements can hold together, and show those that cannot. */
  async function check() {
    asked += 1;
    const mine = asked;
    const names = page.names();
    const { knowledge } = store.get();
    if (!names.length || !listStatements(knowledge).length) {
      replace(clash);
      return;
    }
    const { algorithm, settings } = page.bar.choices();
    const found = await page.client.check({ knowledge, names, algorithm, settings }).catch((problem) => ({ ok: false, message: problem.message, conflict: [] }));
    if (mine !== asked) return;
    replace(clash, !found.ok && h("div", { class: "problem" }, h("p", {}, found.message),
      h("ul", { class: "plain" }, found.conflict.filter((each) => KINDS[each.kind]).map((each) =>
        h("li", {}, h("bdi", {}, each.text), " ", removeButton(KINDS[each.kind], each.variables, each.text))))));
  }

  store.subscribe((state, before) => {
    if (state.knowledge !== before.knowledge) draw();
  });
  draw();
  return { draw };
}
