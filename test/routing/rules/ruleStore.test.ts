import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import type { Diagnostic } from '../../../src/base/errors.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { SuggestedRule } from '../../../src/model/routing.ts';
import { decide } from '../../../src/routing/rules/ruleSet.ts';
import { RuleStore } from '../../../src/routing/rules/ruleStore.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';
import { parseRules } from '../../../src/vault/loadRules.ts';
import { failureOf } from '../../support/failureOf.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { systemError, traceDisk } from '../../support/tracingDisk.ts';

const refunds: SuggestedRule = { id: 'refunds', any: ['refund'], target: 'shop' };
const origin = { by: 'ada', at: '2026-11-22T10:00:00Z', suggestion: '01M7X4TZFWPVQT6PFG4SYTM4BP' };
const one = 'rules:\n- id: a\n  any: [invoice]\n  target: shop\n';

async function make(given: { readonly text?: string; readonly disk?: Disk } = {}) {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  const told: Diagnostic[] = [];
  const ruleStore = new RuleStore({
    disk: given.disk ?? nodeDisk,
    layout,
    onDiagnostic: (problem) => told.push(problem),
  });
  const write = (text: string) => writeFile(layout.routing, text);
  if (given.text !== undefined) await write(given.text);
  return { ruleStore, layout, told, write };
}

async function target(ruleStore: RuleStore, fact: string): Promise<string | undefined> {
  const verdict = decide((await ruleStore.page()).ruleSet, { on: 'dispatch', from: 'person', facts: [fact] });
  return verdict.kind === 'one' ? verdict.target : undefined;
}

describe('the rules of the book', () => {
  test('follow the file at every request, without a watcher', async () => {
    const { ruleStore, write, layout } = await make();
    expect((await ruleStore.page()).rules).toEqual([]);
    await write(one);
    expect(await target(ruleStore, 'invoice')).toBe('shop');
    await write(one.replace('shop', 'blog'));
    expect(await target(ruleStore, 'invoice')).toBe('blog');
    await rename(layout.routing, join(layout.root, 'elsewhere.yaml'));
    expect((await ruleStore.page()).rules).toEqual([]);
  });

  test('are read once for each text', async () => {
    let reads = 0;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name === 'readFile' && path.endsWith('routing.yaml')) reads++;
    });
    const { ruleStore } = await make({ text: one, disk });
    const pages = await Promise.all([1, 2, 3].map(() => ruleStore.page()));
    expect(new Set(pages).size).toBe(1);
    expect(reads).toBe(1);
  });

  test.each([
    'rules: [\n',
    'rules: 3\n',
    'rules:\n- id: a\n',
    '\u0000',
    `rules: ["${'x'.repeat(17 * 1024 * 1024)}"]\n`,
  ])('stay as they were while the file is broken (case %#), which is reported once', async (broken) => {
    const { ruleStore, told, write } = await make({ text: one });
    await ruleStore.page();
    await write(broken);
    const page = await ruleStore.page();
    expect(page).toMatchObject({ isBroken: true, rules: [{ id: 'a' }], diagnostics: [{ code: 'rule/fileBroken' }] });
    expect(await target(ruleStore, 'invoice')).toBe('shop');
    await ruleStore.page();
    expect(told.map(({ code }) => code)).toEqual(['rule/fileBroken']);
    await write(one.replace('shop', 'blog'));
    expect(await ruleStore.page()).toMatchObject({ isBroken: false, diagnostics: [] });
    expect(await target(ruleStore, 'invoice')).toBe('blog');
  });

  test('stay as they were while the file cannot be read, and are read again later', async () => {
    let isBlocked = false;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (isBlocked && name === 'readFile' && path.endsWith('routing.yaml')) throw systemError('EIO');
    });
    const { ruleStore, told, write } = await make({ text: one, disk });
    await ruleStore.page();
    isBlocked = true;
    await write('rules: []\n');
    expect(await ruleStore.page()).toMatchObject({ isBroken: true, rules: [{ id: 'a' }] });
    expect(await ruleStore.page()).toMatchObject({ isBroken: true });
    isBlocked = false;
    expect(await ruleStore.page()).toMatchObject({ isBroken: false, rules: [] });
    expect(told).toHaveLength(1);
  });

  test('are empty when the file was broken from the start', async () => {
    const { ruleStore, told } = await make({ text: 'rules: [\n' });
    expect(await ruleStore.page()).toMatchObject({ isBroken: true, rules: [] });
    expect(told[0]?.message).toContain('no rule decides');
  });
});

describe('putting a rule into the book', () => {
  test('takes effect at once, and only once', async () => {
    const { ruleStore } = await make({ text: one });
    expect(await ruleStore.put({ rule: refunds, origin })).toMatchObject({ id: 'refunds', index: 1 });
    await ruleStore.put({ rule: refunds, origin });
    const page = await ruleStore.page();
    expect(page.rules.map(({ id }) => id)).toEqual(['a', 'refunds']);
    expect(ruleStore.places(page).lines).toEqual([1, 4]);
  });

  test('keeps what a person saved at the same moment', async () => {
    const saved = one.replace('id: a', 'id: mine');
    let path = '';
    let isSaved = false;
    const disk = traceDisk(nodeDisk, async (_n, name, at) => {
      if (isSaved || name !== 'file.sync' || !at.includes('routing.yaml')) return;
      isSaved = true;
      await writeFile(path, saved);
    });
    const { ruleStore, layout } = await make({ text: one, disk });
    path = layout.routing;
    await ruleStore.put({ rule: refunds, origin });
    expect((await ruleStore.page()).rules.map(({ id }) => id)).toEqual(['mine', 'refunds']);
  });

  test('gives up when a person keeps saving, and keeps their text', async () => {
    let path = '';
    let count = 0;
    const disk = traceDisk(nodeDisk, async (_n, name, at) => {
      if (name === 'file.sync' && at.includes('routing.yaml')) await writeFile(path, `${one}# ${count++}\n`);
    });
    const { ruleStore, layout } = await make({ text: one, disk });
    path = layout.routing;
    expect(await failureOf(() => ruleStore.put({ rule: refunds, origin }))).toMatchObject({
      code: 'yaml/changedMeanwhile',
    });
    expect(count).toBe(5);
    expect(parseRules((await ruleStore.page()).text, path).rules).toHaveLength(1);
  });
});
