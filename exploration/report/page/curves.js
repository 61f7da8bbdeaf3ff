// SPDX-License-Identifier: Apache-2.0
// Statistics of a sweep along an axis that the reader chooses: a curve with a confidence band per combination of the
// other axes. Many curves are shown in groups, by the values of one axis.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
(function () {
  // Colours of [Okabe08], ordered so that neighbours differ most; shapes and dashes distinguish curves as well.
  const colours = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#8A8A8A", "#B8A500"];
  const shapes = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "stroke"];
  const dashes = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 2], [4, 6]];
  const mostCurves = 12;  // with a colour and a name each
  let shared = null;      // the first figure has the data of all

  // The axes other than x that tell the rows apart.
  function differing(data, rows, x) {
    return data.axes.map((axis, a) => a).filter((a) => a !== x && rows.some((row) => row.at[a] !== rows[0].at[a]));
  }

  function nameOf(data, row, axes) {
    return axes.map((a) => data.axes[a].name + " " + data.axes[a].values[row.at[a]]).join(", ") || "all";
  }

  // A legend does not break lines by itself.
  function wrapped(text, letters) {
    const lines = [""];
    for (const word of text.split(/(?<=[, ])/)) {
      if (lines[lines.length - 1] && (lines[lines.length - 1] + word).trimEnd().length > letters) lines.push("");
      lines[lines.length - 1] += word;
    }
    return lines.map((line) => line.trimEnd()).join("\n");
  }

  // Mean offered load at each x; the curves hardly differ in it.
  function offered(data, rows, x) {
    const metric = data.metrics.findIndex((m) => m.name === "traffic.offered");
    const sums = new Map();
    for (const row of metric < 0 ? [] : rows) {
      const at = data.axes[x].numbers[row.at[x]];
      if (!row.values[metric] || at === null) continue;
      const sum = sums.get(at) || {x: at, y: 0, n: 0};
      sums.set(at, {x: at, y: sum.y + row.values[metric][0], n: sum.n + 1});
    }
    return Array.from(sums.values(), (s) => ({x: s.x, y: s.y / s.n}));
  }

  // The axis by which many curves are coloured: the one with the most values that still have a colour each.
  function groupingAxis(data, axes) {
    const count = (a) => data.axes[a].values.length;
    const few = axes.filter((a) => count(a) <= colours.length);
    return few.length ? few.reduce((best, a) => count(a) > count(best) ? a : best)
                      : axes.reduce((best, a) => count(a) < count(best) ? a : best);
  }

  flitmendFigures.curves = function (figure, tools) {
    shared = figure.data.curves || shared;
    const data = shared;
    const choices = data.metrics.filter((m) => m.name.startsWith(figure.data.choice));
    if (!choices.length) throw new Error("no run has such a statistic");
    const runnable = data.axes.map((axis, a) => a)
      .filter((a) => data.axes[a].numbers.filter((n) => n !== null).length > 1);
    const kept = new Map();  // by axis, the value that the reader has chosen
    let x = data.x, group = null, logarithmic = null, ready = false;
    let metric = Math.max(0, choices.findIndex((m) => m.name === figure.data.metric));

    // Points of the curves shown, with the name and the group of each.
    function points(shown, axes, index) {
      return shown.filter((row) => row.values[index]).map((row) => {
        const [mean, half] = row.values[index];
        const curve = nameOf(data, row, axes);
        return {x: data.axes[x].numbers[row.at[x]], y: mean, low: mean - (half || 0), high: mean + (half || 0),
                half: half === undefined ? null : half, runs: row.runs, curve,
                group: group === null ? curve : data.axes[group].values[row.at[group]]};
      });
    }

    function show() {
      const {name, title} = choices[metric];
      const against = data.axes[x];
      const index = data.metrics.findIndex((m) => m.name === name);
      const shown = data.rows.filter((row) => against.numbers[row.at[x]] !== null &&
                                              Array.from(kept).every(([a, value]) => a === x || row.at[a] === value));
      const axes = shown.length ? differing(data, shown, x) : [];
      const curves = new Set(shown.map((row) => nameOf(data, row, axes))).size;
      if (curves <= mostCurves) group = null;
      else if (group === null || !axes.includes(group)) group = groupingAxis(data, axes);
      const rows = points(shown, axes, index);
      for (const other of data.references)
        if (other.axis === x && other.metric === name)
          for (const [at, y] of other.points)
            rows.push({x: at, y, low: y, high: y, half: null, runs: 0, curve: other.name, group: other.name});
      menus(axes, curves);
      tools.note(curves > mostCurves ? curves + " curves" : "");
      tools.caption(title + ", a curve per combination of the other axes" +
                    (group === null ? "" : "; colours are values of " + data.axes[group].name) +
                    ". Bands are 95 % confidence intervals." +
                    (name === "traffic.accepted" ? " The dashed line is the offered traffic. Where a curve leaves " +
                                                   "it, the network is saturated." : ""));
      draw(rows, name, title, name === "traffic.accepted" ? offered(data, shown, x) : []);
    }

    function draw(rows, name, title, reference) {
      const groups = Array.from(new Set(rows.map((r) => r.group)));
      const letters = Math.max(20, Math.floor((tools.width() - 60) / 7.2));
      const label = new Map(groups.map((g) => [g, wrapped(g, letters)]));
      for (const row of rows) row.label = label.get(row.group);
      const labels = groups.map((g) => label.get(g));
      const least = Math.min(...rows.map((r) => r.y)), most = Math.max(...rows.map((r) => r.y));
      const positive = least > 0;
      const wants = logarithmic === null ? name.startsWith("latency.") && most > 8 * least : logarithmic;
      const log = positive && wants;
      if (log) for (const row of rows) row.low = Math.max(row.low, row.y / 10);
      box.input.checked = log;
      box.input.disabled = !positive;
      const y = (field) => ({field, type: "quantitative", title, scale: log ? {type: "log", nice: false} : {zero: true}});
      const xs = rows.map((r) => r.x);
      const against = {field: "x", type: "quantitative", title: data.axes[x].title,
                       axis: {tickCount: Math.max(2, Math.floor(tools.width() / 80)), labelOverlap: "greedy",
                              labelSeparation: 10},
                       scale: {zero: Math.min(...xs) >= 0 && Math.min(...xs) < 0.3 * Math.max(...xs), nice: true}};
      const scale = (range) => ({domain: labels, range: labels.map((s, i) => range[i % range.length])});
      const widest = Math.max(...labels.map((s) => Math.max(...s.split("\n").map((line) => line.length))));
      const legend = labels.length > 1
        ? {title: group === null ? null : data.axes[group].name, orient: "bottom", symbolSize: 90, symbolOpacity: 1,
           columns: Math.max(1, Math.floor(tools.width() / (widest * 7.2 + 40))), labelLimit: 0, symbolLimit: 0,
           labelExpr: "split(datum.label, '\\n')"}
        : null;
      const colour = {field: "label", type: "nominal", scale: scale(colours), legend, sort: null};
      const shape = {field: "label", type: "nominal", scale: scale(shapes), legend, sort: null};
      // Dashes only if there are more names than colours.
      const dash = labels.length <= colours.length ? {} : {strokeDash: {
        field: "label", type: "nominal", legend, sort: null,
        scale: {domain: labels, range: labels.map((s, i) => dashes[Math.floor(i / colours.length) % dashes.length])}}};
      const detail = {field: "curve", type: "nominal"};
      const faint = (value, otherwise) => ({condition: {param: "picked", value}, value: otherwise});
      const layers = [
        {
          name: "bands",
          mark: {type: "area", tooltip: null},
          encoding: {x: against, y: y("low"), y2: {field: "high"}, color: colour, detail, opacity: faint(0.27, 0.03)},
        },
        {
          name: "curves",
          params: [{name: "picked", select: {type: "point", fields: ["label"]}, bind: "legend"}],
          mark: {type: "line", strokeWidth: 2, tooltip: null},
          encoding: {x: against, y: y("y"), color: colour, detail, ...dash, opacity: faint(1, 0.15)},
        },
        {
          name: "points",
          mark: {type: "point", filled: true, size: 48},
          encoding: {
            x: against, y: y("y"), color: colour, shape, opacity: faint(1, 0.15),
            tooltip: [{field: "curve", type: "nominal"}, {field: "x", type: "quantitative", title: data.axes[x].title},
                      {field: "y", type: "quantitative", title, format: ".6~g"},
                      {field: "half", type: "quantitative", title: "± (95 %)", format: ".3~g"},
                      {field: "runs", type: "quantitative"}],
          },
        },
      ];
      if (reference.length)
        layers.unshift({
          data: {values: reference},
          name: "reference",
          mark: {type: "line", strokeDash: [5, 4], strokeWidth: 1.2, color: "#777777", tooltip: null},
          encoding: {x: against, y: y("y")},
        });
      tools.draw({height: 340, data: {values: rows}, layer: layers});
    }

    // The menus of grouping and filters, which many curves need.
    let many = false;
    function menus(axes, curves) {
      many = many || curves > mostCurves;
      grouping.show(curves > mostCurves, axes.map((a) => data.axes[a].name), axes.indexOf(group), (i) => {
        group = axes[i];
        show();
      });
      data.axes.forEach((axis, a) => filters[a].show(
          many && a !== x, ["all"].concat(axis.values), kept.has(a) ? kept.get(a) + 1 : 0, (i) => {
            if (i === 0) kept.delete(a);
            else kept.set(a, i - 1);
            show();
          }));
    }

    if (runnable.length > 1)
      tools.choose("against", runnable.map((a) => data.axes[a].name), (i) => {
        x = runnable[i];
        group = null;
        if (ready) show();
      }, runnable.indexOf(x));
    const box = tools.check("logarithmic", (checked) => {
      logarithmic = checked;
      show();
    });
    const grouping = tools.menu("colours");
    const filters = data.axes.map((axis) => tools.menu(axis.name));
    tools.choose("statistic", choices.map((m) => m.title), (i) => {
      metric = i;
      logarithmic = null;
      ready = true;
      show();
    }, metric);
  };
})();
