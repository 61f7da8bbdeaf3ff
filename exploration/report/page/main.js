// SPDX-License-Identifier: Apache-2.0
// Draws every figure of the page. A figure that fails shows the error in its place and does not affect the others.
"use strict";
(function () {
  const config = {
    background: null,
    font: "system-ui, 'DejaVu Sans', sans-serif",
    view: {stroke: null},
    axis: {labelFontSize: 12, titleFontSize: 12.5, titleFontWeight: 500, domain: true, tickSize: 4, labelFlush: false},
    legend: {labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500},
    text: {fontSize: 12},
  };

  // toSVG: gives a promise of the picture.
  function saveButton(title, toSVG) {
    const save = document.createElement("button");
    save.type = "button";
    save.textContent = "Save as SVG";
    save.addEventListener("click", () => toSVG().then((svg) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
      link.download = title.toLowerCase().replace(/[^a-z0-9]+/g, "-") + ".svg";
      link.click();
      URL.revokeObjectURL(link.href);
    }));
    return save;
  }

  function toolsOf(figure, element) {
    const plot = element.querySelector(".plot");
    const controls = element.querySelector(".controls");
    let view = null, note = null;

    const save = saveButton(figure.title, () => view.toSVG());
    controls.append(save);

    function labelled(text, control) {
      const label = document.createElement("label");
      label.append(text + " ", control);
      controls.insertBefore(label, save);
      return label;
    }

    return {
      width: () => plot.clientWidth,
      note(text) {
        if (!note) {
          if (!text) return;
          note = document.createElement("span");
          note.className = "note";
          controls.append(note);
        }
        note.textContent = text;
      },
      // The words below the picture.
      caption(text) {
        element.querySelector("figcaption").textContent = text;
        plot.setAttribute("aria-label", figure.title + ". " + text);
      },
      // A menu that comes and goes: show(wanted, labels, chosen, changed).
      menu(name) {
        const select = document.createElement("select");
        const label = labelled(name, select);
        label.hidden = true;
        return {
          show(wanted, labels, chosen, changed) {
            label.hidden = !wanted;
            select.replaceChildren(...labels.map((text, i) => new Option(text, i, i === chosen, i === chosen)));
            select.onchange = () => changed(Number(select.value));
          },
        };
      },
      // Shows the first (or the given) choice at once; offers a menu only if there are several.
      choose(name, labels, show, first = 0) {
        if (labels.length > 1) {
          const select = document.createElement("select");
          labels.forEach((label, i) => select.append(new Option(label, i, i === first, i === first)));
          select.addEventListener("change", () => show(Number(select.value)));
          labelled(name, select);
        }
        show(first);
      },
      check(name, show) {
        const input = document.createElement("input");
        input.type = "checkbox";
        input.addEventListener("change", () => show(input.checked));
        labelled(name, input);
        return {input};
      },
      // A field for a number, whose `value` can be set.
      number(name, changed) {
        const input = document.createElement("input");
        input.type = "number";
        input.min = 0;
        input.addEventListener("change", changed);
        labelled(name, input);
        return input;
      },
      button(name, pressed) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.addEventListener("click", pressed);
        controls.insertBefore(button, save);
      },
      draw(spec) {
        if (view) view.finalize();
        const compiled = vegaLite.compile({width: "container", autosize: {type: "fit-x", contains: "padding"}, ...spec},
                                          {config}).spec;
        view = new vega.View(vega.parse(compiled), {renderer: "svg", container: plot, hover: true,
                                                    logLevel: vega.Warn}).run();
      },
    };
  }

  for (const element of document.querySelectorAll("figure.drawing"))
    element.querySelector(".controls").append(saveButton(
        element.querySelector("h3").textContent,
        () => Promise.resolve(new XMLSerializer().serializeToString(element.querySelector("svg")))));

  for (const figure of JSON.parse(document.getElementById("figures").textContent)) {
    const element = document.getElementById(figure.id);
    try {
      flitmendFigures[figure.kind](figure, toolsOf(figure, element));
      element.dataset.drawn = "yes";
    } catch (error) {
      element.querySelector(".plot").textContent =
          "This picture could not be drawn (" + error.message + "); the tables have the numbers.";
    }
  }
})();
