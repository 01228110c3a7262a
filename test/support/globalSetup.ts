import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildIfChanged } from './built.mjs';

/** Builds what tests start as programs. Makes the folder of the templates that tests copy, and removes it after. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfChanged();
  const templates = await mkdtemp(join(tmpdir(), 'ravel-templates-'));
  project.provide('templates', templates);
  return () => rm(templates, { recursive: true, force: true });
}
