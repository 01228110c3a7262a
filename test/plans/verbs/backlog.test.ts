import { describe, expect, test } from 'vitest';
import { type Backlog, backlogSchema, type Task } from '../../../src/model/backlog.ts';
import type { VerbName } from '../../../src/model/verbs.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import type { VerbEffect } from '../../../src/plans/verbs/verbContext.ts';
import { parseYaml } from '../../../src/vault/yaml.ts';
import { after, backlogText, makeContext, refused } from './context.ts';

function run(name: VerbName, args: unknown, text = backlogText): Backlog {
  return backlogSchema.parse(after('backlog.yaml', name, args, withBacklog(text)));
}

function withBacklog(text: string) {
  return makeContext({ texts: new Map([['backlog.yaml', text]]) });
}

function taskOf(backlog: Backlog, id: string): Task | undefined {
  return backlog.tasks?.find((task) => task.id === id);
}

function idsOf(backlog: Backlog): readonly string[] {
  return (backlog.tasks ?? []).map(({ id }) => id);
}

function unchanged(name: VerbName, args: unknown) {
  expect(applyVerb(name, args, makeContext()).edits.size).toBe(0);
}

describe('list and show', () => {
  test.each<[object, string[]]>([
    [{}, ['first', 'second', 'third', 'odd']],
    [{ status: 'done' }, ['odd']],
    [{ category: 'docs' }, ['third', 'odd']],
    [{ category: 'docs', status: 'blocked' }, ['third']],
    [{ ready: true }, ['second']],
    [{ ready: true, category: 'docs' }, []],
    [{ 'has-handoff': true }, ['second']],
    [{ 'missing-results': true }, ['odd']],
    [{ 'missing-results': true, category: 'core' }, []],
    [{ 'has-handoff': false, 'missing-results': false }, ['first', 'second', 'third', 'odd']],
  ])('%j', (args, expected) => {
    const { result } = applyVerb('backlog/list', args, makeContext());
    expect(result).toMatchObject({ tasks: expected.map((id) => ({ id })) });
    expect(result).toHaveProperty('tasks.length', expected.length);
  });

  test('show gives the whole record', () => {
    expect(applyVerb('backlog/show', { id: 'first' }, makeContext()).result).toMatchObject({
      results: 'It works.\n',
      mine: 1,
    });
    const error = refused('backlog/show', { id: 'none' });
    expect(error.code).toBe('state/unknownRecord');
    expect(error.message).toContain('first, second, third, odd');
  });
});

describe('add', () => {
  test('stands at the end, not started, named for its title', () => {
    const backlog = run('backlog/add', {
      title: 'Do it: now!',
      category: 'c',
      description: 'Because\n\n',
      dependencies: ['first', 'first'],
    });
    expect(idsOf(backlog).at(-1)).toBe('do-it-now');
    expect(taskOf(backlog, 'do-it-now')).toEqual({
      id: 'do-it-now',
      title: 'Do it: now!',
      category: 'c',
      status: 'not_started',
      dependencies: ['first'],
      description: 'Because\n',
    });
  });

  test('a taken id gets a number, a title without letters a word', () => {
    expect(idsOf(run('backlog/add', { title: 'First', category: 'c' })).at(-1)).toBe('first-2');
    expect(idsOf(run('backlog/add', { title: '…', category: 'c' })).at(-1)).toBe('task');
    expect(idsOf(run('backlog/add', { title: 'X', category: 'c' }, 'tasks: []\n'))).toEqual(['x']);
  });

  test('an unknown dependency is refused, and the known ones are named', () => {
    const error = refused('backlog/add', { title: 'X', category: 'c', dependencies: ['none'] });
    expect(error.code).toBe('state/unknownDependency');
    expect(error.message).toContain('first, second, third, odd');
  });
});

describe('set-status', () => {
  test('blocked wants a reason, and the reason goes with it', () => {
    expect(refused('backlog/set-status', { id: 'first', status: 'blocked' }).code).toBe('state/reasonMissing');
    expect(refused('backlog/set-status', { id: 'first', status: 'done', reason: 'x' }).code).toBe('state/badArguments');
    expect(
      taskOf(run('backlog/set-status', { id: 'first', status: 'blocked', reason: 'it waits' }), 'first'),
    ).toMatchObject({
      status: 'blocked',
      blocked_reason: 'it waits',
    });
    expect(taskOf(run('backlog/set-status', { id: 'third', status: 'done' }), 'third')).not.toHaveProperty(
      'blocked_reason',
    );
  });

  test('what is so already changes nothing', () => {
    unchanged('backlog/set-status', { id: 'first', status: 'in_progress' });
    unchanged('backlog/set-status', { id: 'third', status: 'blocked', reason: 'waits for the first' });
  });
});

