// Before the first run: the variables alone, so that tiers and arcs can be stated before learning.

/** A document without arcs, from the audit of the data. @param {import("./state.js").Data} data @param {import("./state.js").Audit} audit @param {import("./reading.js").Reading} reading @returns {import("./model.js").Document} */
export function draftOf(data, audit, reading) {
  const columns = audit.columns.filter((column) => column.name !== reading.weights && column.name !== reading.interventions);
  const wide = Math.ceil(Math.sqrt(columns.length));
  const widths = columns.map((column) => Math.max(44, 7.5 * Math.min(28, [...column.name].length) + 20));
  const step = Math.max(...widths) + 30;
  return {
    draft: true,
    title: data.name,
    kind: "DAG",
    unit: "bits",
    variables: columns.map((column, i) => ({ name: column.name, lines: [shorten(column.name)], x: ((i % wide) + 0.5) * step, y: (Math.floor(i / wide) + 0.5) * 70, width: widths[i], height: 26, states: null, counts: null })),
    arcs: [],
    pattern: null,
    tables: null,
    confidence: null,
    run: { rows: audit.rows, facts: [["Data", audit.conclusion], ["Next", "state what you know (drag from the border of a variable to another, or open Tiers), then press Learn"]] },
  };
}

const shorten = (name) => ([...name].length > 28 ? `${[...name].slice(0, 27).join("")}…` : name);
