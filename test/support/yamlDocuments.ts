import * as fc from 'fast-check';
import type { Edit, JsonPath } from '../../src/model/edit.ts';
import { isJsonArray, isJsonObject, type Json } from '../../src/model/json.ts';

const words = [
  'a',
  'alpha',
  'no',
  '010',
  '1:30',
  '~',
  'true',
  '12',
  '1e3',
  '0x1f',
  '2026-01-02',
  "it's",
  'x: y',
  'x #y',
  '- z',
  '{{T}}',
  '"q"',
  'é',
  'a, b',
  ' pad ',
  '',
  'a:',
  '*b',
  '&c',
  '!d',
  '%e',
  '`f`',
  '---',
  '...',
  '=',
  '<<',
  'null',
  '.5',
  '-',
  '?',
];

export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.nat(99999).map((n) => `mark-${n}`) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom('', ' ', '  x', 'line', '# no comment', '- item', '\ttab', 'key: value', '---', 'end '), {
        minLength: 1,
        maxLength: 5,
      })
      .map((lines) => lines.join('\n')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

const scalars: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: texts },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)) },
);

const keys = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('id', 'title', 'body', 'status', 'dependencies', 'extra', 'no', '1') },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
);

export const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json; list: Json[]; map: Record<string, Json> }>(
  (tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalars, tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  }),
).value;

/** How a document is written: one choice after another from a list that repeats. */
interface Hand {
  readonly next: (count: number) => number;
}

const structures: fc.Arbitrary<Json> = fc.oneof(
  { weight: 1, arbitrary: values },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom('tasks', 'received', 'entries', 'extra', 'note'),
          fc.oneof(fc.array(values, { maxLength: 4 }), values),
        ),
        { maxLength: 4 },
      )
      .map((entries) => Object.fromEntries(entries) as Json),
  },
);

/** Documents as people write them: comments, blank lines, quoting, lists at either column, brackets, line ends, marks. */
export const documents: fc.Arbitrary<string> = fc
  .record({
    value: structures,
    choices: fc.array(fc.nat(1000), { minLength: 5, maxLength: 60 }),
    mark: fc.boolean(),
    crlf: fc.boolean(),
    open: fc.boolean(),
  })
  .map(({ value, choices, mark, crlf, open }) => {
    let at = 0;
    const hand = { next: (count: number) => (choices[at++ % choices.length] ?? 0) % count };
    let text = `${writeRoot(value, hand).join('\n')}\n`;
    if (open) text = text.replace(/\n+$/, '');
    if (crlf) text = text.replaceAll('\n', '\r\n');
    return (mark ? '\ufeff' : '') + text;
  });

/** Numbers and a value that `chooseEdit` makes an edit of. */
export interface Choice {
  readonly pick: number;
  readonly op: number;
  readonly at: number;
  readonly to: number;
  readonly value: Json;
  readonly key: string;
}

export const choices: fc.Arbitrary<Choice> = fc.record({
  pick: fc.nat(10_000),
  op: fc.nat(9),
  at: fc.nat(100),
  to: fc.nat(100),
  value: values,
  key: keys,
});

/** An edit that fits `root`. */
export function chooseEdit(root: Json, { pick, op, at, to, value, key }: Choice): Edit {
  const places = placesIn(root, []);
  const place = places[pick % places.length] ?? { path: [], value: root };
  const list = isJsonArray(place.value) ? place.value.length : undefined;
  if (list !== undefined && op < 3) return { op: 'insert', path: place.path, index: at % (list + 1), value };
  if (list !== undefined && list > 0 && op < 5) return { op: 'move', path: place.path, from: at % list, to: to % list };
  if (isJsonObject(place.value) && op < 3) return { op: 'set', path: [...place.path, key], value };
  if (place.path.length > 0 && op < 6) return { op: 'delete', path: place.path };
  return { op: 'set', path: place.path, value };
}

