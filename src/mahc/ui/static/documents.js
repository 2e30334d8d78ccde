// The documents that Python writes, as types: `ui/document.py` (the result), `ui/audit.py` and `ui/server/messages.py`
// (answers of the server). No module loads this one: the types are all there is.

/** @typedef {number[]} Point x and y */
/** @typedef {{edges: number[], counts: number[]}} Histogram */
/** @typedef {{x: number, y: number, width: number, height: number}} Box the middle and the size */

/** @typedef {Result | Draft} Document what the graph shows: a result, or before the first run the variables alone */
/**
 * @typedef {object} Drawing what both have
 * @property {string} title
 * @property {string} kind DAG, CPDAG or PAG
 * @property {string} unit of scores
 * @property {Variable[]} variables
 * @property {Arc[]} arcs
 * @property {Edge[] | null} pattern the CPDAG
 * @property {Probabilities[] | null} tables
 * @property {Sample | null} confidence
 * @property {string | null} panel how rows were made of a long table
 */
/** @typedef {Drawing & {draft: true, original?: undefined, knowledge?: undefined, run: {rows: number, facts: [string, string][]}}} Draft made by `draft.js` */
/**
 * @typedef {object} ResultFacts
 * @property {undefined} [draft]
 * @property {Result} [original] the document in its own layout, where this one is in the places of the previous run
 * @property {Knowledge} knowledge
 * @property {{constraint: string, cost: number}[]} constraint_costs
 * @property {RunRecord} run
 * @property {{commands: string, python: string, knowledge_file: string | null}} reproduce
 * @property {Audit | null} audit
 * @property {{paragraph: string, references: string[]}} methods
 * @property {{lists: string[]} | null} reasons
 */
/** @typedef {Drawing & ResultFacts} Result */

/**
 * A variable with its box. With data it has `states` and `counts`; one of numbers has `histogram` and the figures instead.
 * @typedef {object} Variable
 * @property {string} name
 * @property {string[]} lines the name as it is drawn
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {string[] | null} states
 * @property {number[] | null} counts
 * @property {Histogram} [histogram]
 * @property {number} [values] how many numbers are known
 * @property {number} [least]
 * @property {number} [lower_quartile]
 * @property {number} [median]
 * @property {number} [upper_quartile]
 * @property {number} [greatest]
 * @property {number} [mean]
 */

/** @typedef {"tail" | "arrow" | "circle"} Mark */
/** @typedef {{from: number, to: number, marks: Mark[]}} Edge variables by number, and the marks at the two ends */

/**
 * @typedef {object} ArcFacts
 * @property {Point[] | null} route
 * @property {number | null} strength
 * @property {boolean} reversible
 * @property {boolean} required
 * @property {Shares | null} confidence
 * @property {{sentence: string} | null} reason
 * @property {Curve | null} curve how the head changes with the tail, where one of them holds numbers
 */
/** @typedef {Edge & ArcFacts} Arc */
/** @typedef {{either: number, forward: number, backward: number, undirected: number, right?: number}} Shares of the graphs of a sample */
/** @typedef {{x: number[] | null, states: string[] | null, lines: {name: string, y: (number | null)[]}[]}} Curve */
/** @typedef {{parents: number[], numbers: number, rows: number[][] | null, seen?: boolean[] | null}} Probabilities of the states of a variable given its parents */
/** @typedef {{resamples: number, noun: string, text: string, absent: {from: string, to: string, either: number}[]}} Sample graphs that say how sure the arcs are */

/**
 * @typedef {object} RunRecord
 * @property {string} algorithm
 * @property {Record<string, unknown>} settings
 * @property {{name: string, value: number | null} & Record<string, unknown>} score
 * @property {string} ties
 * @property {string[][]} start
 * @property {number} seconds
 * @property {number} total_seconds
 * @property {number} rows
 * @property {string} fingerprint
 * @property {string} version
 * @property {string} written_by
 * @property {[string, string][]} facts
 * @property {Pruning | null} pruning
 * @property {[string, string, string, number, number | null][]} steps move, from, to, score, averaged score
 */
/** @typedef {{pruned_per_level: number[], candidate_sets_per_level: number[], arcs_left: number}} Pruning */

/**
 * What the user knows beforehand, as in a knowledge file.
 * @typedef {object} Knowledge
 * @property {string[][]} required_arcs
 * @property {string[][]} required_edges
 * @property {string[][]} forbidden_arcs
 * @property {string[][]} forbidden_edges
 * @property {string[][]} tiers
 * @property {boolean} strict_tiers
 * @property {Belief[]} beliefs
 * @property {string[]} contexts variables that say where or when a row is from
 */
/** @typedef {[string, string, string, number]} Belief first, mark, second and probability */

