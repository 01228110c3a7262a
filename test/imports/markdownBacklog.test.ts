import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertBacklog } from '../../src/imports/markdownBacklog.ts';
import { backlogSchema, readyTasks } from '../../src/model/backlog.ts';
import { formatYaml, readYaml } from '../../src/yaml/yaml.ts';

const place = { file: '/backlog.md', subject: 'Demo' };

/** Checks the task ids and the remaining prose. */
function check(text: string, ids: readonly string[], prose: string): void {
  const converted = convertBacklog(text, place);
  expect(converted.records.map(({ id }) => id)).toEqual(ids);
  expect(converted.prose).toBe(prose);
}

describe('convertBacklog', () => {
  test('takes a heading followed by a field for a task, and all else for prose', () =>
    check(
      '# B\n\nIntro\n\n## Tasks\n\n### A\n\n- **Status:** done\n\n## Ideas\n\nz\n',
      ['a'],
      '# B\n\nIntro\n\n## Tasks\n\n## Ideas\n\nz\n',
    ));
  test('takes tasks from headings of any level', () =>
    check('## A\n**Status:** done\n#### B\n**Status:** done\n', ['a', 'b'], ''));
  test('includes deeper headings in a task', () => check('### A\n- **Status:** done\n#### More\nx\n', ['a'], ''));
  test('gives unique ids to equal titles and to titles without letters', () =>
    check(
      '### A\n- **Status:** done\n### A\n- **Status:** done\n### …\n- **Status:** done\n',
      ['a', 'a-2', 'task'],
      '',
    ));
  test('takes a heading of the same level without a field for prose, with a warning', () => {
    const text = '### A\n- **Status:** done\n### B\n\nSomething\n';
    check(text, ['a'], '### B\n\nSomething\n');
    expect(convertBacklog(text, place).diagnostics).toEqual([
      expect.objectContaining({ code: 'import/unclear', message: expect.stringContaining('"B"'), file: '/backlog.md' }),
    ]);
  });
});

test('convertBacklog warns of an invalid status, with its line', () => {
  const { diagnostics } = convertBacklog('\n### A\n- **Status:** later\n', place);
  expect(diagnostics).toEqual([
    expect.objectContaining({
      severity: 'warning',
      range: expect.objectContaining({ start: { line: 1, character: 0 } }),
    }),
  ]);
});

describe('convertBacklog and the dependencies of a task', () => {
  const task = (title: string, status: string, dependencies: string) =>
    `### ${title}\n- **Status:** ${status}\n- **Dependencies:** ${dependencies}\n`;

  test('links tasks by their numbers', () => {
    const text = task('Task 1 — Cut', 'done', 'none') + task('Task 2 — Fold', 'not_started', 'Task 1 (paper)');
    const { records, diagnostics } = convertBacklog(text, place);
    expect(records[1]).toMatchObject({ status: 'not_started', dependencies: ['task-1-cut'] });
    expect(records[1]?.['dependencies-note']).toBe('Task 1 (paper)');
    expect(diagnostics).toEqual([]);
  });

  test('blocks a task that waits for something else, and tells the line and the text', () => {
    const text = task('A', 'not_started', 'none') + task('B', 'not_started', 'A; paper from the shop');
    const { records, diagnostics } = convertBacklog(text, place);
    const [, blocked] = records;
    expect(blocked).toMatchObject({ status: 'blocked', dependencies: ['a'] });
    expect(blocked?.blocked_reason).toBe('depends on: paper from the shop');
    expect(readyTasks(records).map(({ id }) => id)).toEqual(['a']);
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: 'import/unclear',
        file: '/backlog.md',
        message:
          'The task "B" depends on something that is not a task of this plan: "paper from the shop". It is blocked until you set it to not_started.',
        range: { start: { line: 5, character: 0 }, end: { line: 5, character: 0 } },
      }),
    ]);
  });

  test.each([
    ['not_started', 'paper (done)', 'not_started'],
    ['in_progress', 'paper', 'in_progress'],
    ['done', 'paper', 'done'],
    ['blocked (no ink)', 'paper', 'blocked'],
  ])('tells of a task that is %s and depends on %j, which stays %s', (written, dependencies, status) => {
    const { records, diagnostics } = convertBacklog(task('A', written, dependencies), place);
    expect(records[0]).toMatchObject({ status, 'dependencies-note': dependencies });
    expect(records[0]?.blocked_reason).toBe(status === 'blocked' ? 'no ink' : undefined);
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(`"${dependencies}"`)]);
  });

  test('drops the dependency that closes a circle, keeps it as a note, blocks that task and warns', () => {
    const text = task('A', 'not_started', 'B') + task('B', 'done', 'C') + task('C', 'not_started', 'A, air');
    const { records, diagnostics } = convertBacklog(text, place);
    expect(records.map(({ dependencies }) => dependencies)).toEqual([['b'], ['c'], []]);
    expect(records[2]).toMatchObject({ status: 'blocked', 'dependencies-note': 'air; A' });
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('"air", "A"')]);
  });
});

describe('convertBacklog of any text', () => {
  const word = fc.integer({ min: 0, max: 1e9 }).map((n) => `w${n.toString(36)}x`);
  const line = fc.oneof(
    word,
    word.map((w) => `# ${w}`),
    word.map((w) => `### ${w} \`[t${w}]\``),
    word.map((w) => `- **Status:** done (${w})`),
    word.map((w) => `**Status:** ${w}`),
    word.map((w) => `- **Dependencies:** ${w}, ${w}y`),
    word.map((w) => `- **Description:** ${w}`),
    word.map((w) => `  ${w}: "${w}" # ${w}`),
    word.map((w) => `- **Owner ${w}:** ${w}`),
    word.map((w) => `[HANDOFF] ${w}`),
    word.map((w) => `\`\`\` ${w}`),
    fc.constantFrom('', '---', '```', '- **Results:** _pending_', '\t', '  '),
    word.map((w) => `${w}  `),
    word.map((w) => `\t${w}\t`),
  );

  test('loses no word and yields a valid backlog', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const text = lines.join('\n');
        const { records, prose } = convertBacklog(text, place);
        const yaml = formatYaml({ tasks: records });
        const read = readYaml(backlogSchema, yaml, place);
        expect(read.diagnostics).toEqual([]);
        expect(read.value?.tasks).toEqual(JSON.parse(JSON.stringify(records)));
        const left = `${yaml}\n${prose}`;
        for (const [found] of text.matchAll(/w[0-9a-z]+x\b/g)) expect(left).toContain(found);
      }),
      { numRuns: 500 },
    );
  });
});