function placesIn(value: Json, path: JsonPath): { path: JsonPath; value: Json }[] {
  const here = { path, value };
  if (isJsonArray(value)) return [here, ...value.flatMap((item, index) => placesIn(item, [...path, index]))];
  if (isJsonObject(value))
    return [here, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]))];
  return [here];
}

function writeRoot(value: Json, hand: Hand): string[] {
  const head = hand.next(3) === 0 ? ['# A file of ours', ''] : [];
  const foot = hand.next(3) === 0 ? ['', '# the end'] : [];
  const lines = isBlockable(value, hand) ? writeBlock(value, 0, hand) : [writeInline(value, hand)];
  return [...head, ...(hand.next(6) === 0 ? ['---'] : []), ...lines, ...foot];
}

function isBlockable(value: Json, hand: Hand): boolean {
  if (isJsonArray(value)) return value.length > 0 && hand.next(5) > 0;
  return isJsonObject(value) && Object.keys(value).length > 0 && hand.next(5) > 0;
}

function writeBlock(value: Json, column: number, hand: Hand): string[] {
  const pad = ' '.repeat(column);
  const entries: [string, Json, boolean][] = isJsonArray(value)
    ? value.map((item) => ['-', item, false])
    : isJsonObject(value)
      ? Object.entries(value).map(([key, item]) => [
          `${JSON.stringify(key)}:`.replace(/^"([a-z]{2,})"(?<!"no")/, '$1'),
          item,
          true,
        ])
      : [];
  const lines: string[] = [];
  for (const [prefix, item, isKey] of entries) {
    if (hand.next(6) === 0) lines.push(`${pad}# about the next`);
    const comment = hand.next(6) === 0 ? ' # aside' : '';
    lines.push(...writeEntry(pad + prefix, item, { column, isKey, comment }, hand));
    if (hand.next(8) === 0) lines.push(`${pad}  # deeper`);
    if (hand.next(8) === 0) lines.push('');
  }
  return lines;
}

function writeEntry(
  prefix: string,
  value: Json,
  { column, isKey, comment }: { column: number; isKey: boolean; comment: string },
  hand: Hand,
): string[] {
  const isList = isJsonArray(value);
  if (isBlockable(value, hand)) {
    const width = isKey && isList ? hand.next(2) * 2 : 2 + hand.next(2) * (isKey ? 2 : 0);
    const nested = writeBlock(value, column + width, hand);
    const isCompact = !isKey && comment === '' && !nested[0]?.trim().startsWith('#') && hand.next(3) > 0;
    if (!isCompact) return [prefix + comment, ...nested];
    return [`${prefix} ${(nested[0] ?? '').trimStart()}`, ...nested.slice(1)];
  }
  if (typeof value === 'string' && /^[^\s#][^\r]*\n(?!\n)/.test(value) && isLiteral(value) && hand.next(3) > 0) {
    const header = value.endsWith('\n') ? '|' : '|-';
    const width = 2 + hand.next(2) * 2;
    const body = value.replace(/\n$/, '').split('\n');
    return [
      `${prefix} ${header}${comment}`,
      ...body.map((line) => (line === '' ? '' : ' '.repeat(column + width) + line)),
    ];
  }
  if (value === null && hand.next(2) === 0) return [prefix + comment];
  return [`${prefix} ${writeInline(value, hand)}${comment}`];
}

function isLiteral(text: string): boolean {
  return /^[\x20-\x7e\t\n]*$/.test(text) && !/\n *\n$|\n +$/.test(text);
}

function writeInline(value: Json, hand: Hand): string {
  if (isJsonArray(value)) return `[${value.map((item) => writeInline(item, hand)).join(',')}]`;
  if (isJsonObject(value)) {
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${writeInline(item, hand)}`)
      .join(', ')} }`;
  }
  if (typeof value !== 'string') return value === null && hand.next(2) === 0 ? '~' : String(value);
  if (/^[a-z]{3,}-\d+$/.test(value) && hand.next(2) === 0) return value;
  if (/^[\x20-\x7e]*$/.test(value) && hand.next(2) === 0) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
