// The reason for any ordered pair: from the compressed lists in the document, or from the server.

/**
 * A function (from, to) -> promise of a sentence.
 * @param {any} doc @param {null | ((from: number, to: number) => Promise<string>)} ask
 */
export function makeReasons(doc, ask) {
  const lists = new Map();
  return async (from, to) => {
    const arc = doc.arcs.find((each) => each.from === from && each.to === to);
    if (arc && arc.reason) return arc.reason.sentence;
    if (ask) return ask(from, to);
    if (!doc.reasons) return "This document does not hold the reasons for all pairs: use `mahc explain` with the result.";
    if (!lists.has(to)) lists.set(to, unpack(doc.reasons.lists[to]));
    return (await lists.get(to))[from] ?? "";
  };
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}
