import { expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.ts';

function recorder() {
  const errors: unknown[] = [];
  const heard: string[] = [];
  const emitter = new Emitter<string>((error) => errors.push(error));
  const listen = (name: string) => emitter.event((value) => heard.push(`${name} ${value}`));
  return { emitter, errors, heard, listen };
}

test('tells every listener, in the order they came', () => {
  const { emitter, heard, listen } = recorder();
  listen('a');
  listen('b');
  emitter.emit('x');
  expect(heard).toEqual(['a x', 'b x']);
});

test('a listener that throws harms nobody', () => {
  const { emitter, errors, heard, listen } = recorder();
  const trouble = new Error('trouble');
  emitter.event(() => {
    throw trouble;
  });
  listen('b');
  emitter.emit('x');
  expect(heard).toEqual(['b x']);
  expect(errors).toEqual([trouble]);
});

test('a listener that went is not told', () => {
  const { emitter, heard, listen } = recorder();
  const first = listen('a');
  listen('b');
  first.dispose();
  emitter.emit('x');
  expect(heard).toEqual(['b x']);
});

test('who comes or goes meanwhile does not disturb the round', () => {
  const { emitter, heard, listen } = recorder();
  const self = emitter.event(() => {
    self.dispose();
    listen('late');
  });
  listen('b');
  emitter.emit('x');
  expect(heard).toEqual(['b x']);
  emitter.emit('y');
  expect(heard).toEqual(['b x', 'b y', 'late y']);
});

test('after dispose nobody is told', () => {
  const { emitter, heard, listen } = recorder();
  listen('a');
  emitter.dispose();
  emitter.emit('x');
  expect(heard).toEqual([]);
});
