import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { RequestParams, RequestResults } from '../../../src/model/protocol.ts';
import { createFakePorts } from '../fakePorts.ts';

const found: RequestResults['search'] = {
  hits: [
    {
      ...{ in: 'memory', plan: toQualifiedId('shop/project-root'), id: 'slots', title: 'Refunds wait' },
      ...{ line: 'A refund waits for a slot.', score: 3.25, file: '/vault/memory.yaml', tags: [], bytes: 40 },
      parts: [{ kind: 'word', name: 'refund', score: 3.25 }],
    },
  ],
  ...{ skipped: 2, entries: 12, isUpdating: false, diagnostics: [] },
};

async function run(args: readonly string[], result = found) {
  const asked: RequestParams<'search'>[] = [];
  const ports = await createFakePorts({
    search: (params) => {
      asked.push(params);
      return result;
    },
  });
  return { code: await runCommandLine(['search', ...args], ports), ...ports.written, asked };
}

test('ravel search prints each entry with its place, and what did not fit', async () => {
  const { code, stdout } = await run(['refund']);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'Refunds wait',
    '  score 3.25, memory shop/project-root slots',
    '  A refund waits for a slot.',
    '2 entries did not fit within --bytes.',
    '',
  ]);
});

test('ravel search names a plan that it found once', async () => {
  const id = toQualifiedId('shop/project-root');
  const hits = found.hits.map((hit) => ({ ...hit, in: 'plans', plan: id, id, kind: 'plan' }) as const);
  const { stdout } = await run(['refund'], { ...found, hits });
  expect(stdout).toContain('\n  score 3.25, plans shop/project-root (plan)\n');
});

test('ravel search --explain prints what gave the score, without parts that would read 0.00', async () => {
  const hits = found.hits.map((hit) => ({
    ...hit,
    parts: [...hit.parts, { kind: 'word', name: 'a', score: -0.004 } as const],
  }));
  const { stdout } = await run(['refund', '--explain'], { ...found, hits });
  expect(stdout).toContain('    +3.25 word refund\n');
  expect(stdout).not.toContain('0.00');
});

test('ravel search hands its options on, each as often as it is given', async () => {
  const options = [
    '--in',
    'memory',
    '--in',
    'plans',
    '--tag',
    'a',
    '--kind',
    'bug',
    '--status',
    'done',
    '--limit',
    '3',
  ];
  const { asked } = await run(['two', 'words', ...options, '--bytes', '900', '--plan', 'shop']);
  expect(asked).toEqual([
    expect.objectContaining({
      ...{ query: 'two words', in: ['memory', 'plans'], tags: ['a'], kinds: ['bug'], statuses: ['done'] },
      ...{ limit: 3, bytes: 900, plan: 'shop', fresh: true },
    }),
  ]);
});

test('ravel search spells out what a terminal would act on', async () => {
  const title = 'a\u202eb\u001b[2J\u0007';
  const [hit] = found.hits;
  const { stdout } = await run(['x'], {
    ...found,
    hits: hit === undefined ? [] : [{ ...hit, title, line: title, id: title }],
  });
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  expect(stdout).toContain('a\\u{202e}b');
});

test('ravel search says that nothing matches, and what was not read', async () => {
  const problem = diagnostic('search/unread', '/vault', '3 files cannot be read, so what they hold is not found.');
  const { code, stdout } = await run(['x'], { ...found, hits: [], diagnostics: [problem] });
  expect([code, stdout]).toEqual([0, expect.stringContaining('No match among 12 entries.')]);
  expect(stdout).toContain('3 files cannot be read');
});
