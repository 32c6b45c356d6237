import { counted, formatDate, t } from './i18n.js';

/**
 * The time in the house. It is the browser's time moved by what the latest scans of nodes show: a simulated house lives
 * on a clock of its own, and a browser's clock may be wrong.
 */
export class HouseClock {
  #offsets = new Map();

  /** Takes the end of a node's interval, in Unix seconds, as it arrives at `now`, in milliseconds. */
  receive(node, to, now) {
    this.#offsets.set(node, { offset: to - now / 1000, at: now });
  }

  /** Unix seconds in the house at the browser's time `now`, in milliseconds. */
  now(now = Date.now()) {
    return now / 1000 + this.#offset(now);
  }

  /** Seconds by which a node's clock is ahead of the house's; null where the node was not heard of late. */
  deviation(node, now = Date.now()) {
    const entry = this.#offsets.get(node);
    return entry && now - entry.at < 30_000 ? entry.offset - this.#median(now) : null;
  }

  #offset(now) {
    const middle = this.#median(now);
    return Math.abs(middle) < 5 ? 0 : middle;
  }

  #median(now) {
    const latest = [...this.#offsets.values()].filter((entry) => now - entry.at < 30_000);
    const known = (latest.length ? latest : [...this.#offsets.values()]).map((entry) => entry.offset).sort((a, b) => a - b);
    return known[Math.floor(known.length / 2)] ?? 0;
  }
}

/** A duration in its one or two largest units, such as `1 h 20 min`. */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return t('duration.s', { n: whole });
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return t('duration.min', { n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    const rest = minutes % 60;
    return rest ? `${t('duration.h', { n: hours })} ${t('duration.min', { n: rest })}` : t('duration.h', { n: hours });
  }
  return counted('duration.days', Math.floor(hours / 24));
}

const TIME = { hour: '2-digit', minute: '2-digit' };
const TIME_WITH_SECONDS = { ...TIME, second: '2-digit' };
const DAY = { weekday: 'short', day: 'numeric', month: 'short' };

/** The time of a day, in the browser's zone. */
export function formatTime(seconds, withSeconds = false) {
  return withSeconds ? formatDate('seconds', TIME_WITH_SECONDS, seconds) : formatDate('time', TIME, seconds);
}

/** The day, in the browser's zone. */
export function formatDay(seconds) {
  return formatDate('day', DAY, seconds);
}

/**
 * The begin and the end of a time as texts of the day of its begin: with seconds where minutes would be alike, and with
 * the end's day where that is another. An end of `null` is now.
 */
export function formatSpan(from, to) {
  const alike = to !== null && to - from < 3600 && formatTime(from) === formatTime(to);
  const isSameDay = to === null || formatDay(from) === formatDay(to);
  return { from: formatTime(from, alike), to: to === null ? t('time.now') : `${isSameDay ? '' : `${formatDay(to)}, `}${formatTime(to, alike)}` };
}

/** Day and time, in the browser's zone; the time alone on the day of `now`. */
export function formatMoment(seconds, now) {
  const sameDay = new Date(seconds * 1000).toDateString() === new Date(now * 1000).toDateString();
  return sameDay ? formatTime(seconds) : `${formatDay(seconds)}, ${formatTime(seconds)}`;
}
