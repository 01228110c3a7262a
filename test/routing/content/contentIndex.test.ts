import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReadingDisk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { ContentPorts } from '../../../src/routing/content/contentIndex.ts';
import { ContentVault, type PlanContent } from '../../support/contentVault.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const parser = toQualifiedId('Lang/project-root/parser');
const printer = toQualifiedId('Lang/project-root/printer');
const shop = toQualifiedId('Shop/project-root');

const contents: Readonly<Record<string, PlanContent>> = {
  [parser]: {
    tasks: [{ title: 'Report where a string ends', description: 'The `TokenReader` runs past the last line.' }],
    memory: [{ title: 'Tokens keep their line', body: 'Each token of a line knows its column.' }],
  },
  [printer]: {
    tasks: [{ title: 'Wrap long lines', description: 'A line of more than 100 columns is broken.' }],
    memory: [{ title: '错误信息', body: '打印机 writes 错误信息 at the end.' }],
  },
};

async function makeVault(given = contents, more: Partial<ContentPorts> = {}): Promise<ContentVault> {
  const recipients = [
    { id: parser, description: 'Reads programs', tags: [] },
    { id: printer, description: 'Writes programs', tags: [] },
    { id: shop, description: 'Sells things', tags: [] },
    { id: toQualifiedId('expert:rust'), description: 'Knows Rust', tags: ['cargo'] },
  ];
  const vault = new ContentVault(await makeTemporaryDirectory(), recipients, more);
  for (const [id, content] of Object.entries(given)) await vault.write(toQualifiedId(id), content);
  return vault;
}

async function firstFor(vault: ContentVault, text: string, within?: string): Promise<string | undefined> {
  return [...(await vault.refresh()).score(text, { within }).keys()][0];
}

describe('a message is about the plan', () => {
  test.each<[string, string, string | undefined]>([
    ['whose tasks have its words', 'A string does not end', parser],
    ['whose identifiers it has and nothing else', 'TokenReader', parser],
    ['whose word is all that it has', 'wrapped', printer],
    ['that writes the same in Chinese', '错误信息', printer],
    ['that it resembles, however long it is', `${'Wrap it, please. '.repeat(3200)}`, printer],
    ['that is described so, though it has no texts', 'It sells', shop],
    ['or the expert whose tags it has', 'cargo', 'expert:rust'],
    ['and about none if none has a word of it', 'weather', undefined],
    ['and about none if it is empty', '', undefined],
  ])('%s', async (_name, text, expected) => {
    expect(await firstFor(await makeVault(), text)).toBe(expected);
  });

  test('of the project that it names', async () => {
    expect(await firstFor(await makeVault(), 'sells a string', 'Shop')).toBe(shop);
  });

  test('and neither is ahead if two plans have the same texts', async () => {
    const same = contents[parser] ?? {};
    const content = await (await makeVault({ [parser]: same, [printer]: same })).refresh();
    const scores = content.score('Where does the string end for the TokenReader?');
    expect(scores.get(parser)?.share).toBeCloseTo(scores.get(printer)?.share ?? 0, 10);
  });
});

test('the lines that speak for a plan are quoted with where they stand', async () => {
  const content = await (await makeVault()).refresh();
  const { lines, words } = content.score('The TokenReader runs past the end').get(parser) ?? {};
  expect(lines?.[0]).toEqual({ in: 'task t0', line: 'The `TokenReader` runs past the last line.' });
  expect(words).toBeGreaterThan(2);
});

describe('what plans are about', () => {
  test('follows an edit between two messages', async () => {
    const vault = await makeVault();
    expect(await firstFor(vault, 'kerning')).toBeUndefined();
    await vault.write(printer, { tasks: [{ title: 'Support kerning' }] });
    expect(await firstFor(vault, 'kerning')).toBe(printer);
    await vault.write(printer, { tasks: [{ title: 'Support fonts' }] });
    expect(await firstFor(vault, 'kerning')).toBeUndefined();
  });

  test('is looked at again only where something happened, or after some seconds', async () => {
    const clock = new ManualClock();
    const stamped: string[] = [];
    const disk: ReadingDisk = {
      ...nodeDisk,
      stampEach(paths) {
        stamped.push(...paths);
        return nodeDisk.stampEach(paths);
      },
    };
    const vault = await makeVault(contents, { disk, clock, isWatched: () => true });
    expect(await firstFor(vault, 'kerning')).toBeUndefined();
    const all = stamped.splice(0).length;
    await vault.write(printer, { tasks: [{ title: 'Support kerning' }] });
    await vault.write(parser, { tasks: [{ title: 'Read ligatures' }] });
    expect(await firstFor(vault, 'kerning')).toBeUndefined();
    expect(stamped).toEqual([]);
    vault.content.onEvent({ actor: printer });
    vault.content.onEvent({ actor: 'vault' });
    expect(await firstFor(vault, 'kerning')).toBe(printer);
    expect(stamped.splice(0)).toHaveLength(3);
    expect(await firstFor(vault, 'ligatures')).toBeUndefined();
    clock.advance(15_000);
    expect(await firstFor(vault, 'ligatures')).toBe(parser);
    expect(stamped.splice(0)).toHaveLength(all);
  });

  test('is looked at again once the plans are others', async () => {
    const vault = await makeVault(contents, { isWatched: () => true });
    expect(await firstFor(vault, 'string')).toBe(parser);
    const recipients = vault.known.recipients.filter(({ id }) => id !== parser);
    await vault.content.refresh({ ...vault.known, recipients, byId: new Map(recipients.map((one) => [one.id, one])) });
    expect([...vault.content.score('string').keys()]).toEqual([]);
  });

  test('stays as it was while a file is broken, and is forgotten with the file', async () => {
    const vault = await makeVault();
    const backlog = join(vault.layout.plan(parser), 'backlog.yaml');
    expect(await firstFor(vault, 'string')).toBe(parser);
    await writeFile(backlog, 'tasks: [');
    expect(await firstFor(vault, 'string')).toBe(parser);
    await rm(backlog);
    expect(await firstFor(vault, 'string')).toBeUndefined();
  });

  test('includes the page of the project and the names in its source', async () => {
    const vault = await makeVault();
    const directory = vault.known.projects.get('Shop') ?? '';
    await mkdir(join(directory, 'src'), { recursive: true });
    await writeFile(join(directory, 'README.md'), '# Shop\n\nCustomers fill baskets.\n');
    await writeFile(
      join(directory, 'src/voucherRules.ts'),
      'export function redeemVoucher() {}\nconst hiddenThing = 1;\n',
    );
    expect(await firstFor(vault, 'baskets')).toBe(shop);
    expect(await firstFor(vault, 'redeemVoucher fails')).toBe(shop);
    expect(await firstFor(vault, 'hiddenThing')).toBeUndefined();
  });

  test('is incomplete if the files are too large together', async () => {
    expect((await (await makeVault()).refresh()).isComplete).toBe(true);
    expect((await (await makeVault(contents, { bytesMax: 300 })).refresh()).isComplete).toBe(false);
  });
});
