import { describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { type StatusModel, statusText } from '../../src/ui/statusText.ts';
import type { LinkState } from '../../src/ui/vaultLink.ts';

const vaultOf = (state: LinkState) => ({ name: 'mine', path: '/vaults/mine', state });
const idle: StatusModel = { vault: vaultOf({ kind: 'owner' }), running: 0, needsYou: 0 };
const client: LinkState = { kind: 'client', pid: 7, external: false };

describe('the item', () => {
  test.each<[string, StatusModel, string, string]>([
    ['at rest', idle, '$(layers) Ravel', 'usual'],
    ['beside another owner', { ...idle, vault: vaultOf(client) }, '$(layers) Ravel', 'usual'],
    ['while a session runs', { ...idle, running: 1 }, '$(sync~spin) Ravel: 1 running', 'usual'],
    ['while something waits and nothing runs', { ...idle, needsYou: 1 }, '$(bell-dot) Ravel: 1 needs you', 'blocked'],
    [
      'while something waits and others run',
      { ...idle, running: 2, needsYou: 3 },
      '$(sync~spin) Ravel: 2 running, 3 need you',
      'usual',
    ],
    [
      'when today has cost something',
      { ...idle, cost: { usd: 0.424, estimatedUsd: 0 } },
      '$(layers) Ravel: $0.42',
      'usual',
    ],
    [
      'when some of it is estimated',
      { ...idle, cost: { usd: 1, estimatedUsd: 0.5 } },
      '$(layers) Ravel: ~$1.00',
      'usual',
    ],
    ['when today has cost nothing', { ...idle, cost: { usd: 0, estimatedUsd: 0 } }, '$(layers) Ravel', 'usual'],
    [
      'while it connects',
      { ...idle, vault: vaultOf({ kind: 'connecting' }), running: 3 },
      '$(plug) Ravel: connecting…',
      'usual',
    ],
    ['in Restricted Mode', { ...idle, vault: vaultOf({ kind: 'readOnly' }) }, '$(lock) Ravel: restricted', 'usual'],
    [
      'when the vault cannot be opened',
      {
        ...idle,
        vault: vaultOf({ kind: 'failed', error: failure('cli/noOwner', 'v', 'Nothing runs in this vault.') }),
      },
      '$(debug-disconnect) Ravel: not connected',
      'failed',
    ],
  ])('%s', (_name, model, text, look) => expect(statusText(model)).toMatchObject({ text, look }));

  test.each([
    ['no vault', { running: 0, needsYou: 0 }],
    ['a vault that is closed', { ...idle, vault: vaultOf({ kind: 'closed' }) }],
  ])('is hidden for %s', (_name, model: StatusModel) => expect(statusText(model)).toBeUndefined());

  test.each<[string, StatusModel]>([
    ['running', { ...idle, running: 1, needsYou: 2, cost: { usd: 3, estimatedUsd: 1 } }],
    ['idle', idle],
    ['failed', { ...idle, vault: vaultOf({ kind: 'failed', error: new Error('x') }) }],
  ])('has one picture at most: %s', (_name, model) => {
    expect(statusText(model)?.text.match(/\$\(/g)).toHaveLength(1);
  });
});

describe('what is said of it', () => {
  test('is whole for somebody who sees no pictures', () => {
    const model = { ...idle, vault: vaultOf(client), running: 2, needsYou: 1, cost: { usd: 0.42, estimatedUsd: 0.12 } };
    expect(statusText(model)?.spoken).toBe(
      'Ravel, vault mine. Another window or program, process 7, runs the vault; this window follows it. ' +
        '2 sessions run, and 1 thing waits for you. ' +
        'Sessions that ended today cost about $0.42, of which $0.12 are estimated.',
    );
  });

  test('names a daemon as one', () => {
    expect(statusText({ ...idle, vault: vaultOf({ kind: 'client', pid: 7, external: true }) })?.spoken).toContain(
      'A daemon, process 7, runs the vault.',
    );
  });

  test('draws nothing of what a path or an error says', () => {
    const error = new Error('[click](command:x) $(bomb)');
    const vault = { name: '$(bomb)', path: '/v/<b>[x](command:y)', state: { kind: 'failed', error } } as const;
    const tooltip = statusText({ ...idle, vault })?.tooltip ?? '';
    expect(tooltip).not.toMatch(/[<[\]()$]/);
  });
});
