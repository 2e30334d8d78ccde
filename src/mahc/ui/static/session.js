// What is done with the server: opening data, learning, opening runs, asking. Answers go into the state.
import { emptyKnowledge, differs, listStatements } from "./state.js";
import { modelOf, pairKey } from "./model.js";
import { draftOf } from "./draft.js";
import { learnRequest } from "./learnbar.js";
import { Refusal } from "./server.js";

/** @typedef {import("./state.js").State} State */

/** @param {ReturnType<typeof import("./server.js").createClient>} client */
export function createSession(client) {
  /** @type {import("./registry.js").App} */
  let app;
  /** @type {import("./state.js").Store} */
  let store;
  let checks = 0;

  const session = {
    client,

    /** Take the page that shows the session. @param {import("./registry.js").App} given */
    attach(given) {
      app = given;
      store = app.store;
      store.subscribe(follow);
    },

    /** Do something that the server may refuse; a refusal is shown. @param {() => any} act */
    async attempt(act) {
      try {
        await act();
      } catch (problem) {
        store.set({ message: problem.message });
        if (!(problem instanceof Refusal)) throw problem;
      }
    },

    /** Take up what the address names: data, run, job; otherwise the data that the server was started with. */
    async restore() {
      const place = new URLSearchParams(location.hash.slice(1));
      const [data, runs, jobs] = await Promise.all([client.data(), client.runs(), client.jobs()]);
      store.set({ runs });
      const wanted = data.find((each) => each.id === place.get("data")) || (place.has("data") ? null : data[0]);
      if (wanted) await session.openData(wanted, kept("reading") || {});
      const run = runs.find((each) => String(each.id) === place.get("run"));
      if (run) await session.openRun(run.id);
      const job = jobs.find((each) => String(each.id) === place.get("job"));
      if (job) session.followJob(job);
    },

    /** @param {import("./state.js").Data} data */
    async openData(data, reading = {}) {
      const before = store.get().data;
      if (before && before.id !== data.id) store.set({ knowledge: emptyKnowledge() });
      store.set({ data, audit: null, run: null, doc: null, ...NOTHING_CHOSEN, ...NOTHING_KEPT });
      await session.read(reading);
    },

    /** Audit the data as they are read with these choices. */
    async read(reading) {
      store.set({ reading });
      const { data, audit } = store.get();
      const found = await client.audit(data.id, reading).catch((problem) => ({ ok: false, conclusion: problem.message, problems: [], notes: [], columns: audit?.columns || [] }));
      if (store.get().reading !== reading) return; // a later choice has been made meanwhile, and its answer counts
      store.set({ audit: found, message: found.conclusion });
      if (found.ok && !store.get().run) store.set({ doc: draftOf(store.get()), selection: null, tab: "start" });
    },

    learn: () => session.begin((state) => ({ kind: "learn", data: state.data.id, reading: state.reading, knowledge: state.knowledge, ...learnRequest(state) })),

    /** @param {number} resamples */
    bootstrap: (resamples) => session.begin(({ run }) => ({ kind: "bootstrap", run, resamples })),

    /** Start a job and follow it. @param {(state: State) => object} request */
    begin: (request) => session.attempt(async () => session.followJob(await client.start(request(store.get())))),

    /** Show the progress of a job, then its run. @param {import("./state.js").Job} job */
    async followJob(job) {
      store.set({ job: job.id, progress: job });
      const ended = await client.follow(job.id, (progress) => store.set({ progress })).catch((problem) => ({ state: "failed", message: problem.message }));
      store.set({ job: null, progress: null });
      if (ended.state !== "done") {
        store.set({ message: ended.message });
        return;
      }
      const runs = await client.runs();
      const run = runs.find((each) => each.id === ended.run);
      await session.openRun(run.id, { runs, message: `Run ${run.id}: ${run.arcs} arcs. ${run.ended}.` });
    },

    /** Show a run; variables keep their places, and arcs that are gone stay as ghosts. @param {number} run @param {Partial<State>} news */
    async openRun(run, news = {}) {
      const found = await client.run(run);
      const before = store.get().doc;
      const same = before && !before.draft && namesOf(before).join("\n") === namesOf(found).join("\n");
      const doc = same ? inOldPlaces(before, found) : found;
      store.set({ ...news, run, doc, tab: "graph", ...NOTHING_CHOSEN, ...(same ? changes(before, doc) : NOTHING_KEPT) });
      if (!same) app.view.fit();
    },

    /** What if these states were observed, and those set? */
    suppose: (given, intervened) => session.attempt(async () => {
      const empty = Object.keys(given).length + Object.keys(intervened).length === 0;
      const answer = empty ? null : (await client.query(store.get().run, given, intervened)).probabilities;
      store.set({ given, intervened, answer });
    }),

    reason: async (from, to) => (await client.reason(store.get().run, from, to)).sentence,
  };

  /** What else follows a change: the address, what a reload needs, the check of the knowledge. @param {State} state @param {State} before */
  function follow(state, before) {
    if (differs(state, before, ["knowledge"])) keep("knowledge", state.knowledge);
    if (differs(state, before, ["reading"])) keep("reading", state.reading);
    if (differs(state, before, ["data", "run", "job"])) writeAddress(state);
    if (differs(state, before, ["knowledge", "doc", "audit"])) check(state);
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
    const { algorithm, settings } = learnRequest(state);
    const found = await client.check({ knowledge, names, algorithm, settings }).catch((problem) => ({ ok: false, message: problem.message, conflict: [] }));
    if (mine === checks) store.set({ clash: found.ok ? null : found });
  }

  return session;
}

/** @type {Partial<State>} */
const NOTHING_CHOSEN = { selection: null, comparison: null, answer: null, given: {}, intervened: {} };
/** @type {Partial<State>} nothing of the previous run */
const NOTHING_KEPT = { ghosts: [], fresh: [], moved: {} };

const namesOf = (doc) => doc.variables.map((each) => each.name);

/** @param {State} state */
function writeAddress({ data, run, job }) {
  const place = new URLSearchParams();
  for (const [name, value] of [["data", data?.id], ["run", run], ["job", job]]) if (value) place.set(String(name), String(value));
  history.replaceState(null, "", `${location.pathname}${location.search}#${place}`);
}

/** From one run to the next: arcs that are gone become ghosts, new ones fade in. */
function changes(before, doc) {
  const now = new Set(doc.arcs.map((arc) => pairKey(arc.from, arc.to)));
  const then = modelOf(before).byPair;
  const gone = before.arcs.filter((arc) => !now.has(pairKey(arc.from, arc.to)));
  return { ghosts: gone.map(({ from, to, marks, route }) => ({ from, to, marks, route })), fresh: [...now].filter((key) => !then.has(key)) };
}

/** The document with the places and routes of the run before, so that nothing moves by itself. */
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

function keep(name, value) {
  sessionStorage.setItem(`mahc-${name}`, JSON.stringify(value));
}

/** What was kept for a reload, or null. */
export function kept(name) {
  return JSON.parse(sessionStorage.getItem(`mahc-${name}`) || "null");
}
