// SPDX-License-Identifier: Apache-2.0
// When parts of the network were out of action, and what became of the messages that faults hit. The picture begins
// with the cycles in which most of it happens; the reader chooses others.
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
  const words = ["out of action", "dead", "recovered", "lost", "undeliverable", "void", "open"];
  const colours = ["#E69F00", "#303030", "#009E73", "#D55E00", "#CC79A7", "#8A8A8A", "#56B4E9"];
  const used = words.filter((word) => bars.some((bar) => bar.what === word));

  const margin = (from, to) => Math.max(1, Math.round(0.02 * (to - from)));
  const first = Math.min(...bars.map((b) => b.from));
  const whole = [Math.max(0, first - margin(first, last)), last + margin(first, last)];

  // Up to the last fault and the end of three messages in four, if that is a small part of the whole.
  function busy() {
    const ends = hits.map((h) => h.to).sort((a, b) => a - b);
    const most = ends.length ? ends[Math.ceil(0.75 * ends.length) - 1] : 0;
    const strikes = Math.max(...outages.map((o) => o.dead ? o.from : o.to));
    const to = Math.min(last, Math.max(most, strikes, first + 10));
    return last - first > 3 * (to - first) ? [Math.max(0, first - margin(first, to)), to + margin(first, to)] : whole;
  }

  let range = busy();
  function show() {
    from.value = range[0];
    to.value = range[1];
    tools.note(range[0] > whole[0] || range[1] < whole[1] ? "of cycles " + whole[0] + " to " + whole[1] : "");
    const seen = (a, b) => b >= range[0] && a <= range[1];
    const x = (field) => ({field, type: "quantitative", title: "cycle",
                           axis: {grid: true, labelOverlap: "greedy", labelSeparation: 10},
                           scale: {domain: range, nice: false}});
    const y = {field: "row", type: "nominal", sort: null, title: null, scale: {domain: names},
               axis: {labelLimit: Math.min(260, Math.floor(tools.width() * 0.45)), labelFontSize: 11}};
    const colour = {field: "what", type: "nominal", title: null, legend: {orient: "bottom"},
                    scale: {domain: used, range: used.map((word) => colours[words.indexOf(word)])}};
    tools.draw({
      height: 16 * names.length,
      layer: [
        {
          data: {values: bars.filter((b) => seen(b.from, b.to))},
          name: "bars",
          // The outline keeps a short bar visible.
          mark: {type: "bar", height: 11, strokeWidth: 1.5, clip: true, tooltip: null},
          encoding: {
            x: x("from"), x2: {field: "to"}, y,
            fill: colour, stroke: colour,
            tooltip: [{field: "row", type: "nominal", title: "what"}, {field: "what", type: "nominal", title: "is"},
                      {field: "from", type: "quantitative"}, {field: "to", type: "quantitative"}],
          },
        },
        {
          data: {values: marks.filter((m) => seen(m.cycle, m.cycle))},
          name: "resends",
          mark: {type: "tick", thickness: 2, height: 14, color: "#0072B2", clip: true},
          encoding: {x: x("cycle"), y, tooltip: [{field: "what", type: "nominal"}, {field: "cycle", type: "quantitative"}]},
        },
      ],
    });
  }

  function zoom(factor) {
    const middle = (range[0] + range[1]) / 2, half = Math.max(5, (range[1] - range[0]) / 2 * factor);
    range = [Math.max(whole[0], Math.round(middle - half)), Math.min(whole[1], Math.round(middle + half))];
    show();
  }
  function typed() {
    const a = Number(from.value), b = Number(to.value);
    if (b > a && a >= 0) range = [a, b];
    show();
  }
  const from = tools.number("from cycle", typed), to = tools.number("to", typed);
  tools.button("Zoom in", () => zoom(0.5));
  tools.button("Zoom out", () => zoom(2));
  tools.button("Whole run", () => {
    range = whole;
    show();
  });
  show();
};
