import { expect, test } from 'vitest';
import { diagnostic } from '../../src/model/codes.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { settingsNotice } from '../../src/ui/settingsNotice.ts';

const file = '/vaults/mine/daemon.toml';
const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 9 } };

function notice(code: 'vault/badSettings' | 'vault/settingsWait', message: string, place = file) {
  const found = diagnostic(code, place, message, { file: place, range });
  const event: RavelEvent = { at: '2026-01-02T03:04:05Z', actor: 'vault', type: 'diagnostic', diagnostic: found };
  return settingsNotice(event);
}

test('a daemon.toml that cannot be read is named with its line, and opens there', () => {
  expect(notice('vault/badSettings', `${file} has a bad value: limits.session-usd: too small.`)).toEqual({
    tone: 'warn',
    message:
      'Line 4: daemon.toml has a bad value: limits.session-usd: too small. The last values that could be read stay in force.',
    actions: [{ title: 'Open at Line', command: 'ravel.openVaultSettings', arguments: [3] }],
  });
  const said = notice('vault/badSettings', `${file} is not valid TOML at line 4: x.`);
  expect(said?.message).toMatch(/^daemon\.toml is not valid TOML at line 4: x\./);
});

test('what waits for a new owner comes with a way to restart it', () => {
  const actions = [{ command: 'ravel.restartOwner' }, { command: 'ravel.openVaultSettings' }];
  expect(notice('vault/settingsWait', 'It waits.')).toMatchObject({ tone: 'info', message: 'It waits.', actions });
});

test('nothing is said of other files and events', () => {
  expect(notice('vault/badSettings', 'x', '/vaults/mine/ravel.toml')).toBeUndefined();
  expect(settingsNotice({ at: '', actor: 'vault', type: 'vault.changed', files: ['daemon.toml'] })).toBeUndefined();
});
