import { expect, test } from 'vitest';
import { localTime } from '../../../src/base/localTime.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { planFiles } from '../../../src/model/plan.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts } from '../fakePorts.ts';

const plan = toQualifiedId('shop/project-root/cart');
const at = '2026-01-02T03:04:05Z';
const [id, other] = ['4f2a90c1'.repeat(5), '9be0d7a2'.repeat(5)];

async function run(handlers: FakeHandlers, ...args: string[]) {
  const ports = await createFakePorts({ status: () => ({ plan }) as never, ...handlers });
  const code = await runCommandLine(args, ports);
  return { code, ...ports.written };
}

test('snapshots are listed newest first, with the state that the plan is in', async () => {
  const rows = [
    { id, commit: 'a'.repeat(40), at, title: 'After \u001b[2Jtriage', isNow: true },
    { id: other, commit: 'b'.repeat(40), at, title: 'After work', isNow: false },
  ];
  const { stdout } = await run({ snapshots: () => ({ plan, snapshots: rows }) }, 'snapshots', 'cart');
  expect(stdout.split('\n').slice(1, 3)).toEqual([
    `4f2a90c14f2a  ${localTime(at)}  aaaaaaaa  now  After [2Jtriage`,
    `9be0d7a29be0  ${localTime(at)}  bbbbbbbb       After work`,
  ]);
  expect(stdout).toContain('\n  ravel snapshots shop/project-root/cart --diff 9be0d7a29be0   what going back');
  expect(stdout).toContain('\n  ravel rollback shop/project-root/cart --to 9be0d7a29be0   ');
  const edited = rows.map((row) => ({ ...row, isNow: false }));
  const changed = await run({ snapshots: () => ({ plan, snapshots: edited }) }, 'snapshots', 'cart');
  expect(changed.stdout).toContain('it has changes that no commit has');
  const none = await run({ snapshots: () => ({ plan, snapshots: [] }) }, 'snapshots', 'cart');
  expect(none.stdout).toBe(`No commit has a state of ${plan} yet. Each phase that commits makes one.\n`);
});

test('what going back would change is a diff', async () => {
  const files = [
    { file: planFiles.phase, before: 'triage\n', after: 'work\n' },
    { file: planFiles.memory, after: 'a\n' },
  ];
  const { stdout } = await run(
    { compare_snapshot: () => ({ plan, snapshot: id, files }) },
    ...['snapshots', 'cart', '--diff', '4f2a'],
  );
  expect(stdout).toBe(
    [
      ...['--- now/phase.md', '+++ 4f2a90c14f2a/phase.md', '@@ -1,1 +1,1 @@', '-triage', '+work'],
      ...['--- /dev/null', '+++ 4f2a90c14f2a/memory.yaml', '@@ -0,0 +1,1 @@', '+a', ''],
    ].join('\n'),
  );
});

test('a rollback without a snapshot names the command that lists them', async () => {
  const { code, stderr } = await run({}, 'rollback', 'cart');
  expect(code).toBe(2);
  expect(stderr).toContain('Say with --to which snapshot to go back to.');
  expect(stderr).toContain('`ravel snapshots cart` lists them');
});

test('a rollback says what it put back, what it left, and the command that undoes it', async () => {
  const asked: unknown[] = [];
  const { code, stdout } = await run(
    {
      roll_back(params) {
        asked.push(params);
        return {
          ...{ plan, snapshot: id, before: other, files: [planFiles.backlog], kept: [planFiles.memory] },
          uncommitted: 'A hook refused it.',
        };
      },
    },
    ...['rollback', 'cart', '--to', '4f2a'],
  );
  expect(asked).toEqual([{ plan: 'cart', snapshot: '4f2a' }]);
  expect([code, stdout]).toEqual([
    0,
    [
      `Put ${plan} back as it was at 4f2a90c14f2a: backlog.yaml.`,
      'Saved by you at the same moment, and left as saved: memory.yaml.',
      'It is not committed yet; the next phase commits it. A hook refused it.',
      `To undo this: \`ravel rollback ${plan} --to 9be0d7a29be0\`.`,
      '',
    ].join('\n'),
  ]);
  const same = await run(
    { roll_back: () => ({ plan, snapshot: id, files: [], kept: [] }) },
    ...['rollback', 'cart', '--to', '4f2a'],
  );
  expect(same.stdout).toBe(`${plan} is in this state already; nothing was changed.\n`);
});
