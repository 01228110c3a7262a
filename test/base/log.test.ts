import { describe, expect, test } from 'vitest';
import { RavelError } from '../../src/base/errors.ts';
import {
  createLogger,
  isLogLevel,
  type LogFields,
  type LogLevel,
  maskedLogger,
  silentLogger,
} from '../../src/base/log.ts';
import { ManualClock } from '../support/manualClock.ts';

const head = '{"at":"2026-01-02T03:04:05Z","level":"info","message":"hello"';

function linesOf(level: LogLevel, use: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  use(createLogger({ clock: new ManualClock(), level, write: (line) => lines.push(line) }));
  return lines;
}

function check(fields: LogFields | undefined, expected: string): void {
  expect(linesOf('info', (logger) => logger.info('hello', fields))).toEqual([expected]);
}

describe('createLogger', () => {
  test.each<[string, LogFields | undefined, string]>([
    ['writes a line without fields', undefined, `${head}}`],
    [
      'writes nested fields',
      { plan: 'a', count: 2, nested: { b: [true] } },
      `${head},"plan":"a","count":2,"nested":{"b":[true]}}`,
    ],
    ['escapes line breaks', { text: 'a\nb' }, `${head},"text":"a\\nb"}`],
    [
      'writes name and message of an error',
      { error: new Error('no') },
      `${head},"error":{"name":"Error","message":"no"}}`,
    ],
    [
      'writes the code of an error that has one',
      { error: new RavelError({ code: 'disk/full', severity: 'error', message: 'Full.', subject: '/a' }) },
      `${head},"error":{"name":"RavelError","code":"disk/full","message":"Full."}}`,
    ],
    ['writes a bigint as a string', { size: 12345678901234567890n }, `${head},"size":"12345678901234567890"}`],
    ['drops fields named like those of the head', { at: 1, level: 'x', message: 'y' }, `${head}}`],
  ])('%s', (_name, fields, expected) => check(fields, expected));

  test.each<[LogLevel, LogLevel[]]>([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
  ])('at level %s writes %j', (level, expected) => {
    const lines = linesOf(level, (logger) => {
      logger.debug('');
      logger.info('');
      logger.warn('');
      logger.error('');
    });
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected);
  });
});

test('silentLogger accepts a value that JSON cannot hold', () => {
  expect(silentLogger.error('hello', { a: 1n })).toBeUndefined();
});

test('isLogLevel accepts exactly the four levels', () => {
  expect(['debug', 'info', 'warn', 'error', 'loud', 'Info', '', undefined].filter(isLogLevel)).toEqual([
    'debug',
    'info',
    'warn',
    'error',
  ]);
});

test('a masked log passes on neither message nor fields as they were', () => {
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const mask = <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll('open', '…')) as T;
  const log = maskedLogger({ debug: write, info: write, warn: write, error: write }, mask);
  log.info('it opens', { door: { words: 'open' } });
  log.error('open');
  expect(lines).toEqual([
    ['it …s', { door: { words: '…' } }],
    ['…', {}],
  ]);
});
