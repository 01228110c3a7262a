import { describe, expect, test } from 'vitest';
import { commitPathProblem, covers, isPlanPath } from '../../src/gates/pathspec.ts';

test.each<[string, string | undefined]>([
  ['.', undefined],
  ['src/a.ts', undefined],
  ['./src/../lib', undefined],
  ['*.md', undefined],
  [':!ravel-notes', undefined],
  [':(exclude)src/generated', undefined],
  ['', 'empty'],
  [':!', 'empty'],
  [':(top)src', 'magic'],
  [':/src', 'magic'],
  [':(icase)src', 'magic'],
  [':!(top)src', undefined],
  ['a\0b', 'NUL'],
  ['/etc/hosts', 'absolute'],
  ['C:\\a', 'absolute'],
  ['..', 'leads out'],
  ['src/../../other', 'leads out'],
  [':!../other', 'leads out'],
  ['ravel', 'committed by code'],
  ['./ravel/project-root/backlog.yaml', 'committed by code'],
  ['.git/config', '.git'],
])('the pathspec %j has the problem: %s', (spec, expected) => {
  const problem = commitPathProblem(spec);
  if (expected === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(expected);
});

describe('coverage', () => {
  test.each<[string[], string, boolean]>([
    [['.'], 'a/b', true],
    [['src'], 'src', true],
    [['src/'], 'src/a.ts', true],
    [['src'], 'srcs/a.ts', false],
    [['src', 'docs'], 'docs/a.md', true],
    [['*.md'], 'docs/a.md', true],
    [['src/*'], 'src/a/b.ts', true],
    [['.', ':!docs'], 'docs/a.md', false],
    [[':^docs', '.'], 'src/a.ts', true],
    [['.', ':!^docs'], 'docs/a.md', false],
    [['.', ':!:docs'], 'docs/a.md', false],
    [[':!docs'], 'src/a.ts', false],
    [['../src'], 'src/a.ts', true],
    [[], 'a', false],
  ])('covers(%j, %j) is %s', (specs, path, expected) => expect(covers(specs, path)).toBe(expected));
});

test.each<[string, boolean]>([
  ['ravel', true],
  ['ravel/a', true],
  ['ravels/a', false],
  ['src/ravel', false],
])('isPlanPath(%j) is %s', (path, expected) => expect(isPlanPath(path)).toBe(expected));
