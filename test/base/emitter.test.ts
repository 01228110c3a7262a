import { expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.ts';

function recorder() {
  const errors: unknown[] = [];
  const heard: string[] = [];
  const emitter = new Emitter<string>((error) => errors.push(error));
  const listen = (name: string) => emitter.event((value) => heard.push(`${name} ${value}`));
  return { emitter, errors, heard, listen };
}

test('an emitter calls every listener in the order they were added', () => {
  const { emitter, heard, listen } = recorder();
  listen('a');
  listen('b');
  emitter.emit('x');
  expect(heard).toEqual(['a x', 'b x']);
});

test('a listener that throws is reported and does not stop the others', () => {
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

test('a disposed listener is not called', () => {
  const { emitter, heard, listen } = recorder();
  const first = listen('a');
  listen('b');
  first.dispose();
  emitter.emit('x');
  expect(heard).toEqual(['b x']);
});

test('listeners added or removed during an event take effect from the next event', () => {
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

test('a disposed emitter calls no listener', () => {
  const { emitter, heard, listen } = recorder();
  listen('a');
  emitter.dispose();
  emitter.emit('x');
  expect(heard).toEqual([]);
});