describe('texts', () => {
  test.each(['results', 'handoff', 'description'])('set-%s writes exactly one line end', (field) => {
    for (const body of ['a\r\nb', 'a\nb\n', 'a\nb\n\n\n ']) {
      const backlog = run(`backlog/set-${field}` as VerbName, { id: 'second', body });
      expect(taskOf(backlog, 'second')).toMatchObject({ [field]: 'a\nb\n', title: 'Second' });
    }
    expect(refused(`backlog/set-${field}` as VerbName, { id: 'second', body: ' \n' }).code).toBe('state/badArguments');
  });

  test('a text of several lines is a literal block', () => {
    const text = applyVerb('backlog/set-results', { id: 'second', body: 'a\nb' }, makeContext()).edits.get(
      'backlog.yaml',
    );
    expect(text).toContain('  results: |\n    a\n    b\n');
  });

  test('clear-handoff removes the field', () => {
    expect(taskOf(run('backlog/clear-handoff', { id: 'second' }), 'second')).not.toHaveProperty('handoff');
    unchanged('backlog/clear-handoff', { id: 'first' });
  });

  test('set-title leaves the id', () => {
    expect(taskOf(run('backlog/set-title', { id: 'first', title: 'Quite other' }), 'first')?.title).toBe('Quite other');
  });
});

describe('set-dependencies', () => {
  test('replaces and clears', () => {
    expect(
      taskOf(run('backlog/set-dependencies', { id: 'third', dependencies: ['odd', 'odd'] }), 'third')?.dependencies,
    ).toEqual(['odd']);
    expect(taskOf(run('backlog/set-dependencies', { id: 'third', dependencies: [] }), 'third')?.dependencies).toEqual(
      [],
    );
  });

  test.each<[string, string[], string]>([
    ['first', ['none'], 'state/unknownDependency'],
    ['first', ['first'], 'state/dependencyCycle'],
    ['first', ['third'], 'state/dependencyCycle'],
    ['none', [], 'state/unknownRecord'],
  ])('%s on %j is refused', (id, dependencies, code) => {
    expect(refused('backlog/set-dependencies', { id, dependencies }).code).toBe(code);
  });

  test('one that led nowhere before may stay', () => {
    const text = backlogText.replace('- first # it needs this', '- lost');
    expect(
      taskOf(run('backlog/set-dependencies', { id: 'third', dependencies: ['lost'] }, text), 'third')?.dependencies,
    ).toEqual(['lost']);
  });
});

describe('reorder', () => {
  test.each<[string, string, string, string[]]>([
    ['odd', 'before', 'first', ['odd', 'first', 'second', 'third']],
    ['first', 'after', 'odd', ['second', 'third', 'odd', 'first']],
    ['first', 'after', 'second', ['second', 'first', 'third', 'odd']],
    ['third', 'before', 'second', ['first', 'third', 'second', 'odd']],
    ['first', 'before', 'odd', ['second', 'third', 'first', 'odd']],
  ])('%s %s %s', (id, where, target, expected) => {
    expect(idsOf(run('backlog/reorder', { id, where, target }))).toEqual(expected);
  });

  test('to where it stands already, to itself, to nothing', () => {
    unchanged('backlog/reorder', { id: 'first', where: 'before', target: 'second' });
    expect(refused('backlog/reorder', { id: 'first', where: 'after', target: 'first' }).code).toBe(
      'state/badArguments',
    );
    expect(refused('backlog/reorder', { id: 'first', where: 'after', target: 'none' }).code).toBe(
      'state/unknownRecord',
    );
  });
});

describe('delete', () => {
  test('is refused while others depend on it, naming them', () => {
    const error = refused('backlog/delete', { id: 'second' });
    expect(error.code).toBe('state/hasDependents');
    expect(error.message).toContain('third, odd');
  });

  test('force takes the id out of the others', () => {
    const backlog = run('backlog/delete', { id: 'second', force: true });
    expect(idsOf(backlog)).toEqual(['first', 'third', 'odd']);
    expect(taskOf(backlog, 'third')?.dependencies).toEqual(['first']);
    expect(taskOf(backlog, 'odd')?.dependencies).toEqual([]);
  });

  test('one that nothing needs just goes', () => {
    expect(idsOf(run('backlog/delete', { id: 'odd' }))).toEqual(['first', 'second', 'third']);
  });
});

