import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import { type FileSides, mergePlanFile } from '../../../src/plans/proposals/merge.ts';
import { formatYaml, parseYaml } from '../../../src/yaml/yaml.ts';
import { changesOf, recordFiles, threeSides } from '../../support/records.ts';

const subject = 'Demo/project-root';
const task = (id: string, ...lines: string[]) =>
  `# of ${id}\n- id: ${id}\n${lines.map((line) => `  ${line}\n`).join('')}`;

describe('a merge of session and person', () => {
  function check(
    file: PlanFile,
    sides: FileSides,
    expected: { text: string | undefined; personEdited: boolean },
  ): void {
    expect(mergePlanFile(file, sides, subject)).toEqual(expected);
  }
  const base = `tasks:\n${task('a', 'status: x')}${task('b', 'status: x')}`;
  const session = `tasks:\n${task('a', 'status: done')}${task('b', 'status: x')}`;
  const person = `tasks: # mine\n${task('b', "status: 'x'", 'note: n')}${task('a', 'status: x')}`;

  test.each<[string, PlanFile, FileSides, string | undefined, boolean]>([
    [
      'puts the session’s fields into the person’s text',
      'backlog.yaml',
      { base, session, person },
      `tasks: # mine\n${task('b', "status: 'x'", 'note: n')}${task('a', 'status: done')}`,
      true,
    ],
    [
      'keeps the person’s text when the session changed nothing',
      'backlog.yaml',
      { base, session: base, person },
      person,
      true,
    ],
    ['takes a change that both sides made', 'backlog.yaml', { base, session, person: session }, session, true],
    ['takes a file that the session made', 'commits.yaml', { session: 'commits: []\n' }, 'commits: []\n', false],
    ['keeps a file removed when both sides removed it', 'commits.yaml', { base: 'commits: []\n' }, undefined, true],
    [
      'keeps a file removed when the person removed it',
      'commits.yaml',
      { base: 'commits: []\n', session: 'commits: []\n' },
      undefined,
      true,
    ],
    ['removes a file that the session removed', 'commits.yaml', { base: 'a: 1\n', person: 'a: 1\n' }, undefined, false],
    [
      'merges a single document by key',
      'latest-session.yaml',
      { base: 'id: a\nbody: x\n', session: 'id: b\nbody: x\n', person: 'id: a # c\nbody: y\n' },
      'id: b # c\nbody: y\n',
      true,
    ],
    [
      'takes the session’s word in phase.md',
      'phase.md',
      { base: 'work\n', session: 'triage\n', person: 'work\n' },
      'triage\n',
      false,
    ],
    [
      'adds the session’s record to a file that the person emptied',
      'memory.yaml',
      { base: 'entries:\n- id: a\n', session: 'entries:\n- id: a\n- id: b\n', person: '' },
      'entries:\n- id: b\n',
      true,
    ],
    [
      'takes a broken file that only the session fixed',
      'memory.yaml',
      { base: 'entries: [\n', session: 'entries: []\n', person: 'entries: [\n' },
      'entries: []\n',
      false,
    ],
    [
      'keeps messages that arrived meanwhile',
      'backlog.yaml',
      {
        base: 'tasks: []\nreceived: []\n',
        session: 'tasks:\n- id: a\nreceived: []\n',
        person: 'tasks: []\nreceived:\n- id: m # new\n',
      },
      'tasks:\n- id: a\nreceived:\n- id: m # new\n',
      true,
    ],
    [
      'merges the session log by record',
      'session-log.yaml',
      {
        base: 'sessions:\n- id: a\n',
        session: 'sessions:\n- id: a\n- id: b\n',
        person: 'sessions:\n- id: a\n  note: n\n',
      },
      'sessions:\n- id: a\n  note: n\n- id: b\n',
      true,
    ],
  ])('%s', (_, file, sides, text, personEdited) => check(file, sides, { text, personEdited }));
});

