import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { finishDone, formatScenario, runOptionsOf, type Steps, setScenario } from '../support/phaseWorld.ts';
import { runRavel } from '../support/runProgram.ts';
import { startCore } from '../support/world.ts';

const edits: Steps = [
  { edit: { path: 'greet.mjs', content: 'export const greet = 1;\n' } },
  { edit: { path: 'src/new.mjs', content: 'export {};\n' } },
  { edit: { path: 'mine.txt', content: 'the session wrote over it\n' } },
];

async function makeEnded(work: Steps) {
  const world = await makeCycleWorld({ scenario: formatScenario({ work }) });
  await world.git('add', '--all');
  await world.git('commit', '--quiet', '--message=A plan');
  await world.write('mine.txt', 'not committed\n');
  const { core } = await startCore(world);
  const before = await world.read('greet.mjs');
  await core.api.request('run_phase', runOptionsOf(world));
  const leftOf = async () =>
    (await core.api.request('changes', { plan: world.plan })).left?.map(({ path, now }) => `${path} ${now}`);
  return { world, core, before, leftOf };
}

const left = ['greet.mjs left', 'mine.txt left', 'src/new.mjs left'];

test.each<[string, Steps, boolean]>([
  ['crashed', [...edits, { crash: 'SIGSEGV' }], true],
  ['crashed', [...edits, { crash: 'SIGSEGV' }], false],
  ['asked a question', [...edits, { finish: { outcome: 'needs-input', summary: 'Which colour?' } }], false],
])('what work changed is put back after it %s', { timeout: 60_000 }, async (_name, work, isDismissed) => {
  const { world, core, before, leftOf } = await makeEnded(work);
  const { plan } = world;
  if (isDismissed) await core.api.request('dismiss', { plan });
  expect(await leftOf()).toEqual(left);
  const { sets } = await core.api.request('changes', { plan });
  expect(sets.find(({ kind }) => kind === 'source')?.fileCount).toBe(3);
  const shown = { plan, session: (await core.api.request('changes', { plan })).session, set: 'source' };
  expect(await core.api.request('changed_file', { ...shown, path: 'mine.txt', side: 'before' })).toMatchObject({
    text: 'not committed\n',
  });
  const done = await core.api.request('put_back', { plan, to: 'before' });
  expect(done).toMatchObject({ done: ['greet.mjs', 'mine.txt', 'src/new.mjs'], refused: [] });
  expect(await world.read('greet.mjs')).toBe(before);
  expect(await world.read('mine.txt')).toBe('not committed\n');
  expect(await world.git('status', '--porcelain', '--', ':!ravel')).toBe('?? mine.txt\n');
  expect(await leftOf()).toEqual(['greet.mjs before', 'mine.txt before', 'src/new.mjs before']);
  await core.api.request('put_back', { plan, to: 'after', paths: ['mine.txt'] });
  expect(await world.read('mine.txt')).toBe('the session wrote over it\n');
});

test('nothing is recorded any more once work is finished, and a running phase is left alone', {
  timeout: 60_000,
}, async () => {
  const { world, core, leftOf } = await makeEnded([...edits, { exit: 3 }]);
  const { plan } = world;
  expect(await leftOf()).toEqual(left);
  await setScenario(world, { work: [finishDone] });
  await core.api.request('retry', { plan });
  expect(await leftOf()).toBeUndefined();
  expect(await failureOf(() => core.api.request('put_back', { plan, to: 'before' }))).toMatchObject({
    code: 'source/notRecorded',
  });
});

test('the command line lists what can be put back, puts it back and undoes it', { timeout: 60_000 }, async () => {
  const { world, before } = await makeEnded([...edits, { exit: 3 }]);
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const run = (...args: string[]) => runRavel(['changes', 'greeter', ...args], { environment });
  expect((await run('--stat')).stdout).toContain(
    '3 files can be put back: `ravel changes greeter/project-root --put-back PATH`, or `--put-back --all`.',
  );
  await writeFile(join(world.project, 'src/new.mjs'), 'mine now\n');
  expect(await run('--put-back', './greet.mjs')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ greet\.mjs .*\nTo undo this: `ravel changes .* --undo-put-back greet\.mjs`\.\n$/),
  });
  expect(await world.read('greet.mjs')).toBe(before);
  const all = await run('--put-back', '--all');
  expect(all).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('✗ src/new.mjs  left as it is: it was changed'),
  });
  expect(await world.read('src/new.mjs')).toBe('mine now\n');
  expect((await run('--stat')).stdout).toContain('src/new.mjs: changed after the session, so it stays as it is');
  expect((await run('--undo-put-back', 'greet.mjs')).code).toBe(0);
  expect(await world.read('greet.mjs')).toBe('export const greet = 1;\n');
  for (const args of [
    ['--put-back'],
    ['--all'],
    ['--put-back', 'a', '--undo-put-back', 'b'],
    ['--put-back', 'a', '--all'],
  ])
    expect((await run(...args)).code, args.join(' ')).toBe(2);
});
