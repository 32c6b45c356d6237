/** Tests by their title; each throws where something is not as expected. */
const tests = [];

/** Adds a test. Its title says what a person would lose if it failed. */
export function test(title, action) {
  tests.push({ title, action });
}

/** Throws unless two values are alike. */
export function equal(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

/** Throws unless a condition holds. */
export function expect(condition, words) {
  if (!condition) throw new Error(words);
}

/** Runs all tests and returns a line for each, and the number that failed. */
export async function run() {
  let failed = 0;
  const lines = [];
  for (const { title, action } of tests) {
    try {
      await action();
      lines.push(`ok    ${title}`);
    } catch (error) {
      failed += 1;
      lines.push(`FAIL  ${title}: ${error.message}`);
    }
  }
  return { failed, lines: [...lines, `${tests.length} tests, ${failed} failed`] };
}
