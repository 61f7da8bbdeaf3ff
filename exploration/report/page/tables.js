// SPDX-License-Identifier: Apache-2.0
// Tables: a click on a heading sorts by that column, a second click reverses the order.
"use strict";
(function () {
  const number = (text) => {
    const value = parseFloat(text);
    return Number.isNaN(value) ? null : value;
  };

  function compare(a, b, numeric) {
    if (!numeric) return a.localeCompare(b, "en", {numeric: true});
    const x = number(a), y = number(b);
    // Undefined values come last in both directions.
    if (x === null || y === null) return (x === null) - (y === null);
    return x - y;
  }

  function sort(table, column, descending) {
    const body = table.tBodies[0];
    const numeric = table.tHead.rows[0].cells[column].classList.contains("n");
    const text = (row) => (row.cells[column] ? row.cells[column].textContent : "");
    const undefinedLast = (a, b) => numeric && (number(text(a)) === null || number(text(b)) === null);
    const rows = Array.from(body.rows);
    rows.sort((a, b) => {
      const order = compare(text(a), text(b), numeric);
      return descending && !undefinedLast(a, b) ? -order : order;
    });
    body.append(...rows);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    // Where the page is narrow, a row is a block and every cell has its heading (report.css).
    for (const row of table.tBodies[0].rows)
      Array.from(row.cells).forEach((cell, column) => { cell.dataset.head = heads[column].textContent; });
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const descending = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sort(table, column, descending);
      });
    });
    for (const cell of table.querySelectorAll("tbody td")) {
      if (cell.textContent === "✓ holds") cell.className = "holds";
      if (cell.textContent === "✗ fails") cell.className = "fails";
    }
  }
})();
