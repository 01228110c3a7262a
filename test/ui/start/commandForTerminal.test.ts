import { expect, test } from 'vitest';
import { commandForTerminal } from '../../../src/ui/start/commandForTerminal.ts';

const plain = { program: '/usr/bin/node', args: ['/ext/ravel.mjs'], environment: {} };
const inEditor = { ...plain, program: '/Apps/My Editor', environment: { ELECTRON_RUN_AS_NODE: '1' } };

test.each([
  ['ravel doctor --clean', plain, '/v', '/usr/bin/node /ext/ravel.mjs --vault /v doctor --clean'],
  ['ravel', plain, undefined, '/usr/bin/node /ext/ravel.mjs'],
  [
    'ravel retry shop',
    inEditor,
    "/my v'ault",
    String.raw`ELECTRON_RUN_AS_NODE=1 '/Apps/My Editor' /ext/ravel.mjs --vault '/my v'\''ault' retry shop`,
  ],
  ['ravelling', plain, '/v', 'ravelling'],
  ['git init', plain, '/v', 'git init'],
])('terminalText adds program and vault to "%s" only if it is a ravel command', (text, start, vault, expected) =>
  expect(commandForTerminal(text, start, vault)).toBe(expected),
);
