import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/model/protocol.ts';
import { applyTextEdits } from '../support/textEdits.ts';
import { makeWorld, startCore } from '../support/world.ts';

const id = '01JD0000000000000000000000';

async function openEntries() {
  const world = await makeWorld();
  const files = {
    'knowledge/tools/retries.md': `---\ntitle: Retries\nid: ${id}\ntags: [net]\n---\nSee [[Timeouts]].\n`,
    'knowledge/tools/timeouts.md': '---\ntitle: Timeouts\nrelated: ["[[Retries]]"]\ntags: [limits]\n---\n',
    'projects/greeter/knowledge/short.md': '---\ntitle: Short greetings\n---\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(world.vault, path)), { recursive: true });
    await writeFile(join(world.vault, path), text);
  }
  const { core } = await startCore(world, { role: 'local' });
  return { world, api: core.api, file: (name: string) => join(world.vault, name) };
}

const note = 'knowledge/tools/new.md';

async function look(api: Api, file: string, text: string) {
  const { document } = await api.request('inspect_document', { file, text });
  return document;
}

describe('an editor shows of an entry', () => {
  test.each<[string, string, readonly string[]]>([
    ['nothing wrong with a good one', '---\ntitle: New\nrelated: ["[[retries]]"]\n---\n', []],
    ['nothing wrong with a plain note', 'Text with [[Retries]].\n', []],
    ['a key that holds something else, at its line', '---\ntitle: New\ndepth: 9\n---\n', ['entry/badKey 2']],
    ['a frontmatter that is not closed', '---\ntitle: New\n', ['frontmatter/unclosed 0']],
    [
      'a link to nothing, where it is written',
      '---\ntitle: New\nrelated:\n- "[[Retrys]]"\n---\n',
      ['entry/brokenLink 3'],
    ],
    ['a link with one end', '---\ntitle: New\nsupersedes: ["[[Retries]]"]\n---\n', ['entry/oneSidedLink 2']],
    ['the id of another entry', `---\ntitle: New\nid: ${id}\n---\n`, ['entry/duplicateId 2']],
    ['the title of another entry', '---\ntitle: RETRIES\n---\n', ['entry/duplicateTitle 1']],
  ])('%s', async (_name, text, expected) => {
    const { api, file } = await openEntries();
    const found = await look(api, file(note), text);
    expect(found?.findings.map(({ code, range }) => `${code} ${range?.start.line}`)).toEqual(expected);
  });

  test('where its links lead, by a title, an alias or a path, and who links to it', async () => {
    const { api, file, world } = await openEntries();
    const text = '---\ntitle: Retries\n---\n[[Timeouts|that]] and [[Short greetings#why]] and [[None]].\n';
    const found = await look(api, file('knowledge/tools/retries.md'), text);
    expect(found?.references.map((one) => [one.id, one.title, one.target?.file])).toEqual([
      ['Timeouts', 'Timeouts', file('knowledge/tools/timeouts.md')],
      ['Short greetings', 'Short greetings', file('projects/greeter/knowledge/short.md')],
      ['None', undefined, undefined],
    ]);
    expect(found?.backlinks).toEqual([
      { file: file('knowledge/tools/timeouts.md'), title: 'Timeouts', key: 'related' },
    ]);
    const real = await api.request('inspect_document', { file: join(world.project, 'ravel/knowledge/short.md') });
    expect(real.document).toMatchObject({ kind: 'entry', file: file('projects/greeter/knowledge/short.md') });
  });
});

describe('a fix of an entry', () => {
  test.each<[string, string, string]>([
    [
      'replaces a link to nothing',
      '---\ntitle: New\nrelated:\n- "[[Retrys]]"\n---\nText.\n',
      '---\ntitle: New\nrelated:\n- "[[Retries]]"\n---\nText.\n',
    ],
    [
      'replaces a word that is not possible',
      '---\ntitle: New\nconfidence: hig\n---\n',
      '---\ntitle: New\nconfidence: high\n---\n',
    ],
    [
      'removes the id of another entry',
      `---\ntitle: New\nid: ${id}\nkind: bug\n---\n`,
      '---\ntitle: New\nkind: bug\n---\n',
    ],
  ])('%s', async (_name, text, fixed) => {
    const { api, file } = await openEntries();
    const { repairs } = await api.request('repairs', { file: file(note), text });
    expect(repairs).toHaveLength(1);
    expect(applyTextEdits(text, repairs[0]?.edits ?? [])).toBe(fixed);
  });
});

describe('in an entry an editor completes', () => {
  test.each<[string, string, string]>([
    ['its keys', '---\ntitle: New\nsuper|\n---\n', 'superseded-by'],
    ['a kind', '---\ntitle: New\nkind: |\n---\n', 'heuristic'],
    ['a confidence', '---\ntitle: New\nconfidence: |\n---\n', 'prospective'],
    ['a tag that others have', '---\ntitle: New\ntags:\n- |\n---\n', 'limits'],
    ['a link in its frontmatter', '---\ntitle: New\nrelated:\n- |\n---\n', '"[[Retries]]"'],
    ['a link in its text', '---\ntitle: New\n---\nSee [[|\n', 'Short greetings]]'],
  ])('%s', async (_name, marked, insert) => {
    const { api, file } = await openEntries();
    const offset = marked.indexOf('|');
    const before = marked.slice(0, offset).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const text = marked.replace('|', '');
    const { completions } = await api.request('complete_at', { file: file(note), text, position });
    expect(completions.map((one) => one.insert.trim().replace(/:$/, ''))).toContain(insert);
  });
});

test('a key says what it means, and the title of an entry who links to it', async () => {
  const { api, file } = await openEntries();
  const at = (line: number) =>
    api.request('describe_at', { file: file('knowledge/tools/retries.md'), position: { line, character: 1 } });
  expect((await at(3)).meaning).toBe('What it is about, in single words.');
  expect((await at(1)).meaning).toMatch(/^What the entry says[\s\S]*Linked from:\n\n- Timeouts \(related\)$/);
});
