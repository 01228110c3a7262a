import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import type { ApprovalPage, ApprovalRow } from '../../../src/model/requests/approvals.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { createFakePorts, type FakeOptions, jsonLines } from '../fakePorts.ts';
import { samplePlan, sampleReport, sampleRow, sampleStatus } from '../samples.ts';

const ids = ['01M7X4TZFWPVQT6PFG4SYTAAAA', '01M7X4TZFWPVQT6PFG4SYTBBBB'] as Ulid[];

function row(approval: Ulid, changes: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    ...{ approval, kind: 'merge-conflict', plan: samplePlan, subject: 'reflect of demo: Both.', contentHash: 'abcdef' },
    ...{ createdAt: '2026-01-02T03:04:05Z', options: ['session', 'person'], decisions: ['accept', 'edit', 'reject'] },
    ...changes,
  };
}

const form = '# Both sides\nresult: mine\n';

function page(approval: Ulid): ApprovalPage {
  return {
    ...row(approval),
    ...{ asks: 'You both did.', shown: 'both sides', details: {}, form, file: '/vault/a.yaml' },
    answers: [
      { decision: 'accept', option: 'session', does: 'Takes theirs.' },
      { decision: 'reject', does: 'Drops it.' },
    ],
  };
}

/** A vault in which these approvals wait, and what was decided in it. */
function waiting(rows: readonly ApprovalRow[], more: FakeHandlers = {}) {
  const decided: RequestParams<'decide'>[] = [];
  const handlers: FakeHandlers = {
    status: ({ plan }) => {
      if (plan !== samplePlan && plan !== 'demo') throw failure('plan/unknown', plan, `There is no plan ${plan}.`);
      return sampleStatus();
    },
    approvals: () => ({ approvals: rows, diagnostics: [] }),
    list: () => ({ plans: [], diagnostics: [] }),
    approval: ({ approval }) => page(approval as Ulid),
    decide: (params) => {
      decided.push(params);
      const { decision } = params;
      return {
        approval: params.approval as Ulid,
        plan: samplePlan,
        decision,
        did: 'It is done.',
        report: sampleReport(),
      };
    },
    ...more,
  };
  return { handlers, decided };
}

async function check(
  args: readonly string[],
  handlers: FakeHandlers,
  expected: { readonly code?: number; readonly stdout?: readonly string[]; readonly stderr?: string },
  options: FakeOptions = {},
) {
  const ports = await createFakePorts(handlers, options);
  const temporaryDirectory = await makeTemporaryDirectory();
  expect(await runCommandLine(['approvals', ...args], { ...ports, temporaryDirectory })).toBe(expected.code ?? 0);
  for (const text of expected.stdout ?? []) expect(ports.written.stdout).toContain(text);
  expect(ports.written.stderr).toContain(expected.stderr ?? '');
  return { ports, temporaryDirectory };
}

const other = toQualifiedId('shop/project-root');
const [first, second] = ids.map((id) => row(id)) as [ApprovalRow, ApprovalRow];

describe('an approval that waits', () => {
  test('is listed by ravel approvals, with and without "list"', async () => {
    const { handlers } = waiting([first, second]);
    for (const args of [[], ['list'], ['list', 'demo']]) {
      await check(args, handlers, { stdout: ['2 questions for you', first.approval, 'reflect of demo: Both.'] });
    }
    await check([], waiting([]).handlers, { stdout: ['Nothing needs your attention.'] });
  });

  test('is shown beside phases that did not finish, each with the commands that continue it', async () => {
    const plans = [
      sampleRow({ waiting: 'Somebody edited it too.' }),
      sampleRow({ plan: other, waiting: 'It crashed.' }),
    ];
    const list: FakeHandlers['list'] = (params) => {
      expect(params).toEqual({ waiting: true });
      return { plans, diagnostics: [] };
    };
    const stdout = [
      '1 phase did not finish',
      `${other}  work`,
      'It crashed.',
      `\`ravel retry ${other}\``,
      '1 question',
    ];
    const { ports } = await check([], waiting([first], { list }).handlers, { stdout });
    expect(ports.written.stdout).not.toContain('Somebody edited it too.');
    await check([], waiting([], { list }).handlers, { stdout: ['2 phases did not finish'] });
    const { ports: asJson } = await check(['--json'], waiting([first], { list }).handlers, {});
    const unfinished = [{ plan: other, phase: 'work', reason: 'It crashed.' }];
    expect(jsonLines(asJson.written.stdout)).toMatchObject([{ result: { unfinished } }]);
  });

  test('is searched by kind and plan', async () => {
    const seen: unknown[] = [];
    const approvals: FakeHandlers['approvals'] = (params) => {
      seen.push(params);
      return { approvals: [], diagnostics: [] };
    };
    await check(['list', 'demo', '--kind', 'needs-input'], { approvals }, {});
    expect(seen).toEqual([{ plan: 'demo', kind: 'needs-input' }]);
    await check(['list', '--kind', 'mood'], { approvals }, { code: 2, stderr: 'There is no kind "mood"' });
  });

  test('is shown whole, with the command for each answer', async () => {
    const { handlers } = waiting([first]);
    const stdout = [
      'You both did.',
      '│ both sides',
      `ravel approvals accept ${first.approval} --option session`,
      'Takes theirs.',
    ];
    await check(['show'], handlers, { stdout });
    const { ports } = await check(['show', '--json'], handlers, {});
    expect(jsonLines(ports.written.stdout)).toMatchObject([
      { result: { approval: first.approval, shown: 'both sides' } },
    ]);
  });
});

