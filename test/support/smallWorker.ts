import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll } from 'vitest';

/** Starting a process copies the table of this one's pages: at 600 MB that is half of what a short git command costs. */
const largeBytes = 250 * 1024 * 1024;

/** Files share their process. What one of them leaves in its memory goes before the next one starts programs. */
afterAll(() => {
  if (process.memoryUsage.rss() < largeBytes) return;
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
});
