import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { agentToolNames } from '../../src/agents/agentTools.ts';
import { commandLinePath } from '../support/commandLine.ts';
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
