import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type ReasoningPhase, reasoningPhases } from '../../../src/model/phase.ts';
import type { ExecutorName } from '../../../src/model/settings.ts';
import { toolFromVerb, verbsOfPhase } from '../../../src/model/verbs.ts';
import { changesOfPhase, toolsOfPhase } from '../../../src/plans/sessions/sessionTools.ts';

describe('the tools of a phase', () => {
  function check(phase: ReasoningPhase, harness: ExecutorName, last: string[]): void {
    const names = toolsOfPhase(phase, harness).map((tool) => tool.name);
    expect(names).toEqual([...verbsOfPhase(phase).map(toolFromVerb), ...last]);
  }

  test('are its verbs, finish_phase, and permit when a harness asks for tools', () => {
    check('work', 'claude-code', ['finish_phase', 'permit']);
    check('dream', 'scripted', ['finish_phase', 'permit']);
    check('work', 'person', ['finish_phase']);
  });

  test('have names that every harness accepts, and descriptions', () => {
    for (const tool of reasoningPhases.flatMap((phase) => toolsOfPhase(phase, 'scripted'))) {
      expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,40}$/);
      expect(tool.description.length).toBeGreaterThan(10);
    }
  });
});

test('the changes that a person can make by hand exclude verbs that only read and verbs of a running session', () => {
  const names = changesOfPhase('analyse-work').map((tool) => tool.name);
  expect(names).toContain('session_set_latest');
  for (const other of ['backlog_list', 'source_revert', 'finish_phase']) expect(names).not.toContain(other);
});

describe('the schema of a tool’s arguments', () => {
  const schemas = new Map(
    reasoningPhases.flatMap((phase) => toolsOfPhase(phase, 'scripted')).map((tool) => [tool.name, tool.inputSchema]),
  );
  function check(tool: string, args: object, expected: boolean): void {
    const schema = schemas.get(tool);
    if (schema === undefined) throw new Error(`there is no tool ${tool}`);
    expect(z.fromJSONSchema(schema).safeParse(args).success).toBe(expected);
  }

  test('is a JSON Schema for an object', () => {
    for (const [name, schema] of schemas) {
      expect([name, schema['type']]).toEqual([name, 'object']);
      expect(() => z.fromJSONSchema(schema)).not.toThrow();
      expect(schema).not.toHaveProperty('$schema');
    }
  });

  test('accepts the same arguments as the verb', () => {
    check('backlog_set_status', { id: 'a', status: 'done' }, true);
    check('backlog_set_status', { id: 'a', status: 'finished' }, false);
    check('backlog_set_status', { status: 'done' }, false);
    check('backlog_set_status', { id: 'a', status: 'done', more: 1 }, false);
    check('finish_phase', { outcome: 'done', summary: 'It works.' }, true);
    check('finish_phase', { outcome: 'perfect', summary: 'It works.' }, false);
    check('permit', { tool_name: 'Bash', input: {}, tool_use_id: 'x', other: 1 }, true);
  });
});
