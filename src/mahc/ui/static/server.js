// The client of the JSON API: the token from the page's address goes into a header of every request.

/** @import {About, Check, Compared, Data, Effect, Job, Knowledge, PageState, Reason, Result, Run, Table, Questions} from "./documents.js" */
/** @import {Reading} from "./reading.js" */

/** A refusal of the server; its message is for the user. */
export class Refusal extends Error {}

/** @typedef {ReturnType<typeof createClient>} Client */

/** @param {string} token */
export function createClient(token) {
  const headers = { Authorization: `Bearer ${token}` };

  /** @param {string} method @param {string} path @param {unknown} [body] */
  async function ask(method, path, body) {
    const isFile = body instanceof Blob;
    let answer;
    try {
      const sent = body === undefined ? undefined : isFile ? body : JSON.stringify(body);
      answer = await fetch(path, { method, headers, body: sent });
    } catch {
      throw new Refusal("The server does not answer: has it ended? Start mahc ui again.");
    }
    if (answer.ok) return answer;
    const found = await answer.json().catch(() => null);
    throw new Refusal(found?.error?.message || `the server answered with status ${answer.status}`);
  }

  /** An answer, whose type its caller states. @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  const json = async (method, path, body) => (await ask(method, path, body)).json();

  /** Follow a job: `tell` gets its state now and after each change; resolves with the last one. @param {number} job @param {(job: Job) => void} tell @returns {Promise<Job>} */
  async function follow(job, tell) {
    const answer = await ask("GET", `/api/jobs/${job}/events`);
    const body = /** @type {ReadableStream} */ (answer.body);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let last = /** @type {Job} */ (/** @type {unknown} */ (null)); // the server tells at least once
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return last;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop() || "";
      for (const part of parts) {
        last = JSON.parse(part.replace(/^data: /, ""));
        tell(last);
      }
    }
  }

  /** A file to save, with its name. @param {string} path @param {string} fallback */
  async function fetchFile(path, fallback) {
    const answer = await ask("GET", path);
    const name = /filename="?([^";]+)/.exec(answer.headers.get("content-disposition") || "")?.[1] || fallback;
    return { name, blob: await answer.blob() };
  }

  return {
    /** @returns {Promise<About>} */
    about: () => json("GET", "/api/about"),
    /** @returns {Promise<Data[]>} */
    data: () => json("GET", "/api/data").then((found) => found.data),
    /** @param {File} file @returns {Promise<Data>} */
    upload: (file) => json("POST", `/api/data?name=${encodeURIComponent(file.name)}`, file),
    /** @param {File} file @returns {Promise<Data>} */
    importProject: (file) => json("POST", "/api/projects", file),
    /** Keep what was chosen; also while the page is being closed. @param {string} data @param {PageState} state @param {boolean} [closing] */
    saveState: (data, state, closing = false) => fetch(`/api/data/${data}`, { method: "PUT", headers, body: JSON.stringify(state), keepalive: closing }).catch(() => null),
    /** @param {string} data */
    removeData: (data) => json("DELETE", `/api/data/${data}`),
    /** @returns {Promise<Data>} */
    sample: () => json("POST", "/api/sample"),
    /** @param {string} data @param {Reading} reading @param {string} numbers @returns {Promise<Table>} */
    audit: (data, reading, numbers) => json("POST", `/api/data/${data}/audit`, { reading, numbers }),
    /** @param {{knowledge: Knowledge, names: string[], algorithm: string, settings: object}} given @returns {Promise<Check>} */
    check: (given) => json("POST", "/api/knowledge/check", given),
    /** @param {File} file @returns {Promise<Partial<Knowledge>>} */
    readKnowledge: (file) => json("POST", `/api/knowledge/read?name=${encodeURIComponent(file.name)}`, file),
    /** @param {object} given @returns {Promise<Job>} */
    start: (given) => json("POST", "/api/jobs", given),
    /** @returns {Promise<Job[]>} */
    jobs: () => json("GET", "/api/jobs").then((found) => found.jobs),
    /** @param {number | null} job */
    cancel: (job) => json("DELETE", `/api/jobs/${job}`),
    follow,
    /** @returns {Promise<Run[]>} */
    runs: () => json("GET", "/api/runs").then((found) => found.runs),
    /** @param {number} run @returns {Promise<Result>} */
    run: (run) => json("GET", `/api/runs/${run}`),
    /** @param {number} run @param {string} from @param {string} to @returns {Promise<Reason>} */
    reason: (run, from, to) => json("GET", `/api/runs/${run}/reason?${new URLSearchParams({ from, to })}`),
    /** @param {number} run @param {number} other @returns {Promise<Compared>} */
    compare: (run, other) => json("POST", `/api/runs/${run}/compare`, { run: other }),
    /** @param {number} run @param {File} file @returns {Promise<Compared>} */
    compareFile: (run, file) => json("POST", `/api/runs/${run}/compare-file?name=${encodeURIComponent(file.name)}`, file),
    /** @param {number} run @param {Record<string, string>} given @param {Record<string, string>} intervened @returns {Promise<{probabilities: Record<string, number[]>}>} */
    query: (run, given, intervened) => json("POST", `/api/runs/${run}/query`, { given, do: intervened }),
    /** @param {number} run @param {{cause: string, target: string, contrast: string[], state: string}} given @returns {Promise<Effect>} */
    effect: (run, given) => json("POST", `/api/runs/${run}/effect`, given),
    /** @param {number} run @param {object} given @returns {Promise<Questions>} */
    questions: (run, given) => json("POST", `/api/runs/${run}/questions`, given),
    /** @param {number} run @param {string} format */
    download: (run, format) => fetchFile(`/api/runs/${run}/export/${format}`, format),
    /** @param {string} data @param {boolean} rows */
    downloadProject: (data, rows) => fetchFile(`/api/data/${data}/project?rows=${rows ? "yes" : "no"}`, "project.mahc"),
  };
}
