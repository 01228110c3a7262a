import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Diagnostic } from '../../src/base/errors.ts';
import { connect } from '../../src/server/client.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { makeWorld, startCore } from '../support/world.ts';

const task = (n: number, description = 'Do it.') =>
  `- id: task-${n}\n  title: Task ${n}\n  category: core\n  status: not_started\n  dependencies: []\n  description: |\n    ${description}\n`;

/** A valid plan of the older program. */
const sound: Readonly<Record<string, string>> = {
  'phase.md': 'work\n',
  'backlog.yaml': `tasks:\n${task(1)}`,
  'memory.yaml': 'entries: []\n',
};

/** A vault with its owner, a client of it, and a folder to import. */
async function makeSource(files: Readonly<Record<string, string | Buffer>> = sound) {
  const world = await makeWorld();
  const { core } = await startCore(world);
  const client = await connect({ socketPath: core.socketPath, clock: systemClock });
  onTestFinished(() => client.close());
  const directory = join(world.root, 'old');
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  };
  mkdirSync(directory);
  for (const [path, content] of Object.entries(files)) write(path, content);
  const plan = `${world.plan}/core`;
  const run = (description = 'Was kept by another program') =>
    client.request('import', { directory, plan, description });
  return { world, client, directory, plan, write, run, made: join(world.planDirectory, 'core') };
}

type Source = Awaited<ReturnType<typeof makeSource>>;
type Refusal = readonly [name: string, spoil: (source: Source) => unknown, code: string, message: RegExp];

const refusals: readonly Refusal[] = [
  [
    'a YAML bomb',
    ({ write }) => write('memory.yaml', 'a: &a [x, x]\nentries: [*a, *a]\n'),
    'yaml/bomb',
    /anchor|alias/i,
  ],
  ['a file indented by tabs', ({ write }) => write('memory.yaml', 'entries:\n\t- id: a\n'), 'yaml/syntax', /tab/i],
  [
    'half a backlog',
    ({ write }) => write('backlog.yaml', `tasks:\n${task(1).slice(0, 40)}`),
    'yaml/schema',
    /category/,
  ],
  [
    'a file that ends inside a character',
    ({ write }) => write('memory.yaml', Buffer.from([0x23, 0xc3])),
    'yaml/encoding',
    /UTF-8/,
  ],
  [
    'a file full of NULs',
    ({ write }) => write('memory.yaml', Buffer.alloc(4096)),
    'yaml/schema',
    /it has to be a mapping/,
  ],
  [
    'a symlink that leads out of it',
    ({ directory, world }) => symlinkSync(join(world.root, 'home'), join(directory, 'notes')),
    'import/badSource',
    /leads out/,
  ],
  [
    'a loop of symlinks',
    ({ directory }) => symlinkSync('notes', join(directory, 'notes')),
    'import/badSource',
    /nowhere/,
  ],
  [
    'a plan id that is taken',
    ({ client, plan }) => client.request('create', { plan, description: 'Is there' }),
    'plan/exists',
    /already/,
  ],
];

test.each(refusals)(
  'import refuses a folder with %s, names the reason, and changes nothing',
  async (_name, spoil, code, message) => {
    const source = await makeSource();
    await spoil(source);
    const before = [listTree(source.world.project), listTree(source.directory)];
    const problem: Diagnostic = await failureOf(() => source.run());
    expect(problem).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(problem.help).not.toBe('');
    expect([listTree(source.world.project), listTree(source.directory)]).toEqual(before);
  },
);

test('import refuses a description with an escape character, and changes nothing', async () => {
  const { world, run } = await makeSource();
  const before = listTree(world.project);
  expect(await failureOf(() => run('Clears\u001b[2J the screen'))).toMatchObject({ code: 'plan/badDescription' });
  expect(listTree(world.project)).toEqual(before);
});

test('Windows line ends and a byte order mark are imported byte for byte and kept by later edits', async () => {
  const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;
  const { client, plan, run, made } = await makeSource({
    'phase.md': 'work\r\n',
    'backlog.yaml': windows(`tasks:\n${task(1)}`),
    'memory.yaml': windows('entries: []\n'),
  });
  expect(await run()).toMatchObject({ tasks: 1 });
  expect(readFileSync(join(made, 'backlog.yaml'), 'utf8')).toBe(windows(`tasks:\n${task(1)}`));
  await client.request('state', { plan, verb: 'backlog/add', args: { title: 'Purr', category: 'core' } });
  const text = readFileSync(join(made, 'backlog.yaml'), 'utf8');
  expect(text.startsWith(windows(`tasks:\n${task(1)}`))).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
});

test('a backlog of ten megabytes is imported byte for byte, and one of its tasks can be shown', {
  timeout: 120_000,
}, async () => {
  const count = 26_000;
  const words = 'word '.repeat(60).trim();
  const text = `tasks:\n${Array.from({ length: count }, (_, n) => task(n, words)).join('')}`;
  expect(text.length).toBeGreaterThan(10 * 1024 * 1024);
  const { client, plan, run, made } = await makeSource({ ...sound, 'backlog.yaml': text });
  expect(await run()).toMatchObject({ tasks: count });
  expect(readFileSync(join(made, 'backlog.yaml'), 'utf8')).toBe(text);
  const shown = await client.request('state', { plan, verb: 'backlog/show', args: { id: 'task-25999' } });
  expect(shown.result).toMatchObject({ title: 'Task 25999' });
});
