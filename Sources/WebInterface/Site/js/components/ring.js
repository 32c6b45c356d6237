import { h, s, setText } from '../dom.js';

const RADIUS = 92;
const LENGTH = 2 * Math.PI * RADIUS;

/** A ring that fills from 0 to 1, with text in its middle. */
export class Ring {
  #fill = s('circle.ring-fill', { cx: 100, cy: 100, r: RADIUS, 'stroke-dasharray': String(LENGTH), transform: 'rotate(-90 100 100)' });
  #large = h('strong');
  #small = h('span');
  element = h('div.ring', { role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100' },
    s('svg', { viewBox: '0 0 200 200', 'aria-hidden': 'true' }, s('circle.ring-track', { cx: 100, cy: 100, r: RADIUS }), this.#fill),
    h('div.ring-text', {}, this.#large, this.#small));

  /** Shows a share, a large text and a small one. */
  show(share, large, small) {
    this.#fill.setAttribute('stroke-dashoffset', String(LENGTH * (1 - Math.min(1, share))));
    this.element.setAttribute('aria-valuenow', String(Math.round(share * 100)));
    this.element.setAttribute('aria-label', `${large} ${small}`);
    setText(this.#large, large);
    setText(this.#small, small);
  }
}
