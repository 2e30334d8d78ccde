// What is done with the server: opening data, learning, opening runs, asking. Answers go into the state.
import { emptyKnowledge, differs, listStatements, runOf, withSlices } from "./state.js";
import { modelOf, pairKey } from "./model.js";
import { draftOf } from "./draft.js";
import { learnRequest } from "./learn.js";
import { readNumber } from "./numbers.js";
import { countOf } from "./dom.js";
import { applyFix } from "./reading.js";
import { Refusal } from "./server.js";

/** @import {Data, Document, Fix, Job, Result} from "./documents.js" */
/** @import {App} from "./registry.js" */
/** @import {Client} from "./server.js" */
/** @import {State, Step, Store} from "./state.js" */

/** @typedef {ReturnType<typeof createSession>} Session */

const SAVE_AFTER = 300; // milliseconds without a change
/** @type {(keyof State)[]} what is kept with the project */
const KEPT = ["reading", "knowledge", "algorithm", "objective", "settings", "numbers", "timeLimit", "run"];

/** @param {Client} client */
export function createSession(client) {
  /** @type {App} */
  let app;
  /** @type {Store} */
  let store;
  let checks = 0;
  let saving = 0;
  let unsaved = false;

  const session = {
    client,

    /** Take the page that shows the session. @param {App} given */
    attach(given) {
      app = given;
      store = app.store;
      store.subscribe(follow);
      addEventListener("pagehide", () => unsaved && save(true));
    },

    /** Do something that the server may refuse; a refusal is shown. @param {() => unknown} act */
    async attempt(act) {
      try {
        await act();
      } catch (problem) {
        store.set({ message: problem instanceof Error ? problem.message : String(problem) });
        if (!(problem instanceof Refusal)) throw problem;
      }
    },

    /** Take up what the address names: project, run, step, job; otherwise the project that was used last. */
    async restore() {
      const place = new URLSearchParams(location.hash.slice(1));
      const [projects, runs, jobs] = await Promise.all([client.data(), client.runs(), client.jobs()]);
      store.set({ projects, runs });
      const wanted = projects.find((each) => each.id === place.get("data")) || (place.has("data") ? null : projects[0]);
      if (!wanted) return;
      await session.openData(wanted, Number(place.get("run")) || null);
      const step = /** @type {Step | null} */ (place.get("step"));
      if (step) store.set({ step, lanes: step === "knowledge" || (step === "judge" && Boolean(store.get().doc?.panel)) });
      const job = jobs.find((each) => String(each.id) === place.get("job"));
      if (job) session.followJob(job);
    },

    /** Open a project as it was left. @param {Data} data @param {number | null} run */
    async openData(data, run = null) {
      if (unsaved) await save();
      const { state } = data;
      store.set({
        data, table: null, audit: null, run: null, doc: null, step: "data", clash: null, past: [], future: [], message: "", ...NOTHING_CHOSEN, ...NOTHING_KEPT,
        reading: state.reading ?? data.reading, knowledge: { ...emptyKnowledge(), ...state.knowledge }, algorithm: state.algorithm ?? "best",
        objective: state.objective ?? "", settings: state.settings ?? {}, numbers: state.numbers ?? "auto", timeLimit: state.time_limit ?? "",
      });
      unsaved = false;
      await session.read();
      await refresh();
      const wanted = store.get().runs.find((each) => each.id === (run ?? state.run) && each.data === data.id);
      if (wanted) await session.openRun(wanted.id);
    },

    /** Leave the project, for the start page. */
    close() {
      store.set({ data: null, table: null, audit: null, run: null, doc: null, step: "data", reading: {}, numbers: "auto", knowledge: emptyKnowledge(), clash: null, past: [], future: [], ...NOTHING_CHOSEN, ...NOTHING_KEPT });
    },

    /** Delete a project. @param {Data} data */
    async remove(data) {
      await client.removeData(data.id);
      if (store.get().data?.id === data.id) session.close();
      store.set({ message: `${data.name} and its runs are deleted.` });
      await refresh();
    },

    /** The settings of reading with a fix. @param {Fix} fix */
    fixed: (fix) => applyFix(store.get().reading, fix),

    /** Look at the data as they are read with the present choices. */
    async read() {
      const { data, reading, numbers } = store.get();
      if (!data) return;
      const table = await client.audit(data.id, reading, numbers).catch((problem) => ({
        file: { kind: "", sheets: [], names: [], rows: [], lines: [], separator: null }, audit: null, problem: { text: problem.message, serious: true, note: false, fixes: [] }, missing: null, suggested: null, commands: "", python: "", panel: null,
      }));
      const now = store.get();
      if (now.reading !== reading || now.numbers !== numbers || now.data !== data) return; // a later choice has been made meanwhile, and its answer counts
      const { audit, panel } = table;
      const turned = Boolean(now.table?.panel) !== Boolean(panel); // other variables: the run that is shown is not of them
      const fresh = audit && (!now.run || turned);
      const knowledge = panel ? withSlices(now.knowledge, panel) : turned ? { ...now.knowledge, tiers: [], contexts: [] } : now.knowledge;
      const known = JSON.stringify(knowledge) === JSON.stringify(now.knowledge) ? {} : { knowledge };
      store.set({ table, audit, message: audit?.ok ? audit.conclusion : table.problem?.text ?? audit?.conclusion ?? "", ...known, ...(fresh ? { doc: draftOf(data, audit, reading, panel), run: null, selection: null } : {}) });
    },

    learn: () => session.begin((state) => ({ kind: "learn", data: state.data?.id, reading: state.reading, numbers: state.numbers, knowledge: state.knowledge, ...learnRequest(state) })),

    /** @param {string} resamples as typed */
    bootstrap: (resamples) => session.begin(({ run }) => ({ kind: "bootstrap", run, resamples: readNumber("resamples", resamples, { least: 1, whole: true }) })),

    /** How sure is each arc? The mean of graphs by their probability and of resamples is best calibrated. */
    posterior: () => session.begin(({ run }) => ({ kind: "posterior", run, resamples: 60 })),

    /** Start a job and follow it. @param {(state: State) => object} request */
    begin: (request) => session.attempt(async () => session.followJob(await client.start(request(store.get())))),

    /** Show the progress of a job, then its run. @param {Job} job */
    async followJob(job) {
      store.set({ job: job.id, progress: job });
      const ended = await client.follow(job.id, (progress) => store.set({ progress })).catch((problem) => ({ ...job, state: "failed", message: problem.message }));
      store.set({ job: null, progress: null });
      if (ended.state !== "done") {
        store.set({ message: ended.message ?? "" });
        return;
      }
      await refresh();
      const run = store.get().runs.find((each) => each.id === ended.run);
      if (run && run.data === store.get().data?.id) await session.openRun(run.id, { step: "judge", tab: "graph", message: `Run ${run.id}: ${countOf(run.arcs, "arc")}.${run.stop_reason === "converged" ? "" : ` ${run.ended.charAt(0).toUpperCase()}${run.ended.slice(1)}.`}` });
    },

    /** Show a run; variables keep their places, and arcs that are gone stay as ghosts. @param {number} run @param {Partial<State>} news */
    async openRun(run, news = {}) {
      const found = await client.run(run);
      const before = store.get().doc;
      const same = before && !before.draft && namesOf(before).join("\n") === namesOf(found).join("\n");
      const doc = same ? inOldPlaces(before, found) : found;
      const focus = same ? store.get().focus : null;
      store.set({ step: "judge", lanes: Boolean(doc.panel), ...news, run, doc, ...NOTHING_CHOSEN, focus, ...(same ? changes(before, doc) : NOTHING_KEPT) });
      if (!same) app.view.fit();
    },

    /** Show a run of the history, with the knowledge that it was learned with. @param {number} run */
    async returnTo(run) {
      await session.openRun(run);
      const { doc, knowledge } = store.get();
      const known = { ...emptyKnowledge(), ...doc?.knowledge };
      if (JSON.stringify(known) !== JSON.stringify(knowledge)) store.set({ knowledge: known, message: `Run ${run}, with its knowledge. Undo brings back what you had stated.` });
    },

    /** What if these states were observed, and those set? @param {Record<string, string>} given @param {Record<string, string>} intervened */
    suppose: (given, intervened) => session.attempt(async () => {
      const empty = Object.keys(given).length + Object.keys(intervened).length === 0;
      const answer = empty ? null : (await client.query(runOf(store.get()), given, intervened)).probabilities;
      store.set({ given, intervened, answer });
    }),

    /** @param {string} from @param {string} to */
    reason: async (from, to) => (await client.reason(runOf(store.get()), from, to)).sentence,
  };

  async function refresh() {
    const [projects, runs] = await Promise.all([client.data(), client.runs()]);
    store.set({ projects, runs });
  }

  async function save(closing = false) {
    const { data, reading, knowledge, algorithm, objective, settings, numbers, timeLimit, run } = store.get();
    clearTimeout(saving);
    unsaved = false;
    if (data) await client.saveState(data.id, { reading, knowledge, algorithm, objective, settings, numbers, time_limit: timeLimit, run }, closing);
  }

  /** What else follows a change: the address, the project on the disk, the check of data and knowledge. @param {State} state @param {State} before */
  function follow(state, before) {
    const same = state.data === before.data;
    if (same && state.data && differs(state, before, ["reading", "numbers"])) session.read();
    if (same && differs(state, before, KEPT)) {
      unsaved = true;
      clearTimeout(saving);
      saving = setTimeout(save, SAVE_AFTER);
    }
    if (differs(state, before, ["data", "run", "job", "step"])) writeAddress(state);
    if (differs(state, before, ["knowledge", "doc", "audit", "algorithm"])) check(state);
  }

  /** Ask the server whether all statements can hold together. @param {State} state */
  async function check(state) {
    checks += 1;
    const mine = checks;
    const { doc, audit, knowledge } = state;
    const names = doc ? namesOf(doc) : (audit?.columns || []).map((column) => column.name);
    if (!names.length || !listStatements(knowledge).length) {
      if (state.clash) store.set({ clash: null });
      return;
    }
    const { algorithm, settings } = checkedRequest(state);
    const found = await client.check({ knowledge, names, algorithm, settings }).catch((problem) => ({ ok: false, message: problem.message, conflict: [] }));
    if (mine === checks) store.set({ clash: found.ok ? null : found });
  }

  return session;
}

