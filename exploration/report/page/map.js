// SPDX-License-Identifier: Apache-2.0
// The network, its channels coloured by a number. measure.of(state): one per channel.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
window.flitmendMap = function (figure, tools, measure) {
  const {nodes, captions, channels, states} = figure.data;
  const margin = 0.8;
  const span = (key) => {
    const values = nodes.concat(captions).map((n) => n[key]);
    return [Math.min(...values) - margin, Math.max(...values) + margin];
  };
  const xs = span("x"), ys = span("y");
  const wide = xs[1] - xs[0], high = ys[1] - ys[0];
  // Taller than a screen if it is small otherwise.
  const unit = Math.max(5, Math.min(72, (tools.width() - 110) / wide, Math.max(760 / high, Math.min(26, 4000 / high))));
  const peaks = states.map((s) => measure.of(s).reduce((peak, u) => Math.max(peak, u || 0), 0));
  const busiest = peaks.indexOf(Math.max(...peaks));
  const highest = Math.max(1e-9, peaks[busiest]);
  const stroke = Math.max(0.7, Math.min(5, unit * 0.075));
  const position = {
    x: {field: "x", type: "quantitative", scale: {domain: xs, nice: false, zero: false}, axis: null},
    y: {field: "y", type: "quantitative", scale: {domain: ys, nice: false, zero: false}, axis: null},
  };

  function show(state) {
    const points = [], values = measure.of(state);
    // The busiest channels on top. Curved channels are thin.
    const order = channels.map((c, i) => i).sort((a, b) => (values[a] || 0) - (values[b] || 0));
    for (const i of order) {
      const {from, port, to, lines} = channels[i];
      lines.forEach((line, part) => line.forEach(([x, y], along) => {
        points.push({x, y, along, line: i + "." + part, channel: from + " " + port + " → " + to,
                     dead: channels[i].dead || false,
                     thick: line.length > 2 ? Math.max(0.6, stroke * 0.5) : stroke, [measure.name]: values[i]});
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
          color: {field: measure.name, type: "quantitative",
                  scale: {...measure.colours, domain: [0, highest]},
                  legend: measure.legend && {title: measure.legend, gradientLength: 180, tickCount: 5}},
          tooltip: [{field: "channel", type: "nominal"},
                    {field: measure.name, type: "quantitative", format: measure.format}],
        },
      },
      {
        data: {values: nodes},
        name: measure.nodes.color ? "fates" : "nodes",  // report.css fills nodes that have no colour of their own
        mark: {type: "point", filled: true, opacity: 1, size: Math.pow(unit * 0.42, 2), strokeWidth: 1},
        encoding: {
          ...position,
          shape: {field: "switch", type: "nominal", scale: {domain: [false, true], range: ["square", "diamond"]},
                  legend: null},
          tooltip: [{field: "name", type: "nominal"}],
          ...measure.nodes,
        },
      },
    ];
    const deadPoints = points.filter((p) => p.dead), deadNodes = nodes.filter((n) => n.dead);
    if (deadPoints.length)
      layers.push({
        data: {values: deadPoints},
        name: "dead_channels",
        mark: {type: "line", strokeCap: "butt", strokeDash: [3, 3], color: "#d00000", tooltip: null},
        encoding: {...lines, strokeWidth: thick},
      });
    if (deadNodes.length)
      layers.push({
        data: {values: deadNodes},
        name: "dead_nodes",
        mark: {type: "point", filled: true, opacity: 1, shape: "cross", angle: 45, color: "#d00000",
               size: Math.pow(unit * 0.42, 2), tooltip: null},
        encoding: position,
      });
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
                resolve: {scale: {color: "independent"}}, autosize: "pad"});
  }

  tools.choose("run", states.map((s) => s.label), (i) => show(states[i]), busiest);
};

flitmendFigures.map = function (figure, tools) {
  flitmendMap(figure, tools, {name: "utilisation", of: (state) => state.utilisation, format: ".4f",
                              colours: {scheme: "viridis"}, legend: ["flits", "per cycle"], nodes: {}});
};

// The same network with what failed.
flitmendFigures.fault_map = function (figure, tools) {
  flitmendMap(figure, tools, {
    name: "faults", of: (state) => state.faults, format: "d", colours: {range: ["#d4dade", "#8B0000"]}, legend: null,
    nodes: {
      color: {field: "fate", type: "nominal", title: "nodes",
              scale: {domain: ["healthy", "failed and repaired", "dead"], range: ["#b8c4cc", "#E69F00", "#777777"]},
              legend: {symbolType: "square", symbolSize: 120}},
      tooltip: [{field: "name", type: "nominal"}, {field: "fate", type: "nominal"},
                {field: "faults", type: "quantitative"}],
    },
  });
};
