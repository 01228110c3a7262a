import { describe, expect, test } from 'vitest';
import { chooseVault, vaultPath, withRecent } from '../../src/ui/vaultChoice.ts';

describe('the vault of a window', () => {
  const here = { folders: ['/a'], ofProjects: ['/p'] };
  test.each([
    [
      'what the person chose goes before all',
      { ...here, chosen: '/mine', setting: '/set' },
      { kind: 'open', vault: '/mine' },
    ],
    ['what the person closed stays closed', { ...here, chosen: null, setting: '/set' }, { kind: 'none' }],
    ['the setting goes before what lies there', { ...here, setting: '/set' }, { kind: 'open', vault: '/set' }],
    ['a folder that is a vault', here, { kind: 'open', vault: '/a' }],
    ['the vault of the project that is open', { folders: [], ofProjects: ['/p'] }, { kind: 'open', vault: '/p' }],
    [
      'of several folders only a person can say',
      { ...here, folders: ['/a', '/b'] },
      { kind: 'ask', vaults: ['/a', '/b'] },
    ],
    [
      'nor of several vaults of a project',
      { folders: [], ofProjects: ['/p', '/q'] },
      { kind: 'ask', vaults: ['/p', '/q'] },
    ],
    ['nothing known', { folders: [], ofProjects: [] }, { kind: 'none' }],
  ])('%s', (_name, candidates, expected) => expect(chooseVault(candidates)).toEqual(expected));
});

describe('the path of a setting', () => {
  const from = { home: '/h', folder: '/w' };
  test.each([
    ['', undefined],
    ['  ', undefined],
    ['/vaults/mine', '/vaults/mine'],
    ['~', '/h'],
    ['~/vault', '/h/vault'],
    ['vault', '/w/vault'],
    ['./vault', '/w/vault'],
    ['C:\\vault', 'C:\\vault'],
  ])('%j is %j', (setting, expected) => expect(vaultPath(setting, from)).toBe(expected));

  test.each(['~/vault', 'vault'])('%j needs something to start from', (setting) => {
    expect(vaultPath(setting, { home: undefined, folder: undefined })).toBeUndefined();
  });
});

test('a vault that is opened is the first of the recent ones, once', () => {
  expect(withRecent(['/a', '/b'], '/b')).toEqual(['/b', '/a']);
  expect(
    withRecent(
      Array.from({ length: 10 }, (_, n) => `/${n}`),
      '/new',
    ),
  ).toHaveLength(10);
});
