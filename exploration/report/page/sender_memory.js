// SPDX-License-Identifier: Apache-2.0
// What senders keep to be able to send again, over time.
"use strict";
window.flitmendFigures = window.flitmendFigures || {};
flitmendFigures.sender_memory = function (figure, tools) {
  tools.draw({
    height: 160,
    data: {values: figure.data.slices},
    name: "slices",
    mark: {type: "area", interpolate: "step-after", opacity: 0.6},
    encoding: {
      x: {field: "cycle", type: "quantitative", title: "cycle", scale: {nice: false}},
      y: {field: "bytes", type: "quantitative", title: "bytes kept"},
      tooltip: [{field: "cycle", type: "quantitative", title: "from cycle"}, {field: "bytes", type: "quantitative"}],
    },
  });
};