describe('ravel approvals reject', () => {
  test.each([
    ['by its id', first.approval],
    ['by the end of its id, in any case', 'sytaaaa'],
    ['by its plan', 'demo'],
    ['without a name if it is the only one', undefined],
  ])('finds an approval %s', async (_name, named) => {
    const only = named === 'demo' || named === undefined ? [first] : [first, second];
    const { handlers, decided } = waiting(only);
    await check(['reject', ...(named === undefined ? [] : [named])], handlers, {});
    expect(decided).toEqual([{ approval: first.approval, contentHash: 'abcdef', decision: 'reject' }]);
  });

  test.each([
    ['01M7X4TZ', 2, 'There are 2 open questions with an id like "01M7X4TZ"'],
    ['demo', 2, `There are 2 open questions of ${samplePlan}`],
    ['elsewhere', 3, 'There is no open question with the id "elsewhere"'],
    ['AAA', 3, 'There is no open question with the id "AAA"'],
  ])('decides nothing if the name is %s', async (named, code, stderr) => {
    const { handlers, decided } = waiting([first, second]);
    await check(['reject', named], handlers, { code, stderr });
    expect(decided).toEqual([]);
  });

  test('ravel approvals show passes on why an approval does not wait any more', async () => {
    const approval: FakeHandlers['approval'] = () => {
      throw failure('approval/decided', second.approval, 'ada accepted it.');
    };
    await check(['show', second.approval], waiting([first], { approval }).handlers, {
      code: 5,
      stderr: 'ada accepted it.',
    });
  });
});

describe('a decision', () => {
  const base = { approval: first.approval, contentHash: 'abcdef' };

  test.each([
    [['accept', '--option', 'session', '--reason', 'Why'], { decision: 'accept', option: 'session', reason: 'Why' }],
    [['accept', '--answer', 'Blue'], { decision: 'accept', text: 'Blue' }],
    [['accept', '--answer', '-'], { decision: 'accept', text: 'from the pipe' }],
    [['edit', '--from', '-'], { decision: 'edit', text: 'from the pipe' }],
    [['reject', '--hash', 'abc'], { decision: 'reject' }],
  ] as const)('is sent as the command says: %j', async (args, expected) => {
    const { handlers, decided } = waiting([first]);
    await check(args, handlers, { stdout: ['It is done.', 'a1b2c3d4 Fix the crash'] }, { stdin: 'from the pipe' });
    expect(decided).toEqual([{ ...base, ...expected }]);
  });

  test('exits with the code of its phase, and says how to continue', async () => {
    const report = sampleReport({ end: 'waiting', approval: second.approval });
    const decide: FakeHandlers['decide'] = () => ({
      ...base,
      plan: samplePlan,
      decision: 'accept',
      did: 'Done.',
      report,
    });
    await check(['accept'], waiting([first], { decide }).handlers, {
      code: 5,
      stdout: [`approvals show ${second.approval}`],
    });
    const asksOn: FakeHandlers['decide'] = () => ({
      ...base,
      plan: samplePlan,
      decision: 'accept',
      did: 'Done.',
      next: 'retry',
    });
    await check(['accept'], waiting([first], { decide: asksOn }).handlers, { stdout: [`ravel retry ${samplePlan}`] });
  });

  test('is not made if --hash names other content', async () => {
    const { handlers, decided } = waiting([first]);
    await check(['accept', '--hash', 'abd'], handlers, { code: 5, stderr: 'approval/changed' });
    expect(decided).toEqual([]);
  });

  test('continues the phase at once with --run', async () => {
    const ran: string[] = [];
    const retry: FakeHandlers['retry'] = ({ plan }) => {
      ran.push(`retry ${plan}`);
      return sampleReport();
    };
    const decide: FakeHandlers['decide'] = () => ({
      ...base,
      plan: samplePlan,
      decision: 'accept',
      did: 'Done.',
      next: 'retry',
    });
    await check(['accept', '--run'], waiting([first], { decide, retry }).handlers, {});
    expect(ran).toEqual([`retry ${samplePlan}`]);
  });
});

