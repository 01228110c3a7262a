import { describe, expect, test } from 'vitest';
import { compileLayer, ToolPolicy } from '../../../src/gates/policy/toolPolicy.ts';
import { createStoredValues } from '../../../src/gates/secrets/storedValues.ts';
import { type ToolGateName, toolGateNames, toolGateRows } from '../../../src/gates/tools/gateTable.ts';
import { judgeTool, toolGates } from '../../../src/gates/tools/toolGate.ts';
import type { ToolRequest } from '../../../src/model/verdict.ts';

const project = '/srv/demo';
const deny = { permissions: { deny: ['Bash(terraform apply *)'], ask: ['Edit(/docs/**)'] } };
const policy = new ToolPolicy([compileLayer('vault', '/vault/policy.yaml', deny)], '/people/ann');

function asked(tool_name: string, input: Record<string, unknown>, more: Partial<ToolRequest> = {}): ToolRequest {
  return {
    ...{ purpose: 'work', confinement: 'unconfined', projectDirectory: project, ravelDirectory: `${project}/ravel` },
    ...{ request: { tool_name, input } },
    ...{ resolvePath: (path) => path, secretFilesBelow: () => [] },
    policy: policy.for({ actor: 'shop/project-root', phase: 'work' }, project),
    ...more,
  };
}

const value = 'plain words that open a door';

/** What each gate that is asked stops, and no other one does. */
const stopped: Readonly<Partial<Record<ToolGateName, ToolRequest>>> = {
  token: asked('Write', { file_path: 'a.txt', content: '' }, { purpose: 'analyse-work' }),
  protected: asked('Read', { file_path: '.env' }),
  policy: asked('Bash', { command: 'cd src && terraform apply -auto-approve' }),
  secrets: asked(
    'Bash',
    { command: `echo ${value}` },
    { storedSecrets: createStoredValues([{ name: 'DOOR', value }]) },
  ),
  command: asked('Bash', { command: 'sudo ls' }),
  network: asked('Bash', { command: 'npm ci' }),
};

test('the gates are asked in the order of their priority, skills before the sandbox and behind all others', () => {
  expect(toolGateNames).toEqual([
    ...['token', 'protected', 'policy', 'secrets', 'privacy', 'command', 'network', 'impact', 'skills', 'sandbox'],
  ]);
  const asking = toolGateNames.filter((name) => !('isReserved' in toolGateRows[name]) && name !== 'sandbox');
  expect(Object.keys(toolGates).sort()).toEqual([...asking].sort());
  expect(Object.keys(stopped).sort()).toEqual([...asking].sort());
});

describe.each(Object.entries(stopped))('the gate %s', (name, request) => {
  test('stops what no other gate stops', () => {
    expect(judgeTool(request)).toMatchObject({ gate: name, reason: expect.any(String) });
    expect(judgeTool(request).decision).not.toBe('allow');
    const without = { ...toolGates, [name]: () => ({ outcome: 'accept' }) as const };
    expect(judgeTool(request, without).decision).toBe('allow');
  });

  test('refuses if it throws', () => {
    const broken = {
      ...toolGates,
      [name]: () => {
        throw new Error('a defect');
      },
    };
    expect(judgeTool(asked('Bash', { command: 'ls' }), broken)).toMatchObject({
      ...{ decision: 'deny', gate: name, retryable: false },
      reason: `The gate ${name} failed: a defect.`,
    });
  });
});

test('a refusal of a later gate ends a request that an earlier one had a question about', () => {
  const table = { ...toolGates, impact: () => ({ outcome: 'reject', reason: 'No.', retryable: true }) as const };
  expect(judgeTool(asked('Write', { file_path: 'docs/a.md', content: '' }), table)).toMatchObject({
    ...{ decision: 'deny', gate: 'impact' },
  });
});

test('an input that a gate changed is the one that later gates judge', () => {
  const table = {
    ...toolGates,
    token: () => ({ outcome: 'modify', input: { command: 'sudo ls' }, reason: 'Changed.' }) as const,
  };
  expect(judgeTool(asked('Bash', { command: 'ls' }), table)).toMatchObject({ decision: 'deny', gate: 'command' });
});

test('without a policy that can be used every tool is refused, and the session is told why', () => {
  for (const [tool, input] of [
    ['Read', { file_path: 'a.txt' }],
    ['Bash', { command: 'ls' }],
  ] as const) {
    const verdict = judgeTool(asked(tool, input, { policyProblem: 'policy.yaml cannot be used.' }));
    expect(verdict).toMatchObject({ decision: 'deny', gate: 'policy', reason: 'policy.yaml cannot be used.' });
  }
});

test('a policy is not changed by any tool, wherever it lies', () => {
  const more = { policyFiles: [`${project}/vault/policy.yaml`] };
  for (const [tool, input] of [
    ['Write', { file_path: 'vault/policy.yaml', content: '' }],
    ['Bash', { command: 'echo > vault/POLICY.yaml' }],
    ['Bash', { command: 'rm -r vault' }],
    ['Bash', { command: 'cp a.txt vault/policy.yaml' }],
  ] as const) {
    expect(judgeTool(asked(tool, input, more)), JSON.stringify(input)).toMatchObject({
      decision: 'deny',
      gate: 'protected',
    });
    expect(judgeTool(asked(tool, input)).decision, JSON.stringify(input)).toBe('allow');
  }
});
