import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openVault } from '../../src/library.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { Api } from '../../src/model/protocol.ts';
import { protocolVersion } from '../../src/model/protocolVersion.ts';
import { makeGate } from '../support/gate.ts';
import { finishDone, oneEntry, runOptionsOf, setScenario } from '../support/phaseWorld.ts';
import { type EditorWorld, useEditorWorld } from './support/editorWorld.ts';

const owns = /This window runs the vault/;
const follows = /this window follows it/;

/** The Api of the owner of the vault, as any other program on the machine has it. */
async function client({ world }: EditorWorld): Promise<Api> {
  const { api, stop } = await openVault({ vault: world.vault, mode: 'client', environment: world.environment });
  onTestFinished(() => stop());
  return api;
}

async function ownerPid(api: Api): Promise<number> {
  return (await api.request('hello', { protocol: protocolVersion })).pid;
}

describe('two windows on one vault', () => {
  const editor = useEditorWorld({ content: { plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry } } });

  test('the first window runs the vault, and the second one takes over when the first closes', async () => {
    const first = await editor.window();
    await first.statusBarItem(owns).waitFor();
    const second = await editor.newWindow();
    await second.statusBarItem(follows).waitFor();
    await first.close();
    await second.statusBarItem(owns).waitFor();
    await second.statusBarItem(owns).hover();
    await second.page.locator('.monaco-hover', { hasText: `${editor.world.vault}` }).waitFor();
    await second.screenshot('status-tooltip');
    await second.statusBarItem(owns).click();
    await second.pick(/Show Plans$/, { asks: editor.world.vault });
    await second.view('Plans').waitFor();
  });

  test('a session outlives the crash of its window, and the other window takes over and sees its end', async () => {
    const { world, host } = editor;
    const gate = await makeGate(world.root);
    await setScenario(world, { reflect: [{ say: 'One.' }, gate.wait, { say: 'Two.' }, finishDone] });
    const first = await editor.window();
    await first.statusBarItem(owns).waitFor();
    const second = await editor.newWindow();
    await second.statusBarItem(follows).waitFor();

    const before = await client(editor);
    const pid = await ownerPid(before);
    expect(await host.extensionHosts()).toContain(pid);
    const started = whenPrinted(before, 'One.');
    before.request('run_phase', runOptionsOf(world)).catch(() => undefined);
    const session = await started;
    await second.statusBarItem(/1 session is running/).waitFor();
    await second.screenshot('status-running');

    process.kill(pid, 'SIGKILL');
    await second.statusBarItem(owns).waitFor({ timeout: 5_000 });
    const after = await client(editor);
    expect(await ownerPid(after)).not.toBe(pid);
    const ended = whenEnded(after);
    gate.open();
    expect(await ended).toBe('finished');
    const { events } = await after.request('transcript', { session });
    const said = events.flatMap((event) => (event.type === 'session.output' ? [event.seq] : []));
    expect(said.length).toBeGreaterThan(3);
    expect(said).toEqual(said.map((_, index) => index + (said[0] ?? 0)));
    await second.statusBarItem(/No sessions are running/).waitFor();
    await second.screenshotThemes('status-owner');
    // The window that crashed has a host again, and is one of those that follow.
    await first.statusBarItem(follows).waitFor({ timeout: 30_000 });
  });

  test('five reloads leave one extension host and one lock, and the session runs to its end', {
    timeout: 240_000,
  }, async () => {
    const { world, host } = editor;
    const gate = await makeGate(world.root);
    await world.writePlan('phase.md', 'reflect\n');
    await setScenario(world, { reflect: [{ say: 'Still here.' }, gate.wait, finishDone] });
    await (await editor.window()).close();
    const window = await editor.window();
    await window.statusBarItem(owns).waitFor();
    const before = await client(editor);
    const started = whenPrinted(before, 'Still here.');
    before.request('run_phase', runOptionsOf(world)).catch(() => undefined);
    await started;
    for (let n = 0; n < 5; n++) {
      await window.reload();
      await window.statusBarItem(owns).waitFor();
    }
    // Someone who presses the keys again and again does not wait until the window has started.
    for (const part of ['.monaco-workbench', '.activitybar .action-label', '.part.statusbar .statusbar-item']) {
      await window.page.reload();
      await window.page.locator(part).first().waitFor();
    }
    await window.reload();
    await window.statusBarItem(owns).waitFor();
    await expect.poll(() => host.extensionHosts()).toHaveLength(1);
    const locks = (await readdir(join(world.vault, 'runtime'))).filter((name) => name.startsWith('daemon.lock.'));
    expect(locks).toHaveLength(1);
    const after = await client(editor);
    const ended = whenEnded(after);
    gate.open();
    expect(await ended).toBe('finished');
  });

  test('a window releases the vault when a client asks, and Connect Again opens it again', async () => {
    const window = await editor.window();
    await window.statusBarItem(owns).waitFor();
    await (await client(editor)).request('shutdown', {});
    await window.statusBarItem(/asked this window to release/).waitFor();
    await window.command('Ravel: Connect Again');
    await window.statusBarItem(owns).waitFor();
  });
});

describe('a window with an external daemon', () => {
  // A window of a shared host may begin with the settings of the world before.
  const editor = useEditorWorld({ content: {}, settings: { 'ravel.daemon': 'external' }, host: {} });

  test('never runs the vault itself, and starts the daemon by a command', async () => {
    const window = await editor.window();
    await window.statusBarItem(/Nothing is running in this vault/).waitFor();
    await window.screenshot('status-no-daemon');
    await window.command('Ravel: Start Daemon in a Terminal');
    await window.statusBarItem(/A daemon, process \d+, runs the vault/).waitFor();
    const api = await client(editor);
    expect(await editor.host.extensionHosts()).not.toContain(await ownerPid(api));
    await api.request('shutdown', {});
    await window.statusBarItem(/Nothing is running in this vault/).waitFor();
  });
});

/** Resolves with how the next phase ends. */
function whenEnded(api: Api): Promise<string> {
  return new Promise((resolve) => {
    api.onEvent((event) => {
      if (event.type === 'phase.ended') resolve(event.end);
    });
  });
}

/** Resolves with the session that says `text`. */
function whenPrinted(api: Api, text: string): Promise<Ulid> {
  return new Promise((resolve) => {
    api.onEvent((event) => {
      if (event.type !== 'session.output') return;
      if (event.output.kind === 'text' && event.output.text === text) resolve(event.session);
    });
  });
}
