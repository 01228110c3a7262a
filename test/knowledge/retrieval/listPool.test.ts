import { expect, test } from 'vitest';
import { BadImage, ImageReader, ImageWriter } from '../../../src/knowledge/retrieval/image.ts';
import { ListPool } from '../../../src/knowledge/retrieval/listPool.ts';

test('a list of free blocks that is longer than its file is refused before it is made', () => {
  const image = new ImageWriter();
  for (let column = 0; column < 4; column += 1) image.numbers(new Uint32Array(0));
  image.numbers(Uint32Array.of(0, 0, 1));
  image.numbers(new Uint32Array(4));
  image.numbers(Uint32Array.of(0, 2 ** 31));
  expect(() => ListPool.read(new ImageReader(Uint8Array.from(image.bytes())), 0)).toThrow(BadImage);
});
