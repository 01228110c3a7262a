import { expect, test } from 'vitest';
import { chooseSocketPath, isPipe } from '../../src/server/socketPath.ts';

function check(preferred: string, platform: string, expected: string): void {
  const fallback = { platform, temporaryDirectory: '/tmp', userId: 1000, hash: '0123456789abcdef' };
  expect(chooseSocketPath(preferred, fallback)).toBe(expected);
}

const longest = `/${'v'.repeat(99)}`;

test('in the vault while the path fits', () => check(longest, 'linux', longest));
test('in a short folder of the user when it does not', () =>
  check(`${longest}v`, 'darwin', '/tmp/ravel-1000-0123456789ab/s'));
test('bytes count, not characters', () => check(`/${'é'.repeat(50)}`, 'linux', '/tmp/ravel-1000-0123456789ab/s'));
test('a named pipe on Windows', () => {
  check('C:\\vault\\daemon.sock', 'win32', '\\\\.\\pipe\\ravel-0123456789ab');
  expect(isPipe('\\\\.\\pipe\\ravel-0123456789ab')).toBe(true);
  expect(isPipe('/tmp/s')).toBe(false);
});
