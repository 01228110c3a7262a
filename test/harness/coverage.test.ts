import { describe, expect, test } from 'vitest';
import { Coverage, describeUncovered } from '../../src/harness/coverage.ts';
import { type ToolAnswer, ToolVerdicts } from '../../src/harness/toolVerdicts.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';

const folder = '/project';
const allow: ToolAnswer = { decision: 'allow' };
const deny: ToolAnswer = { decision: 'deny', reason: 'Not here.' };

function started(callId: string, tool: string, input: object): HarnessOutput {
  return { kind: 'toolStarted', tool, callId, input };
}

function ended(callId: string, rest: Partial<Extract<HarnessOutput, { kind: 'toolEnded' }>> = {}): HarnessOutput {
  return { kind: 'toolEnded', callId, isError: false, output: 'out', ...rest };
}

interface Judged {
  readonly call: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: ToolAnswer;
}

async function newVerdicts(judged: readonly Judged[] = []) {
  const disk = new MemoryDisk();
  await disk.makeDirectory('/session');
  await disk.syncDirectory('/');
  const verdicts = await ToolVerdicts.open(disk, '/session');
  for (const { call, tool, input, answer } of judged) {
    await verdicts.answer({ tool_name: tool, input, tool_use_id: call }, async () => answer);
  }
  return { disk, verdicts };
}

/** What is found wrong with these outputs, after these verdicts. */
async function problemIn(outputs: readonly HarnessOutput[], judged: readonly Judged[]): Promise<string | undefined> {
  const { verdicts } = await newVerdicts(judged);
  const coverage = new Coverage({ verdicts, sessionTools: new Set(['finish_phase']), folders: [folder] });
  for (const output of outputs) {
    const gap = coverage.take(output);
    if (gap !== undefined) return gap.problem;
  }
  return coverage.left()?.problem;
}

const ls = { command: 'ls' };
const lsAllowed: Judged = { call: 'a', tool: 'Bash', input: ls, answer: allow };
const write = { file_path: '/project/a', content: 'x' };

describe('a tool call is covered when', () => {
  const cases: Readonly<Record<string, readonly [readonly HarnessOutput[], readonly Judged[]]>> = {
    'it was allowed on this input': [[started('a', 'Bash', ls), ended('a')], [lsAllowed]],
    'it failed as tools fail': [[started('a', 'Bash', ls), ended('a', { isError: true })], [lsAllowed]],
    'it was left to the person at the terminal': [
      [started('a', 'Bash', ls), ended('a')],
      [{ ...lsAllowed, answer: { decision: 'ask', reason: 'Unknown.' } }],
    ],
    'it was denied and ended with the reason': [
      [started('a', 'Bash', ls), ended('a', { isError: true, output: 'Not here.' })],
      [{ ...lsAllowed, answer: deny }],
    ],
    'the harness refused it before it ran': [
      [started('a', 'Nonsense', {}), ended('a', { isError: true, ran: false })],
      [],
    ],
    'it is one of the session tools': [[started('a', 'finish_phase', {}), ended('a')], []],
    'it was judged and never ended': [[started('a', 'Bash', ls)], [lsAllowed]],
    'its path was made absolute before it was judged': [
      [started('a', 'Write', { ...write, file_path: 'b/../a' }), ended('a')],
      [{ call: 'a', tool: 'Write', input: write, answer: allow }],
    ],
    'its path begins in the home folder': [
      [started('a', 'Read', { file_path: '~/a' }), ended('a')],
      [{ call: 'a', tool: 'Read', input: { file_path: '/elsewhere/me/a' }, answer: allow }],
    ],
    'numbers and truth values were read from texts': [
      [started('a', 'Read', { file_path: '/project/a', limit: '1', all: 'true' }), ended('a')],
      [{ call: 'a', tool: 'Read', input: { all: true, file_path: '/project/a', limit: 1 }, answer: allow }],
    ],
  };
  test.each(Object.entries(cases))('%s', async (_name, [outputs, judged]) => {
    expect(await problemIn(outputs, judged)).toBeUndefined();
  });
});

