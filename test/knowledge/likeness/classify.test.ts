import { describe, expect, test } from 'vitest';
import { classify } from '../../../src/knowledge/likeness/classify.ts';

describe('a statement is placed by its words', () => {
  test.each<[string, string, string]>([
    ['a language before a tool', 'Rust crates are built by cargo in Docker.', 'languages'],
    ['a tool before a domain', 'Docker keeps the payments apart.', 'tools'],
    ['a domain before a technique', 'Payments are retried once.', 'domains'],
    ['a technique', 'Retries need a limit.', 'techniques'],
    ['a word in another form', 'The caches are caching.', 'techniques'],
    ['nothing that is known', 'The sky is blue.', 'uncategorized'],
    ['a part of a word alone', 'Trusting is frustrating.', 'uncategorized'],
  ])('with %s', (_name, text, folder) => {
    expect(classify({ title: '', body: text }, []).folder).toBe(folder);
  });

  test.each<[string, string]>([
    ['The parser crashed on an empty file, and must not.', 'bug'],
    ['The settings are read once.', 'config'],
    ['We chose SQLite.', 'decision'],
    ['Retries should have a limit.', 'heuristic'],
    ['The queue holds a thousand messages.', 'reference'],
  ])('%s is of the kind %s', (body, kind) => expect(classify({ title: '', body }, []).kind).toBe(kind));

  test('and has the known tags that it names, in one order', () => {
    const { tags, reasons } = classify({ title: 'Async tests', body: 'Rust tests with error handling.' }, [
      ...['rust', 'async', 'error-handling', 'golang', 'rust'],
    ]);
    expect(tags).toEqual(['async', 'error-handling', 'rust']);
    expect(reasons.join(' ')).toContain('languages');
  });

  test('and has at most eight tags', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`);
    expect(classify({ title: '', body: words.join(' ') }, words).tags).toHaveLength(8);
  });
});
