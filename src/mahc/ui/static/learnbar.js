// The bar with algorithm, score, time limit and Learn; the line with progress and Cancel.
import { button, h, number, replace } from "./dom.js";

/** @param {any} page */
export function createLearnBar(page) {
  const { about, app } = page;
  const algorithm = h("select", { id: "algorithm", onchange: () => drawSettings() }, about.algorithms.map((each) => h("option", { value: each.name }, each.name)));
  algorithm.value = "mahc";
  const score = h("select", { id: "score", onchange: () => drawSettings() }, h("option", { value: "" }, "default"), about.scores.map((each) => h("option", { value: each.name }, each.name)));
  const limit = h("input", { id: "limit", type: "number", min: "1", placeholder: "none", size: "5", class: "short" });
  const learn = button("Learn", () => page.learn(), { class: "main", id: "learn" });
  const settings = h("div", { class: "drop" });
  const more = h("details", { class: "save" }, h("summary", {}, "Settings"), settings);
  const given = {};
  app.slots.header.replaceChildren(learn, h("label", { class: "field" }, "Algorithm ", algorithm), h("label", { class: "field" }, "Score ", score),
    h("label", { class: "field" }, "Time limit (s) ", limit), more);

  function declared() {
    const chosen = about.algorithms.find((each) => each.name === algorithm.value);
    const measure = about.scores.find((each) => each.name === (score.value || chosen.default_score));
    return [...chosen.settings, ...(measure ? measure.settings : [])];
  }

  function drawSettings() {
    replace(settings, declared().map((each) => {
      const change = (event) => {
        const { value, checked } = event.target;
        if (each.kind === "flag") given[each.name] = checked;
        else if (value.trim() === "") delete given[each.name];
        else given[each.name] = each.kind === "text" ? value : Number(value);
      };
      const input = each.kind === "flag"
        ? h("input", { type: "checkbox", checked: given[each.name] ?? each.default ?? false, onchange: change })
        : h("input", { value: given[each.name] ?? "", placeholder: each.default ?? "automatic", onchange: change, class: "short" });
      return h("label", { class: "field", title: `${each.help} Allowed: ${each.allowed}.` }, `${each.name} `, input);
    }));
  }
  drawSettings();

  /** What the choices say, for a request. */
  function choices() {
    const names = new Set(declared().map((each) => each.name));
    const chosen = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
    return { algorithm: algorithm.value, objective: score.value || null, time_limit: limit.value ? Number(limit.value) : null, settings: chosen };
  }

  // The line is made once per job and only its text changes, and Cancel stands before the text: a button that is
  // replaced or moved while it is pressed is never clicked.
  const progressText = h("span", { class: "progress" });
  let cancel = null;
  let shownJob = null;

  function showProgress(job) {
    const progress = job.progress;
    const parts = [job.kind === "learn" ? "Learning" : "Bootstrap", job.cancelled ? "ending" : job.state];
    if (progress) {
      parts.push(progress.phase);
      if (progress.steps) parts.push(`step ${progress.steps}`);
      if (progress.score !== null) parts.push(`score ${number(progress.score, 1)}`);
      parts.push(`${progress.seconds.toFixed(1)} s`);
    }
    if (shownJob !== job.id) {
      shownJob = job.id;
      cancel = button("Cancel", () => page.attempt(() => page.client.cancel(job.id)), { id: "cancel" });
      replace(app.slots.footer, cancel, progressText);
    }
    progressText.textContent = parts.join(", ");
    cancel.disabled = Boolean(job.cancelled);
    learn.disabled = true;
  }

  function clearProgress() {
    shownJob = null;
    replace(app.slots.footer);
    learn.disabled = !page.audit?.ok;
  }
  return { choices, showProgress, clearProgress, setReady: (ready) => (learn.disabled = !ready) };
}
