import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FileStat } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { phases } from '../../src/model/phase.ts';
import { formatPhase, loadPlan, loadPlanTexts, readPhase, readPlanState } from '../../src/vault/planStore.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const id = toQualifiedId('Demo/project-root');
const place = { file: '/x', subject: id };
const whole: Readonly<Record<string, string>> = {
  'plan-state.md': '---\nschema-version: 1\ndescription: What it is for\nmood: good\n---\nNotes.\n',
  'phase.md': 'work\n',
  'backlog.yaml': 'tasks: []\n',
  'memory.yaml': 'entries: []\n',
};
let directory: string;

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  for (const [name, text] of Object.entries(whole)) writeFileSync(join(directory, name), text);
});

describe('loadPlan', () => {
  test('reads the four files of a plan', async () => {
    expect(await loadPlan(nodeDisk, { id, directory })).toEqual({
      state: { 'schema-version': 1, description: 'What it is for', tags: [], mood: 'good' },
      phase: 'work',
      backlog: { tasks: [] },
      memory: { entries: [] },
      diagnostics: [],
    });
  });

  test('accepts CRLF and byte order marks', async () => {
    for (const [name, text] of Object.entries(whole)) {
      writeFileSync(join(directory, name), `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    }
    expect(await loadPlan(nodeDisk, { id, directory })).toMatchObject({
      state: { description: 'What it is for' },
      phase: 'work',
      backlog: { tasks: [] },
      memory: { entries: [] },
      diagnostics: [],
    });
  });

  /** Replaces one file; expects `code line` for each diagnostic, and the named field to be missing. */
  async function check(file: string, text: string | Uint8Array | undefined, expected: string[], missing: string) {
    rmSync(join(directory, file));
    if (text !== undefined) writeFileSync(join(directory, file), text);
    const { diagnostics, ...fields } = await loadPlan(nodeDisk, { id, directory });
    expect(diagnostics.map((one) => `${one.code} ${one.range?.start.line ?? '-'}`)).toEqual(expected);
    for (const one of diagnostics)
      expect(one).toMatchObject({ subject: id, file: join(directory, file), severity: 'error' });
    for (const one of diagnostics) expect(one.help).toBeTruthy();
    const left = ['state', 'phase', 'backlog', 'memory'].filter((field) => field !== missing);
    expect(Object.keys(fields)).toEqual(left);
  }

  const front = (lines: string) => `---\n${lines}\n---\n`;

  test.each<[string, string, string | Uint8Array | undefined, string[], string]>([
    ['no backlog', 'backlog.yaml', undefined, ['plan/missingFile -'], 'backlog'],
    ['no memory', 'memory.yaml', undefined, ['plan/missingFile -'], 'memory'],
    ['no marker', 'plan-state.md', undefined, ['plan/missingFile -'], 'state'],
    ['no phase file', 'phase.md', undefined, ['plan/badPhase -'], 'phase'],
    ['broken YAML', 'backlog.yaml', 'tasks:\n- id: [\n', ['yaml/syntax 2'], 'backlog'],
    ['tabs', 'backlog.yaml', 'tasks:\n\t- id: a\n', ['yaml/syntax 1'], 'backlog'],
    [
      'bytes that are not UTF-8',
      'memory.yaml',
      Buffer.from('entries: []\n# \xff', 'latin1'),
      ['yaml/encoding 1'],
      'memory',
    ],
    [
      'YAML aliases',
      'memory.yaml',
      'a: &a [x]\nb: [*a, *a]\n',
      ['yaml/bomb 0', 'yaml/bomb 1', 'yaml/bomb 1'],
      'memory',
    ],
    [
      'a wrong status',
      'backlog.yaml',
      'tasks:\n- id: a\n  title: A\n  category: c\n  status: later\n',
      ['yaml/schema 4'],
      'backlog',
    ],
    [
      'a duplicate id',
      'memory.yaml',
      'entries:\n- {id: a, title: A, body: b}\n- {id: a, title: B, body: b}\n',
      ['yaml/duplicateId 2'],
      'memory',
    ],
    ['an unknown phase', 'phase.md', 'wrok\n', ['plan/badPhase 0'], 'phase'],
    ['an empty phase', 'phase.md', '\n', ['plan/badPhase 0'], 'phase'],
    ['no frontmatter', 'plan-state.md', 'Notes.\n', ['frontmatter/badFence 0'], 'state'],
    [
      'a fence that names an engine',
      'plan-state.md',
      '---js\n{ description: process.exit(1) }\n---\n',
      ['frontmatter/badFence 0'],
      'state',
    ],
    ['an unclosed frontmatter', 'plan-state.md', '---\nschema-version: 1\n', ['frontmatter/unclosed 0'], 'state'],
    ['no schema version', 'plan-state.md', front('description: d'), ['plan/badState 0'], 'state'],
    [
      'a newer schema version',
      'plan-state.md',
      front('description: d\nschema-version: 2'),
      ['plan/badState 2'],
      'state',
    ],
    ['no description', 'plan-state.md', front('schema-version: 1'), ['plan/badState 0'], 'state'],
    [
      'a description that is a list',
      'plan-state.md',
      front('schema-version: 1\ndescription: [a]'),
      ['plan/badState 2'],
      'state',
    ],
    [
      'an empty description',
      'plan-state.md',
      front('schema-version: 1\ndescription: ""'),
      ['plan/badDescription 2'],
      'state',
    ],
    [
      'a description of 121 characters',
      'plan-state.md',
      front(`schema-version: 1\ndescription: ${'x'.repeat(121)}`),
      ['plan/badDescription 2'],
      'state',
    ],
    [
      'a placeholder as description',
      'plan-state.md',
      front('schema-version: 1\ndescription: TODO'),
      ['plan/badDescription 2'],
      'state',
    ],
    ['a text as frontmatter', 'plan-state.md', front('just words'), ['plan/badState 0'], 'state'],
  ])('reports %s and leaves out only that part', (_, file, text, expected, missing) =>
    check(file, text, expected, missing),
  );

  test('accepts a description of 120 characters', async () => {
    const text = front(`schema-version: 1\ndescription: ${'é'.repeat(120)}`);
    expect(readPlanState(text, place).diagnostics).toEqual([]);
  });

  test('reports a file that is too large', async () => {
    truncateSync(join(directory, 'memory.yaml'), 65 * 1024 * 1024);
    const { memory, diagnostics } = await loadPlan(nodeDisk, { id, directory });
    expect(memory).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'disk/tooLarge', subject: id, file: join(directory, 'memory.yaml') }]);
  });

  test('reports a folder in place of a file, and a file that cannot be read', async () => {
    rmSync(join(directory, 'backlog.yaml'));
    mkdirSync(join(directory, 'backlog.yaml'));
    const disk = {
      ...nodeDisk,
      readEach: async (paths: readonly string[]) => paths.map(() => undefined),
      readFile(path: string, inspect?: (stat: FileStat) => void) {
        const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
        return path.endsWith('memory.yaml') ? Promise.reject(denied) : nodeDisk.readFile(path, inspect);
      },
    };
    const { diagnostics } = await loadPlan(disk, { id, directory });
    expect(diagnostics).toMatchObject([
      { code: 'disk/failed', subject: id, file: join(directory, 'backlog.yaml') },
      { code: 'disk/denied', subject: id, file: join(directory, 'memory.yaml') },
    ]);
  });

  test('reads read-only files', async () => {
    for (const name of Object.keys(whole)) chmodSync(join(directory, name), 0o444);
    expect((await loadPlan(nodeDisk, { id, directory })).diagnostics).toEqual([]);
  });
});

describe('loadPlanTexts', () => {
  test('returns the text of each file unchanged, and no entry for a missing file', async () => {
    writeFileSync(join(directory, 'memory.yaml'), '\uFEFFentries: []\r\n');
    expect(await loadPlanTexts(nodeDisk, directory, ['memory.yaml', 'commits.yaml', 'phase.md'])).toEqual(
      new Map([
        ['memory.yaml', '\uFEFFentries: []\r\n'],
        ['phase.md', 'work\n'],
      ]),
    );
    expect(await loadPlanTexts(nodeDisk, join(directory, 'gone'), ['memory.yaml'])).toEqual(new Map());
  });

  test('throws if a file cannot be read', async () => {
    writeFileSync(join(directory, 'memory.yaml'), Buffer.from([0xff]));
    const problem = await failureOf(() => loadPlanTexts(nodeDisk, directory, ['phase.md', 'memory.yaml']));
    expect(problem).toMatchObject({ code: 'yaml/encoding' });
  });
});

describe('the phase file', () => {
  test.each(phases)('with %s is read as it was written', (phase) => {
    expect(formatPhase(phase)).toBe(`${phase}\n`);
    expect(readPhase(formatPhase(phase), place)).toEqual({ value: phase, diagnostics: [] });
    expect(readPhase(` \r\n${phase}`, place).value).toBe(phase);
  });

  test('with an unknown word causes an error that lists the nine known phases', () => {
    const { value, diagnostics } = readPhase(`wrok ${'x'.repeat(100)}`, place);
    expect(value).toBeUndefined();
    for (const phase of phases) expect(diagnostics[0]?.message).toContain(phase);
    expect(diagnostics[0]?.message).toContain('"wrok x');
    expect(diagnostics[0]?.message).not.toContain('x'.repeat(50));
    expect(readPhase('compact', place).value).toBeUndefined();
  });
});
