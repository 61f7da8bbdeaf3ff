// SPDX-License-Identifier: Apache-2.0
// When parts of the network were out of action, and what became of the messages that faults hit.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
flitmendFigures.timeline = function (figure, tools) {
  const {outages, hits, last} = figure.data;
  // Row by row: a part has one row, a message has one row.
  const names = Array.from(new Set(outages.map((o) => o.part))).concat(hits.map((h) => h.name));
  const bars = outages.map((o) => ({row: o.part, from: o.from, to: Math.max(o.to, o.from + 1),
                                    what: o.dead ? "dead" : "out of action"}))
    .concat(hits.map((h) => ({row: h.name, from: h.from, to: Math.max(h.to, h.from + 1), what: h.fate})));
  const marks = hits.flatMap((h) => h.resends.map((cycle) => ({row: h.name, cycle, what: "sent again"})));
  const first = Math.min(...bars.map((b) => b.from));
  const margin = 0.02 * Math.max(10, last - first);
  const x = (field) => ({field, type: "quantitative", title: "cycle", axis: {grid: true},
                         scale: {domain: [Math.max(0, first - margin), last + margin], nice: false}});
  const y = {field: "row", type: "nominal", sort: null, title: null, scale: {domain: names},
             axis: {labelLimit: 260, labelFontSize: 11}};
  const words = ["out of action", "dead", "recovered", "lost", "undeliverable", "void", "open"];
  const colours = ["#E69F00", "#303030", "#009E73", "#D55E00", "#CC79A7", "#8A8A8A", "#56B4E9"];
  const used = words.filter((word) => bars.some((bar) => bar.what === word));
  tools.draw({
    height: 16 * names.length,
    layer: [
      {
        data: {values: bars},
        name: "bars",
        mark: {type: "bar", height: 11, tooltip: null},
        encoding: {
          x: x("from"), x2: {field: "to"}, y,
          color: {field: "what", type: "nominal", title: null,
                  scale: {domain: used, range: used.map((word) => colours[words.indexOf(word)])},
                  legend: {orient: "bottom"}},
          tooltip: [{field: "row", type: "nominal", title: "what"}, {field: "what", type: "nominal", title: "is"},
                    {field: "from", type: "quantitative"}, {field: "to", type: "quantitative"}],
        },
      },
      {
        data: {values: marks},
        name: "resends",
        mark: {type: "tick", thickness: 2, height: 14, color: "#0072B2"},
        encoding: {x: x("cycle"), y, tooltip: [{field: "what", type: "nominal"}, {field: "cycle", type: "quantitative"}]},
      },
    ],
  });
};