/** What the choices say; where a number is none, without settings: Learn says so. @param {State} state */
function checkedRequest(state) {
  try {
    return learnRequest(state);
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    return { algorithm: state.algorithm, settings: {} };
  }
}

/** @type {Partial<State>} */
const NOTHING_CHOSEN = { selection: null, comparison: null, paths: null, answer: null, given: {}, intervened: {}, focus: null, other: null };
/** @type {Partial<State>} nothing of the previous run */
const NOTHING_KEPT = { ghosts: [], fresh: [], moved: {} };

/** @param {Document} doc */
const namesOf = (doc) => doc.variables.map((each) => each.name);

/** @param {State} state */
function writeAddress({ data, run, job, step }) {
  const place = new URLSearchParams();
  for (const [name, value] of [["data", data?.id ?? "none"], ["run", run], ["job", job], ["step", step]]) if (value) place.set(String(name), String(value));
  history.replaceState(null, "", `${location.pathname}${location.search}#${place}`);
}

/** From one run to the next: arcs that are gone become ghosts, new ones fade in. @param {Result} before @param {Result} doc */
function changes(before, doc) {
  const now = new Set(doc.arcs.map((arc) => pairKey(arc.from, arc.to)));
  const then = modelOf(before).byPair;
  const gone = before.arcs.filter((arc) => !now.has(pairKey(arc.from, arc.to)));
  return { ghosts: gone.map(({ from, to, marks, route }) => ({ from, to, marks, route })), fresh: [...now].filter((key) => !then.has(key)) };
}

/** The document with the places and routes of the run before, so that nothing moves by itself. @param {Result} before @param {Result} doc @returns {Result} */
function inOldPlaces(before, doc) {
  const variables = doc.variables.map((each, v) => ({ ...each, x: before.variables[v].x, y: before.variables[v].y }));
  const still = doc.variables.every((each, v) => each.x === variables[v].x && each.y === variables[v].y);
  if (still) return doc;
  const arcs = doc.arcs.map((arc) => {
    const old = modelOf(before).byPair.get(pairKey(arc.from, arc.to));
    const route = old?.route && (old.from === arc.from ? old.route : [...old.route].reverse());
    return { ...arc, route: route || null };
  });
  return { ...doc, variables, arcs, original: doc };
}
