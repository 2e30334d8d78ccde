// The client of the JSON API: the token from the page's address goes into a header of every request.

/** A refusal of the server; its message is for the user. */
export class Refusal extends Error {}

/** @param {string} token */
export function createClient(token) {
  const headers = { Authorization: `Bearer ${token}` };

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

  const json = async (method, path, body) => (await ask(method, path, body)).json();

  /** Follow a job: `tell` gets its state now and after each change; resolves with the last one. */
  async function follow(job, tell) {
    const answer = await ask("GET", `/api/jobs/${job}/events`);
    const body = /** @type {ReadableStream} */ (answer.body);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let last = null;
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

  /** A file to save, with its name. */
  async function fetchFile(path, fallback) {
    const answer = await ask("GET", path);
    const name = /filename="?([^";]+)/.exec(answer.headers.get("content-disposition") || "")?.[1] || fallback;
    return { name, blob: await answer.blob() };
  }

  return {
    about: () => json("GET", "/api/about"),
    data: () => json("GET", "/api/data").then((found) => found.data),
    upload: (file) => json("POST", `/api/data?name=${encodeURIComponent(file.name)}`, file),
    importProject: (file) => json("POST", "/api/projects", file),
    /** Keep what was chosen; also while the page is being closed. */
    saveState: (data, state, closing = false) => fetch(`/api/data/${data}`, { method: "PUT", headers, body: JSON.stringify(state), keepalive: closing }).catch(() => null),
    removeData: (data) => json("DELETE", `/api/data/${data}`),
    sample: () => json("POST", "/api/sample"),
    audit: (data, reading) => json("POST", `/api/data/${data}/audit`, { reading }),
    check: (given) => json("POST", "/api/knowledge/check", given),
    readKnowledge: (file) => json("POST", `/api/knowledge/read?name=${encodeURIComponent(file.name)}`, file),
    start: (given) => json("POST", "/api/jobs", given),
    jobs: () => json("GET", "/api/jobs").then((found) => found.jobs),
    cancel: (job) => json("DELETE", `/api/jobs/${job}`),
    follow,
    runs: () => json("GET", "/api/runs").then((found) => found.runs),
    run: (run) => json("GET", `/api/runs/${run}`),
    reason: (run, from, to) => json("GET", `/api/runs/${run}/reason?${new URLSearchParams({ from, to })}`),
    compare: (run, other) => json("POST", `/api/runs/${run}/compare`, { run: other }),
    compareFile: (run, file) => json("POST", `/api/runs/${run}/compare-file?name=${encodeURIComponent(file.name)}`, file),
    query: (run, given, intervened) => json("POST", `/api/runs/${run}/query`, { given, do: intervened }),
    effect: (run, given) => json("POST", `/api/runs/${run}/effect`, given),
    questions: (run, given) => json("POST", `/api/runs/${run}/questions`, given),
    download: (run, format) => fetchFile(`/api/runs/${run}/export/${format}`, format),
    downloadProject: (data, rows) => fetchFile(`/api/data/${data}/project?rows=${rows ? "yes" : "no"}`, "project.mahc"),
  };
}
