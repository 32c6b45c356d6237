/** Choices of this browser, kept in its local storage; in memory where that is denied. */
const PREFIX = 'whereabouts.';
const memory = new Map();

/** Reads and keeps choices. */
export const preferences = {
  /** The value kept under a name; null for none. */
  get(name) {
    try {
      const text = localStorage.getItem(PREFIX + name);
      return text === null ? null : JSON.parse(text);
    } catch {
      return memory.get(name) ?? null;
    }
  },

  /** Keeps a value; null forgets it. */
  set(name, value) {
    memory.set(name, value);
    try {
      if (value === null) localStorage.removeItem(PREFIX + name);
      else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      // Kept in memory alone.
    }
  },
};

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Applies the theme: `light`, `dark`, or `auto`, which follows the system. */
export function applyTheme() {
  const theme = preferences.get('theme') ?? 'auto';
  document.documentElement.dataset.theme = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme;
}

dark.addEventListener('change', applyTheme);

/** Tells whether the person wants little motion. */
export function wantsLittleMotion() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
