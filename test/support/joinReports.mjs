import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Puts one JSON report of vitest in the place of several, with the sums of their counts. If one of them is missing, it
 * writes none and leaves the others.
 *
 * @param {readonly string[]} from
 * @param {string} to
 */
export function joinReports(from, to) {
  if (!from.every((file) => existsSync(file))) return;
  const all = from.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  /** @param {string} key */
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  const counts = Object.keys(all[0]).filter((key) => key.startsWith('num') && typeof all[0][key] === 'number');
  const joined = {
    ...all[0],
    ...Object.fromEntries(counts.map((key) => [key, sum(key)])),
    success: all.every(({ success }) => success),
    testResults: all.flatMap(({ testResults }) => testResults),
  };
  writeFileSync(to, JSON.stringify(joined));
  for (const file of from) rmSync(file);
}
