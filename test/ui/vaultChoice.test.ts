import { describe, expect, test } from 'vitest';
import { chooseVault, vaultPath, withRecent } from '../../src/ui/vaultChoice.ts';

describe('chooseVault', () => {
  const here = { folders: ['/a'], ofProjects: ['/p'] };
  test.each([
    ['prefers what the person chose', { ...here, chosen: '/mine', setting: '/set' }, { kind: 'open', vault: '/mine' }],
    ['opens nothing if the person closed the vault', { ...here, chosen: null, setting: '/set' }, { kind: 'none' }],
    ['prefers the setting to the open folder', { ...here, setting: '/set' }, { kind: 'open', vault: '/set' }],
    ['opens a folder that is a vault', here, { kind: 'open', vault: '/a' }],
    ['opens the vault of the open project', { folders: [], ofProjects: ['/p'] }, { kind: 'open', vault: '/p' }],
    [
      'asks a person to choose among several folders',
      { ...here, folders: ['/a', '/b'] },
      { kind: 'ask', vaults: ['/a', '/b'] },
    ],
    [
      'asks a person to choose among several vaults of a project',
      { folders: [], ofProjects: ['/p', '/q'] },
      { kind: 'ask', vaults: ['/p', '/q'] },
    ],
    ['opens nothing if nothing is known', { folders: [], ofProjects: [] }, { kind: 'none' }],
  ])('%s', (_name, candidates, expected) => expect(chooseVault(candidates)).toEqual(expected));
});

describe('vaultPath', () => {
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
  ])('of %j is %j', (setting, expected) => expect(vaultPath(setting, from)).toBe(expected));

  test.each(['~/vault', 'vault'])('of %j is undefined without a folder to start from', (setting) => {
    expect(vaultPath(setting, { home: undefined, folder: undefined })).toBeUndefined();
  });
});

test('withRecent puts the opened vault first, once, and keeps ten', () => {
  expect(withRecent(['/a', '/b'], '/b')).toEqual(['/b', '/a']);
  expect(
    withRecent(
      Array.from({ length: 10 }, (_, n) => `/${n}`),
      '/new',
    ),
  ).toHaveLength(10);
});