describe('repair-stale-statuses', () => {
  const repairs = (text: string) => applyVerb('backlog/repair-stale-statuses', { 'dry-run': true }, withBacklog(text));
  const chain = (first: string, second: string) =>
    `tasks:\n- {id: a, title: A, category: c, status: ${first}, results: "r", dependencies: []}\n` +
    `- {id: b, title: B, category: c, status: ${second}, blocked_reason: x, dependencies: [a]}\n`;

  test('a chain moves one link a call', () => {
    const text = chain('in_progress', 'blocked');
    const once = run('backlog/repair-stale-statuses', {}, text);
    expect(once.tasks?.map(({ status }) => status)).toEqual(['done', 'blocked']);
    const twice = run('backlog/repair-stale-statuses', {}, text.replace('in_progress', 'done'));
    expect(twice.tasks?.map(({ status }) => status)).toEqual(['done', 'not_started']);
    expect(twice.tasks?.[1]).not.toHaveProperty('blocked_reason');
  });

  test('a dry run only tells', () => {
    const effect = repairs(chain('in_progress', 'blocked'));
    expect(effect.edits.size).toBe(0);
    expect(effect.result).toEqual({
      repairs: [{ id: 'a', from: 'in_progress', to: 'done', reason: 'results_non_empty' }],
    });
  });

  test.each([
    ['pending', 'tasks:\n- {id: a, title: A, category: c, status: in_progress, results: _pending_}\n'],
    ['blank', 'tasks:\n- {id: a, title: A, category: c, status: in_progress, results: "  "}\n'],
    ['not started', 'tasks:\n- {id: a, title: A, category: c, status: not_started, results: r}\n'],
    ['blocked by no task', 'tasks:\n- {id: a, title: A, category: c, status: blocked, blocked_reason: x}\n'],
    ['unknown blocker', 'tasks:\n- {id: a, title: A, category: c, status: blocked, dependencies: [z]}\n'],
  ])('%s is left', (_, text) => expect(repairs(text).result).toEqual({ repairs: [] }));
});

test('lint-dependencies names tasks that a description mentions and the task does not wait for', () => {
  const text = backlogText.replace('What to do.', 'After third and `odd`, before first.');
  expect(applyVerb('backlog/lint-dependencies', {}, withBacklog(text)).result).toEqual({
    drifts: [{ id: 'first', mentioned: ['odd', 'third'], dependencies: [], missing: ['odd', 'third'] }],
  });
  expect(applyVerb('backlog/lint-dependencies', {}, makeContext()).result).toEqual({ drifts: [] });
});

describe('init', () => {
  const given = `# mine
tasks:
- {id: a, title: A, category: c, status: not_started, dependencies: [b], colour: red}
- {id: b, title: B, category: c, status: done}
`;
  const init = (body: string, text?: string) =>
    applyVerb(
      'backlog/init',
      { body },
      makeContext({ texts: new Map(text === undefined ? [] : [['backlog.yaml', text]]) }),
    );

  test('a file that is not there becomes the text', () => {
    expect(init(given).edits.get('backlog.yaml')).toBe(given);
    expect(init(given.trimEnd(), ' \n').edits.get('backlog.yaml')).toBe(given);
    expect(init(given)).toMatchObject({ result: { added: 2 }, summary: 'filled backlog.yaml with 2 tasks' });
  });

  test.each(['tasks: []\n', 'tasks:\n', 'tasks: null\n', '{}\n'])('into %j the records are put', (text) => {
    expect(backlogSchema.parse(parsed(init(given, text)))).toEqual(backlogSchema.parse(parsed(init(given))));
  });

  test('what else the file says stays, and what else the text says is taken over', () => {
    const text = '# keep\nreceived: []   # too\ntasks: []\nmine: 1\n';
    const filled = init(`${given}theirs: {x: [2]}\nmine: 1\n`, text).edits.get('backlog.yaml') ?? '';
    expect(filled.startsWith('# keep\nreceived: []   # too\ntasks:')).toBe(true);
    expect(parsed(filled)).toMatchObject({ mine: 1, theirs: { x: [2] }, tasks: [{ colour: 'red' }, { id: 'b' }] });
  });

  test.each<[string, string, string, string]>([
    ['a backlog that is not empty', given, backlogText, 'state/notEmpty'],
    ['another value of one key', `${given}mine: 2\n`, 'tasks: []\nmine: 1\n', 'state/notEmpty'],
    ['no tasks', 'tasks: []\n', 'tasks: []\n', 'state/badArguments'],
    ['no backlog', '- a\n', 'tasks: []\n', 'yaml/schema'],
    ['no YAML', 'tasks: [\n', 'tasks: []\n', 'yaml/syntax'],
    ['an unknown status', given.replace('done', 'wip'), 'tasks: []\n', 'yaml/schema'],
    ['one id twice', given.replace('id: b', 'id: a'), 'tasks: []\n', 'yaml/duplicateId'],
    ['an unknown dependency', given.replace('[b]', '[z]'), 'tasks: []\n', 'state/unknownDependency'],
    [
      'a circle',
      given.replace('status: done', 'status: done, dependencies: [a]'),
      'tasks: []\n',
      'state/dependencyCycle',
    ],
    ['a present file that cannot be read', given, 'tasks: [\n', 'yaml/syntax'],
  ])('%s is refused', (_name, body, text, code) => {
    expect(refused('backlog/init', { body }, makeContext({ texts: new Map([['backlog.yaml', text]]) })).code).toBe(
      code,
    );
  });
});

function parsed(from: string | VerbEffect): unknown {
  const text = typeof from === 'string' ? from : (from.edits.get('backlog.yaml') ?? '');
  return parseYaml(text, { file: 'backlog.yaml', subject: '' }).value;
}
