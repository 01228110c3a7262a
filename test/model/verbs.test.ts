import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { ReasoningPhase } from '../../src/model/phase.ts';
import { finishArgsSchema, permitArgsSchema } from '../../src/model/sessionTools.ts';
import {
  isKnowledgeVerb,
  isVerbName,
  personVerbNames,
  toolFromVerb,
  type VerbName,
  verbFromTool,
  verbNames,
  verbs,
  verbsOfPhase,
} from '../../src/model/verbs.ts';

// The verbs that write, by phase. Reading verbs follow from the files a phase is given.
const writing: Readonly<Record<ReasoningPhase, readonly VerbName[]>> = {
  work: [
    'backlog/set-status',
    'backlog/set-results',
    'backlog/set-handoff',
    'message/dispatch',
    'message/ask',
    'message/reply',
    'knowledge/remember',
  ],
  'analyse-work': [
    'backlog/add',
    'backlog/set-handoff',
    'backlog/repair-stale-statuses',
    'session/set-latest',
    'commits/set',
    'source/revert',
  ],
  reflect: [
    'memory/add',
    'memory/set-title',
    'memory/set-body',
    'memory/delete',
    'message/dispatch',
    'message/ask',
    'message/reply',
  ],
  dream: ['memory/set-title', 'memory/set-body', 'memory/delete', 'memory/merge'],
  triage: [
    ...verbNames.filter((name) => name.startsWith('backlog/') && name !== 'backlog/init' && !isReading(name)),
    'received/promote',
    'received/decline',
    'memory/add',
    'message/dispatch',
    'message/ask',
    'message/reply',
  ],
};

function isReading(name: VerbName): boolean {
  return 'reads' in verbs[name];
}

describe('the verbs of a phase', () => {
  test.each(Object.entries(writing))('%s include exactly these writing verbs', (phase, expected) => {
    const name = phase as ReasoningPhase;
    expect(verbsOfPhase(name).filter((verb) => !isReading(verb))).toEqual(expected);
  });

  test('read only files that the phase is given', () => {
    const reading = (phase: ReasoningPhase) =>
      verbsOfPhase(phase).filter((name) => isReading(name) && !isKnowledgeVerb(name));
    expect(reading('dream')).toEqual(['memory/list', 'memory/search', 'memory/show']);
    expect(reading('reflect')).toEqual(['memory/list', 'memory/search', 'memory/show', 'session/show-latest']);
    expect(reading('triage')).toEqual(expect.arrayContaining(['received/list', 'received/show']));
    for (const phase of ['work', 'analyse-work', 'reflect', 'dream'] as const)
      expect(reading(phase)).not.toContain('received/list');
    expect(reading('analyse-work')).not.toContain('memory/list');
  });
});

test('the knowledge is for phases that decide what to do; what only judges or reshapes the work of others has none of it', () => {
  const ofKnowledge = (phase: ReasoningPhase) => verbsOfPhase(phase).filter(isKnowledgeVerb);
  expect(ofKnowledge('work')).toEqual(['knowledge/search', 'knowledge/show', 'knowledge/remember']);
  for (const phase of ['reflect', 'triage'] as const)
    expect(ofKnowledge(phase)).toEqual(['knowledge/search', 'knowledge/show']);
  for (const phase of ['analyse-work', 'dream'] as const) expect(ofKnowledge(phase)).toEqual([]);
});

const ofPersons: readonly VerbName[] = [
  'backlog/init',
  'memory/init',
  'session/list',
  'session/show',
  'session/append',
  'phase/show',
  'phase/set',
  'phase-summary/render',
  'message/list',
];

test('verbs that create a file, move the cycle or touch the session log belong to no phase but to persons', () => {
  expect(verbNames.filter((name) => verbs[name].phases.length === 0)).toEqual(ofPersons);
  expect(personVerbNames).toEqual(expect.arrayContaining([...ofPersons]));
});

