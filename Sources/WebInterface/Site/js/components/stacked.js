/** Gives each cell of a table the name of its column, so that a narrow screen shows rows as blocks. Returns the table. */
export function stacked(table) {
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  for (const body of table.tBodies) {
    for (const row of body.rows) [...row.cells].forEach((cell, index) => { cell.dataset.label = names[index]; });
  }
  table.classList.add('stacked');
  return table;
}
