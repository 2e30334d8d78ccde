// Questions to somebody who knows: an answer becomes knowledge, and the graph is learned again with it.
import { button, h, percent, replace } from "./dom.js";
import { register } from "./registry.js";
import { addPair, runOf } from "./state.js";

/** @import {Question} from "./documents.js" */
/** @import {ServerApp} from "./registry.js" */
/** @import {State} from "./state.js" */

const BUDGET = 5;

register({
  id: "questions",
  title: "Questions",
  place: "details",
  steps: ["judge"],
  reads: ["doc", "run", "selection"],
  applies: (state) => state.run !== null && state.doc !== null && !state.doc.draft && !state.doc.panel && state.doc.kind === "DAG" && state.selection === null,
  attributes: { class: "effect" },
  /** @param {State} state @param {ServerApp} app */
  render(state, app) {
    const run = runOf(state);
    const list = h("div", { "aria-live": "polite" });
    const ask = async () => {
      replace(list, h("p", { class: "hint" }, "Drawing graphs ..."));
      try {
        const { questions } = await app.session.client.questions(run, { budget: BUDGET });
        if (app.store.get().run === run) replace(list, questions.length ? drawQuestions(questions, app) : h("p", {}, "The graphs agree about every pair: there is nothing to ask."));
      } catch (problem) {
        replace(list, h("p", { class: "problem" }, problem instanceof Error ? problem.message : String(problem)));
      }
    };
    return [h("h3", {}, "What an expert could settle"), button("Ask me", ask, { id: "ask" }), list];
  },
});

/** @param {Question[]} questions @param {ServerApp} app */
function drawQuestions(questions, app) {
  const again = button("Learn again with the answers", () => app.session.learn(), { id: "learn-again", class: "main", disabled: true });
  const items = questions.map((question) => {
    const { left, right, probabilities, changes } = question;
    const answers = { "->": `${left} causes ${right}`, "<-": `${right} causes ${left}`, "no edge": `no edge between ${left} and ${right}` };
    const item = h("li", {}, h("p", {}, `Is `, h("bdi", {}, left), " a direct cause of ", h("bdi", {}, right), ", or the reverse, or neither?"),
      Object.entries(answers).map(([answer, text]) => {
        const told = changes[answer] || [];
        return h("div", { class: "row" },
          button(text, () => {
            const pair = answer === "<-" ? [right, left] : [left, right];
            const knowledge = addPair(app.store.get().knowledge, answer === "no edge" ? "forbidden_edges" : "required_arcs", pair);
            app.store.set({ knowledge, message: `Stated: ${text}.` });
            for (const each of item.querySelectorAll("button")) each.disabled = true;
            again.disabled = false;
          }),
          h("small", {}, `${percent(probabilities[answer])}${told.length ? `; then ${told.join(", ")}` : ""}`));
      }));
    return item;
  });
  return [h("ol", { class: "questions" }, items), again];
}
