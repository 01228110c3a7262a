import { expect, test } from 'vitest';
import type { ChangeSet } from '../../../src/model/requests/inspect.ts';
import {
  changedLinesLabel,
  countFiles,
  countVerdicts,
  describeSet,
  figures,
  isBookkeeping,
} from '../../../webview/tabs/changesView.ts';

const commit: ChangeSet = { set: '0123456789abcdef', kind: 'commit', title: 'Say goodbye', files: [], fileCount: 0 };

test('the figures of a file are shown and spoken', () => {
  const text = { path: 'a.ts', status: 'changed', added: 3, removed: 1 } as const;
  const picture = { path: 'a.png', status: 'added' } as const;
  expect([figures(text), figures(picture)]).toEqual(['+3 −1', '']);
  expect(changedLinesLabel(text)).toBe('3 lines added, 1 removed');
  expect(changedLinesLabel(picture)).toBe('not text');
});

test('a change set says what it is and whether it is part of the plan', () => {
  expect(describeSet(commit, 'finished')).toEqual({ title: 'Say goodbye', note: 'Commit 0123456789' });
  const staged: ChangeSet = { ...commit, set: 'staged', kind: 'staged' };
  expect(describeSet(staged, 'running').note).toContain('when the gates accept');
  expect(describeSet(staged, 'failed').note).toContain('none of it is in the plan');
});

test('changes of the project say how many files changed before work began', () => {
  const source: ChangeSet = { ...commit, set: 'source', kind: 'source' };
  expect(describeSet(source, 'running').note).not.toContain('before');
  expect(describeSet({ ...source, earlierCount: 2 }, 'running').note).toContain(
    'Without 2 files that changed earlier and not since.',
  );
});

test('isBookkeeping holds for commits that touch only plans', () => {
  const of = (...paths: string[]) => ({ ...commit, files: paths.map((path) => ({ path, status: 'added' as const })) });
  expect(isBookkeeping(of('ravel/project-root/phase.md'))).toBe(true);
  expect(isBookkeeping(of('ravel/project-root/phase.md', 'a.ts'))).toBe(false);
  expect(isBookkeeping({ ...of('ravel/a'), kind: 'source' })).toBe(false);
});

test('verdicts are counted, including claims not checked yet', () => {
  const claim = { id: 'c', text: '', evidence: [] };
  expect(countVerdicts([{ ...claim, verdict: 'unsupported' }, claim, { ...claim, verdict: 'unsupported' }])).toBe(
    '2 unsupported, 1 not checked yet',
  );
  expect(countVerdicts([])).toBe('');
});

test('a large number of files is counted, with a note that only some are shown', () => {
  expect(countFiles(commit)).toBe('0 files');
  const files = [{ path: 'a', status: 'added' }] as const;
  expect(countFiles({ ...commit, files, fileCount: 3000 })).toBe('3,000 files; the first 1 are shown');
});
