import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRavelError } from '../../../src/base/errors.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { isKnowledgeVerb, verbNames, verbs } from '../../../src/model/verbs.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import { backlogText, makeContext, memoryText, refused } from './context.ts';

describe('permission to use a verb', () => {
  test('a phase has the verbs of its table and no others', () => {
    for (const name of verbNames) {
      for (const phase of ['work', 'analyse-work', 'reflect', 'dream', 'triage'] as const) {
        // The runner carries this verb out, for the one phase that has it; the running session answers the others.
        if (name === 'source/revert' && phase === 'analyse-work') continue;
        const isOfSession = name === 'message/reply' || isKnowledgeVerb(name);
        if (isOfSession && verbs[name].phases.some((one) => one === phase)) continue;
        const code = refused(name, { nonsense: true }, makeContext({ phase })).code;
        expect([name, phase, code]).toEqual([
          name,
          phase,
          verbs[name].phases.includes(phase) ? 'state/badArguments' : 'state/notAllowed',
        ]);
      }
    }
  });

  test('a refusal names the tools that the phase has', () => {
    const error = refused('backlog/delete', { id: 'first' }, makeContext({ phase: 'work' }));
    expect(error.diagnostic.help).toContain('backlog_set_status');
    expect(error.diagnostic.help).not.toContain('backlog_delete');
  });

  test.each(['backlog/set-status', 'backlog/set-results', 'backlog/set-handoff'] as const)(
    'a work session with a chosen task can use %s on that task only',
    (name) => {
      const args = (id: string) => (name === 'backlog/set-status' ? { id, status: 'done' } : { id, body: 'x' });
      expect(refused(name, args('second'), makeContext({ phase: 'work', task: 'first' })).code).toBe(
        'state/notAllowed',
      );
      expect(applyVerb(name, args('first'), makeContext({ phase: 'work', task: 'first' })).edits.size).toBe(1);
      expect(applyVerb(name, args('second'), makeContext({ phase: 'work' })).edits.size).toBe(1);
      expect(applyVerb(name, args('second'), makeContext({ task: 'first' })).edits.size).toBe(1);
    },
  );

  test('source/revert throws, because only the runner carries it out', () => {
    expect(() => applyVerb('source/revert', { path: 'a' }, makeContext())).toThrow('runner');
  });
});

test('a refusal names the argument that does not fit', () => {
  expect(refused('backlog/add', { title: 'x' }).message).toContain('category');
  expect(refused('backlog/set-status', { id: 'first', status: 'perhaps' }).message).toContain('status');
  expect(refused('backlog/show', 'first').code).toBe('state/badArguments');
});

test('a refusal names the missing or broken file', () => {
  const missing = refused('backlog/list', {}, makeContext({ texts: new Map() }));
  expect([missing.code, missing.diagnostic.file]).toEqual(['state/unknownRecord', 'backlog.yaml']);
  expect(missing.message).toContain('backlog.yaml');
  const latest = refused('session/show-latest', {}, makeContext({ texts: new Map() }));
  expect(latest.diagnostic.help).toContain('analyse-work');
  const broken = makeContext({ texts: new Map([['backlog.yaml', 'tasks:\n- id: a\n  status: perhaps\n']]) });
  expect(refused('backlog/list', {}, broken).code).toBe('yaml/schema');
});

/** Verbs that change one record of a file, with arguments for a chosen one. */
const changing = [
  (id: string) => ['backlog/set-status', { id, status: 'done' }] as const,
  (id: string) => ['backlog/set-status', { id, status: 'blocked', reason: 'it waits' }] as const,
  (id: string) => ['backlog/set-results', { id, body: 'a\n\n- b: c' }] as const,
  (id: string) => ['backlog/set-handoff', { id, body: '# heading' }] as const,
  (id: string) => ['backlog/clear-handoff', { id }] as const,
  (id: string) => ['backlog/set-title', { id, title: 'no' }] as const,
  (id: string) => ['backlog/set-description', { id, body: '  indented: yes' }] as const,
  (id: string) => ['backlog/set-dependencies', { id, dependencies: [] }] as const,
  (id: string) => ['backlog/delete', { id, force: true }] as const,
  () => ['backlog/add', { title: 'New: one', category: 'c', description: 'd' }] as const,
  (id: string) => ['backlog/reorder', { id, where: 'after', target: 'odd' }] as const,
];

test('a verb on one record keeps the bytes of every other record', () => {
  const ids = ['first', 'second', 'third', 'odd'];
  fc.assert(
    fc.property(fc.constantFrom(...ids), fc.constantFrom(...changing), (id, make) => {
      const [name, args] = make(id);
      fc.pre(!(name === 'backlog/reorder' && id === 'odd'));
      const after = applyVerb(name, args, makeContext()).edits.get('backlog.yaml') ?? backlogText;
      for (const other of ids) {
        // A forced delete takes the id out of the tasks that depended on it.
        const record = recordText(backlogText, other);
        if (other === id || (name === 'backlog/delete' && record.includes(id))) continue;
        expect(after).toContain(record);
      }
      expect(after.startsWith('# the plan\n')).toBe(true);
      expect(after).toContain('mine: [kept,   as is]');
    }),
  );
});

function recordText(text: string, id: string): string {
  const start = text.indexOf(`- id: ${id}\n`);
  const end = /\n(?=-|[a-z#])/.exec(text.slice(start))?.index ?? text.length;
  return text.slice(start, start + end);
}

test('verbs that read return JSON and edit nothing', () => {
  const ids: Readonly<Record<string, string>> = { memory: 'alpha', received: '01JD0000000000000000000001' };
  for (const name of verbNames) {
    if (!('reads' in verbs[name]) || isKnowledgeVerb(name)) continue;
    const id = ids[name.split('/')[0] ?? ''] ?? 'first';
    const args = name === 'phase-summary/render' ? { phase: 'dream' } : {};
    const texts = new Map([
      ...makeContext().texts,
      ['latest-session.yaml' as const, 'id: r\ntimestamp: t\nphase: work\nbody: b\n'],
      ['session-log.yaml' as const, 'sessions:\n- id: first\n  timestamp: t\n  phase: work\n  body: b\n'],
      ['phase.md' as const, 'work\n'],
    ]);
    const [position] = verbs[name].positional;
    const named = position === undefined ? args : { [position]: id };
    const effect = applyVerb(name, named, makeContext({ texts }));
    expect([name, effect.edits.size]).toEqual([name, 0]);
    expect(JSON.parse(JSON.stringify(effect.result))).toEqual(effect.result);
  }
});

test('a refusal names the plan it is about', () => {
  const context = makeContext({ subject: toQualifiedId('Demo/project-root/child') });
  expect(refused('memory/show', { id: 'none' }, context).diagnostic.subject).toBe('Demo/project-root/child');
  expect(memoryText).toContain('alpha');
  expect(isRavelError(refused('memory/show', { id: 'none' }, context), 'state/unknownRecord')).toBe(true);
});
