import { replace, s } from '../dom.js';

/** Shares of lost packets from which on the hatch is closer. */
const STEPS = [0.3, 0.6];
const GAPS = [11, 7.5, 5];

/** The patterns of the hatch, which each drawing needs. */
export function hatches() {
  return s('defs', {}, GAPS.map((gap, index) => s('pattern', { id: `loss-${index}`, width: gap, height: gap, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    s('path.loss-line', { d: `M0 0V${gap}` }))));
}

/** Hatches over rooms in which packets are lost: the closer, the more. */
export class LossMarks {
  element = s('g.loss-marks');
  #losses = null;

  /** Shows other losses, a map from room to share; null hides all. */
  show(losses, shapes) {
    this.#losses = losses;
    this.draw(shapes);
  }

  /** Draws them for the present outlines. */
  draw(shapes) {
    const marks = [...this.#losses ?? []].filter(([room]) => shapes.get(room)?.outline).map(([room, share]) => s('polygon.loss', {
      points: shapes.get(room).outline.getAttribute('points'), fill: `url(#loss-${STEPS.filter((step) => share >= step).length})` }));
    replace(this.element, marks);
  }
}
