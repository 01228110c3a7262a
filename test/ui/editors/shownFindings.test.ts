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

describe('beside a YAML extension', () => {
  test.each<[DocumentKind, readonly string[]]>([
    ['backlog', ['state/unknownDependency']],
    // The manifest offers no schema for it, because its name alone says too little.
    ['routing', ['yaml/schema', 'state/unknownDependency']],
    // YAML extensions do not read Markdown.
    ['planState', ['yaml/syntax', 'yaml/schema', 'state/unknownDependency']],
    ['settings', ['yaml/syntax', 'yaml/schema', 'state/unknownDependency']],
  ])('a document of kind %s shows only these findings: %j', (kind, expected) => {
    const findings = ['yaml/syntax', 'yaml/schema', 'state/unknownDependency'].map((code) => found(code));
    expect(ownFindings(findings, kind, true).map(({ code }) => code)).toEqual(expected);
    expect(ownFindings(findings, kind, false)).toBe(findings);
  });

  test('keys of a file with a schema are completed by that extension only', () => {
    expect(isCompletedElsewhere('backlog', true)).toBe(true);
    expect(isCompletedElsewhere('backlog', false)).toBe(false);
    expect(isCompletedElsewhere('routing', true)).toBe(false);
    expect(isCompletedElsewhere('expert', true)).toBe(false);
  });
});

describe('findings in closed files', () => {
  test('are grouped by file', () => {
    const shown = closedFindings([found('a/b', '/one'), found('a/c', '/two'), found('a/d', '/one')], new Set());
    expect([...shown].map(([file, list]) => [file, list.length])).toEqual([
      ['/one', 2],
      ['/two', 1],
    ]);
  });

  test('exclude those of open files and those without a file', () => {
    expect(closedFindings([found('a/b', '/one'), found('a/c')], new Set(['/one'])).size).toBe(0);
  });

  test('are limited to 100 per file and 1,000 in all', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => found('a/b', `/file-${n % 20}`));
    const shown = closedFindings(many, new Set());
    expect([...shown.values()].every((list) => list.length <= 100)).toBe(true);
    expect([...shown.values()].flat()).toHaveLength(1_000);
  });
});

test('pageOfCode leads to the page of a known code', () => {
  expect(pageOfCode('yaml/schema')).toBe('docs/troubleshooting.md');
  expect(pageOfCode('from/elsewhere')).toBeUndefined();
});
