import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { failure } from '../../../src/model/codes.ts';
import type { ManualFinish, ManualRun } from '../../../src/model/requests/manualRuns.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts, type FakeOptions, type FakePorts, jsonLines } from '../fakePorts.ts';
import { sampleEvent, samplePlan, sampleReport, sampleSession, sampleStatus } from '../samples.ts';

const folder = '/vault/runtime/staging/x/manual';
const open: ManualRun = {
  plan: samplePlan,
  session: sampleSession,
  phase: 'reflect',
  reopened: false,
  directory: folder,
  files: [`${folder}/memory.yaml`],
  reading: [`${folder}/latest-session.yaml`],
  prompt: `${folder}/phase-prompt.readonly.md`,
};
const ended: ManualFinish = { outcome: 'ended', report: sampleReport({ phase: 'reflect' }) };
const editorOpened = 'edit memory.yaml phase-prompt.readonly.md';

interface Case {
  readonly args?: readonly string[];
  readonly answers?: readonly string[];
  readonly isTty?: boolean;
  /** Exit code of the editor, each time. */
  readonly editor?: number;
  readonly handlers?: FakeHandlers;
}

/** Runs `ravel run demo --by-hand`; returns what it sent and how often it opened the editor. */
async function run({ args = [], answers = [], isTty = true, editor = 0, handlers = {} }: Case) {
  const sent: unknown[] = [];
  const seen =
    <T>(name: string, answer: T) =>
    (params: object) => {
      sent.push([name, params]);
      return answer;
    };
  const options: FakeOptions = { isTty, answers, environment: { EDITOR: 'vi' }, edit: async () => editor };
  const ports = await createFakePorts(
    {
      status: () => sampleStatus(),
      begin_manual_run: seen('begin', open),
      finish_manual_run: seen('finish', ended),
      drop_manual_run: seen('drop', { dropped: sampleSession }),
      ...handlers,
    },
    options,
  );
  const code = await runCommandLine(['run', 'demo', '--by-hand', ...args], ports);
  return { code, sent, ports, edits: ports.asked.filter((asked) => asked === editorOpened).length };
}

const { session } = open;
const plan = samplePlan;
const finished = (more: object = {}) => [
  'finish',
  { plan, session, outcome: 'done', summary: 'Done by hand.', unchanged: false, ...more },
];

describe('once the editor is closed, a person', () => {
  test('can finish with a summary', async () => {
    const { code, sent, edits } = await run({ answers: ['f', 'Learned it.'] });
    expect([code, edits]).toEqual([0, 1]);
    expect(sent).toEqual([['begin', { plan }], finished({ summary: 'Learned it.' })]);
  });

  test('is asked again after an unknown answer, and can continue in the editor', async () => {
    const { code, edits } = await run({ answers: ['what?', 'c', 'd'] });
    expect([code, edits]).toEqual([0, 2]);
  });

  test('can drop the phase, whose files are kept', async () => {
    const { code, sent, ports } = await run({ answers: ['d'] });
    expect([code, sent.at(-1)]).toEqual([0, ['drop', { plan, session }]]);
    expect(ports.written.stdout).toContain('is kept under runtime/interrupted');
  });

  test('can leave the phase open, also by ending the input', async () => {
    for (const answers of [['l'], []]) {
      const { code, sent, ports } = await run({ answers });
      expect([code, sent]).toEqual([5, [['begin', { plan }]]]);
      expect(ports.written.stdout).toContain(`\`ravel run ${plan} --by-hand\` continues it`);
    }
  });

  test('is asked even with --finish if the editor failed', async () => {
    const { sent, ports } = await run({ args: ['--finish'], editor: 1, answers: ['d'] });
    expect(sent.at(-1)).toEqual(['drop', { plan, session }]);
    expect(ports.written.stdout).toContain('The editor ended with code 1.');
  });
});

describe('a person is told', () => {
  test('the findings of a refusal, and can then continue', async () => {
    const results: ManualFinish[] = [{ outcome: 'refused', reason: 'It loses something.\n- "tabs" is gone' }, ended];
    const finish_manual_run = () => results.shift() ?? ended;
    const { code, ports, edits } = await run({
      args: ['--finish'],
      answers: ['', 'f', ''],
      handlers: { finish_manual_run },
    });
    expect([code, edits]).toEqual([0, 2]);
    expect(ports.written.stdout).toContain('- "tabs" is gone');
  });

  test.each([
    ['y', [false, true]],
    ['n', [false]],
  ])('that nothing was changed, and confirms it or not: %s', async (answer, unchanged) => {
    const said: unknown[] = [];
    const finish_manual_run: FakeHandlers['finish_manual_run'] = (params) => {
      said.push(params.unchanged);
      if (params.unchanged !== true) throw failure('run/nothingChanged', plan, 'You changed the source (a.js).');
      return ended;
    };
    const asking = {
      args: ['--summary', 'Nothing new.'],
      answers: ['f', answer, 'l'],
      handlers: { finish_manual_run },
    };
    const { ports } = await run(asking);
    expect(said).toEqual(unchanged);
    expect(ports.questions.join()).toContain('You changed the source (a.js). Is reflect done as it is? [y/n]');
  });

  test('the events of the phase, but only after the editor has closed', async () => {
    const written: string[] = [];
    const event = sampleEvent({ type: 'session.noted', session, note: session, text: 'Look here.' });
    const ports: FakePorts = await createFakePorts(
      { status: () => sampleStatus(), begin_manual_run: () => open, finish_manual_run: () => ended },
      {
        environment: { VISUAL: 'vi' },
        edit: async () => {
          ports.api.emit(event);
          written.push(ports.written.stdout);
          return 0;
        },
      },
    );
    expect(await runCommandLine(['run', 'demo', '--by-hand', '--finish'], ports)).toBe(0);
    expect(written.join()).not.toContain('Look here.');
    expect(ports.written.stdout).toContain('Look here.');
  });
});

