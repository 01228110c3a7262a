import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Api } from '../../src/model/protocol.ts';
import { makeWorld, startCore, type World } from './world.ts';

/** A task in YAML, with further lines of it. */
export const task = (id: string, more = '') =>
  `- id: ${id}\n  title: Do ${id}\n  category: work\n  status: not_started\n${more}`;

/** A declaration in which nothing is wrong. */
export const declaredExpert = [
  '---',
  'actor-type: expert',
  'expert-id: rust',
  'description: Knows Rust',
  'persona: Short answers.',
  'knowledge-scope: [rust]',
  'tags: [rust]',
  '---',
  '',
].join('\n');

/** A vault with one project, a child plan and an expert; `file` gives the path of a file of the vault or of the root plan. */
export async function openDocuments(): Promise<{ world: World; api: Api; file: (name: string) => string }> {
  const world = await makeWorld();
  await mkdir(join(world.vault, 'experts'), { recursive: true });
  await writeFile(join(world.vault, 'experts', 'rust.md'), declaredExpert);
  const { core } = await startCore(world, { role: 'local' });
  await core.api.request('create', { plan: `${world.plan}/search`, description: 'Finding things' });
  const inVault = new Set(['routing.yaml', 'projects.yaml', 'projects.local.yaml', 'daemon.toml', 'ravel.toml']);
  const file = (name: string) =>
    inVault.has(name) || name.startsWith('experts/') ? join(world.vault, name) : join(world.planDirectory, name);
  return { world, api: core.api, file };
}
