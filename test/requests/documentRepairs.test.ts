import { describe, expect, test } from 'vitest';
import { declaredExpert, openDocuments, task } from '../support/documentWorld.ts';
import { applyTextEdits } from '../support/textEdits.ts';

/** The findings, each as `line:from-to code` with the titles of its repairs; a star marks the preferred one. */
async function findings(name: string, text: string): Promise<string[]> {
  const { api, file } = await openDocuments();
  const { document: inspected } = await api.request('inspect_document', { file: file(name), text });
  const { repairs } = await api.request('repairs', { file: file(name), text });
  return (inspected?.findings ?? []).map(({ code, range }) => {
    const [start, end] = [range?.start, range?.end];
    const fixes = repairs.filter((one) => one.code === code && one.range.start.line === start?.line);
    const titles = fixes.map(({ title, isPreferred }) => `${isPreferred ? '*' : ''}${title}`);
    return `${start?.line}:${start?.character}-${end?.character} ${code}${titles.map((title) => `; ${title}`).join('')}`;
  });
}

/** The text after the repair with this title. */
async function repaired(name: string, text: string, title: string): Promise<string> {
  const { api, file } = await openDocuments();
  const { repairs } = await api.request('repairs', { file: file(name), text });
  const repair = repairs.find((one) => one.title === title);
  expect(repairs.map((one) => one.title)).toContain(title);
  return applyTextEdits(text, repair?.edits ?? []);
}

describe('inspect_document finds', () => {
  test.each([
    ['nothing in a sound backlog', 'backlog.yaml', `tasks:\n${task('a')}`, []],
    ['a key without its colon', 'backlog.yaml', 'tasks\nreceived: []\n', ['0:0-8 yaml/syntax']],
    [
      'an unknown status',
      'backlog.yaml',
      `tasks:\n${task('a').replace('not_started', 'not-started')}`,
      ['4:10-21 yaml/schema; *Replace with "not_started"'],
    ],
    [
      'a missing field',
      'backlog.yaml',
      'tasks:\n- id: fix-it\n  category: work\n  status: done\n',
      ['1:2-12 yaml/schema; *Add "title"'],
    ],
    ['a number for an id', 'backlog.yaml', `tasks:\n${task('12')}`, ['1:6-8 yaml/schema; *Put quotes around 12']],
    [
      'a duplicate id',
      'backlog.yaml',
      `tasks:\n${task('a')}${task('a')}`,
      ['5:6-7 yaml/duplicateId; *Rename to "a-2"'],
    ],
    [
      'an unknown dependency',
      'backlog.yaml',
      `tasks:\n${task('make-list')}${task('b', '  dependencies: [make-lst]\n')}`,
      ['9:17-25 state/unknownDependency; *Replace with "make-list"; Remove the dependency'],
    ],
    [
      'a status that contradicts the results',
      'backlog.yaml',
      `tasks:\n${task('a', '  results: Done well.\n').replace('not_started', 'in_progress')}`,
      ['1:6-7 state/staleStatus; *Set the status to "done"'],
    ],
    [
      'a dependency cycle',
      'backlog.yaml',
      `tasks:\n${task('a', '  dependencies: [b]\n')}${task('b', '  dependencies: [a]\n')}`,
      ['1:6-7 state/dependencyCycle'],
    ],
    [
      'a misspelt key',
      'backlog.yaml',
      `tasks:\n${task('a', '  dependancies: []\n')}`,
      ['5:2-14 yaml/unknownKey; *Replace with "dependencies"'],
    ],
    ['nothing in a person’s own key', 'backlog.yaml', `tasks:\n${task('a', '  estimate: 3\n')}`, []],
    [
      'an unknown plan',
      'dispatches.yaml',
      'dispatches:\n- target-plan: greeter/project-root/serch\n  reason: A\n  body: B\n',
      ['1:15-41 plan/unknown; *Replace with "greeter/project-root/search"'],
    ],
    [
      'an unknown expert',
      'queries.yaml',
      'queries:\n- target-expert: rusty\n  reason: A\n  body: B\n',
      ['1:17-22 expert/unknown; *Replace with "rust"'],
    ],
    [
      'nothing in a message from a removed plan',
      'backlog.yaml',
      `received:\n- id: m\n  from: greeter/project-root/gone\n  at: now\n  reason: A\n  body: B\n  state: new\n`,
      [],
    ],
    [
      'a rule with an unknown target',
      'routing.yaml',
      'rules:\n- id: a\n  target: expert:rst\n',
      ['2:10-20 rule/unknownTarget; *Replace with "expert:rust"'],
    ],
    ['an unknown phase', 'phase.md', 'refelct\n', ['0:0-7 plan/badPhase; *Replace with "reflect"']],
    ['a phase by its other name', 'phase.md', '  compact\n', ['0:2-9 plan/badPhase; *Replace with "dream"']],
    [
      'an expert with another id',
      'experts/rust.md',
      declaredExpert.replace('expert-id: rust', 'expert-id: go'),
      ['2:0-13 expert/badId; *Set expert-id to "rust"'],
    ],
    [
      'a description that is too long',
      'plan-state.md',
      `---\nschema-version: 1\ndescription: ${'word '.repeat(30)}\n---\n`,
      ['2:0-162 plan/badDescription; Cut to 119 characters'],
    ],
    [
      'a plan without a version',
      'plan-state.md',
      '---\ndescription: A plan\n---\n',
      ['0:0-3 plan/badState; *Add "schema-version"'],
    ],
    [
      'an unknown setting',
      'daemon.toml',
      '[limits]\nsession-minute = 3\n',
      ['1:0-18 vault/unknownSetting; *Replace with "session-minutes"; Remove the line'],
    ],
    ['a setting of the wrong type', 'daemon.toml', '[limits]\nsession-minutes = "x"\n', ['1:0-21 vault/badSettings']],
    ['an invalid vault version', 'ravel.toml', '[vault]\nschema_version = 0\n', ['1:0-18 vault/unreadable']],
    [
      'a broken link',
      'memory.yaml',
      'entries:\n- id: a\n  title: A\n  body: see [[knowledge/nothing|it]]\n',
      ['3:14-31 vault/brokenLink'],
    ],
  ])('%s', async (_name, file, text, expected) => {
    expect(await findings(file, text)).toEqual(expected);
  });
});

