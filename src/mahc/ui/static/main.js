// The page of the server: data, knowledge, runs and jobs around the graph. A reload finds its place in the address.
import { h } from "./dom.js";
import { createApp } from "./app.js";
import { pairKey } from "./model.js";
import { emptyKnowledge } from "./state.js";
import { draftOf } from "./draft.js";
import { createClient } from "./server.js";
import { createStart } from "./start.js";
import { createLearnBar } from "./learnbar.js";
import { createKnowledgePanel } from "./knowledge.js";
import { createRuns } from "./runs.js";

const token = new URLSearchParams(location.search).get("token") || "";
const client = createClient(token);

async function begin() {
  const app = createApp(document.getElementById("app"), null, { editable: true, startTab: true, knowledge: kept("knowledge") || emptyKnowledge(),
    ask: async (from, to) => (await client.reason(page.run, app.model.names[from], app.model.names[to])).sentence });
  const page = { app, client, about: null, data: null, audit: null, reading: {}, run: null, runs: [], job: null };
  Object.assign(page, actions(page));
  page.about = await client.about();
  page.start = createStart(page);
  page.bar = createLearnBar(page);
  page.history = createRuns(page);
  page.knowledge = createKnowledgePanel(page);
  page.bar.setReady(false);
  app.suppose = (given, intervened) => page.attempt(() => page.suppose(given, intervened));
  app.store.subscribe((state, before) => {
    if (state.knowledge !== before.knowledge) keep("knowledge", state.knowledge);
  });
  await page.attempt(() => restore(page));
  document.documentElement.dataset.ready = "true";
}

/** Take up what the address names: data, run, job; otherwise the data that the server was started with. */
async function restore(page) {
  const place = new URLSearchParams(location.hash.slice(1));
  const [data, runs, jobs] = await Promise.all([client.data(), client.runs(), client.jobs()]);
  page.runs = runs;
  page.reading = kept("reading") || {};
  const wanted = data.find((each) => each.id === place.get("data")) || (place.has("data") ? null : data[0]);
  if (wanted) await page.openData(wanted, page.reading);
  const run = runs.find((each) => String(each.id) === place.get("run"));
  if (run) await page.openRun(run.id);
  const job = jobs.find((each) => String(each.id) === place.get("job"));
  if (job) page.follow(job);
  page.history.draw();
}