describe('a tool call is uncovered when', () => {
  const cases: Readonly<Record<string, readonly [readonly HarnessOutput[], readonly Judged[], string]>> = {
    'no gate was asked': [[started('a', 'Bash', ls), ended('a')], [], 'ran, and Ravel was not asked'],
    'no gate was asked and it failed': [[started('a', 'Bash', ls), ended('a', { isError: true })], [], 'was not asked'],
    'its output looks like a refusal': [
      [started('a', 'Bash', ls), ended('a', { output: '<tool_use_error>No such tool</tool_use_error>' })],
      [],
      'was not asked',
    ],
    'it ran although it was denied': [
      [started('a', 'Bash', ls), ended('a', { output: 'Not here.' })],
      [{ ...lsAllowed, answer: deny }],
      'although it was denied',
    ],
    'its command is another one': [
      [started('a', 'Bash', { command: 'ls /' }), ended('a')],
      [lsAllowed],
      'other input than the one that was judged',
    ],
    'its tool is another one': [[started('a', 'Monitor', ls), ended('a')], [lsAllowed], 'other input'],
    'its file is another one': [
      [started('a', 'Write', { ...write, file_path: '../a' }), ended('a')],
      [{ call: 'a', tool: 'Write', input: write, answer: allow }],
      'other input',
    ],
    'the verdict is of another call': [[started('b', 'Bash', ls), ended('b')], [lsAllowed], 'was not asked'],
    'its id is used again': [
      [started('a', 'Bash', ls), ended('a'), started('a', 'Bash', ls), ended('a')],
      [lsAllowed],
      'ran again under the same id',
    ],
    'two calls have its id at once': [
      [started('a', 'Bash', ls), started('a', 'Bash', ls)],
      [lsAllowed],
      'the id of another',
    ],
    'its beginning was not told': [[ended('a')], [lsAllowed], 'ended without a beginning'],
    'its id is empty': [[started('', 'Bash', ls), ended('')], [{ ...lsAllowed, call: '' }], 'was not asked'],
    'the session ended before it did': [[started('a', 'Bash', ls)], [], 'before it said whether it ran'],
  };
  test.each(Object.entries(cases))('%s', async (_name, [outputs, judged, problem]) => {
    expect(await problemIn(outputs, judged)).toContain(problem);
  });
});

test('an uncovered call is described by its id, its tool and what is wrong with it', () => {
  const text = describeUncovered({ call: 'toolu_1', tool: 'Bash', problem: 'ran, and Ravel was not asked about it' });
  expect(text).toContain('the call toolu_1 of the tool Bash ran, and Ravel was not asked about it.');
});

describe('verdicts', () => {
  const request = { tool_name: 'Bash', input: ls, tool_use_id: 'a' };
  const judgeTwice = async () => deny;

  test('are known to the next owner', async () => {
    const { disk } = await newVerdicts([lsAllowed]);
    const next = await ToolVerdicts.open(disk, '/session');
    expect(next.find('a')).toMatchObject({ tool: 'Bash', decision: 'allow' });
    expect(await next.answer(request, judgeTwice)).toEqual(allow);
  });

  test('are on disk before the harness hears of them', async () => {
    const { disk, verdicts } = await newVerdicts();
    await verdicts.answer(request, async () => allow);
    const left = disk.afterPowerCut(1);
    expect((await ToolVerdicts.open(left, '/session')).find('a')).toBeDefined();
  });

  test('are given once: the same call gets the same answer, also while it is judged', async () => {
    const { disk, verdicts } = await newVerdicts();
    const answers = [verdicts.answer(request, async () => allow), verdicts.answer(request, judgeTwice)];
    expect(await Promise.all(answers)).toEqual([allow, allow]);
    expect((await disk.readFile('/session/verdicts.jsonl')).toString().split('\n')).toHaveLength(2);
  });

  test('are for one call: another one under its id is denied', async () => {
    const { verdicts } = await newVerdicts([lsAllowed]);
    const other = { ...request, input: { command: 'rm -rf /' } };
    expect(await verdicts.answer(other, async () => allow)).toMatchObject({ decision: 'deny' });
    expect(verdicts.find('a')).toMatchObject({ decision: 'allow' });
  });

  test.each([undefined, ''])('need the id of the call: %j is denied', async (id) => {
    const { verdicts } = await newVerdicts();
    const answer = await verdicts.answer(
      { tool_name: 'Bash', input: ls, ...(id !== undefined && { tool_use_id: id }) },
      async () => allow,
    );
    expect(answer).toMatchObject({ decision: 'deny', reason: expect.stringContaining('which call') });
  });

  test('take one line for each call, however long its input', async () => {
    const { disk, verdicts } = await newVerdicts();
    const input = { file_path: '/project/a', content: 'x'.repeat(1_000_000) };
    for (let n = 0; n < 1000; n++) {
      await verdicts.answer(
        { tool_name: 'Bash', input: { command: `echo ${n}` }, tool_use_id: `c${n}` },
        async () => allow,
      );
    }
    await verdicts.answer({ tool_name: 'Write', input, tool_use_id: 'w' }, async () => allow);
    const text = (await disk.readFile('/session/verdicts.jsonl')).toString();
    expect(text.split('\n')).toHaveLength(1002);
    expect(text.length).toBeLessThan(1001 * 250);
  });
});
