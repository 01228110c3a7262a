import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import type { Check } from '../../src/model/requests/doctor.ts';
import { openCore } from '../support/openCore.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';

/** The id of every session, approval and message that these tests make up. */
export const ulid = '01JD0000000000000000000001';

export interface Scene {
  readonly options?: WorldOptions;
  readonly disk?: Disk;
  readonly environment?: Readonly<Record<string, string>>;
  readonly arrange?: (world: World) => Promise<unknown>;
}

export const scripted = '[run]\nharness = "scripted"\n';

export const mailbox = 'runtime/mailboxes/greeter%2Fproject-root.jsonl';

export const question = [
  ...[`id: ${ulid}`, 'createdAt: today', 'contentHash: x', 'kind: needs-input', 'plan: greeter/project-root'],
  ...[`session: ${ulid}`, 'subject: Which colour?', 'options: []', 'details: {question: Which colour?}', ''],
].join('\n');

/** The checks of a core without ownership that are not ok. */
async function examine({ options, disk, environment, arrange }: Scene): Promise<readonly Check[]> {
  const world = await makeWorld({ settings: scripted, ...options });
  await arrange?.(world);
  const writeIn = { vault: world.vault, environment: { ...world.environment, ...environment } };
  const core = await openCore(writeIn, { role: 'local', ...(disk !== undefined && { disk }) });
  const { checks } = await core.api.request('doctor', {});
  await core.stop();
  return checks.filter(({ severity, check }) => severity !== 'ok' && check !== 'owner' && check !== 'watching');
}

export async function check(scene: Scene, expected: readonly Partial<Record<keyof Check, unknown>>[]): Promise<void> {
  const found = (await examine(scene)).filter(({ subject }) => subject !== 'claude-code' || scene.environment);
  expect(found).toMatchObject(expected);
  expect(found).toHaveLength(expected.length);
}

export async function writeIn(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

export const runState = (world: World, text: string) =>
  writeIn(world.vault, 'runtime/plans/greeter%2Fproject-root.yaml', text);
