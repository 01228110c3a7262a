import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { SettingOverrides } from '../../src/model/settingRows.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { LiveSettings } from '../../src/vault/liveSettings.ts';
import { loadSettings } from '../../src/vault/settings.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

let layout: VaultLayout;
const write = (text: string) => writeFile(layout.settings, text);

beforeEach(async () => {
  layout = new VaultLayout(join(await makeTemporaryDirectory()));
});

async function open(text: string, overrides: SettingOverrides = {}): Promise<LiveSettings> {
  await write(text);
  const live = new LiveSettings({ disk: nodeDisk, layout, overrides, loaded: await loadSettings(nodeDisk, layout) });
  expect(await live.refresh()).toBeUndefined();
  return live;
}

/** Each of them edited, with what comes of it. */
describe('an edit', () => {
  test('holds at once, also for who kept a table of the settings', async () => {
    const live = await open('[run]\nharness = "scripted"\n');
    const { limits, routing } = live.settings;
    await write('[limits]\nsession-usd = 3\n[routing]\nprecision = 0.5\n[harnesses.scripted]\nscenario = "s.yaml"\n');
    expect(await live.refresh()).toEqual({
      taken: ['run.harness', 'limits.session-usd', 'routing.precision', 'harnesses.scripted.scenario'],
      waiting: [],
    });
    expect([limits['session-usd'], routing.precision, live.settings.run.harness]).toEqual([3, 0.5, 'claude-code']);
    expect(live.settings.harnesses.scripted.scenario).toBe('s.yaml');
    expect(await live.refresh()).toBeUndefined();
  });

  test('of a setting that an owner is built with waits for the next owner, and no longer once it is reverted', async () => {
    const live = await open('');
    await write('[actors]\nmax-active = 3\n[limits]\nsession-minutes = 4\n');
    expect(await live.refresh()).toEqual({
      taken: ['limits.session-minutes'],
      waiting: [{ path: 'actors.max-active', value: 3, because: 'owner' }],
    });
    expect(live.settings.actors['max-active']).toBe(20);
    await write('[limits]\nsession-minutes = 4\n');
    expect(await live.refresh()).toEqual({ taken: [], waiting: [] });
  });

  test('that cannot be read changes nothing, and names its line', async () => {
    const live = await open('[limits]\nsession-minutes = 5\n');
    await write('[limits]\nsession-minutes = -5\n');
    expect(await live.refresh()).toMatchObject({
      problem: { code: 'vault/badSettings', file: layout.settings, range: { start: { line: 1 } } },
    });
    expect([live.settings.limits['session-minutes'], live.problem?.code]).toEqual([5, 'vault/badSettings']);
    await write('[limits]\nsession-minutes = 6\n');
    expect(await live.refresh()).toEqual({ taken: ['limits.session-minutes'], waiting: [] });
    expect([live.settings.limits['session-minutes'], live.problem]).toEqual([6, undefined]);
  });

  test('that removes the file leaves the defaults', async () => {
    const live = await open('[limits]\nsession-minutes = 5\n[harnesses.scripted]\nscenario = "s.yaml"\n');
    await rm(layout.settings);
    expect(await live.refresh()).toMatchObject({ taken: ['limits.session-minutes', 'harnesses.scripted.scenario'] });
    expect(live.settings.limits['session-minutes']).toBe(60);
    expect(JSON.stringify(live.settings)).not.toContain('s.yaml');
  });

  test('changes nothing that the editor sets', async () => {
    const live = await open('', { 'limits.session-usd': 1 });
    await write('[limits]\nsession-usd = 3\n');
    expect(await live.refresh()).toEqual({ taken: [], waiting: [] });
    expect(live.settings.limits['session-usd']).toBe(1);
  });
});

describe('what guards sessions', () => {
  const off = '[sandbox]\ncommands = "off"\n[gates]\nfinish-attempts = 5\n';
  const waits = { path: 'sandbox.commands', value: 'off', because: 'session' } as const;

  test('holds at once if no session ran', async () => {
    const live = await open('');
    await write(off);
    expect(await live.refresh()).toEqual({ taken: ['gates.finish-attempts', 'sandbox.commands'], waiting: [] });
  });

  test('waits if a session runs, and after it, whatever else is edited', async () => {
    const live = await open('');
    live.sessionStarted('s');
    await write(off);
    expect(await live.refresh()).toEqual({ taken: ['gates.finish-attempts'], waiting: [waits] });
    live.sessionEnded('s');
    await live.refresh();
    await write(`${off}[limits]\nsession-usd = 3\n`);
    expect(await live.refresh()).toEqual({ taken: ['limits.session-usd'], waiting: [waits] });
    expect(live.settings.sandbox.commands).toBe('preferred');
  });

  test('waits if a session ended before the file was read again', async () => {
    const live = await open('');
    live.sessionStarted('s');
    live.sessionEnded('s');
    await write(off);
    expect((await live.refresh())?.waiting).toEqual([waits]);
  });

  test.each([
    ['sandbox.readable', '[sandbox]\nreadable = ["/data"]\n'],
    ['sandbox.network', '[sandbox]\nnetwork = "open"\n'],
    ['environment.pass', '[environment]\npass = ["A"]\n'],
  ])('includes %s', async (path, text) => {
    const live = await open('');
    live.sessionStarted('s');
    await write(text);
    expect(await live.refresh()).toMatchObject({ taken: [], waiting: [{ path, because: 'session' }] });
  });

  test('waits if a session wrote, and ended, while the file was being read', async () => {
    let meanwhile = async () => {};
    const disk = {
      ...nodeDisk,
      readFile: async (...input: Parameters<typeof nodeDisk.readFile>) => {
        const seen = await nodeDisk.readFile(...input);
        await meanwhile();
        return seen;
      },
    };
    await write('');
    const live = new LiveSettings({ disk, layout, overrides: {}, loaded: await loadSettings(nodeDisk, layout) });
    await live.refresh();
    live.sessionStarted('s');
    await live.refresh();
    meanwhile = async () => {
      await write(off);
      live.sessionEnded('s');
    };
    await live.refresh();
    meanwhile = async () => {};
    expect((await live.refresh())?.waiting).toEqual([waits]);
  });

  test('holds once the file was seen unchanged after the last session', async () => {
    const live = await open('');
    live.sessionStarted('s');
    live.sessionEnded('s');
    await live.refresh();
    await write(off);
    expect((await live.refresh())?.waiting).toEqual([]);
  });
});
