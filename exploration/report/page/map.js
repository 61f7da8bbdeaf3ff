// SPDX-License-Identifier: Apache-2.0
// The network, its channels coloured by utilisation.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
flitmendFigures.map = function (figure, tools) {
  const {nodes, captions, channels, states} = figure.data;
  const margin = 0.8;
  const span = (key) => {
    const values = nodes.concat(captions).map((n) => n[key]);
    return [Math.min(...values) - margin, Math.max(...values) + margin];
  };
  const xs = span("x"), ys = span("y");
  const wide = xs[1] - xs[0], high = ys[1] - ys[0];
  const unit = Math.max(5, Math.min(72, (tools.width() - 110) / wide, 760 / high));
  const peaks = states.map((s) => s.utilisation.reduce((peak, u) => Math.max(peak, u || 0), 0));
  const busiest = peaks.indexOf(Math.max(...peaks));
  const highest = Math.max(1e-9, peaks[busiest]);
  const stroke = Math.max(0.7, Math.min(5, unit * 0.075));
  const position = {
    x: {field: "x", type: "quantitative", scale: {domain: xs, nice: false, zero: false}, axis: null},
    y: {field: "y", type: "quantitative", scale: {domain: ys, nice: false, zero: false}, axis: null},
  };

  function show(state) {
    const points = [];
    // The busiest channels on top. Curved channels are thin.
    const order = channels.map((c, i) => i).sort((a, b) => (state.utilisation[a] || 0) - (state.utilisation[b] || 0));
    for (const i of order) {
      const {from, port, to, lines} = channels[i];
      lines.forEach((line, part) => line.forEach(([x, y], along) => {
        points.push({x, y, along, line: i + "." + part, channel: from + " " + port + " → " + to,
                     thick: line.length > 2 ? Math.max(0.6, stroke * 0.5) : stroke, utilisation: state.utilisation[i]});
      }));
    }
    const lines = {...position, detail: {field: "line", type: "nominal"}, order: {field: "along", type: "quantitative"}};
    const thick = {field: "thick", type: "quantitative", scale: null, legend: null};
    const layers = [
      {
        data: {values: points},
        name: "under",
        mark: {type: "line", strokeCap: "butt"},
        transform: [{calculate: "datum.thick * 1.3", as: "thick"}],
        encoding: {...lines, strokeWidth: thick},
      },
      {
        data: {values: points},
        name: "channels",
        mark: {type: "line", strokeCap: "butt"},
        encoding: {
          ...lines,
          strokeWidth: thick,
          color: {field: "utilisation", type: "quantitative",
                  scale: {scheme: "viridis", domain: [0, highest]},
                  legend: {title: ["flits", "per cycle"], gradientLength: 180, tickCount: 5}},
          tooltip: [{field: "channel", type: "nominal"},
                    {field: "utilisation", type: "quantitative", format: ".4f"}],
        },
      },
      {
        data: {values: nodes},
        name: "nodes",
        mark: {type: "point", filled: true, opacity: 1, size: Math.pow(unit * 0.42, 2), strokeWidth: 1},
        encoding: {
          ...position,
          shape: {field: "switch", type: "nominal", scale: {domain: [false, true], range: ["square", "diamond"]},
                  legend: null},
          tooltip: [{field: "name", type: "nominal"}],
        },
      },
    ];
    const labels = nodes.filter((n) => !n.switch);
    // The largest font in which the longest label fits in its square.
    const size = Math.min(11, unit * 0.6 / Math.max(...labels.map((n) => n.label.length)));
    if (size >= 6)
      layers.push({
        data: {values: labels},
        mark: {type: "text", fontSize: size, tooltip: null},
        encoding: {...position, text: {field: "label"}},
      });
    if (captions.length)
      layers.push({
        data: {values: captions},
        name: "captions",
        mark: {type: "text", fontSize: Math.max(7, Math.min(13, unit * 0.4)), fontWeight: "bold", tooltip: null},
        encoding: {...position, text: {field: "text"}},
      });
    tools.draw({width: Math.round(unit * wide), height: Math.round(unit * high), layer: layers,
                autosize: "pad"});
  }

  tools.choose("run", states.map((s) => s.label), (i) => show(states[i]), busiest);
};