function actions(page) {
  const { app } = page;
  const note = () => {
    const place = new URLSearchParams();
    for (const [name, value] of [["data", page.data?.id], ["run", page.run], ["job", page.job]]) if (value) place.set(name, String(value));
    history.replaceState(null, "", `${location.pathname}${location.search}#${place}`);
  };
  return {
    /** Do something that the server may refuse; a refusal is shown. */
    async attempt(act) {
      try {
        await act();
      } catch (problem) {
        app.message(problem.message);
        if (problem.constructor.name !== "Refusal") throw problem;
      }
    },
    names: () => (app.model ? app.model.names : (page.audit?.columns || []).map((column) => column.name)),
    async openData(data, reading = {}) {
      if (data.id !== page.data?.id && page.data) app.store.dispatch({ type: "knowledge", knowledge: emptyKnowledge() });
      Object.assign(page, { data, reading, audit: null, run: null });
      app.store.dispatch({ type: "load", values: { doc: null, selection: null, comparison: null, ghosts: [], fresh: [], moved: {}, answer: null, given: {}, intervened: {} } });
      app.slots.title.replaceChildren(h("bdi", {}, data.name));
      note();
      await page.read(reading);
    },
    async read(reading) {
      page.reading = reading;
      keep("reading", reading);
      page.start.draw();
      const audit = await client.audit(page.data.id, reading).catch((problem) => ({ ok: false, conclusion: problem.message, problems: [], notes: [], columns: page.audit?.columns || [] }));
      if (page.reading !== reading) return; // a later choice has been made meanwhile, and its answer counts
      page.audit = audit;
      page.start.draw();
      page.bar.setReady(page.audit.ok && !page.job);
      if (page.audit.ok && !page.run) app.store.dispatch({ type: "load", values: { doc: draftOf(page), selection: null, tab: "start" } });
      app.message(page.audit.conclusion);
      page.knowledge.draw();
      page.history.draw();
    },
    learn: () => page.attempt(async () => {
      const { knowledge } = app.store.get();
      await page.begin({ kind: "learn", data: page.data.id, reading: page.reading, knowledge, ...page.bar.choices() });
    }),
    bootstrap: (resamples) => page.attempt(() => page.begin({ kind: "bootstrap", run: page.run, resamples })),
    async begin(given) {
      const job = await client.start(given);
      await page.follow(job);
    },
    async follow(job) {
      page.job = job.id;
      note();
      page.bar.showProgress(job);
      const ended = await client.follow(job.id, (state) => page.bar.showProgress(state)).catch((problem) => ({ state: "failed", message: problem.message }));
      page.job = null;
      note();
      page.bar.clearProgress();
      if (ended.state !== "done") {
        app.message(ended.message);
        return;
      }
      page.runs = await client.runs();
      await page.openRun(ended.run);
      const run = page.runs.find((each) => each.id === ended.run);
      app.message(`Run ${run.id}: ${run.arcs} arcs. ${run.ended}.`);
    },
    /** Show a run; variables keep their places, and arcs that are gone stay as ghosts. */
    async openRun(number) {
      const found = await client.run(number);
      const before = app.model;
      const same = before && !before.doc.draft && before.names.join("\n") === found.variables.map((each) => each.name).join("\n");
      const doc = same ? inOldPlaces(before, found) : found;
      const values = { doc, selection: null, comparison: null, tab: "graph", answer: null, given: {}, intervened: {}, ...(same ? changes(before, doc) : { ghosts: [], fresh: [], moved: {} }) };
      page.run = number;
      app.canAsk = doc.tables !== null;
      app.store.dispatch({ type: "load", values });
      if (!same) app.fit();
      note();
      page.history.draw();
      page.history.drawSave();
      page.knowledge.draw();
    },
    async suppose(given, intervened) {
      const empty = Object.keys(given).length + Object.keys(intervened).length === 0;
      const answer = empty ? null : (await client.query(page.run, given, intervened)).probabilities;
      app.store.dispatch({ type: "set", values: { given, intervened, answer } });
    },
  };
}

/** From one run to the next: arcs that are gone become ghosts, new ones fade in. */
function changes(before, doc) {
  const now = new Set(doc.arcs.map((arc) => pairKey(arc.from, arc.to)));
  const then = new Set(before.arcs.map((arc) => pairKey(arc.from, arc.to)));
  const ghosts = before.arcs.filter((arc) => !now.has(pairKey(arc.from, arc.to))).map(({ from, to, marks, route }) => ({ from, to, marks, route }));
  return { ghosts, fresh: [...now].filter((key) => !then.has(key)) };
}

/** The document with the places and routes of the run before, so that nothing moves by itself. */
function inOldPlaces(before, doc) {
  const variables = doc.variables.map((each, v) => ({ ...each, x: before.doc.variables[v].x, y: before.doc.variables[v].y }));
  const arcs = doc.arcs.map((arc) => {
    const old = before.byPair.get(pairKey(arc.from, arc.to));
    const route = old && old.route ? (old.from === arc.from ? old.route : [...old.route].reverse()) : null;
    return { ...arc, route };
  });
  const still = doc.variables.every((each, v) => each.x === variables[v].x && each.y === variables[v].y);
  return still ? doc : { ...doc, variables, arcs, original: doc };
}

function keep(name, value) {
  sessionStorage.setItem(`mahc-${name}`, JSON.stringify(value));
}

function kept(name) {
  return JSON.parse(sessionStorage.getItem(`mahc-${name}`) || "null");
}

begin();
