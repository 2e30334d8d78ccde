// The panels of every page: report, notebook and server. Those of one place stand in this order.
import "./variables.js";
import "./graph.js";
import "./table.js";
import "./about.js";
import "./tools.js";
import "./compare.js";
import "./verdict.js";
import "./selection.js";
import "./picture.js";
