import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { OutputParser } from '../../src/harness/adapter.ts';
import { readTail, SpoolProgress, SpoolReader } from '../../src/harness/spool.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** Every line is text, except lines that start with `!` (malformed) or `-` (noise). */
const parser: OutputParser = {
  parse(line) {
    if (line.startsWith('!')) return 'malformed';
    return line.startsWith('-') ? undefined : [{ kind: 'text', text: line }];
  },
};

function toText(output: HarnessOutput): string {
  if (output.kind === 'text') return output.text;
  return output.kind === 'warning' ? `! ${output.message}` : output.kind;
}

async function readAll(path: string): Promise<string[]> {
  const progress = new SpoolProgress();
  progress.end();
  const texts: string[] = [];
  for await (const output of new SpoolReader({ disk: nodeDisk, path, progress }, parser).outputs()) {
    texts.push(toText(output));
  }
  return texts;
}

async function check(content: string | Buffer, expected: readonly string[]): Promise<void> {
  const path = join(await makeTemporaryDirectory(), 'spool');
  await writeFile(path, content);
  expect(await readAll(path)).toEqual(expected);
}

describe('a spool', () => {
  test('can be empty', () => check('', []));
  test('has its last line read without a line end', () => check('a\nb', ['a', 'b']));
  test('has its noise skipped', () => check('a\n-noise\nb\n', ['a', 'b']));
  test('shows at most 200 bytes of a malformed line', () =>
    check(`!${'x'.repeat(500)}\n`, [`! a line was not understood: !${'x'.repeat(199)}`]));
  test('cuts a malformed line at a whole character', () =>
    check(`!${'€'.repeat(100)}\n`, [`! a line was not understood: !${'€'.repeat(66)}`]));
  test('cuts a malformed line outside a surrogate pair', () =>
    check(`!${'😀'.repeat(100)}\n`, [`! a line was not understood: !${'😀'.repeat(49)}`]));
  test('has a line of more than 16 MiB dropped and reported, and the next read', () =>
    check(`${'x'.repeat(16 * 1024 * 1024 + 1)}\nafter\n`, [
      '! a line of more than 16777216 bytes was dropped',
      'after',
    ]));
  test('reports twenty malformed lines and then counts them', () =>
    check('!\n'.repeat(23), [
      ...Array(20).fill('! a line was not understood: !'),
      '! 3 more lines could not be understood',
    ]));
});

test('a growing spool is read to the same lines wherever it is cut', async () => {
  const path = join(await makeTemporaryDirectory(), 'spool');
  const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => !/[\r\n!-]/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(500)), async (lines, cuts) => {
      await writeFile(path, '');
      const progress = new SpoolProgress();
      const outputs = new SpoolReader({ disk: nodeDisk, path, progress }, parser).outputs();
      const read = (async () => {
        const texts: string[] = [];
        for await (const output of outputs) texts.push(toText(output));
        return texts;
      })();
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const ends = [...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
      let start = 0;
      for (const end of ends) {
        await appendFile(path, bytes.subarray(start, end));
        progress.grow(end);
        start = end;
      }
      progress.end();
      expect(await read).toEqual(lines);
    }),
    { numRuns: 50 },
  );
});

describe('the tail of a file', () => {
  test.each([
    ['', 10, ''],
    ['short', 10, 'short'],
    ['0123456789', 10, '0123456789'],
    ['0123456789abc', 10, '3456789abc'],
    ['€€€€', 10, '€€€'],
    ['€€€€', 11, '€€€'],
  ])('with the content %j and at most %i bytes is %j', async (content, bytesMax, expected) => {
    const path = join(await makeTemporaryDirectory(), 'stderr');
    await writeFile(path, content);
    expect(await readTail(nodeDisk, path, bytesMax)).toBe(expected);
  });
});
