import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReasoningPhase } from '../../../src/model/phase.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../../src/model/plan.ts';
import {
  isManualFolderReady,
  loadManualFolder,
  manualDreamMap,
  readManualFolder,
  writeManualFolder,
} from '../../../src/plans/sessions/manualFolder.ts';
import { backlogOf, makePlanWorld, memoryOf } from '../../support/planServices.ts';

const { backlog, memory, latestSession, commits, dispatches } = planFiles;
const oldRecord = 'id: old\ntimestamp: T\nphase: work\nbody: Old.\n';

/** The folder of a phase by hand, and the edits that it results in. */
async function makeFolder(phase: ReasoningPhase, kept: PlanTexts = new Map()) {
  const world = await makePlanWorld({
    plan: { [backlog]: backlogOf('one'), [memory]: memoryOf({ tabs: 'Indent.' }), [latestSession]: oldRecord },
  });
  const { transaction, paths } = await world.begin(phase, { harness: 'person' });
  const { disk } = world.services;
  const ready = await isManualFolderReady(disk, paths);
  await writeManualFolder(disk, paths, { transaction, prompt: 'Do it.', kept });
  const folder = await loadManualFolder(disk, paths, transaction);
  const path = (file: PlanFile) => join(folder.directory, file);
  return {
    ...{ folder, paths, ready },
    isReady: () => isManualFolderReady(disk, paths),
    textOf: (file: PlanFile) => readFile(path(file), 'utf8'),
    write: (file: PlanFile, text: string) => writeFile(path(file), text),
    remove: (file: PlanFile) => rm(path(file)),
    stage: (file: PlanFile, text: string) => writeFile(join(paths.plan, file), text),
    comesTo: async () => {
      const { edits, changed } = await readManualFolder(disk, paths, transaction);
      return { edits: Object.fromEntries(edits), changed };
    },
  };
}

const nothing = { edits: {}, changed: [] };

describe('the folder of a phase by hand', () => {
  test.each<[ReasoningPhase, readonly string[], readonly string[]]>([
    ['work', [backlog, dispatches, planFiles.queries], [memory]],
    ['analyse-work', [backlog, latestSession, commits], []],
    ['reflect', [memory, dispatches, planFiles.queries], [latestSession]],
    ['dream', [memory], []],
    ['triage', [backlog, memory, dispatches, planFiles.queries], []],
  ])('has its files, read-only files and prompt in %s', async (phase, files, reading) => {
    const { folder, ready, isReady, comesTo } = await makeFolder(phase);
    expect(folder.files.map((file) => basename(file))).toEqual(files);
    expect(folder.reading.map((file) => basename(file))).toEqual(reading);
    expect(await readFile(folder.prompt, 'utf8')).toBe('Do it.');
    expect([ready, await isReady()]).toEqual([false, true]);
    expect(await comesTo()).toEqual(nothing);
  });

  test('has an empty form for the session record, not the previous record', async () => {
    const { textOf } = await makeFolder('analyse-work');
    const form = await textOf(latestSession);
    expect(form).toContain('id: 2026-01-02-by-hand');
    expect(form).toContain('claims: []');
    expect(await textOf(commits)).toBe('commits: []\n');
  });

  test('has the edits that were kept from an earlier attempt', async () => {
    const { textOf } = await makeFolder('reflect', new Map([[memory, memoryOf({ tabs: 'Mine.' })]]));
    expect(await textOf(memory)).toContain('Mine.');
  });
});

describe('the edits of a folder', () => {
  test('are the changes of a file, until they are taken back', async () => {
    const { write, textOf, comesTo, stage } = await makeFolder('reflect');
    const before = await textOf(memory);
    const edited = memoryOf({ tabs: 'Indent.', more: 'More.' });
    await write(memory, edited);
    expect(await comesTo()).toEqual({ edits: { [memory]: edited }, changed: [memory] });
    await stage(memory, edited);
    expect(await comesTo()).toEqual({ edits: {}, changed: [memory] });
    await write(memory, before);
    expect(await comesTo()).toEqual({ edits: { [memory]: before }, changed: [] });
  });

  test('include a filled-in form, but not a removed one', async () => {
    const { write, remove, comesTo } = await makeFolder('analyse-work');
    await remove(latestSession);
    expect(await comesTo()).toEqual(nothing);
    await write(commits, 'commits: [{paths: [a], message: b}]\n');
    expect((await comesTo()).changed).toEqual([commits]);
  });

  test('include a removed state file, for the gates to refuse', async () => {
    const { remove, comesTo } = await makeFolder('reflect');
    await remove(memory);
    expect(await comesTo()).toEqual({ edits: { [memory]: undefined }, changed: [memory] });
  });

  test('exclude a read-only file, even if a person overwrites it', async () => {
    const { folder, write, comesTo } = await makeFolder('reflect');
    for (const file of folder.reading) await chmod(file, 0o644);
    await write(latestSession, 'id: other\n');
    expect(await comesTo()).toEqual(nothing);
  });
});

test('entries merged by hand are traced to the entry that contains them', () => {
  const before = new Map([[memory, memoryOf({ tabs: 'Indent with `tabs`.', lines: 'At most 100 columns.' })]]);
  const after = new Map([[memory, memoryOf({ tabs: 'Indent with `tabs`. At most 100 columns. Title of lines.' })]]);
  expect(manualDreamMap(before, after)).toMatchObject({ lines: ['tabs'] });
});