describe('verb names', () => {
  test.each(verbNames)('the verb %s maps to a tool and back', (name) => {
    expect(toolFromVerb(name)).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(verbFromTool(toolFromVerb(name))).toBe(name);
  });

  test('an unknown tool maps to no verb', () => expect(verbFromTool('backlog_explode')).toBeUndefined());

  test.each<[string, boolean]>([
    ['backlog/set-status', true],
    ['backlog_set_status', false],
    ['constructor', false],
  ])('isVerbName(%j) is %s', (text, expected) => expect(isVerbName(text)).toBe(expected));

  test.each(verbNames)('the positional arguments of %s are arguments it declares', (name) => {
    expect(Object.keys(verbs[name].args.shape)).toEqual(expect.arrayContaining([...verbs[name].positional]));
  });
});

describe('verb arguments', () => {
  test.each<[VerbName, unknown, boolean]>([
    ['backlog/add', { title: 'Fix it', category: 'core' }, true],
    ['backlog/add', { title: '  ', category: 'core' }, false],
    ['backlog/add', { title: 'x'.repeat(201), category: 'core' }, false],
    ['backlog/add', { title: 'Fix it', category: 'core', colour: 'red' }, false],
    ['backlog/set-status', { id: 'fix-it', status: 'finished' }, false],
    ['backlog/set-description', { id: 'fix-it', body: ' \n' }, false],
    ['memory/set-body', { id: 'fact', body: '' }, false],
    ['memory/merge', { into: 'a', from: [], body: 'b' }, false],
    ['received/decline', { id: 'm', reason: ' ' }, false],
    ['phase/set', { phase: 'git-commit-dream' }, true],
    ['phase/set', { phase: 'compact' }, true],
    ['phase/set', { phase: 'analyse_work' }, false],
    ['phase-summary/render', { phase: 'work' }, false],
    ['phase-summary/render', { phase: 'triage', baseline: '' }, true],
    ['phase-summary/render', { phase: 'triage', baseline: '--output=x' }, false],
    ['session/list', { limit: 0 }, false],
    ['session/list', { limit: 1.5 }, false],
    ['session/append', { id: 'a', timestamp: '2026-11-20T08:30:00Z', body: 'b' }, true],
    ['session/append', { id: 'a', timestamp: '2026-11-20', body: 'b' }, true],
    ['session/append', { id: 'a', timestamp: 'yesterday', body: 'b' }, false],
    ['session/append', { timestamp: '2026-11-20T08:30:00Z', body: 'b' }, false],
    ['session/append', { id: 'a', body: 'b' }, false],
    ['commits/set', { commits: [] }, true],
    ['commits/set', { commits: [{ paths: [], message: 'Do it' }] }, false],
    [
      'session/set-latest',
      { title: 't', body: 'b', claims: [{ text: 'c', evidence: [{ path: 'a', test: 'b' }] }] },
      false,
    ],
    ['session/set-latest', { title: 't', body: 'b', claims: [{ text: 'c', evidence: [{ test: 'npm test' }] }] }, true],
    ['message/ask', { target: 'auto', reason: 'r', body: 'b' }, true],
    ['message/ask', { target: 'somebody', reason: 'r', body: 'b' }, false],
    ['message/dispatch', { id: 'mine', target: 'auto', reason: 'r', body: 'b' }, false],
  ])('%s %j is valid: %s', (name, args, expected) => expect(verbs[name].args.safeParse(args).success).toBe(expected));

  test.each<[unknown, boolean]>([
    [{ outcome: 'done', summary: 'all of it' }, true],
    [{ outcome: 'done', summary: ' ' }, false],
    [{ outcome: 'finished', summary: 's' }, false],
    [{ outcome: 'done', summary: 's', next: 'triage' }, false],
  ])('finish with %j is valid: %s', (args, expected) =>
    expect(finishArgsSchema.safeParse(args).success).toBe(expected),
  );

  test('a permission request keeps unknown keys', () => {
    expect(permitArgsSchema.parse({ tool_name: 'Bash', input: { command: 'ls' }, later: 1 })).toHaveProperty(
      'later',
      1,
    );
  });
});

test('each argument of a verb says what it takes', () => {
  const silent = verbNames.flatMap((name) =>
    Object.entries(z.toJSONSchema(verbs[name].args, { io: 'input' }).properties ?? {})
      .filter(([, schema]) => typeof schema === 'boolean' || schema.description === undefined)
      .map(([argument]) => `${name} ${argument}`),
  );
  expect(silent).toEqual([]);
});
