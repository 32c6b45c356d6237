/**
 * Gives each cell of a table the name of its column, so that a narrow screen shows rows as blocks. A column whose name is for
 * screen readers alone has none there. Returns the table.
 */
export function stacked(table) {
  const names = [...table.tHead.rows[0].cells].map((cell) => (cell.querySelector('.visually-hidden') ? '' : cell.textContent));
  for (const body of table.tBodies) {
    for (const row of body.rows) [...row.cells].forEach((cell, index) => { 
        if (names[index]) cell.dataset.label = names[index];
      });
  }
  table.classList.add('stacked');
  return table;
}
