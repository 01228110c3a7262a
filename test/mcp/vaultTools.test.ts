import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { agentToolNames } from '../../src/agents/agentTools.ts';
import { commandLinePath } from '../support/commandLine.ts';
import { makeExpertWorld, pinning, quoting } from '../support/expertWorld.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** Another agent, which starts the server like its configuration says. */
async function connectAgent({ vault, environment }: World) {
  const client = new Client({ name: 'test', version: '1' });
  const args = [commandLinePath(), 'mcp', '--vault', vault];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...environment } }));
  onTestFinished(() => client.close());
  return {
    client,
    async call(name: string, args: Record<string, unknown>) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [first] = content as { text: string }[];
      return { text: first?.text ?? '', isError };
    },
  };
}

test('ravel mcp --vault lists its tools and calls them with and without an owner', async () => {
  const world = await makeWorld();
  const { client, call } = await connectAgent(world);
  expect(client.getServerVersion()).toMatchObject({ name: 'ravel', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(agentToolNames);
  expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);

  const { plan } = world;
  expect(await call('ravel_list_plans', {})).toEqual({ text: expect.stringContaining(plan), isError: false });
  // The vault has no owner, so the server owns it for as long as a call takes, even for two at once.
  const titles = ['One', 'Two'].map((title) => call('ravel_add_task', { plan, title, category: 'bug' }));
  for (const { isError } of await Promise.all(titles)) expect(isError).toBe(false);
  expect(await call('ravel_send_note', { plan, text: 'Hello.' })).toMatchObject({ isError: false });

  const { core } = await startCore(world);
  // Either of two concurrent calls can come first.
  const { text, isError } = await call('ravel_list_tasks', { plan, ready: true });
  expect(isError).toBe(false);
  expect(text.split('\n').sort()).toEqual(['- one [not_started, bug]: One', '- two [not_started, bug]: Two']);
  expect(await call('ravel_show_plan', { plan: 'nowhere' })).toEqual({
    text: expect.stringContaining('There is no plan'),
    isError: true,
  });
  expect(await call('ravel_decide', {})).toMatchObject({
    isError: true,
    text: expect.stringContaining('ravel_list_plans'),
  });
  await core.stop();
}, 60_000);

test('another agent finds and shows entries, asks an expert and leaves a statement, with and without an owner', async () => {
  const world = await makeExpertWorld({ answers: [{ steps: quoting() }] });
  const said = 'A waker that is cloned twice wakes its task once.';
  writeFileSync(join(world.vault, 'knowledge/languages/rust/wakers.md'), `---\ntitle: Wakers\n---\n${said}\n`);
  const { call } = await connectAgent(world);
  const search = { query: 'how often does a waker wake', expert: 'rust', bodies: true };
  expect((await call('ravel_search_knowledge', search)).text).toContain(said);
  const both = await call('ravel_show_entry', { entry: ['Wakers', 'knowledge/languages/rust/wakers.md'] });
  expect(both.text.match(/```entry/g)).toHaveLength(2);
  const statement = { title: 'Pin late', statement: 'Whatever was never polled can still be moved to another place.' };
  const remembered = await call('ravel_remember_statement', { ...statement, axis: 'languages' });
  expect(remembered).toEqual({ isError: false, text: expect.stringContaining('knowledge/languages/pin-late.md now') });
  expect(await call('ravel_remember_statement', { ...statement, title: 'Pin later' })).toEqual({
    ...{ isError: false, text: 'Nothing was added: knowledge/languages/pin-late.md says this already.' },
  });
  const repeated = { title: 'Wakers again', statement: `${said} So they say.` };
  expect(await call('ravel_remember_statement', repeated)).toMatchObject({ isError: true });

  const { core } = await startCore(world);
  expect((await core.api.request('entry', { entry: 'Pin late' })).fields).toMatchObject({
    ...{ source: 'agent:test', status: 'staged', confidence: 'low' },
  });
  const asking = call('ravel_ask_expert', { expert: 'rust', question: 'When does a future need to be pinned?' });
  // The owner serves others while the expert thinks.
  expect((await call('ravel_show_entry', { entry: 'Pin late' })).isError).toBe(false);
  const { text, isError } = await asking;
  expect([isError, text]).toEqual([false, expect.stringContaining(`expert:rust says:\n\n${pinning.answer}`)]);
  expect((await core.api.request('entry', { entry: 'Pin late' })).uses).toMatchObject({
    shown: 1,
    opened: 0,
    weight: 0,
  });
  const unknown = await call('ravel_ask_expert', { expert: 'nobody', question: 'Are you there?' });
  expect(unknown.text).toContain('nobody');
  await core.stop();
}, 60_000);
