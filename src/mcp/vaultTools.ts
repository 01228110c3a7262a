import type { Readable, Writable } from 'node:stream';
import { agentToolNames, agentTools, inputSchemaOf, isAgentToolName } from '../agents/agentTools.ts';
import { describeFailure } from '../agents/answers.ts';
import type { CallResult, ToolDescription } from '../model/requests/sessions.ts';
import type { SharedVault } from './sharedVault.ts';
import { serveTools } from './stdioServer.ts';

export interface VaultToolsOptions {
  readonly vault: SharedVault;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the tools of a vault to other agents, over MCP on standard input and output, until the input ends. */
export function serveVaultTools({ vault, ...streams }: VaultToolsOptions): Promise<void> {
  return serveTools({
    ...streams,
    list: async () => agentToolNames.map(describe),
    call: (name, args, signal) => callTool(vault, { name, args }, signal),
  });
}

function describe(name: (typeof agentToolNames)[number]): ToolDescription {
  return { name, description: agentTools[name].description, inputSchema: inputSchemaOf(name) };
}

async function callTool(
  vault: SharedVault,
  { name, args }: { readonly name: string; readonly args: Record<string, unknown> },
  signal: AbortSignal,
): Promise<CallResult> {
  if (!isAgentToolName(name)) {
    return { text: `There is no tool "${name}"; there are ${agentToolNames.join(', ')}.`, isError: true };
  }
  const { call, kind } = agentTools[name];
  try {
    const text = await vault.use(kind === 'look' ? 'look' : 'own', (api) => call(api, args, signal));
    return { text, isError: false };
  } catch (error) {
    return { text: describeFailure(error), isError: true };
  }
}