describe('an unfinished phase', () => {
  const interrupted = { phase: 'reflect', session, directory: '/x', reason: 'It crashed.' } as const;
  const status = () => sampleStatus({ interrupted });

  test.each([
    ['y', { plan, takeOver: true }],
    ['n', { plan }],
  ])('is taken over if the person agrees: %s', async (answer, params) => {
    const { sent } = await run({ answers: [answer, 'l'], handlers: { status } });
    expect(sent[0]).toEqual(['begin', params]);
  });

  test('is taken over with --take-over without a question', async () => {
    const { sent } = await run({ args: ['--take-over'], answers: ['l'], handlers: { status } });
    expect(sent[0]).toEqual(['begin', { plan, takeOver: true }]);
  });
});

describe('a script', () => {
  test('finishes with its own outcome and summary', async () => {
    const args = ['--phase', 'reflect', '--finish', '--outcome', 'blocked', '--summary', 'No door.', '--unchanged'];
    const { code, sent } = await run({ isTty: false, args });
    expect(code).toBe(0);
    const more = { outcome: 'blocked', summary: 'No door.', unchanged: true };
    expect(sent).toEqual([['begin', { plan, phase: 'reflect' }], finished(more)]);
  });

  test('gets a refusal as an error with exit code 4', async () => {
    const finish_manual_run = (): ManualFinish => ({ outcome: 'refused', reason: 'It loses something.' });
    const { code, ports } = await run({ isTty: false, args: ['--finish'], handlers: { finish_manual_run } });
    expect(code).toBe(4);
    expect(ports.written.stderr).toContain('It loses something.');
  });

  test('without --finish or --drop leaves the phase open and gets its files', async () => {
    const { code, ports, edits } = await run({ isTty: false, args: ['--no-editor', '--json'] });
    expect([code, edits]).toEqual([5, 0]);
    expect(jsonLines(ports.written.stdout).at(-1)).toEqual({ result: { open } });
  });

  test('can drop the phase without an editor, and is told in one line', async () => {
    const { code, edits, ports } = await run({ isTty: false, args: ['--drop'] });
    expect([code, edits]).toEqual([0, 0]);
    expect(`${ports.written.stderr}${ports.written.stdout}`).toBe(
      'reflect is dropped; what you edited is kept under runtime/interrupted.\n',
    );
  });
});

test('an interrupt while the phase waits for its turn stops it', async () => {
  const stopped = createDeferred<void>();
  const ports: FakePorts = await createFakePorts(
    {
      status: () => sampleStatus(),
      begin_manual_run: async () => {
        ports.interrupt('SIGINT');
        await stopped.promise;
        throw failure('run/stopped', plan, 'a person stopped the run');
      },
      stop: () => {
        stopped.resolve();
        return { stopped: true };
      },
    },
    { environment: { EDITOR: 'vi' } },
  );
  expect(await runCommandLine(['run', 'demo', '--by-hand'], ports)).toBe(130);
});

describe('ravel run refuses before it starts', () => {
  test.each([
    [['--by-hand', '--cycles', '2'], '--cycles: not with --by-hand'],
    [['--by-hand', '--harness', 'scripted'], '--harness: not with --by-hand'],
    [['--by-hand', '--finish', '--drop'], '--finish, --drop: one or the other'],
    [['--by-hand', '--outcome', 'maybe'], 'There is no outcome "maybe"'],
    [['--take-over'], '--take-over: only with --by-hand'],
    [['--finish', '--unchanged'], '--finish, --unchanged: only with --by-hand'],
  ])('the options %j', async (args, text) => {
    const ports = await createFakePorts({ status: () => sampleStatus() }, { environment: { EDITOR: 'vi' } });
    expect(await runCommandLine(['run', 'demo', ...args], ports)).toBe(2);
    expect(ports.written.stderr).toContain(text);
    expect(ports.asked).toEqual([]);
  });

  test('--by-hand without an editor', async () => {
    const ports = await createFakePorts({ status: () => sampleStatus() });
    expect(await runCommandLine(['run', 'demo', '--by-hand'], ports)).toBe(3);
    expect(ports.written.stderr).toContain('Neither VISUAL nor EDITOR');
    expect(ports.asked).toEqual([]);
  });
});
