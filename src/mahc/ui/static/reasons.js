// The reason for any ordered pair: from the compressed lists in the document, or from the server.
import { docOf } from "./state.js";

/** @import {Result} from "./documents.js" */
/** @import {App} from "./registry.js" */

/** @type {WeakMap<Result, Map<number, Promise<(string | null)[]>>>} unpacked lists of reasons by child */
const unpacked = new WeakMap();

/** @param {App} app @param {number} from @param {number} to @returns {Promise<string>} */
export async function explain(app, from, to) {
  const doc = docOf(app.store.get());
  const arc = doc.arcs.find((each) => each.from === from && each.to === to);
  if (arc?.reason) return arc.reason.sentence;
  if (app.session) return app.session.reason(doc.variables[from].name, doc.variables[to].name);
  if (doc.draft || !doc.reasons) return "This document does not hold the reasons for all pairs: use `mahc explain` with the result.";
  const lists = unpacked.get(doc) || new Map();
  unpacked.set(doc, lists);
  if (!lists.has(to)) lists.set(to, unpack(doc.reasons.lists[to]));
  return (await lists.get(to))[from] ?? "";
}

/** @param {string} text @returns {Promise<(string | null)[]>} */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}
