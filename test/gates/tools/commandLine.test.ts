import { describe, expect, test } from 'vitest';
import { decisionOn, type Scene } from './toolRequest.ts';

const scene: Scene = { secrets: ['.env'], links: { 'a/b/near': '/srv/demo/src' } };
const check = (command: string, expected: string) => expect(decisionOn(command, scene)).toBe(expected);

describe('a command line is denied', () => {
  test.each([
    ['a program whose name continues with an unknown text', 'echo$X hi'],
    ['a program in a folder above the project', 'cd src; cd ..; cd ..; make'],
    ['a program that may run above the project', 'cd src; cd ..; make'],
    ['a program in a folder above the project by a link', 'cd a/b/near && cd -P .. && cd -P .. && ls'],
    ['a program in the plans', 'cd ravel && make'],
    ["a program among git's own files", '(cd .git/hooks && make)'],
    ['a function with the name of a command of the shell', 'echo() { make; }'],
    ['a function that runs for what is not found', 'command_not_found_handle() { make; }'],
    ['names of files outside the project', 'echo /etc/*'],
    ['names of files with secrets', 'echo .en*'],
    ['patterns without end', `echo ${'src/* '.repeat(301)}`],
  ])('for %s', (_name, command) => check(command, 'deny'));

  test('for shells in shells in shells', () => {
    const nested = (depth: number) =>
      Array.from({ length: depth }).reduce<string>((text) => `bash -c ${JSON.stringify(text)}`, 'true');
    check(nested(5), 'allow');
    check(nested(6), 'deny');
  });
});

describe('a command line is asked about', () => {
  test.each([
    ['a value that may become several arguments', 'ls $X'],
    ['a program that no table describes', 'concurrently make'],
    ['more arguments than can be judged', `ls ${'a '.repeat(301)}`],
  ])('for %s', (_name, command) => check(command, 'ask'));
});
