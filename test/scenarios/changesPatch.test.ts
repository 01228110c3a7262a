import { chmod, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { diffOf, patchOf } from '../../src/cli/render/sessionChanges.ts';
import type { ChangedText } from '../../src/model/requests/inspect.ts';
import { runHere } from '../support/commandHere.ts';
import { backlogOf, done, runPhase, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** A file as a text, a program, a link or nothing. */
type Made = string | { readonly program: string } | { readonly link: string } | undefined;

const odd: readonly (readonly [path: string, before: Made, after: Made])[] = [
  ['crlf.txt', 'one\r\ntwo\r\nthree', 'one\r\n2\r\nthree\r\n'],
  ['a b/with blanks.txt', 'a\n', 'b\n'],
  ['new with blank.txt', undefined, 'new\n'],
  ['q"uo\\te.txt', 'a\n', 'b\n'],
  ['tab\there.txt', 'a\n', undefined],
  ['line\nbreak.txt', undefined, 'a\n'],
  ['straße/日本.txt', 'a\n', 'ä\n'],
  ['run.sh', 'echo 1\n', { program: 'echo 1\n' }],
  ['new.sh', undefined, { program: '#!/bin/sh\n' }],
  ['old.sh', { program: 'echo 2\n' }, undefined],
  ['empty.txt', undefined, ''],
  ['gone.txt', '', undefined],
  ['there', { link: 'run.sh' }, { link: 'new.sh' }],
  ['becomes a link', 'text\n', { link: 'run.sh' }],
  ['becomes a file', { link: 'run.sh' }, 'text\n'],
  ['unseen.txt', 'a\n', 'a\u202eb\u0007\n'],
];

async function put(directory: string, path: string, made: Made): Promise<void> {
  const file = join(directory, path);
  await rm(file, { force: true });
  if (made === undefined) return;
  await mkdir(dirname(file), { recursive: true });
  if (typeof made === 'object' && 'link' in made) return symlink(made.link, file);
  await writeFile(file, typeof made === 'string' ? made : made.program);
  await chmod(file, typeof made === 'string' ? 0o644 : 0o755);
}

async function read(directory: string, path: string): Promise<Made> {
  const file = join(directory, path);
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return { link: await readlink(file) };
  const text = await readFile(file, 'utf8');
  return (found.mode & 0o100) === 0 ? text : { program: text };
}

function sideOf(made: Made): ChangedText {
  const side = { isThere: made !== undefined, isBinary: false, isCut: false };
  if (made === undefined || typeof made === 'string') return { ...side, text: made ?? '' };
  return 'link' in made
    ? { ...side, text: made.link, kind: 'symlink' }
    : { ...side, text: made.program, kind: 'executable' };
}

test('git applies the patch of files with odd names, CRLF, modes and links, forwards and backwards', async () => {
  const world = await makeWorld();
  for (const [path, before] of odd) await put(world.project, path, before);
  const { text, left } = patchOf(odd.map(([path, before, after]) => diffOf('s', path, sideOf(before), sideOf(after))));
  expect(left).toEqual([]);
  const file = join(world.root, 'session.patch');
  await writeFile(file, text);
  await world.git('apply', file);
  for (const [path, , after] of odd) expect(await read(world.project, path), path).toEqual(after);
  await world.git('apply', '--reverse', file);
  for (const [path, before] of odd) expect(await read(world.project, path), path).toEqual(before);
});

test('a patch leaves out what is not text or is cut, and says which', () => {
  const binary: ChangedText = { text: '', isThere: true, isBinary: true, isCut: false };
  const cut: ChangedText = { text: 'a\n', isThere: true, isBinary: false, isCut: true };
  const whole = diffOf('s', 'a.txt', sideOf('a\n'), sideOf('b\n'));
  const diffs = [diffOf('s', 'logo.png', binary, binary), whole, diffOf('s', 'long.txt', cut, cut)];
  expect(patchOf(diffs)).toEqual({ text: `${whole.lines.join('\n')}\n`, left: ['logo.png', 'long.txt'] });
});

/** A program can only read the standard output of the command as it is. */
async function patchOfSession(world: World): Promise<{ readonly file: string; readonly stderr: string }> {
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const { code, stdout, stderr } = await runHere(['changes', 'greeter', '--patch'], { environment });
  expect(code).toBe(0);
  const file = join(world.root, 'session.patch');
  await writeFile(file, stdout);
  return { file, stderr };
}

test('ravel changes --patch gives git the changes of a session to take back, byte for byte', async () => {
  const world = await makeWorld({
    files: { 'crlf.txt': 'one\r\ntwo\r\n', 'a b.txt': 'a\n' },
    plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
    scenario: scenarioText({
      work: [
        { edit: { path: 'crlf.txt', content: 'one\r\n2\r\n' } },
        { edit: { path: 'a b.txt', content: 'b\u202e\n' } },
        { edit: { path: 'say "ä".txt', content: 'no line end' } },
        done,
      ],
    }),
  });
  const { core } = await startCore(world);
  await runPhase(core, world);
  const { file } = await patchOfSession(world);
  await world.git('apply', '--reverse', file);
  expect(await read(world.project, 'crlf.txt')).toBe('one\r\ntwo\r\n');
  expect(await read(world.project, 'a b.txt')).toBe('a\n');
  expect(await read(world.project, 'say "ä".txt')).toBeUndefined();
});

test('a file whose name is not UTF-8 is left out of the patch and named', async () => {
  const world = await makeWorld({
    plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
    scenario: scenarioText({ work: [{ edit: { path: 'plain.txt', content: 'text\n' } }, done] }),
  });
  const { core } = await startCore(world);
  await runPhase(core, world);
  const name = Buffer.concat([Buffer.from(`${world.project}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]);
  // Some file systems take no such name.
  const isTaken = await writeFile(name, 'latin\n').then(
    () => true,
    () => false,
  );
  if (!isTaken) return;
  const { file, stderr } = await patchOfSession(world);
  expect(stderr).toMatch(/Not in the patch, .*name that is not UTF-8: caf\ufffd\.txt\./);
  expect(await readFile(file, 'utf8')).toMatch(/^diff --git (?![\s\S]*caf)/);
  await world.git('apply', '--reverse', file);
  expect(await read(world.project, 'plain.txt')).toBeUndefined();
});
