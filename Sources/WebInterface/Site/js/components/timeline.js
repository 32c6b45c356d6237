import { formatDay, formatTime } from '../clock.js';
import { h, reconcile, replace } from '../dom.js';
import { DOUBTFUL, hueOf, hueOfRoom, roomName } from '../house.js';
import { formatAlternatives, formatList, formatShare, t } from '../i18n.js';
import { gaps, pan, pieces, ticks, zoom } from '../time-axis.js';

const LEAST_PIXELS = 3;
/** Widths from which on a bar has its text: of one colour, and of a pattern, on which the text has a ground. */
const TEXT_PIXELS = 52;
const PATTERN_TEXT_PIXELS = 72;
const TICK_PIXELS = 70;
const WIDE_TEXT_PIXELS = 90;
/** Rooms that are named where somebody goes to and fro. */
const NAMED = 3;

/** Lanes of visits over a common time axis, which can be zoomed and moved by wheel, fingers, pointer and keys. */
export class Timeline {
  #axis = h('div.axis', { 'aria-hidden': 'true' });
  #lanes = h('div.lanes');
  element = h('div.timeline', { tabindex: '0', role: 'group', 'aria-label': t('time.chart') }, this.#axis, this.#lanes);
  #span;
  #latest;
  #content = [];
  #pointers = new Map();
  #changed;

  /** `changed(span)` is called when the person moves or zooms. */
  constructor(scope, span, changed) {
    this.#span = span;
    this.#latest = span.to;
    this.#changed = changed;
    scope.observeSize(this.element, () => this.#draw());
    scope.listen(this.element, 'wheel', (event) => this.#wheel(event), { passive: false });
    scope.listen(this.element, 'keydown', (event) => this.#key(event));
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) scope.listen(this.element, type, (event) => this.#pointer(event));
  }

  /** Shows lanes `{key, title, visits, ofRoom, whole}` in a span; `latest` is the time now. Of a `whole` lane gaps are marked. */
  show(span, latest, lanes = this.#content) {
    this.#span = span;
    this.#latest = latest;
    this.#content = lanes;
    this.#draw();
  }

  #width() {
    return Math.max(1, this.#axis.clientWidth);
  }

  #percent(at) {
    return ((at - this.#span.from) / (this.#span.to - this.#span.from)) * 100;
  }

  #draw() {
    const marks = ticks(this.#span, this.#width());
    // A mark at the end has no room for its text.
    const isLast = (at) => (1 - this.#percent(at) / 100) * this.#width() < TICK_PIXELS;
    replace(this.#axis, marks.map(({ at, day }) => h(day ? 'span.tick.day' : 'span.tick', { style: { left: `${this.#percent(at)}%` } }, isLast(at) ? null : day ? formatDay(at) : formatTime(at))));
    const least = ((this.#span.to - this.#span.from) / this.#width()) * LEAST_PIXELS;
    reconcile(this.#lanes, this.#content, (lane) => lane.key, () => h('div.lane', {}, h('div.lane-title'), h('div.lane-track')), (element, lane) => {
      replace(element.firstChild, lane.title);
      replace(element.lastChild, (lane.whole ? gaps(lane.visits, this.#span, this.#latest, least) : []).map((gap) => this.#gap(gap)), pieces(lane.visits, this.#span, this.#latest, least).map((piece) => this.#piece(piece, lane)));
    });
  }

  #piece(piece, lane) {
    const left = this.#percent(piece.from);
    const width = this.#percent(piece.to) - left;
    const pixels = (width / 100) * this.#width();
    const away = piece.room === 'away';
    if (piece.tone) return this.#verdict(piece, left, width, pixels);
    const text = piece.many > 1 ? t('time.many', { n: piece.many }) : lane.ofRoom ?? placeText(piece);
    const doubtful = !away && piece.confidence < DOUBTFUL ? '.doubtful' : '';
    const hue = away ? '.away' : piece.many > 1 || piece.kind === 'moving' ? '.many' : `.hue-${lane.ofRoom ? hueOf(lane.key) : hueOfRoom(piece.room)}`;
    return h(`div.visit${hue}${doubtful}`, {
      style: { left: `${left}%`, width: `max(${width}%, 2px)` },
      title: `${text} · ${formatTime(piece.from, true)} – ${piece.lasting ? t('time.now') : formatTime(piece.to, true)}${away || !piece.confidence ? '' : ` · ${doubtful ? t('time.unsure') : formatShare(piece.confidence)}`}`,
    }, pixels > (doubtful || hue === '.many' ? PATTERN_TEXT_PIXELS : TEXT_PIXELS) ? h('span', {}, text) : null);
  }

  #verdict({ tone, from, to }, left, width, pixels) {
    const text = t(`truth.right.${tone === 'right'}`);
    return h(`div.visit.${tone}`, { style: { left: `${left}%`, width: `max(${width}%, 2px)` }, title: `${text} · ${formatTime(from, true)} – ${formatTime(to, true)}` },
      pixels > WIDE_TEXT_PIXELS ? h('span', {}, text) : null);
  }

  #gap({ from, to }) {
    const width = this.#percent(to) - this.#percent(from);
    return h('div.visit.unrecorded', {
      style: { left: `${this.#percent(from)}%`, width: `${width}%` }, title: `${t('time.norecord')} · ${formatTime(from, true)} – ${formatTime(to, true)}`,
    }, (width / 100) * this.#width() > WIDE_TEXT_PIXELS ? h('span', {}, t('time.norecord')) : null);
  }

  #momentAt(event) {
    const box = this.#axis.getBoundingClientRect();
    return this.#span.from + ((event.clientX - box.left) / box.width) * (this.#span.to - this.#span.from);
  }

  #move(span) {
    this.#span = span;
    this.#draw();
    this.#changed(span);
  }

  #wheel(event) {
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) this.#move(zoom(this.#span, Math.exp(event.deltaY / 200), this.#momentAt(event), this.#latest));
    else if (sideways) this.#move(pan(this.#span, (sideways / this.#width()) * (this.#span.to - this.#span.from), this.#latest));
    else return;
    event.preventDefault();
  }

  #key(event) {
    const length = this.#span.to - this.#span.from;
    const middle = this.#span.from + length / 2;
    const moves = {
      ArrowLeft: () => pan(this.#span, -length / 4, this.#latest), ArrowRight: () => pan(this.#span, length / 4, this.#latest),
      '+': () => zoom(this.#span, 0.5, middle, this.#latest), '-': () => zoom(this.#span, 2, middle, this.#latest),
      End: () => ({ from: this.#latest - length, to: this.#latest }),
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.#move(moves[event.key]());
  }

  #pointer(event) {
    if (event.type === 'pointerdown') {
      this.#pointers.set(event.pointerId, event.clientX);
      this.element.setPointerCapture(event.pointerId);
    } else if (event.type !== 'pointermove') this.#pointers.delete(event.pointerId);
    else if (this.#pointers.has(event.pointerId)) {
      const before = [...this.#pointers.values()];
      const moved = event.clientX - this.#pointers.get(event.pointerId);
      this.#pointers.set(event.pointerId, event.clientX);
      const after = [...this.#pointers.values()];
      if (after.length === 1 && moved) this.#move(pan(this.#span, (-moved / this.#width()) * (this.#span.to - this.#span.from), this.#latest));
      else if (after.length === 2) {
        const apart = (xs) => Math.max(20, Math.abs(xs[0] - xs[1]));
        this.#move(zoom(this.#span, apart(before) / apart(after), this.#momentAt(event), this.#latest));
      }
    }
  }
}

/** The place of a stay in words; `kind` and `rooms` are as of `staysFrom`, where it has them. */
export function placeText({ kind = 'stay', room, rooms = [room] }) {
  const names = rooms.slice(0, NAMED).map(roomName);
  if (kind === 'unsure') return t('time.perhaps', { rooms: formatAlternatives(names) });
  return kind === 'moving' ? t('time.moving', { rooms: formatList(names) }) : roomName(room);
}
