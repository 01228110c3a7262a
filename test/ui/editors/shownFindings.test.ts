import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/base/errors.ts';
import type { DocumentKind } from '../../../src/model/document.ts';
import {
  closedFindings,
  isCompletedElsewhere,
  ownFindings,
  pageOfCode,
} from '../../../src/ui/editors/shownFindings.ts';

const found = (code: string, file?: string): Diagnostic => ({
  ...{ code, severity: 'error', message: 'Wrong.', subject: 'demo/project-root' },
  ...(file !== undefined && { file }),
});

describe('beside an extension for YAML', () => {
  test.each<[DocumentKind, readonly string[]]>([
    ['backlog', ['state/unknownDependency']],
    // The manifest offers no schema for it, since its name alone says too little.
    ['routing', ['yaml/schema', 'state/unknownDependency']],
    // No extension for YAML reads Markdown.
    ['planState', ['yaml/syntax', 'yaml/schema', 'state/unknownDependency']],
    ['settings', ['yaml/syntax', 'yaml/schema', 'state/unknownDependency']],
  ])('of %s is told what only we know', (kind, expected) => {
    const findings = ['yaml/syntax', 'yaml/schema', 'state/unknownDependency'].map((code) => found(code));
    expect(ownFindings(findings, kind, true).map(({ code }) => code)).toEqual(expected);
    expect(ownFindings(findings, kind, false)).toBe(findings);
  });

  test('keys are completed by one of both', () => {
    expect(isCompletedElsewhere('backlog', true)).toBe(true);
    expect(isCompletedElsewhere('backlog', false)).toBe(false);
    expect(isCompletedElsewhere('routing', true)).toBe(false);
    expect(isCompletedElsewhere('expert', true)).toBe(false);
  });
});

describe('in files that are not open', () => {
  test('findings are shown by file', () => {
    const shown = closedFindings([found('a/b', '/one'), found('a/c', '/two'), found('a/d', '/one')], new Set());
    expect([...shown].map(([file, list]) => [file, list.length])).toEqual([
      ['/one', 2],
      ['/two', 1],
    ]);
  });

  test('those of open files, and of none, are left out', () => {
    expect(closedFindings([found('a/b', '/one'), found('a/c')], new Set(['/one'])).size).toBe(0);
  });

  test('there are no more than can be shown', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => found('a/b', `/file-${n % 20}`));
    const shown = closedFindings(many, new Set());
    expect([...shown.values()].every((list) => list.length <= 100)).toBe(true);
    expect([...shown.values()].flat()).toHaveLength(1_000);
  });
});

test('a code leads to its explanation', () => {
  expect(pageOfCode('yaml/schema')).toBe('docs/troubleshooting.md');
  expect(pageOfCode('from/elsewhere')).toBeUndefined();
});
