// Before the first run: the variables alone, so that tiers and arcs can be stated before learning.

/** @import {Audit, Data, Document, PanelView} from "./documents.js" */
/** @import {Reading} from "./reading.js" */

/** A document without arcs, from the audit of the data or from the slices of a panel. @param {Data} data @param {Audit} audit @param {Reading} reading @param {PanelView | null} panel @returns {Document} */
export function draftOf(data, audit, reading, panel) {
  const columns = panel?.variables ?? audit.columns.filter((column) => column.name !== reading.weights && column.name !== reading.interventions);
  const wide = Math.ceil(Math.sqrt(columns.length));
  const step = Math.max(...columns.map(({ width }) => width)) + 30;
  const row = Math.max(...columns.map(({ height }) => height)) + 44;
  return {
    draft: true,
    title: data.name,
    kind: "DAG",
    unit: "bits",
    variables: columns.map(({ name, lines, width, height }, i) => ({ name, lines, x: ((i % wide) + 0.5) * step, y: (Math.floor(i / wide) + 0.5) * row, width, height, states: null, counts: null })),
    arcs: [],
    pattern: null,
    tables: null,
    confidence: null,
    panel: panel?.text ?? null,
    run: { rows: audit.rows, facts: [["Data", audit.conclusion], ["Next", "state what you know (drag from the border of a variable to another, or open Tiers), then press Learn"]] },
  };
}
