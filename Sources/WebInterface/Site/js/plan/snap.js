/** Snapping of points while rooms are drawn. Lengths are metres; a point is `[x, y]`. */

const GRID = 0.05;

/** The point of a segment that is nearest to a point. */
function nearestOn([a, b], [x, y]) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const along = length ? Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / length)) : 0;
  return [a[0] + along * dx, a[1] + along * dy];
}

/** The walls of a polygon, as pairs of corners. */
export function walls(polygon) {
  return polygon.map((corner, index) => [corner, polygon[(index + 1) % polygon.length]]);
}

/** A length, or both axes of a point, to the millimetre. */
export function rounded(value) {
  return Array.isArray(value) ? value.map(rounded) : Math.round(value * 1000) / 1000;
}

/**
 * Moves a point to what lies within `reach`: a corner first; then the wall that is nearest; then the height or the side
 * of an `anchor` (a right angle to it) or of a corner; else to steps of 5 cm. Returns `{point, kind, lines}`: lines lead
 * from what it was aligned with.
 */
export function snap(point, { polygons = [], anchors = [], reach = 0.25 } = {}) {
  const corners = [...anchors, ...polygons.flat()];
  const near = (other) => Math.hypot(other[0] - point[0], other[1] - point[1]);
  const corner = corners.reduce((best, other) => (near(other) <= reach && (!best || near(other) < near(best)) ? other : best), null);
  if (corner) return { point: rounded([...corner]), kind: 'corner', lines: [] };
  const aligned = align(point, anchors, corners, reach);
  const wall = polygons.flatMap(walls).map((wall) => ({ wall, at: nearestOn(wall, point) })).filter(({ at }) => near(at) <= reach).sort((a, b) => near(a.at) - near(b.at))[0];
  if (wall) {
    // A wall and a line meet in one point: where the line crosses it within reach, that is meant.
    const crossing = aligned.lines.length ? nearestOn(wall.wall, aligned.point) : wall.at;
    return near(crossing) <= reach ? { point: rounded(crossing), kind: 'wall', lines: aligned.lines } : { point: rounded(wall.at), kind: 'wall', lines: [] };
  }
  return { point: rounded(aligned.point), kind: aligned.lines.length ? 'line' : 'grid', lines: aligned.lines };
}

function align(point, anchors, corners, reach) {
  const result = { point: point.map((value) => Math.round(value / GRID) * GRID), lines: [] };
  for (const axis of [0, 1]) {
    const far = (other) => Math.abs(other[axis] - point[axis]);
    const pick = (list) => list.filter((other) => far(other) <= reach).sort((a, b) => far(a) - far(b))[0];
    const found = pick(anchors) ?? pick(corners);
    if (!found) continue;
    result.point[axis] = found[axis];
    result.lines.push(found);
  }
  return result;
}

/** The area of a polygon in square metres. */
export function area(polygon) {
  return Math.abs(walls(polygon).reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0)) / 2;
}

/** Tells whether two walls of a polygon cross: then its inside is not what people mean. */
export function crosses(polygon) {
  const all = walls(polygon);
  const side = (a, b, c) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  return all.some(([a, b], i) => all.some(([c, d], j) => j > i + 1 && !(i === 0 && j === all.length - 1)
    && side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0));
}

/** The middle of the wall that two rooms share, or of the shortest way between them. */
export function doorPlace(one, other) {
  let best = { far: Infinity, length: 0 };
  for (const wall of walls(one)) {
    for (const opposite of walls(other)) {
      const ends = [...wall.map((end) => [end, nearestOn(opposite, end)]), ...opposite.map((end) => [nearestOn(wall, end), end])];
      const close = Math.min(...ends.map(([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1])));
      const touching = ends.filter(([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]) < close + 0.05).map(([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
      const xs = touching.map(([x]) => x);
      const ys = touching.map(([, y]) => y);
      const length = Math.hypot(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
      if (close < best.far - 0.05 || (close < best.far + 0.05 && length > best.length)) {
        best = { far: close, length, point: [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2] };
      }
    }
  }
  return best.point;
}