/** @typedef {{text: string, setting: string, value: unknown}} Fix a setting of `mahc.read` with what is added to it */
/** @typedef {{text: string, serious: boolean, note: boolean, fixes: Fix[]}} Remark */
/**
 * @typedef {object} Column
 * @property {string} name
 * @property {string} kind
 * @property {string} level nominal, ordinal, continuous; empty where it is refused
 * @property {string} why
 * @property {number | null} states
 * @property {number} missing
 * @property {boolean} refused
 * @property {Remark[]} remarks
 * @property {string[]} lines
 * @property {number} width
 * @property {number} height
 * @property {string[] | null} labels
 * @property {number[] | null} counts
 * @property {Histogram | null} histogram
 * @property {number[] | null} cuts
 * @property {string[]} examples
 */
/**
 * @typedef {object} Audit
 * @property {boolean} ok
 * @property {number} rows
 * @property {string} conclusion
 * @property {Column[]} columns
 * @property {string[]} notes
 * @property {Remark[]} problems
 * @property {string | null} fingerprint
 * @property {number} seconds
 * @property {number} megabytes
 */

/** @typedef {{kind: string, sheets: string[], names: string[], rows: (string | null)[][], lines: string[], separator: string | null}} FileView */
/** @typedef {{sentences: string[], recommended: string, reason: string}} Missing what is missing, and the recommended method */
/**
 * What the server found in the file; `audit` is null where it cannot be read, and `problem` says why.
 * @typedef {object} Table
 * @property {FileView} file
 * @property {Audit | null} audit
 * @property {Remark | null} problem
 * @property {Missing | null} missing
 * @property {import("./reading.js").Reading | null} suggested
 * @property {string} commands
 * @property {string} python
 * @property {PanelView | null} panel
 */
/** @typedef {{name: string, lines: string[], width: number, height: number}} SliceVariable */
/** @typedef {{text: string, size: string, notes: string[], variables: SliceVariable[], knowledge: Knowledge}} PanelView windows of a long table, with their order in time */

/**
 * A project that the server holds.
 * @typedef {object} Data
 * @property {string} id
 * @property {string} name
 * @property {number | null} bytes null where the file is gone
 * @property {number} runs
 * @property {string} used when it was opened
 * @property {boolean} kept
 * @property {import("./reading.js").Reading} reading
 * @property {PageState} state
 */
/**
 * What was chosen, kept with a project; null is not chosen yet.
 * @typedef {object} PageState
 * @property {import("./reading.js").Reading | null} reading
 * @property {Partial<Knowledge> | null} knowledge
 * @property {string | null} algorithm
 * @property {string | null} objective
 * @property {Record<string, string | boolean> | null} settings
 * @property {string | null} numbers
 * @property {string | null} time_limit
 * @property {number | null} run
 */

/** @typedef {{phase: string, steps: number, score: number | null, seconds: number}} Progress */
/**
 * @typedef {object} Job
 * @property {number} id
 * @property {string} kind
 * @property {string} data
 * @property {string} state queued, running, done, refused or failed
 * @property {boolean} cancelled
 * @property {Progress | null} progress
 * @property {string | null} message
 * @property {number | null} run
 */
/**
 * What the history shows of a run.
 * @typedef {object} Run
 * @property {number} id
 * @property {string} data
 * @property {string} name
 * @property {string} when
 * @property {string} algorithm
 * @property {string} score
 * @property {number | null} value
 * @property {string} unit
 * @property {number} arcs
 * @property {string} kind
 * @property {string} stop_reason
 * @property {number} seconds
 * @property {number | null} resamples
 * @property {Partial<Knowledge>} knowledge
 * @property {string} ended
 */

/** @typedef {{name: string, help: string, kind: "flag" | "whole" | "number" | "text", default: boolean | number | string | null, allowed: string}} Setting */
/** @typedef {{name: string, sentence: string, common: boolean, default_score: string, settings: Setting[]}} Algorithm */
/** @typedef {{name: string, settings: Setting[]}} Score */
/** @typedef {{format: string, title: string, group: string}} Format */
/** @typedef {{version: string, algorithms: Algorithm[], scores: Score[], formats: Format[], upload_limit: number}} About */

/** @typedef {{kind: string, text: string, variables: string[]}} Statement */
/** @typedef {{ok: boolean, message: string | null, conflict: Statement[]}} Check whether knowledge holds together */
/** @typedef {Edge & {kind: "matched" | "missing" | "extra" | "reversed" | "marks"}} ComparedEdge */
/** @typedef {{measures: Record<string, number>, note: string, edges: ComparedEdge[]}} Compared */
/** @typedef {{kind: string, sentence: string}} Reason */
/**
 * @typedef {object} Effect
 * @property {string[]} sentences
 * @property {number} difference
 * @property {number} low
 * @property {number} high
 * @property {number} level
 * @property {number} absent
 * @property {(number | string)[]} contrast
 * @property {string | null} state
 * @property {string[]} adjustment
 * @property {Path[]} paths
 * @property {string[]} adjusted_for
 */
/** @typedef {{text: string, kind: string, blocked_by: string[], arcs: [string, string][]}} Path from a cause to a target: causal, open or blocked */
/** @typedef {{left: string, right: string, probabilities: Record<string, number>, worth: number, changes: Record<string, string[]>}} Question */
/** @typedef {{questions: Question[]}} Questions */

export {};