describe('a merge conflicts on', () => {
  function check(file: PlanFile, sides: FileSides, expected: RegExp): void {
    const merge = mergePlanFile(file, sides, subject);
    expect(merge).toHaveProperty('conflicts');
    const conflicts = 'conflicts' in merge ? merge.conflicts : [];
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]?.reason).toMatch(expected);
  }

  test.each<[string, PlanFile, FileSides, RegExp]>([
    [
      'one field that both changed',
      'backlog.yaml',
      { base: 'tasks:\n- id: a\n  t: 1\n', session: 'tasks:\n- id: a\n  t: 2\n', person: 'tasks:\n- id: a\n  t: 3\n' },
      /"t" of a/,
    ],
    [
      'an unparsable text of the person',
      'memory.yaml',
      { base: 'entries: []\n', session: 'entries:\n- id: a\n', person: 'entries: [\n' },
      /^memory\.yaml cannot be merged\. Line/,
    ],
    [
      'an unparsable text of the session',
      'memory.yaml',
      { base: 'entries: []\n', session: 'entries: [\n', person: 'entries: []\n' },
      /cannot be merged/,
    ],
    [
      'an unparsable base',
      'memory.yaml',
      { base: 'entries: [\n', session: 'entries: []\n', person: 'a: 1\n' },
      /cannot be merged/,
    ],
    [
      'a text that is not a mapping',
      'memory.yaml',
      { base: 'entries: []\n', session: 'entries:\n- id: a\n', person: '- a\n' },
      /not a mapping/,
    ],
    [
      'a text that cannot be edited in place',
      'memory.yaml',
      { base: 'entries: []\n', session: 'entries:\n- id: a\n', person: 'entries: []\nx: !t 1\n' },
      /cannot be edited in place/,
    ],
    [
      'two different words in phase.md',
      'phase.md',
      { base: 'work\n', session: 'triage\n', person: 'dream\n' },
      /in different ways/,
    ],
    [
      'a file that the session removed and the person changed',
      'commits.yaml',
      { base: 'a: 1\n', person: 'a: 2\n' },
      /session removed/,
    ],
    [
      'a file that the person removed and the session changed',
      'memory.yaml',
      { base: 'a: 1\n', session: 'a: 2\n' },
      /person removed/,
    ],
  ])('%s', (_, file, sides, reason) => check(file, sides, reason));
});

function read(text: string): unknown {
  return parseYaml(text, { file: 'backlog.yaml', subject }).value;
}

/** Formats a file with a comment above each record, as a person may write it. */
function write(file: JsonObject): string {
  return formatYaml(file).replace(/^- id: (.*)$/gm, '# of $1\n- id:   $1');
}

function linesOf(text: string, id: unknown): string | undefined {
  return text.split(/^(?=# of |- id: [^ ]|note:)/m).find((part) => part.startsWith(`# of ${id}\n`));
}

test('without a person’s edit the merged text says what the session said, and unchanged records keep their bytes', () =>
  fc.assert(
    fc.property(
      recordFiles.chain((base) => fc.tuple(fc.constant(base), changesOf(base))),
      ([base, session]) => {
        const before = write(base);
        const merge = mergePlanFile(
          'backlog.yaml',
          { base: before, session: formatYaml(session), person: before },
          subject,
        );
        const text = 'text' in merge ? (merge.text ?? '') : '';
        expect(read(text)).toEqual(session);
        for (const record of records(base)) {
          if (records(session).some((other) => JSON.stringify(other) === JSON.stringify(record))) {
            expect(linesOf(text, record['id'])).toBe(linesOf(before, record['id']));
          }
        }
      },
    ),
    { numRuns: 300 },
  ));

test('every record of the person is in the merged text or in a conflict', () =>
  fc.assert(
    fc.property(threeSides, ({ base, session, person }) => {
      const sides = { base: write(base), session: write(session), person: write(person) };
      const merge = mergePlanFile('backlog.yaml', sides, subject);
      if ('conflicts' in merge) return;
      for (const record of records(person)) {
        const original = [...records(base), ...records(session)].find(({ id }) => id === record['id']);
        if (original === undefined)
          expect(linesOf(merge.text ?? '', record['id'])).toBe(linesOf(sides.person, record['id']));
      }
    }),
    { numRuns: 300 },
  ));

function records(file: JsonObject): JsonObject[] {
  return (Array.isArray(file['tasks']) ? file['tasks'] : []) as JsonObject[];
}
