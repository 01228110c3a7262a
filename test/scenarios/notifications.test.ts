import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordNotifications } from '../support/notifyCommand.ts';
import { makeReflectWorld, runOptionsOf } from '../support/phaseWorld.ts';
import { makeRehearsalPlace } from '../support/rehearsals.ts';
import { runRavel } from '../support/runProgram.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

async function configure(world: World, text: string): Promise<void> {
  const folder = join(world.environment['HOME'] ?? '', '.config', 'ravel');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.toml'), text);
}

test('the owner tells the person by their own program that a phase failed, as JSON', async () => {
  const world = await makeReflectWorld([{ exit: 3 }]);
  // To read a pipe waits for the program that writes into it.
  const pipe = join(world.root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await configure(world, `[notify]\ncommand = ["sh", "-c", "cat > ${pipe}"]\n`);
  const { core } = await startCore(world);
  const told = readFile(pipe, 'utf8');
  expect((await core.api.request('run_phase', runOptionsOf(world))).end).toBe('failed');
  expect(JSON.parse(await told)).toMatchObject({
    ...{ kind: 'phase-failed', plan: world.plan, title: `reflect of ${world.plan} failed` },
    ...{ text: expect.stringContaining('code 3'), command: `ravel retry ${world.plan}` },
  });
});

test('a rehearsal tells the person nothing, although its run ends with a question', async () => {
  const world = await makeReflectWorld([{ finish: { outcome: 'needs-input', summary: 'Which colour?' } }]);
  const told = await recordNotifications(world);
  const place = await makeRehearsalPlace(world);
  const { report, stderr } = await place.rehearse('--scenario', world.scenario);
  expect({ questions: report?.questions.length, stderr }).toEqual({ questions: 1, stderr: '' });
  expect(await told()).toEqual([]);
});

test('a vault cannot name a program that is told: the settings of a vault do not know the table', async () => {
  const world = await makeWorld({ settings: '[notify]\ncommand = "/bin/false"\n' });
  const { core } = await startCore(world);
  const { diagnostics } = await core.api.request('settings', {});
  expect(diagnostics).toMatchObject([{ code: 'vault/unknownSetting', message: expect.stringContaining('notify') }]);
});

test.each<[string, string, RegExp]>([
  ['a program that failed', '[notify]\ncommand = "beep"\n', /beep ended with code 1/],
  ['a bad value', '[notify]\nquiet-hours = "late"\n', /"quiet-hours".*such as "22:00-07:00"/],
  ['an unknown key', '[notify]\ndekstop = true\n', /unknown key "dekstop".*command, desktop, kinds, quiet-hours/],
  ['a relative path', '[notify]\ncommand = "bin/beep"\n', /a path has to be absolute/],
])('the doctor names %s, and the owner works all the same', async (_title, text, expected) => {
  const world = await makeWorld();
  await configure(world, text);
  const problem = { at: '2026-01-02T03:04:05Z', message: 'beep ended with code 1.' };
  await writeFile(join(world.vault, 'runtime/notifications.json'), JSON.stringify({ told: [], held: [], problem }));
  const { core } = await startCore(world);
  const { checks } = await core.api.request('doctor', {});
  expect(checks.filter(({ check }) => check === 'notifications')).toMatchObject([
    { severity: 'warning', message: expect.stringMatching(expected) },
  ]);
});

test('ravel notify test sends one, and says how to begin or what went wrong', async () => {
  const world = await makeWorld();
  const environment = world.environment;
  expect(await runRavel(['notify', 'test'], { environment })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/notify\/off[\s\S]*desktop = true/),
  });
  const out = join(world.root, 'out');
  await configure(world, `[notify]\ncommand = ["sh", "-c", "cat > ${out}"]\n`);
  expect(await runRavel(['notify', 'test'], { environment })).toMatchObject({
    code: 0,
    stdout: 'One notification is sent.\n',
  });
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ kind: 'test', title: 'Ravel' });
  await configure(world, '[notify]\ncommand = "/nowhere/beep"\n');
  expect(await runRavel(['notify', 'test'], { environment })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/notify\/failed[\s\S]*\/nowhere\/beep could not be started/),
  });
});
