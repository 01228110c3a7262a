import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { loadContext, loadTools } from '../../src/harness/sessionContext.ts';
import { ToolVerdicts } from '../../src/harness/toolVerdicts.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { readCalls, redoLastCall } from '../../src/plans/proposals/callJournal.ts';
import { loadIntent } from '../../src/plans/proposals/copyBack.ts';
import { attributedHash } from '../../src/plans/proposals/planWriter.ts';
import { loadResolution } from '../../src/plans/proposals/resolution.ts';
import { hadNote } from '../../src/plans/sessions/sessionNotes.ts';
import { loadTransaction, type StagingPaths, stagingPaths } from '../../src/plans/transaction.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { finishMove } from '../../src/vault/moveJournal.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const plan = toQualifiedId('Demo/project-root');
const id = '01JD0000000000000000000001' as Ulid;
const at = '2026-01-02T03:04:05Z';

interface Place {
  readonly root: string;
  readonly disk: typeof nodeDisk;
  readonly paths: StagingPaths;
  readonly layout: VaultLayout;
}

interface Kept {
  readonly file: (place: Place) => string;
  readonly code: 'disk/damaged' | 'journal/corrupt' | 'move/unfinished';
  /** As Ravel writes it. */
  readonly value: object;
  /** What another content has instead; undefined for a field that is not there. */
  readonly bad: readonly object[];
  load(place: Place): Promise<unknown>;
}

const call = { call: '1', tool: 't', args: {}, result: { text: '', isError: false } };
const note = { id, at, text: 'Mind the cat.', returnAs: id };
const verdict = { call: '1', tool: 't', paths: {}, rest: '', decision: 'allow' };
const conflict = { field: 'title', session: 'a', person: null, reason: 'Both changed it.' };
const transaction = { plan, phase: 'work', session: id, harness: 'scripted', startedAt: at, folder: {} };
const move = { id, what: 'a rename', subject: plan, plans: [], steps: [{ kind: 'clear', path: 'gone' }] };

const none = () => Promise.reject(new Error('no step of this move is about mailboxes'));
const mailboxes = {
  withPaused: <T>(_actors: unknown, work: () => Promise<T>) => work(),
  rename: none,
  archive: none,
  restore: none,
};

const files: Readonly<Record<string, Kept>> = {
  'transaction.json': {
    file: ({ paths }) => paths.transaction,
    code: 'disk/damaged',
    value: transaction,
    bad: [{ session: 7 }, { phase: 'git-commit-work' }, { folder: undefined }, { harness: 'nobody' }],
    load: ({ disk, paths }) => loadTransaction(disk, paths, plan),
  },
  'copy-back.json': {
    file: ({ paths }) => paths.copyBack,
    code: 'disk/damaged',
    value: { changes: [{ file: 'backlog.yaml', before: null, after: 'x' }] },
    bad: [
      { changes: undefined },
      { changes: [{ file: 'backlog.yaml', after: 'x' }] },
      { changes: [{ file: '../backlog.yaml', before: null, after: 'x' }] },
    ],
    load: (place) => loadIntent(place, place.paths),
  },
  'resolution.json': {
    file: ({ root }) => join(root, 'resolution.json'),
    code: 'disk/damaged',
    value: { approval: id, files: { 'backlog.yaml': [{ conflict, take: { value: 'b' } }] } },
    bad: [{ approval: undefined }, { files: { 'backlog.yaml': [{ conflict }] } }, { files: { 'backlog.yaml': {} } }],
    load: ({ disk, paths }) => loadResolution(disk, paths),
  },
  'redo.json': {
    file: ({ paths }) => paths.redo,
    code: 'disk/damaged',
    value: { call: '1', edits: [] },
    bad: [{ call: undefined }, { edits: [['backlog.yaml']] }, { edits: [['../backlog.yaml', 'x']] }],
    async load({ root, disk, paths }) {
      await writeFile(join(root, 'calls.jsonl'), `${JSON.stringify(call)}\n`);
      await redoLastCall(disk, paths, root);
    },
  },
  'tools.json': {
    file: ({ root }) => join(root, 'tools.json'),
    code: 'disk/damaged',
    value: [{ name: 'a', description: 'b', inputSchema: {} }],
    bad: [[{ name: 'a', description: 'b' }], [7]],
    load: ({ root, disk }) => loadTools(disk, root),
  },
  'calls.jsonl': {
    file: ({ root }) => join(root, 'calls.jsonl'),
    code: 'journal/corrupt',
    value: { ...call, finish: { kind: 'accepted', finish: { outcome: 'done', summary: 's' } }, notes: [id] },
    bad: [{ result: undefined }, { call: 7 }, { finish: { kind: 'accepted' } }, { notes: 'all' }],
    load: ({ root, disk }) => readCalls(disk, root),
  },
  'notes.jsonl': {
    file: ({ root }) => join(root, 'notes.jsonl'),
    code: 'journal/corrupt',
    value: { note },
    bad: [{ note: { ...note, returnAs: undefined } }, { note: 7 }, { returned: 'all' }],
    load: ({ root, disk }) => hadNote(disk, root, id),
  },
  'verdicts.jsonl': {
    file: ({ root }) => join(root, 'verdicts.jsonl'),
    code: 'journal/corrupt',
    value: verdict,
    bad: [{ decision: 'perhaps' }, { call: undefined }],
    load: ({ root, disk }) => ToolVerdicts.open(disk, root),
  },
  'the attributions of a plan': {
    file: ({ layout }) => layout.attributions(plan),
    code: 'journal/corrupt',
    value: { file: 'backlog.yaml', before: null, after: 'x' },
    bad: [{ file: undefined }, { after: 7 }],
    load: (place) => attributedHash(place, plan, 'backlog.yaml', undefined),
  },
  'the intent of a move': {
    file: ({ layout }) => layout.moveIntent,
    code: 'move/unfinished',
    value: move,
    bad: [{ id: 7 }, { steps: undefined }, { steps: [{ kind: 'link', name: 'a' }] }, { steps: [{ kind: 'fly' }] }],
    load: (place) => finishMove({ ...place, mailboxes }),
  },
};

async function makePlace(): Promise<Place> {
  const root = await makeTemporaryDirectory();
  return { root, disk: nodeDisk, paths: stagingPaths(root), layout: new VaultLayout(root) };
}

async function loadWith({ file, load }: Kept, text: string) {
  const place = await makePlace();
  const path = file(place);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${text}\n`);
  return { path, loading: load(place) };
}

describe.each(Object.entries(files))('%s', (_name, kept) => {
  const changed = kept.bad.map((bad) => JSON.stringify(Array.isArray(kept.value) ? bad : { ...kept.value, ...bad }));
  test.each(['\0'.repeat(40), '{"changes":[{"fi', '7', ...changed])('that holds %j is named', async (text) => {
    const { path, loading } = await loadWith(kept, text);
    await expect(loading).rejects.toMatchObject({ diagnostic: { code: kept.code, file: path } });
  });

  const { value } = kept;
  const later = Array.isArray(value) ? value.map((item) => ({ ...item, later: 1 })) : { ...value, later: 1 };
  test.each([{ content: value }, { content: later }])('that holds $content is read', async ({ content }) => {
    const { loading } = await loadWith(kept, JSON.stringify(content));
    expect(await loading.then(() => 'read')).toBe('read');
  });
});

test('the inputs of a session are unknown if their file is damaged', async () => {
  const root = await makeTemporaryDirectory();
  await writeFile(join(root, 'context.json'), '\0'.repeat(40));
  expect(await loadContext(nodeDisk, root)).toBeUndefined();
});
