import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as vscode from 'vscode';
import { agentToolNames } from '../../../src/agents/agentTools.ts';
import { vaultServers } from '../../../src/ui/agents/mcpServers.ts';
import type { UiContext } from '../../../src/ui/uiContext.ts';

describe('the tools for agents', () => {
  let ui: UiContext;
  let plan: string;

  before(async () => {
    const extension = vscode.extensions.getExtension<{ ui: UiContext }>('ravel.ravel');
    if (extension === undefined) throw new Error('The extension is not there.');
    ui = (await extension.activate()).ui;
    while (ui.link.value === undefined) {
      await new Promise<void>((resolve) => {
        const listening = ui.link.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
    }
    const { plans } = await ui.link.value.api.request('outline', {});
    plan = plans[0]?.plan ?? '';
  });

  async function use(name: string, input: object, token?: vscode.CancellationToken): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }

  it('are all registered with the editor', () => {
    const present = new Map(vscode.lm.tools.map((tool) => [tool.name, tool]));
    deepStrictEqual(
      agentToolNames.filter((name) => !present.has(name)),
      [],
    );
    match(present.get('ravel_list_plans')?.description ?? '', /Use it first/);
  });

  it('read the vault of the window', async () => {
    match(await use('ravel_list_plans', {}), new RegExp(`^- ${plan}: .*next phase work`));
    match(await use('ravel_show_plan', { plan }), /Next task: /);
    match(await use('ravel_search_memory', { plan, text: 'browsers' }), /^```memory\n## /);
    match(await use('ravel_search_vault', { query: 'browsers', in: ['memory'] }), /^```found\n- .*memory/);
  });

  it('add a task to a plan', async () => {
    match(await use('ravel_add_task', { plan, title: 'From the chat', category: 'chore' }), /^Done: /);
    match(await use('ravel_list_tasks', { plan }), /- from-the-chat \[not_started, chore\]: From the chat/);
  });

  it('say in a sentence what was wrong', async () => {
    await rejects(use('ravel_show_plan', { plan: 'nowhere' }), /There is no plan/);
    await rejects(use('ravel_show_task', { plan }), /The arguments do not fit: id/);
  });

  it('can be cancelled', async () => {
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    await rejects(use('ravel_search_memory', { plan, text: 'x' }, source.token));
  });

  it('include an MCP server of the vault that the official client can talk to', async () => {
    const [server, ...others] = await vaultServers(ui);
    if (server === undefined) throw new Error('No server is offered.');
    deepStrictEqual(others, []);
    match(server.label, /^Ravel: /);
    strictEqual(server.version, vscode.extensions.getExtension('ravel.ravel')?.packageJSON.version);
    const env = { PATH: process.env['PATH'] ?? '', ...(server.env as Record<string, string>) };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: server.command, args: server.args, env }));
    try {
      const { tools } = await client.listTools();
      deepStrictEqual(
        tools.map(({ name }) => name),
        agentToolNames,
      );
      const { content, isError } = await client.callTool({ name: 'ravel_list_plans', arguments: {} });
      strictEqual(isError, false);
      ok(JSON.stringify(content).includes(plan));
    } finally {
      await client.close();
    }
  });

  it('include no MCP server while the window shows no vault', async () => {
    const vault = ui.link.value?.vault;
    await ui.show(undefined);
    deepStrictEqual(await vaultServers(ui), []);
    await rejects(use('ravel_list_plans', {}), /No vault is open/);
    await ui.show(vault);
  });
});
