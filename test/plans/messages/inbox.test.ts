import { describe, expect, test } from 'vitest';
import { addToInbox, inboxLimits } from '../../../src/plans/messages/inbox.ts';
import { formatYaml, parseYaml } from '../../../src/vault/yaml.ts';

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

describe('an entry', () => {
  test('stands after those that are there, and the rest of the text stays', () => {
    const text = `# mine\n${backlogWith(1)}`;
    const added = `- id: B\n  from: person\n  at: 2026-01-02T03:04:05Z\n  reason: Why\n  body: What\n  state: new\n`;
    expect(add(text)).toEqual({ kind: 'added', text: `${text}${added}` });
  });

  test.each([
    ['a list', 'tasks: []\n'],
    ['a file', undefined],
  ])('makes %s that is not there yet', (_name, text) => {
    const added = add(text);
    const value = added.kind === 'added' && parseYaml(added.text ?? '', { file: 'backlog.yaml', subject }).value;
    expect(value).toEqual({ tasks: [], received: [record] });
  });

  test('that is there is not added again, however full it is', () => {
    expect(add(backlogWith(entries), { id: 'A7' })).toEqual({ kind: 'added', text: undefined });
  });
});

describe('an inbox is full', () => {
  const full = (count: string) => ({
    kind: 'postponed',
    reason: `its inbox waits for triage (${count})`,
  });

  test(`with ${entries} new entries`, () => {
    expect(add(backlogWith(entries - 1)).kind).toBe('added');
    expect(add(backlogWith(entries))).toEqual(full('500 new entries'));
    expect(add(backlogWith(entries + 1))).toEqual(full('501 new entries'));
  });

  test('not with entries that somebody decided about', () => {
    for (const state of ['promoted', 'declined']) expect(add(backlogWith(entries, { state })).kind).toBe('added');
  });

  test(`with new entries of ${textLength} characters`, () => {
    const backlog = backlogWith(2, { body: 'x'.repeat(textLength / 2 - 'Why'.length * 2) });
    expect(add(backlog, { body: 'x'.repeat('Why'.length) }).kind).toBe('added');
    expect(add(backlog, { body: 'x'.repeat('Why'.length + 1) })).toEqual(full('2 new entries'));
  });

  test('and one message of any length has room where nothing is new', () => {
    const body = 'x'.repeat(textLength);
    expect(add(backlogWith(0), { body }).kind).toBe('added');
    expect(add(backlogWith(1), { body })).toEqual(full('1 new entry'));
  });

  test('with a file that is too large to be read quickly, whoever made it so', () => {
    const reason = 'its backlog.yaml is too large to take in more (4 MiB): remove what is done with';
    const small = backlogWith(1, { state: 'declined' });
    const filled = (length: number) => `# ${'x'.repeat(length - small.length - 3)}\n${small}`;
    const one = add(small);
    const added = one.kind === 'added' ? (one.text?.length ?? 0) - small.length : 0;
    expect(add(filled(fileLength - added)).kind).toBe('added');
    expect(add(filled(fileLength - added + 1))).toEqual({ kind: 'postponed', reason });
    // Not even read, which would take seconds: it is no YAML.
    expect(add(`tasks: [\n${'x'.repeat(fileLength)}`)).toEqual({ kind: 'postponed', reason });
  });

  test('but a message whose change is on its way already goes on', () => {
    const added = add(backlogWith(entries), {}, true);
    expect(added.kind === 'added' && added.text).toMatch(/- id: B\n/);
  });
});
