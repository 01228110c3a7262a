import { expect, test } from 'vitest';
import { chooseSocketPath, isPipe } from '../../src/server/socketPath.ts';

function check(preferred: string, platform: string, expected: string): void {
  const fallback = { platform, temporaryDirectory: '/tmp', userId: 1000, hash: '0123456789abcdef' };
  expect(chooseSocketPath(preferred, fallback)).toBe(expected);
}

const longest = `/${'v'.repeat(99)}`;

test('the socket is in the vault while its path fits', () => check(longest, 'linux', longest));
test('the socket is in a short folder of the user when its path in the vault is too long', () =>
  check(`${longest}v`, 'darwin', '/tmp/ravel-1000-0123456789ab/s'));
test('the length of a socket path counts in bytes', () =>
  check(`/${'é'.repeat(50)}`, 'linux', '/tmp/ravel-1000-0123456789ab/s'));
test('the socket is a named pipe on Windows', () => {
  check('C:\\vault\\daemon.sock', 'win32', '\\\\.\\pipe\\ravel-0123456789ab');
  expect(isPipe('\\\\.\\pipe\\ravel-0123456789ab')).toBe(true);
  expect(isPipe('/tmp/s')).toBe(false);
});
