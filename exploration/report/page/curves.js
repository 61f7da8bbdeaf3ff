// SPDX-License-Identifier: Apache-2.0
// Statistics of a sweep against its main axis: one curve with a confidence band per combination of the other axes.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
(function () {
  // Colours of [Okabe08], ordered so that neighbours differ most; shapes and dashes distinguish curves as well.
  const colours = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#8A8A8A", "#B8A500"];
  const shapes = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "stroke"];
  const dashes = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 2], [4, 6]];
  let shared = null;  // the first figure has the data of all

  function rowsOf(data, metric, series) {
    const index = data.metrics.findIndex((m) => m.name === metric);
    return index < 0 ? [] : data.rows.filter((row) => row.values[index]).map((row) => {
      const [mean, half] = row.values[index];
      return {x: row.x, y: mean, low: mean - (half || 0), high: mean + (half || 0), half: half === undefined ? null : half,
              runs: row.runs, series: series[row.series]};
    });
  }

  // Mean offered load at each x; the curves hardly differ in it.
  function offered(data) {
    const sums = new Map();
    for (const row of rowsOf(data, "traffic.offered", data.series)) {
      const sum = sums.get(row.x) || {x: row.x, y: 0, n: 0};
      sums.set(row.x, {x: row.x, y: sum.y + row.y, n: sum.n + 1});
    }
    return Array.from(sums.values(), (s) => ({x: s.x, y: s.y / s.n}));
  }

  flitmendFigures.curves = function (figure, tools) {
    shared = figure.data.curves || shared;
    const data = shared;
    const series = data.series.map((name) => name || "all");
    const choices = data.metrics.filter((m) => m.name.startsWith(figure.data.choice));
    if (!choices.length) throw new Error("no run has such a statistic");
    let metric = Math.max(0, choices.findIndex((m) => m.name === figure.data.metric));
    let logarithmic = null;

    function show() {
      const {name, title} = choices[metric];
      const rows = rowsOf(data, name, series);
      const least = Math.min(...rows.map((r) => r.y)), most = Math.max(...rows.map((r) => r.y));
      const positive = least > 0;
      const wants = logarithmic === null ? name.startsWith("latency.") && most > 8 * least : logarithmic;
      const log = positive && wants;
      if (log) for (const row of rows) row.low = Math.max(row.low, row.y / 10);
      box.input.checked = log;
      box.input.disabled = !positive;
      const y = (field) => ({field, type: "quantitative", title,
                             scale: log ? {type: "log", nice: false} : {zero: true}});
      const xs = rows.map((r) => r.x);
      const x = {field: "x", type: "quantitative", title: data.title,
                 scale: {zero: Math.min(...xs) >= 0 && Math.min(...xs) < 0.3 * Math.max(...xs), nice: true}};
      const scale = (range) => ({domain: series, range: series.map((s, i) => range[i % range.length])});
      const legend = series.length > 1 ? {title: null, orient: "bottom", columns: series.some((s) => s.length > 40) ? 1 : 3,
                                          labelLimit: 600, symbolSize: 90, symbolOpacity: 1} : null;
      const colour = {field: "series", type: "nominal", scale: scale(colours), legend, sort: null};
      const shape = {field: "series", type: "nominal", scale: scale(shapes), legend, sort: null};
      // Dashes only if there are more curves than colours.
      const dash = series.length <= colours.length ? {} : {strokeDash: {
        field: "series", type: "nominal", legend, sort: null,
        scale: {domain: series, range: series.map((s, i) => dashes[Math.floor(i / colours.length) % dashes.length])}}};
      const faint = (value, otherwise) => ({condition: {param: "picked", value}, value: otherwise});
      const layers = [
        {
          name: "bands",
          mark: {type: "area", tooltip: null},
          encoding: {x, y: y("low"), y2: {field: "high"}, color: colour, opacity: faint(0.27, 0.03)},
        },
        {
          name: "curves",
          params: [{name: "picked", select: {type: "point", fields: ["series"]}, bind: "legend"}],
          mark: {type: "line", strokeWidth: 2, tooltip: null},
          encoding: {x, y: y("y"), color: colour, ...dash, opacity: faint(1, 0.15)},
        },
        {
          name: "points",
          mark: {type: "point", filled: true, size: 48},
          encoding: {
            x, y: y("y"), color: colour, shape, opacity: faint(1, 0.15),
            tooltip: [{field: "series", type: "nominal"}, {field: "x", type: "quantitative", title: data.title},
                      {field: "y", type: "quantitative", title, format: ".6~g"},
                      {field: "half", type: "quantitative", title: "± (95 %)", format: ".3~g"},
                      {field: "runs", type: "quantitative"}],
          },
        },
      ];
      if (name === "traffic.accepted")
        layers.unshift({
          data: {values: offered(data)},
          name: "reference",
          mark: {type: "line", strokeDash: [5, 4], strokeWidth: 1.2, color: "#777777", tooltip: null},
          encoding: {x, y: y("y")},
        });
      tools.draw({height: 340, data: {values: rows}, layer: layers});
    }

    const box = tools.check("logarithmic", (checked) => {
      logarithmic = checked;
      show();
    });
    tools.choose("statistic", choices.map((m) => m.title), (i) => {
      if (i !== null) metric = i;
      logarithmic = null;
      show();
    }, metric);
  };
})();
