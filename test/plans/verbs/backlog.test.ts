import { describe, expect, test } from 'vitest';
import { type Backlog, backlogSchema, type Task } from '../../../src/model/backlog.ts';
import type { VerbName } from '../../../src/model/verbs.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import type { VerbEffect } from '../../../src/plans/verbs/verbContext.ts';
import { formatYaml, parseYaml } from '../../../src/yaml/yaml.ts';
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

describe('backlog/list and backlog/show', () => {
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
  ])('list with %j gives %j', (args, expected) => {
    const { result } = applyVerb('backlog/list', args, makeContext());
    expect(result).toMatchObject({ tasks: expected.map((id) => ({ id })) });
    expect(result).toHaveProperty('tasks.length', expected.length);
  });

  test('show gives the whole record, unknown fields included', () => {
    expect(applyVerb('backlog/show', { id: 'first' }, makeContext()).result).toMatchObject({
      results: 'It works.\n',
      mine: 1,
    });
    const error = refused('backlog/show', { id: 'none' });
    expect(error.code).toBe('state/unknownRecord');
    expect(error.message).toContain('first, second, third, odd');
  });
});

describe('backlog/add', () => {
  test('appends a task that is not started and has an id made from its title', () => {
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

  test('numbers an id that is taken and uses “task” for a title without letters', () => {
    expect(idsOf(run('backlog/add', { title: 'First', category: 'c' })).at(-1)).toBe('first-2');
    expect(idsOf(run('backlog/add', { title: '…', category: 'c' })).at(-1)).toBe('task');
    expect(idsOf(run('backlog/add', { title: 'X', category: 'c' }, 'tasks: []\n'))).toEqual(['x']);
  });

  test('leaves the id of a task that is gone to the message which became it', () => {
    const message = { id: '01JD0000000000000000000001', from: 'person', at: 'x', reason: 'r', body: 'b' };
    const received = [{ ...message, state: 'promoted', task: 'close-till' }];
    const text = formatYaml({ tasks: [], received });
    expect(idsOf(run('backlog/add', { title: 'Close till', category: 'c' }, text))).toEqual(['close-till-2']);
  });

  test('refuses an unknown dependency and names the known ones', () => {
    const error = refused('backlog/add', { title: 'X', category: 'c', dependencies: ['none'] });
    expect(error.code).toBe('state/unknownDependency');
    expect(error.message).toContain('first, second, third, odd');
  });
});

describe('backlog/set-status', () => {
  test('requires a reason for blocked and drops it with the status', () => {
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

  test('takes a task back that was sent', () => {
    const text = 'tasks:\n- {id: a, title: A, category: c, status: blocked, blocked_reason: sent to b, sent: M}\n';
    const [task] = run('backlog/set-status', { id: 'a', status: 'not_started' }, text).tasks ?? [];
    expect(task).toEqual({ id: 'a', title: 'A', category: 'c', status: 'not_started' });
  });

  test('changes nothing when the task already has that status and reason', () => {
    unchanged('backlog/set-status', { id: 'first', status: 'in_progress' });
    unchanged('backlog/set-status', { id: 'third', status: 'blocked', reason: 'waits for the first' });
  });
});

describe('text fields of a task', () => {
  test.each(['results', 'handoff', 'description'])(
    'set-%s ends the text with exactly one line feed and refuses a blank one',
    (field) => {
      for (const body of ['a\r\nb', 'a\nb\n', 'a\nb\n\n\n ']) {
        const backlog = run(`backlog/set-${field}` as VerbName, { id: 'second', body });
        expect(taskOf(backlog, 'second')).toMatchObject({ [field]: 'a\nb\n', title: 'Second' });
      }
      expect(refused(`backlog/set-${field}` as VerbName, { id: 'second', body: ' \n' }).code).toBe(
        'state/badArguments',
      );
    },
  );

  test('a text of several lines becomes a literal block', () => {
    const text = applyVerb('backlog/set-results', { id: 'second', body: 'a\nb' }, makeContext()).edits.get(
      'backlog.yaml',
    );
    expect(text).toContain('  results: |\n    a\n    b\n');
  });

  test('clear-handoff removes the field', () => {
    expect(taskOf(run('backlog/clear-handoff', { id: 'second' }), 'second')).not.toHaveProperty('handoff');
    unchanged('backlog/clear-handoff', { id: 'first' });
  });

  test('set-title keeps the id', () => {
    expect(taskOf(run('backlog/set-title', { id: 'first', title: 'Quite other' }), 'first')?.title).toBe('Quite other');
  });
});

describe('backlog/set-dependencies', () => {
  test('replaces the dependencies, without duplicates, or clears them', () => {
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
  ])('refuses dependencies of %s on %j with %s', (id, dependencies, code) => {
    expect(refused('backlog/set-dependencies', { id, dependencies }).code).toBe(code);
  });

  test('keeps a dependency that was already dangling', () => {
    const text = backlogText.replace('- first # it needs this', '- lost');
    expect(
      taskOf(run('backlog/set-dependencies', { id: 'third', dependencies: ['lost'] }, text), 'third')?.dependencies,
    ).toEqual(['lost']);
  });
});

describe('backlog/reorder', () => {
  test.each<[string, string, string, string[]]>([
    ['odd', 'before', 'first', ['odd', 'first', 'second', 'third']],
    ['first', 'after', 'odd', ['second', 'third', 'odd', 'first']],
    ['first', 'after', 'second', ['second', 'first', 'third', 'odd']],
    ['third', 'before', 'second', ['first', 'third', 'second', 'odd']],
    ['first', 'before', 'odd', ['second', 'third', 'first', 'odd']],
  ])('%s %s %s gives %j', (id, where, target, expected) => {
    expect(idsOf(run('backlog/reorder', { id, where, target }))).toEqual(expected);
  });

  test('changes nothing for the present place, and refuses the task itself or an unknown task as target', () => {
    unchanged('backlog/reorder', { id: 'first', where: 'before', target: 'second' });
    expect(refused('backlog/reorder', { id: 'first', where: 'after', target: 'first' }).code).toBe(
      'state/badArguments',
    );
    expect(refused('backlog/reorder', { id: 'first', where: 'after', target: 'none' }).code).toBe(
      'state/unknownRecord',
    );
  });
});

describe('backlog/delete', () => {
  test('is refused while other tasks depend on the task, and names them', () => {
    const error = refused('backlog/delete', { id: 'second' });
    expect(error.code).toBe('state/hasDependents');
    expect(error.message).toContain('third, odd');
  });

  test('with force, removes the id from the dependencies of other tasks', () => {
    const backlog = run('backlog/delete', { id: 'second', force: true });
    expect(idsOf(backlog)).toEqual(['first', 'third', 'odd']);
    expect(taskOf(backlog, 'third')?.dependencies).toEqual(['first']);
    expect(taskOf(backlog, 'odd')?.dependencies).toEqual([]);
  });

  test('removes a task that no other task depends on', () => {
    expect(idsOf(run('backlog/delete', { id: 'odd' }))).toEqual(['first', 'second', 'third']);
  });
});

describe('backlog/repair-stale-statuses', () => {
  const repairs = (text: string) => applyVerb('backlog/repair-stale-statuses', { 'dry-run': true }, withBacklog(text));
  const chain = (first: string, second: string) =>
    `tasks:\n- {id: a, title: A, category: c, status: ${first}, results: "r", dependencies: []}\n` +
    `- {id: b, title: B, category: c, status: ${second}, blocked_reason: x, dependencies: [a]}\n`;

  test('repairs one link of a chain per call', () => {
    const text = chain('in_progress', 'blocked');
    const once = run('backlog/repair-stale-statuses', {}, text);
    expect(once.tasks?.map(({ status }) => status)).toEqual(['done', 'blocked']);
    const twice = run('backlog/repair-stale-statuses', {}, text.replace('in_progress', 'done'));
    expect(twice.tasks?.map(({ status }) => status)).toEqual(['done', 'not_started']);
    expect(twice.tasks?.[1]).not.toHaveProperty('blocked_reason');
  });

  test('reports the repairs of a dry run without making them', () => {
    const effect = repairs(chain('in_progress', 'blocked'));
    expect(effect.edits.size).toBe(0);
    expect(effect.result).toEqual({
      repairs: [{ id: 'a', from: 'in_progress', to: 'done', reason: 'results_non_empty' }],
    });
  });

  test.each([
    ['pending results', 'tasks:\n- {id: a, title: A, category: c, status: in_progress, results: _pending_}\n'],
    ['blank results', 'tasks:\n- {id: a, title: A, category: c, status: in_progress, results: "  "}\n'],
    ['a task that is not started', 'tasks:\n- {id: a, title: A, category: c, status: not_started, results: r}\n'],
    [
      'a blocked task without dependencies',
      'tasks:\n- {id: a, title: A, category: c, status: blocked, blocked_reason: x}\n',
    ],
    [
      'a task blocked by an unknown task',
      'tasks:\n- {id: a, title: A, category: c, status: blocked, dependencies: [z]}\n',
    ],
  ])('leaves %s alone', (_, text) => expect(repairs(text).result).toEqual({ repairs: [] }));
});

test('backlog/lint-dependencies lists tasks that a description mentions but its dependencies do not', () => {
  const text = backlogText.replace('What to do.', 'After third and `odd`, before first.');
  expect(applyVerb('backlog/lint-dependencies', {}, withBacklog(text)).result).toEqual({
    drifts: [{ id: 'first', mentioned: ['odd', 'third'], dependencies: [], missing: ['odd', 'third'] }],
  });
  expect(applyVerb('backlog/lint-dependencies', {}, makeContext()).result).toEqual({ drifts: [] });
});

describe('backlog/init', () => {
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

  test('writes the text to a missing or blank file', () => {
    expect(init(given).edits.get('backlog.yaml')).toBe(given);
    expect(init(given.trimEnd(), ' \n').edits.get('backlog.yaml')).toBe(given);
    expect(init(given)).toMatchObject({ result: { added: 2 }, summary: 'filled backlog.yaml with 2 tasks' });
  });

  test.each(['tasks: []\n', 'tasks:\n', 'tasks: null\n', '{}\n'])('puts the records into %j', (text) => {
    expect(backlogSchema.parse(parsed(init(given, text)))).toEqual(backlogSchema.parse(parsed(init(given))));
  });

  test('keeps the rest of the file and takes over the other keys of the text', () => {
    const text = '# keep\nreceived: []   # too\ntasks: []\nmine: 1\n';
    const filled = init(`${given}theirs: {x: [2]}\nmine: 1\n`, text).edits.get('backlog.yaml') ?? '';
    expect(filled.startsWith('# keep\nreceived: []   # too\ntasks:')).toBe(true);
    expect(parsed(filled)).toMatchObject({ mine: 1, theirs: { x: [2] }, tasks: [{ colour: 'red' }, { id: 'b' }] });
  });

  test.each<[string, string, string, string]>([
    ['a backlog that is not empty', given, backlogText, 'state/notEmpty'],
    ['another value for an existing key', `${given}mine: 2\n`, 'tasks: []\nmine: 1\n', 'state/notEmpty'],
    ['a text without tasks', 'tasks: []\n', 'tasks: []\n', 'state/badArguments'],
    ['a text that is not a backlog', '- a\n', 'tasks: []\n', 'yaml/schema'],
    ['a text that is not YAML', 'tasks: [\n', 'tasks: []\n', 'yaml/syntax'],
    ['an unknown status', given.replace('done', 'wip'), 'tasks: []\n', 'yaml/schema'],
    ['a duplicate id', given.replace('id: b', 'id: a'), 'tasks: []\n', 'yaml/duplicateId'],
    ['an unknown dependency', given.replace('[b]', '[z]'), 'tasks: []\n', 'state/unknownDependency'],
    [
      'a dependency cycle',
      given.replace('status: done', 'status: done, dependencies: [a]'),
      'tasks: []\n',
      'state/dependencyCycle',
    ],
    ['an unreadable present file', given, 'tasks: [\n', 'yaml/syntax'],
  ])('refuses %s', (_name, body, text, code) => {
    expect(refused('backlog/init', { body }, makeContext({ texts: new Map([['backlog.yaml', text]]) })).code).toBe(
      code,
    );
  });
});

function parsed(from: string | VerbEffect): unknown {
  const text = typeof from === 'string' ? from : (from.edits.get('backlog.yaml') ?? '');
  return parseYaml(text, { file: 'backlog.yaml', subject: '' }).value;
}
