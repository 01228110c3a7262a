import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { readHidden } from '../../src/cli/hiddenInput.ts';

function terminal() {
  const keys = new EventEmitter();
  const said: string[] = [];
  const source = Object.assign(keys, {
    setRawMode: (isRaw: boolean) => said.push(isRaw ? '(raw)' : '(cooked)'),
    resume: () => undefined,
    pause: () => said.push('(paused)'),
  });
  const line = readHidden(source, { prompt: 'Value: ', write: (text) => said.push(text) });
  return { line, said, keys, type: (text: string) => keys.emit('data', Buffer.from(text)) };
}

test.each<[string, readonly string[], string | undefined]>([
  ['a line', ['secret', '\r'], 'secret'],
  ['a line that is pasted', ['\u001b[200~pasted value\u001b[201~', '\n'], 'pasted value'],
  ['what is left of corrected keys', ['sec', '\u007f\u0008ret', '\r'], 'sret'],
  ['what follows a line that was erased', ['wrong\u0015right\r'], 'right'],
  ['letters that come in pieces', [...Buffer.from('ключ')].map((byte) => String.fromCharCode(byte)), 'ключ'],
  ['nothing if it is interrupted', ['secr', '\u0003'], undefined],
  ['nothing if the input ends', ['\u0004'], undefined],
  ['the line, if its end is typed amid it', ['sec', '\u0004', 'ret\r'], 'secret'],
])('typing gives %s, and nothing of it is shown', async (what, typed, wanted) => {
  const { line, said, keys, type } = terminal();
  for (const piece of typed) what.includes('pieces') ? keys.emit('data', Buffer.from(piece, 'latin1')) : type(piece);
  if (what.includes('pieces')) type('\r');
  expect(await line).toBe(wanted);
  expect(said).toEqual(['(raw)', 'Value: ', '(cooked)', '(paused)', '\n']);
});

test('a terminal that goes away gives nothing', async () => {
  const { line, keys, type } = terminal();
  type('half');
  keys.emit('end');
  expect(await line).toBeUndefined();
});
