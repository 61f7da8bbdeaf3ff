// SPDX-License-Identifier: Apache-2.0
// The distribution of latencies, with the percentiles of stats.json.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
flitmendFigures.histogram = function (figure, tools) {
  const states = figure.data.states;

  function show(state) {
    const all = state.messages.reduce((sum, n) => sum + n, state.beyond);
    const gap = state.width * 0.08;
    const bars = state.messages.map((n, i) => ({
      from: state.first + i * state.width,
      to: state.first + (i + 1) * state.width,
      upTo: state.first + (i + 1) * state.width - gap,
      messages: n,
      share: n / all,
    }));
    const last = bars[bars.length - 1].to;
    tools.note(state.beyond
      ? state.beyond + " of " + all + " messages took longer than " + (last - 1) + " cycles and are not shown"
      : all + " messages");
    const marks = state.marks.map((m, i) => ({...m, row: 8 + 14 * i, text: m.name + " " + m.cycles}));
    tools.draw({
      height: 260,
      layer: [
        {
          data: {values: bars},
          name: "bars",
          mark: {type: "rect", color: "#0072B2", stroke: null},
          encoding: {
            x: {field: "from", type: "quantitative", title: "latency (cycles)", axis: {grid: false},
                scale: {domain: [bars[0].from, last], nice: false, zero: false}},
            x2: {field: "upTo"},
            y: {field: "messages", type: "quantitative", title: "messages",
                // Room for the words above the highest bar.
                scale: {domain: [0, 1.12 * Math.max(...state.messages)], nice: false}},
            y2: {datum: 0},
            tooltip: [{field: "from", type: "quantitative", title: "from (cycles)"},
                      {field: "to", type: "quantitative", title: "below (cycles)"},
                      {field: "messages", type: "quantitative"},
                      {field: "share", type: "quantitative", format: ".2%"}],
          },
        },
        {
          data: {values: marks},
          name: "quantiles",
          mark: {type: "rule", strokeDash: [4, 3]},
          encoding: {x: {field: "cycles", type: "quantitative"}},
        },
        {
          data: {values: marks},
          mark: {type: "text", align: "left", dx: 4},
          encoding: {
            x: {field: "cycles", type: "quantitative"},
            y: {field: "row", type: "quantitative", scale: null},
            text: {field: "text"},
          },
        },
      ],
    });
  }

  tools.choose("run", states.map((s) => s.label), (i) => show(states[i]));
};
