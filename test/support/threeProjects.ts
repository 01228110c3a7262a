import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCore } from './openCore.ts';
import type { World } from './world.ts';

/** A plan of the project `bank`. */
export const cards = 'bank/project-root/cards';

const expert = `---
actor-type: expert
expert-id: rust
description: Knows the Rust language
persona: You know Rust.
knowledge-scope: [languages/rust]
tags: [rust]
---
`;

/** Two further projects beside that of a world, a plan of one of them, and an expert; returns the folders of their plans. */
export async function addThreeProjects(
  world: World,
  texts: { readonly cards: string },
): Promise<Record<string, string>> {
  const folders: Record<string, string> = {};
  const core = await openCore(world, { role: 'local' });
  for (const [name, description] of [
    ['bank', 'Keeps accounts and moves money'],
    ['mail', 'Sends letters to customers'],
  ] as const) {
    const project = join(world.root, name);
    await mkdir(project);
    const adopted = await core.api.request('adopt', { project, description });
    folders[adopted.plan] = adopted.directory;
  }
  const created = await core.api.request('create', { plan: cards, description: texts.cards });
  folders[created.plan] = created.directory;
  await core.stop();
  await mkdir(join(world.vault, 'experts'), { recursive: true });
  await writeFile(join(world.vault, 'experts/rust.md'), expert);
  return folders;
}
