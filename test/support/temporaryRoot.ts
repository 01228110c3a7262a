import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLeftovers } from '../../packaging/installFolder.mjs';

const gibibyte = 1024 ** 3;
/** A whole run keeps less than a gibibyte at a time. */
const freeBytesMin = 4 * gibibyte;
const prefix = 'ravel-t';

/**
 * Gives this process and those that it starts a temporary folder of their own, which goes when it ends. A `TMPDIR` that is
 * set stays. For a configuration, which is read before the first worker starts.
 */
export function useTemporaryRoot(): void {
  if (process.env['TMPDIR'] !== undefined) return;
  const root = makeTemporaryRoot();
  process.env['TMPDIR'] = root;
  process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
}

/**
 * Makes the folder in which a run keeps all its worlds, and removes those of runs that were killed. It is in memory if
 * this machine has a file system there: a sync is free then, and no test needs more of a disk.
 */
export function makeTemporaryRoot({ memory = '/dev/shm', elsewhere = tmpdir(), freeBytes = freemem() } = {}): string {
  const parent = isUsable(memory, freeBytes) ? memory : elsewhere;
  removeLeftovers(parent, prefix);
  const root = join(parent, `${prefix}${process.pid}`);
  mkdirSync(root);
  return root;
}

function isUsable(directory: string, freeBytes: number): boolean {
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    return Math.min(bavail * bsize, freeBytes) >= freeBytesMin && runsPrograms(directory);
  } catch {
    return false;
  }
}

/** Containers often mount a file system in memory so that it runs nothing. */
function runsPrograms(directory: string): boolean {
  const program = join(directory, `${prefix}-try-${process.pid}`);
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
