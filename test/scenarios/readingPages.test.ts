import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked, type Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Core } from '../../src/core.ts';
import { checkSeal } from '../../src/vault/viewSeal.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { dataviewQueries, type Notes, queryNotes } from '../support/dataview.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { startCore, type World } from '../support/world.ts';

/** What a text of others could do in a note. */
const hostile =
  '<img src=x onerror=alert(1)> [[ravel]] ![[x]] %%gone%% page:: taken (records:: 1) `= 1 + 1` | **b** #tag';

/** All Markdown of the vault that a person sees in Obsidian. */
function notesOf(world: World): Notes {
  const notes = new Map<string, string>();
  const visit = (folder: string, path: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue;
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() || entry.isSymbolicLink()) visit(join(folder, entry.name), below);
      else if (entry.name.endsWith('.md')) notes.set(below, readFileSync(join(folder, entry.name), 'utf8'));
    }
  };
  visit(world.vault, '');
  return notes;
}

/** Runs a cycle; a message with a hostile text is dispatched to the plan, and a decision is in the vault. */
async function live(world: World): Promise<Core> {
  const { core } = await startCore(world);
  const handled = nextEvent(core, 'message.handled');
  await core.api.request('dispatch', {
    'target-plan': world.plan,
    reason: hostile,
    body: `${hostile}\n\n- ${hostile}`,
  });
  await handled;
  await core.api.request('run_cycle', { plan: world.plan, harness: 'scripted', scenario: world.scenario });
  return core;
}

async function decide(world: World): Promise<void> {
  const id = '01JDEC0000000000000000000A';
  const decision = {
    ...{ id, createdAt: '2026-01-01T00:00:00Z', contentHash: 'x', kind: 'new-plans', subject: hostile, options: [] },
    ...{ details: {}, decision: 'reject', by: 'ada', at: '2026-01-01T00:01:00Z', reason: hostile },
  };
  await writeFile(join(world.vault, 'decisions', `${id}.yaml`), stringify(decision));
}

/** The notes of one world, for all that only reads. */
let made: Promise<{ readonly notes: Notes; readonly plan: string }> | undefined;
function madeNotes() {
  made ??= (async () => {
    const world = await makeCycleWorld();
    await decide(world);
    await (await live(world)).stop();
    return { notes: notesOf(world), plan: world.plan };
  })();
  return made;
}

describe('the pages for readers', () => {
  test('are made from what happened, with the texts of messages', async () => {
    const { notes } = await madeNotes();
    const pages = [...notes.keys()].filter((path) => path.startsWith('runtime/pages/')).sort();
    expect(pages).toEqual(['cycles', 'decisions', 'routing', 'spending'].map((name) => `runtime/pages/${name}.md`));
    for (const page of pages) expect(checkSeal(notes.get(page) ?? '')).toBe('generated');
    expect(notes.get('runtime/pages/routing.md')).toContain('&lt;img src\\=x');
  });

  test('fill the tables of the notes that come with a vault, read by the parser of Dataview', async () => {
    const { notes, plan } = await madeNotes();
    const sizes: Record<string, readonly number[]> = {};
    for (const name of ['Plans.md', 'Activity.md', 'Knowledge.md']) {
      sizes[name] = dataviewQueries(notes.get(name) ?? '').map((query) => queryNotes(query, notes).length);
    }
    expect(sizes['Plans.md']).toEqual([1, 1, 1, 1]);
    const [messages, decisions, routes, cycles, spending] = sizes['Activity.md'] ?? [];
    expect([messages, decisions, routes, cycles, spending]).toEqual([1, 1, 1, 1, 1]);
    expect(sizes['Knowledge.md']).toHaveLength(7);
    const [query = ''] = dataviewQueries(notes.get('Plans.md') ?? '');
    expect(queryNotes(query, notes)[0]?.slice(0, 2)).toEqual([`[[projects/${plan}/plan-state|${plan}]]`, 'work']);
  });

  test('contain links that lead to notes of the vault, and nothing else that acts', async () => {
    const { notes } = await madeNotes();
    const names = new Set([...notes.keys()].flatMap((path) => [path, path.slice(0, -3)]));
    const generated = [...notes].filter(([, text]) => checkSeal(text) !== 'foreign');
    expect(generated.length).toBeGreaterThan(5);
    for (const [path, text] of [...generated, ['Activity.md', notes.get('Activity.md') ?? ''] as const]) {
      for (const [, target = ''] of text.matchAll(/\[\[([^\]|\\#]*)/g)) {
        if (target !== '' && target !== 'plan-catalog') expect(names, `${path} links to ${target}`).toContain(target);
      }
      const body = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/```dataview\n[^`]+```/g, '');
      expect(acting(new Marked().lexer(body)), path).toEqual([]);
      expect(body.includes('::'), path).toBe(false);
      expect(body.match(/%%/g)?.length ?? 0, path).toBe(path === 'Activity.md' ? 0 : 2);
    }
  });

  test('are written again only if they differ, and one that a person edited stays', async () => {
    const world = await makeCycleWorld();
    await decide(world);
    await (await startCore(world)).core.stop();
    const file = join(world.vault, 'runtime/pages/decisions.md');
    await writeFile(file, `${readFileSync(file, 'utf8')}Mine.\n`);
    const { core, events } = await startCore(world);
    await core.recovered;
    await core.stop();
    expect(readFileSync(file, 'utf8')).toMatch(/Mine\.\n$/);
    expect(events.some((event) => event.type === 'diagnostic' && event.diagnostic.code === 'view/edited')).toBe(true);
  });
});

test('a vault in which nothing happened has no pages', async () => {
  const world = await makeCycleWorld();
  const { core } = await startCore(world);
  await core.stop();
  expect(existsSync(join(world.vault, 'runtime/pages'))).toBe(false);
});

/** HTML, links and images among the tokens of Markdown; wikilinks are text to it. */
function acting(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    const below = 'tokens' in token && token.tokens ? acting(token.tokens) : [];
    const items = token.type === 'list' ? acting(token['items'] as Token[]) : [];
    const cells =
      token.type === 'table'
        ? acting([...token['header'], ...token['rows'].flat()].flatMap((cell: { tokens: Token[] }) => cell.tokens))
        : [];
    const own = ['html', 'link', 'image'].includes(token.type) ? [token.raw] : [];
    return [...own, ...below, ...items, ...cells];
  });
}
