import { s } from '../dom.js';
import { floorPicture } from '../house.js';

/** Metres around the rooms of a floor within which its picture is shown. */
const MARGIN = 0.5;

/** The pictures of floors, below the rooms. An image stays as it is while the plan is drawn anew, so that it is loaded once. */
export class FloorPictures {
  element = s('g.floor-pictures', { 'aria-hidden': 'true' });
  #frames = new Map();
  #used = new Set();

  /** True if a floor that is shown has a picture. */
  get isAny() {
    return this.#used.size > 0;
  }

  /** Begins to place pictures anew. */
  begin() {
    this.#used = new Set();
    this.element.replaceChildren();
  }

  /** Places the picture of a floor: `box` is around its rooms, in metres. */
  place(floor, box, toPixels) {
    const picture = floorPicture(floor);
    if (!picture) return;
    const [width, height] = picture.metres;
    const [left, top] = [Math.max(0, box.x - MARGIN), Math.max(0, box.y - MARGIN)];
    const [right, bottom] = [Math.min(width, box.x + box.width + MARGIN), Math.min(height, box.y + box.height + MARGIN)];
    if (right <= left || bottom <= top) return;
    const frame = this.#frame(picture.address);
    const [from, to] = [toPixels([left, top]), toPixels([right, bottom])];
    const scale = (to[0] - from[0]) / (right - left);
    const set = (element, values) => { for (const [name, value] of Object.entries(values)) element.setAttribute(name, value.toFixed(1)); };
    set(frame, { x: from[0], y: from[1], width: to[0] - from[0], height: to[1] - from[1] });
    set(frame.firstChild, { x: -left * scale, y: -top * scale, width: width * scale, height: height * scale });
    this.element.append(frame);
    this.#used.add(picture.address);
  }

  #frame(address) {
    if (!this.#frames.has(address)) this.#frames.set(address, s('svg.floor-picture', {}, s('image', { href: address, preserveAspectRatio: 'none' })));
    return this.#frames.get(address);
  }
}
