// SPDX-License-Identifier: Apache-2.0
// The latencies of the messages that faults hit, next to the mean of the others.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
flitmendFigures.hit_latency = function (figure, tools) {
  const {points, others} = figure.data;
  const layers = [{
    data: {values: points},
    name: "points",
    mark: {type: "point", filled: true, size: 36, opacity: 0.7},
    encoding: {
      x: {field: "created", type: "quantitative", title: "created in cycle", scale: {zero: false, nice: false}},
      y: {field: "latency", type: "quantitative", title: "latency (cycles)"},
      color: {field: "resends", type: "ordinal", title: "sent again", scale: {scheme: "viridis"},
              legend: {orient: "bottom"}},
      tooltip: [{field: "name", type: "nominal", title: "what"}, {field: "created", type: "quantitative"},
                {field: "latency", type: "quantitative"}, {field: "resends", type: "quantitative", title: "sent again"}],
    },
  }];
  if (others !== null) {
    tools.note("mean of the others: " + others.toPrecision(4) + " cycles");
    layers.push({
      data: {values: [{others}]},
      name: "others",
      mark: {type: "rule", strokeDash: [5, 4], color: "#D55E00", strokeWidth: 1.5},
      encoding: {y: {field: "others", type: "quantitative"}},
    });
  }
  tools.draw({height: 240, layer: layers});
};
