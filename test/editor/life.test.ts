import { describe, expect, onTestFinished, test } from 'vitest';
import { openVault } from '../../src/library.ts';
import type { Ulid } from '../../src/model/id.ts';
import { type Api, protocolVersion } from '../../src/model/protocol.ts';
import { makeGate } from '../support/gate.ts';
import { finishDone, oneEntry, runOptionsOf, setScenario } from '../support/phaseWorld.ts';
import { type EditorWorld, useEditorWorld } from './support/editorWorld.ts';

const owns = /This window runs the vault/;
const follows = /this window follows it/;

/** The Api of whoever owns the vault, as any other program on the machine has it. */
async function client({ world }: EditorWorld): Promise<Api> {
  const { api, stop } = await openVault({ vault: world.vault, need: 'client', environment: world.environment });
  onTestFinished(() => stop());
  return api;
}

async function ownerPid(api: Api): Promise<number> {
  return (await api.request('hello', { protocol: protocolVersion })).pid;
}

describe('windows on one vault', () => {
  const editor = useEditorWorld({ content: { plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry } } });

  test('the first runs it, the second follows, and takes over when the first closes', async () => {
    const first = await editor.window();
    await first.statusBarItem(owns).waitFor();
    const second = await editor.newWindow();
    await second.statusBarItem(follows).waitFor();
    await first.close();
    await second.statusBarItem(owns).waitFor();
  });

  test('a session outlives the crash of its window, and the other window follows it to its end', async () => {
    const { world, host } = editor;
    const gate = await makeGate(world.root);
    await setScenario(world, { reflect: [{ say: 'One.' }, gate.wait, { say: 'Two.' }, finishDone] });
    await (await editor.window()).statusBarItem(owns).waitFor();
    const second = await editor.newWindow();
    await second.statusBarItem(follows).waitFor();

    const before = await client(editor);
    const pid = await ownerPid(before);
    expect(await host.extensionHosts()).toContain(pid);
    const started = whenSaid(before, 'One.');
    before.request('run_phase', runOptionsOf(world)).catch(() => undefined);
    const session = await started;
    await second.statusBarItem(/1 session runs/).waitFor();

    process.kill(pid, 'SIGKILL');
    await second.statusBarItem(owns).waitFor({ timeout: 5_000 });
    const after = await client(editor);
    expect(await ownerPid(after)).not.toBe(pid);
    const ended = new Promise<string>((resolve) => {
      after.onEvent((event) => {
        if (event.type === 'phase.ended' && event.session === session) resolve(event.end);
      });
    });
    gate.open();
    expect(await ended).toBe('finished');
    const { events } = await after.request('transcript', { session });
    const said = events.flatMap((event) => (event.type === 'session.output' ? [event.seq] : []));
    expect(said.length).toBeGreaterThan(3);
    expect(said).toEqual(said.map((_, index) => index + (said[0] ?? 0)));
    await second.statusBarItem(/No session runs/).waitFor();
  });
});

/** Resolves with the session that says `text`. */
function whenSaid(api: Api, text: string): Promise<Ulid> {
  return new Promise((resolve) => {
    api.onEvent((event) => {
      if (event.type !== 'session.output') return;
      if (event.output.kind === 'text' && event.output.text === text) resolve(event.session);
    });
  });
}
