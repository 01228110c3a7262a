import { describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { type StatusModel, statusText } from '../../src/ui/statusText.ts';
import type { LinkState } from '../../src/ui/vaultLink.ts';

const vaultOf = (state: LinkState) => ({ name: 'mine', path: '/vaults/mine', state });
const idle: StatusModel = { vault: vaultOf({ kind: 'owner' }), running: 0, needsYou: 0 };
const client: LinkState = { kind: 'client', pid: 7, external: false };

describe('the status bar item', () => {
  test.each<[string, StatusModel, string, string]>([
    ['of an idle owner shows the name', idle, '$(layers) Ravel', 'usual'],
    ['of a client shows the name', { ...idle, vault: vaultOf(client) }, '$(layers) Ravel', 'usual'],
    ['shows how many sessions run', { ...idle, running: 1 }, '$(sync~spin) Ravel: 1 running', 'usual'],
    ['shows what needs a person', { ...idle, needsYou: 1 }, '$(bell-dot) Ravel: 1 needs you', 'blocked'],
    [
      'shows what runs and what needs a person',
      { ...idle, running: 2, needsYou: 3 },
      '$(sync~spin) Ravel: 2 running, 3 need you',
      'usual',
    ],
    [
      'says that a policy is broken before all else',
      { ...idle, needsYou: 1, policyFault: '/v/policy.yaml:3: The policy cannot be used.' },
      '$(error) Ravel: policy broken, 1 needs you',
      'failed',
    ],
    [
      'shows the cost of today',
      { ...idle, cost: { usd: 0.424, estimatedUsd: 0, scriptedUsd: 0 } },
      '$(layers) Ravel: $0.42',
      'usual',
    ],
    [
      'marks a cost with estimates',
      { ...idle, cost: { usd: 1, estimatedUsd: 0.5, scriptedUsd: 0 } },
      '$(layers) Ravel: ~$1.00',
      'usual',
    ],
    [
      'says that it shows the demo, and counts no prepared costs',
      { ...idle, isDemo: true, running: 1, cost: { usd: 0.08, estimatedUsd: 0, scriptedUsd: 0 } },
      '$(sync~spin) Ravel: demo, 1 running',
      'usual',
    ],
    [
      'leaves out what scenarios made up',
      { ...idle, cost: { usd: 0.5, estimatedUsd: 0, scriptedUsd: 0.5 } },
      '$(layers) Ravel',
      'usual',
    ],
    [
      'leaves out a cost of zero',
      { ...idle, cost: { usd: 0, estimatedUsd: 0, scriptedUsd: 0 } },
      '$(layers) Ravel',
      'usual',
    ],
    [
      'shows that it connects',
      { ...idle, vault: vaultOf({ kind: 'connecting' }), running: 3 },
      '$(plug) Ravel: connecting…',
      'usual',
    ],
    ['shows Restricted Mode', { ...idle, vault: vaultOf({ kind: 'readOnly' }) }, '$(lock) Ravel: restricted', 'usual'],
    [
      'shows that the vault is not connected',
      {
        ...idle,
        vault: vaultOf({ kind: 'failed', error: failure('cli/noOwner', 'v', 'Nothing is running in this vault.') }),
      },
      '$(debug-disconnect) Ravel: not connected',
      'failed',
    ],
  ])('%s', (_name, model, text, look) => expect(statusText(model)).toMatchObject({ text, severity: look }));

  test.each([
    ['no vault', { running: 0, needsYou: 0 }],
    ['a closed vault', { ...idle, vault: vaultOf({ kind: 'closed' }) }],
  ])('is hidden for %s', (_name, model: StatusModel) => expect(statusText(model)).toBeUndefined());

  test.each<[string, StatusModel]>([
    ['running', { ...idle, running: 1, needsYou: 2, cost: { usd: 3, estimatedUsd: 1, scriptedUsd: 0 } }],
    ['idle', idle],
    ['failed', { ...idle, vault: vaultOf({ kind: 'failed', error: new Error('x') }) }],
  ])('has exactly one icon if it is %s', (_name, model) => {
    expect(statusText(model)?.text.match(/\$\(/g)).toHaveLength(1);
  });
});

describe('the text of the status bar item', () => {
  test('says everything without icons', () => {
    const model = {
      ...idle,
      vault: vaultOf(client),
      running: 2,
      needsYou: 1,
      cost: { usd: 0.42, estimatedUsd: 0.12, scriptedUsd: 0 },
    };
    expect(statusText(model)?.ariaLabel).toBe(
      'Ravel, vault mine. Another window or program, process 7, runs the vault; this window follows it. ' +
        '2 sessions are running, and 1 thing needs you. ' +
        'Sessions that ended today cost about $0.42, of which $0.12 is estimated.',
    );
  });

  test('calls a daemon a daemon', () => {
    expect(statusText({ ...idle, vault: vaultOf({ kind: 'client', pid: 7, external: true }) })?.ariaLabel).toContain(
      'A daemon, process 7, runs the vault.',
    );
  });

  test('escapes paths and errors', () => {
    const error = new Error('[click](command:x) $(bomb)');
    const vault = { name: '$(bomb)', path: '/v/<b>[x](command:y)', state: { kind: 'failed', error } } as const;
    const tooltip = statusText({ ...idle, vault })?.tooltip ?? '';
    expect(tooltip).not.toMatch(/[<[\]()$]/);
  });
});

test('what is wrong with a policy is told with its place, to readers of the screen as well', () => {
  const policyFault = '/v/policy.yaml:3: The policy cannot be used.';
  const shown = statusText({ ...idle, policyFault });
  expect(shown?.ariaLabel).toContain(policyFault);
  expect(shown?.tooltip).toContain('policy&#46;yaml&#58;3');
});
