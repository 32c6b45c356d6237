/** Keeps the screen on, where the browser lets the page, until the function returned is called. */
export function keepAwake() {
  let lock = null;
  let over = false;
  navigator.wakeLock?.request('screen').then((granted) => {
    lock = granted;
    if (over) granted.release();
  }, () => {});
  return () => {
    over = true;
    lock?.release();
  };
}
