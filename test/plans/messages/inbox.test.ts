import { describe, expect, test } from 'vitest';
import { addToInbox, inboxLimits } from '../../../src/plans/messages/inbox.ts';
import { formatYaml, parseYaml } from '../../../src/yaml/yaml.ts';

const subject = 'Demo/project-root';
const record = { id: 'B', from: 'person', at: '2026-01-02T03:04:05Z', reason: 'Why', body: 'What', state: 'new' };

interface Entry {
  readonly state?: string;
  readonly body?: string;
}

function backlogWith(count: number, { state = 'new', body = 'Mind the cat.' }: Entry = {}): string {
  const received = Array.from({ length: count }, (_, n) => ({ ...record, id: `A${n}`, body, state }));
  return formatYaml({ tasks: [], received });
}

function add(text: string | undefined, added: { readonly body?: string; readonly id?: string } = {}, isBegun = false) {
  const texts = new Map(text === undefined ? [] : [['backlog.yaml' as const, text]]);
  return addToInbox(texts, subject, { ...record, ...added }, { isBegun });
}

const { entries, textLength, fileLength } = inboxLimits;

describe('adding to the inbox', () => {
  test('appends the entry and keeps the rest of the text', () => {
    const text = `# mine\n${backlogWith(1)}`;
    const added = `- id: B\n  from: person\n  at: 2026-01-02T03:04:05Z\n  reason: Why\n  body: What\n  state: new\n`;
    expect(add(text)).toEqual({ kind: 'added', text: `${text}${added}` });
  });

  test.each([
    ['list', 'tasks: []\n'],
    ['file', undefined],
  ])('makes a missing %s', (_name, text) => {
    const added = add(text);
    const value = added.kind === 'added' && parseYaml(added.text ?? '', { file: 'backlog.yaml', subject }).value;
    expect(value).toEqual({ tasks: [], received: [record] });
  });

  test('skips an entry that exists, even in a full inbox', () => {
    expect(add(backlogWith(entries), { id: 'A7' })).toEqual({ kind: 'added', text: undefined });
  });
});

describe('adding to a full inbox', () => {
  const full = (count: string) => ({
    kind: 'postponed',
    reason: `its inbox waits for triage (${count})`,
  });

  test(`is postponed at 500 new entries`, () => {
    expect(add(backlogWith(entries - 1)).kind).toBe('added');
    expect(add(backlogWith(entries))).toEqual(full('500 new entries'));
    expect(add(backlogWith(entries + 1))).toEqual(full('501 new entries'));
  });

  test('does not count promoted or declined entries', () => {
    for (const state of ['promoted', 'declined']) expect(add(backlogWith(entries, { state })).kind).toBe('added');
  });

  test(`is postponed when the text of new entries passes the limit`, () => {
    const backlog = backlogWith(2, { body: 'x'.repeat(textLength / 2 - 'Why'.length * 2) });
    expect(add(backlog, { body: 'x'.repeat('Why'.length) }).kind).toBe('added');
    expect(add(backlog, { body: 'x'.repeat('Why'.length + 1) })).toEqual(full('2 new entries'));
  });

  test('takes one message of any length when nothing is new', () => {
    const body = 'x'.repeat(textLength);
    expect(add(backlogWith(0), { body }).kind).toBe('added');
    expect(add(backlogWith(1), { body })).toEqual(full('1 new entry'));
  });

  test('is postponed for a file above 4 MiB, whatever fills it', () => {
    const reason = 'its backlog.yaml is too large to take in more (4 MiB): remove finished records';
    const small = backlogWith(1, { state: 'declined' });
    const filled = (length: number) => `# ${'x'.repeat(length - small.length - 3)}\n${small}`;
    const one = add(small);
    const added = one.kind === 'added' ? (one.text?.length ?? 0) - small.length : 0;
    expect(add(filled(fileLength - added)).kind).toBe('added');
    expect(add(filled(fileLength - added + 1))).toEqual({ kind: 'postponed', reason });
    // It is not even parsed, which would take seconds: it is not YAML.
    expect(add(`tasks: [\n${'x'.repeat(fileLength)}`)).toEqual({ kind: 'postponed', reason });
  });

  test('continues for a message whose change has already begun', () => {
    const added = add(backlogWith(entries), {}, true);
    expect(added.kind === 'added' && added.text).toMatch(/- id: B\n/);
  });
});