describe('the repair', () => {
  test.each([
    [
      'Replace with "done"',
      'tasks:\n- {id: a, title: "A", category: x, status: dne} # mine\n',
      'status: dne',
      'status: done',
    ],
    [
      'Add "title"',
      'tasks:\r\n- id: fix-it\r\n  category: x\r\n  status: done\r\n',
      'status: done\r\n',
      'status: done\r\n  title: Fix it\r\n',
    ],
    [
      'Put quotes around 012',
      'tasks:\n- id: 012 # no number\n  title: A\n  category: x\n  status: done\n',
      'id: 012',
      "id: '012'",
    ],
    [
      'Remove the dependency',
      `tasks:\n${task('a', '  dependencies: [one-that-is-gone]\n')}`,
      '[one-that-is-gone]',
      '[]',
    ],
  ])('%s changes only its own bytes', async (title, text, from, to) => {
    expect(await repaired('backlog.yaml', text, title)).toBe(text.replace(from, to));
  });

  test('the repair of frontmatter leaves the text below unchanged', async () => {
    const text = `${declaredExpert.replace('expert-id: rust', 'expert-id: go # wrong')}Notes\n---\nexpert-id: go\n`;
    expect(await repaired('experts/rust.md', text, 'Set expert-id to "rust"')).toBe(
      text.replace('expert-id: go #', 'expert-id: rust #'),
    );
  });

  test('the repair of a line is found when the request names that line', async () => {
    const { api, file } = await openDocuments();
    const text = `tasks:\n${task('a')}${task('a')}${task('b')}${task('b')}`;
    const at = { line: 5, character: 0 };
    const params = { file: file('backlog.yaml'), text, range: { start: at, end: at } };
    expect((await api.request('repairs', params)).repairs.map(({ title }) => title)).toEqual(['Rename to "a-2"']);
  });
});
