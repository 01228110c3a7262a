import { expect, test } from 'vitest';
import { countUsage } from '../../src/harness/claudeUsage.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';

const line = (id: string, tokens: number) =>
  `${JSON.stringify({ type: 'assistant', message: { id, usage: { input_tokens: tokens, output_tokens: 1 } } })}\n`;
const total = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 },
});

/** Each piece is what the program adds before the next turn ends; a number is where it cuts its record off first. */
async function check(turns: readonly (string | readonly [number, string])[], expected: readonly unknown[]) {
  const disk = new MemoryDisk();
  const counted: unknown[] = [];
  for (const turn of turns) {
    const [cutAt, text] = typeof turn === 'string' ? [undefined, turn] : turn;
    const file = await disk.open('/talk', 'append');
    if (cutAt !== undefined) await file.truncate(cutAt);
    await file.write(Buffer.from(text));
    await file.close();
    counted.push(await countUsage(disk, '/', '/talk'));
  }
  expect(counted).toEqual(expected);
}

test.each<[string, readonly (string | readonly [number, string])[], readonly unknown[]]>([
  ['with its last usage', [line('a', 1) + line('a', 2) + line('b', 5)], [total(7, 2)]],
  ['over several turns', [line('a', 1), line('a', 2) + line('b', 5), ''], [total(1, 1), total(7, 2), total(7, 2)]],
  ['if its line is written in two pieces', ['{"type"', ':1}\n'.concat(line('a', 3))], [undefined, total(3, 1)]],
  ['among other lines', ['{"type":"user"}\ngarbage "usage"\n'.concat(line('a', 3))], [total(3, 1)]],
  ['behind a very long line', [`${'x'.repeat(3_000_000)}\n${line('a', 3)}`], [total(3, 1)]],
  ['in a record that was written again', [line('a', 1) + line('b', 5), [0, line('c', 4)]], [total(6, 2), total(4, 1)]],
])('each message of a talk counts once, %s', (_name, turns, expected) => check(turns, expected));

test('a conversation without a record has no usage', async () => {
  expect(await countUsage(new MemoryDisk(), '/', '/talk')).toBeUndefined();
});

test('the end of a turn reads what was added since the last one', async () => {
  const disk = new MemoryDisk();
  const add = async (text: string) => {
    const file = await disk.open('/talk', 'append');
    await file.write(Buffer.from(text));
    await file.close();
  };
  const before = line('a', 1).repeat(5000);
  await add(before);
  await countUsage(disk, '/', '/talk');
  await add(line('b', 2));
  const positions: number[] = [];
  const open: typeof disk.open = async (...args) => {
    const file = await disk.open(...args);
    if (args[0] !== '/talk') return file;
    return {
      ...{ write: file.write.bind(file), sync: file.sync.bind(file), truncate: file.truncate.bind(file) },
      ...{ size: file.size.bind(file), close: file.close.bind(file) },
      read: (buffer, position) => {
        positions.push(position);
        return file.read(buffer, position);
      },
    };
  };
  const watched = new Proxy(disk, {
    get: (target, name) => {
      if (name === 'open') return open;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  expect(await countUsage(watched, '/', '/talk')).toEqual(total(3, 2));
  expect(Math.min(...positions)).toBe(before.length);
});
