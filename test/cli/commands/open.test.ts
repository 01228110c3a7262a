import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { createFakePorts } from '../fakePorts.ts';
import { sampleSession, sampleStatus } from '../samples.ts';

const other = sampleSession.replace(/S1$/, 'S2');
const rows = [sampleSession, other].map((approval) => ({ approval, kind: 'needs-input', subject: 'x', createdAt: '' }));
const handlers = {
  status({ plan }: { plan: string }) {
    if (plan.includes('/')) throw failure('plan/badId', plan, 'It names no plan.');
    if (plan !== 'demo') throw failure('plan/unknown', plan, 'There is no such plan.');
    return sampleStatus();
  },
  approvals: () => ({ approvals: rows, diagnostics: [] }),
  approval: ({ approval }: { approval: string }) => ({ file: `/vault/runtime/approvals/${approval}.yaml` }),
  entry({ entry }: { entry: string }) {
    if (entry !== 'Pin it' && entry !== 'TCP/IP') throw failure('entry/unknown', entry, 'There is no such entry.');
    return { row: { file: '/vault/knowledge/pin-it.md' } };
  },
} as unknown as FakeHandlers;

async function openIn(args: readonly string[], environment: Readonly<Record<string, string>> = { EDITOR: 'vi' }) {
  const ports = await createFakePorts(handlers, { environment, edit: async () => 0 });
  const code = await runCommandLine(['open', ...args], ports);
  return { code, stderr: ports.written.stderr, edited: ports.asked.filter((one) => one.startsWith('edit ')) };
}

test.each<[string, readonly string[], string]>([
  ['the vault', [], 'edit vault with vi'],
  ['a plan', ['demo'], 'edit plan-state.md with vi'],
  ['a question by the end of its id', ['00s2'], `edit ${other}.yaml with vi`],
  ['an entry', ['Pin it'], 'edit pin-it.md with vi'],
  ['an entry whose title has a slash', ['TCP/IP'], 'edit pin-it.md with vi'],
  ['it in a named editor', ['demo', '--editor', 'emacsclient -n'], 'edit plan-state.md with emacsclient -n'],
])('ravel open opens %s', async (_title, args, expected) => {
  expect(await openIn(args)).toMatchObject({ code: 0, edited: [expected] });
});

test('code on PATH comes before the editor of the environment', async () => {
  const bin = join(await makeTemporaryDirectory(), 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'codium'), '');
  await chmod(join(bin, 'codium'), 0o755);
  expect(await openIn([], { PATH: bin, VISUAL: 'vi' })).toMatchObject({ edited: ['edit vault with codium'] });
});

test.each<[string, readonly string[], number, RegExp]>([
  ['an unknown name', ['nothing'], 3, /No plan, open question or entry of this vault is called "nothing"/],
  [
    'an unknown name with a slash',
    ['no/thing'],
    3,
    /No plan, open question or entry of this vault is called "no\/thing"/,
  ],
  ['an editor without a name', ['demo', '--editor', ' '], 2, /--editor takes a command/],
  ['a part of two ids', ['01HZY'], 2, /2 open questions have an id like "01HZY"/],
])('ravel open refuses %s', async (_title, args, code, expected) => {
  expect(await openIn(args)).toMatchObject({ code, stderr: expect.stringMatching(expected), edited: [] });
});

test('without an editor it says how to get one', async () => {
  const { code, stderr } = await openIn([], { PATH: '/nowhere' });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/Neither code nor codium[\s\S]*Shell Command: Install/)]);
});
