/** Plane geometry of rooms. A polygon is a list of corners `[x, y]`. */

/** The box around points: `{x, y, width, height}`. */
export function boxOf(points) {
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Tells whether a point lies in a polygon. */
export function contains(polygon, x, y) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** The part of a polygon within a box `{x, y, width, height}`; empty where none is. */
export function clip(polygon, { x, y, width, height }) {
  const sides = [[0, x, 1], [0, x + width, -1], [1, y, 1], [1, y + height, -1]];
  return sides.reduce((corners, [axis, limit, sign]) => corners.flatMap((corner, index) => {
    const before = corners.at(index - 1);
    const here = (corner[axis] - limit) * sign;
    const there = (before[axis] - limit) * sign;
    const share = there / (there - here);
    const crossing = here < 0 === there < 0 ? [] : [[before[0] + (corner[0] - before[0]) * share, before[1] + (corner[1] - before[1]) * share]];
    return here < 0 ? crossing : [...crossing, corner];
  }), polygon);
}

/** The distance of a point from the nearest wall of a polygon. */
export function distanceToWall(polygon, x, y) {
  let least = Infinity;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[j];
    const dx = polygon[i][0] - ax;
    const dy = polygon[i][1] - ay;
    const length = dx * dx + dy * dy;
    const along = length ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
    least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
  }
  return least;
}

/** The point of a polygon that is farthest from its walls, within a fortieth of its size. */
export function centre(polygon) {
  const box = boxOf(polygon);
  let best = { x: box.x + box.width / 2, y: box.y + box.height / 2, room: -1 };
  const steps = 20;
  for (let i = 1; i < steps; i += 1) {
    for (let j = 1; j < steps; j += 1) {
      const x = box.x + (box.width * i) / steps;
      const y = box.y + (box.height * j) / steps;
      if (!contains(polygon, x, y)) continue;
      const room = distanceToWall(polygon, x, y);
      if (room > best.room + 1e-9) best = { x, y, room };
    }
  }
  return best;
}

/** The widest level span of a polygon at height `y`: `[from, to]`, or null. */
export function spanAt(polygon, y) {
  const crossings = [];
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y) crossings.push(((xj - xi) * (y - yi)) / (yj - yi) + xi);
  }
  crossings.sort((a, b) => a - b);
  let widest = null;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    if (!widest || crossings[i + 1] - crossings[i] > widest[1] - widest[0]) widest = [crossings[i], crossings[i + 1]];
  }
  return widest;
}

/**
 * Places for `count` round things in a polygon, `spacing` apart, those nearest its centre first; fewer where it has no
 * room for more. `top` is kept free below its upper wall. `middle` is the centre, where it is known.
 */
export function places(polygon, count, spacing, top = 0, middle = centre(polygon)) {
  let best = [];
  for (const shiftX of [0, spacing / 2]) {
    for (const shiftY of [0, spacing / 2]) {
      const found = grid(polygon, { x: middle.x + shiftX, y: middle.y + top / 2 + shiftY }, spacing, top);
      if (Math.min(found.length, count) > best.length) best = found.slice(0, count);
    }
  }
  return best;
}

function grid(polygon, origin, spacing, top) {
  const box = boxOf(polygon);
  const clear = spacing * 0.42;
  const found = [];
  const rows = Math.ceil(box.height / spacing) + 1;
  const columns = Math.ceil(box.width / spacing) + 1;
  for (let row = -rows; row <= rows; row += 1) {
    for (let column = -columns; column <= columns; column += 1) {
      const x = origin.x + column * spacing;
      const y = origin.y + row * spacing;
      if (y - clear < box.y + top || !contains(polygon, x, y) || distanceToWall(polygon, x, y) < clear) continue;
      found.push({ x, y, far: Math.hypot(x - origin.x, y - origin.y) });
    }
  }
  return found.sort((a, b) => a.far - b.far || a.y - b.y || a.x - b.x);
}

/**
 * Lays floors side by side, or below each other where that fits a space of `ratio` (width by height) better.
 * `floors` is a list of lists of polygons. Returns the shift of each and the size of all.
 */
export function arrange(floors, ratio, gap) {
  const boxes = floors.map((polygons) => boxOf(polygons.flat()));
  const sum = (name) => boxes.reduce((total, box) => total + box[name], 0) + gap * (boxes.length - 1);
  const most = (name) => Math.max(...boxes.map((box) => box[name]));
  const beside = { width: sum('width'), height: most('height') };
  const below = { width: most('width'), height: sum('height') };
  const scale = (size) => Math.min(ratio / size.width, 1 / size.height);
  const horizontal = scale(beside) >= scale(below);
  let along = 0;
  const shifts = boxes.map((box) => {
    const shift = horizontal ? { x: along - box.x, y: -box.y } : { x: -box.x, y: along - box.y };
    along += (horizontal ? box.width : box.height) + gap;
    return shift;
  });
  return { shifts, ...(horizontal ? beside : below) };
}