test('a question that found its receiver is asked once something owns the vault, which is said', async () => {
  const { handlers } = waiting([first], {
    approval: () => ({
      ...page(first.approval),
      kind: 'unroutable-message',
      details: { on: 'query', message: second.approval },
    }),
    decide: () => ({ approval: first.approval, decision: 'accept', did: 'It goes to demo/project-root.' }),
  });
  const { ports } = await check(['accept', '--answer', 'demo'], handlers, { stdout: ['as soon as a process owns'] });
  expect(ports.written.stdout).toContain(`\`ravel answer ${second.approval}\``);
});

describe('an edit', () => {
  test('sends what the editor left, and leaves no file', async () => {
    const { handlers, decided } = waiting([first]);
    const edit = async ([file = '']: readonly string[]) => {
      expect(await readFile(file, 'utf8')).toBe(form);
      expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
      await writeFile(file, 'edited');
      return 0;
    };
    const { temporaryDirectory } = await check(['edit'], handlers, {}, { edit });
    expect(decided).toMatchObject([{ decision: 'edit', text: 'edited' }]);
    expect(await readdir(temporaryDirectory)).toEqual([]);
  });

  test.each([
    ['nothing was changed, which is no mistake', async () => 0, { code: 0, stdout: ['Nothing was changed'] }],
    ['the editor failed', async () => 3, { code: 5, stderr: 'ended with code 3' }],
  ])('decides nothing if %s', async (_name, edit, ends) => {
    const { handlers, decided } = waiting([first]);
    await check(['edit'], handlers, ends, { edit });
    expect(decided).toEqual([]);
  });

  test('an edit that is refused keeps its text in a file', async () => {
    const decide: FakeHandlers['decide'] = () => {
      throw failure('approval/badDecision', first.approval, 'It cannot be read.');
    };
    const edit = async ([file = '']: readonly string[]) => {
      await writeFile(file, `${await readFile(file, 'utf8')}more\n`);
      return 0;
    };
    const { handlers } = waiting([first], { decide });
    const kind = { code: 2, stderr: 'is kept in' };
    const { temporaryDirectory, ports } = await check(['edit'], handlers, kind, { edit });
    const [folder = ''] = await readdir(temporaryDirectory);
    const kept = join(temporaryDirectory, folder, `${first.approval}.yaml`);
    expect(await readFile(kept, 'utf8')).toBe(`${form}more\n`);
    expect(ports.written.stderr.replace(/\s+/g, ' ')).toContain(
      `ravel approvals edit ${first.approval} --from ${kept}`,
    );
  });

  test('from a missing file fails', async () => {
    await check(['edit', '--from', '/nowhere/x'], waiting([first]).handlers, { code: 3, stderr: 'There is no file' });
  });
});

test('a question is deferred for a number of days, and a list says how many are', async () => {
  const seen: unknown[] = [];
  const handlers = (deferred: number): FakeHandlers => ({
    approvals: () => ({ approvals: [], deferred, diagnostics: [] }),
    list: () => ({ plans: [], diagnostics: [] }) as never,
    defer: (params) => {
      seen.push(params);
      return { approval: params.approval as Ulid, until: '2026-12-03T08:00:00Z' };
    },
  });
  const id = '01JD0000000000000000000000';
  const check = async (args: readonly string[], deferred = 1) => {
    const ports = await createFakePorts(handlers(deferred));
    return { code: await runCommandLine(['approvals', ...args], ports), ...ports.written };
  };
  expect((await check(['defer', id, '--days', '30'])).stdout).toBe(
    'Nothing is decided; the question comes back on 2026-12-03.\n',
  );
  await check(['defer', id]);
  expect(seen).toEqual([{ approval: id, days: 30 }, { approval: id }]);
  expect((await check(['defer', id, '--days', '0'])).code).toBe(2);
  expect((await check([])).stdout).toContain('1 question is deferred; `ravel approvals list --deferred` shows it.');
  expect((await check([], 3)).stdout).toContain('3 questions are deferred;');
});

test('an answer without a name says that questions are deferred, and how to name one', async () => {
  const [id = ''] = ids;
  const handlers: FakeHandlers = {
    approvals: ({ deferred }) => ({
      approvals: deferred === true ? [row(id as Ulid)] : [],
      deferred: 1,
      diagnostics: [],
    }),
  };
  const ports = await createFakePorts(handlers);
  expect(await runCommandLine(['approvals', 'accept'], ports)).toBe(3);
  expect(ports.written.stderr).toContain('No question is open, and 1 question is deferred.');
  expect(ports.written.stderr.replace(/\s+/g, ' ')).toContain(`name one, such as ${id}, to answer it`);
});
