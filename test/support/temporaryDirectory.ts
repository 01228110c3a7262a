import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder by its real path, removed when the running test is finished. Call it inside a test. */
export async function makeTemporaryDirectory(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'ravel-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
