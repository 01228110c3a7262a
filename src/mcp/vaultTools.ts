import type { Readable, Writable } from 'node:stream';
import { AgentCaller } from '../agents/agentCaller.ts';
import { agentToolNames, agentTools, inputSchemaOf, isAgentToolName } from '../agents/agentTools.ts';
import { describeFailure } from '../agents/answers.ts';
import { type AgentToolCall, callTool } from '../agents/callTool.ts';
import type { Clock } from '../base/clock.ts';
import { oneLine } from '../base/text.ts';
import { createUlids } from '../base/ulid.ts';
import type { Ulid } from '../model/id.ts';
import type { CallResult, ToolDescription } from '../model/requests/sessions.ts';
import type { SharedVault } from './sharedVault.ts';
import { serveTools } from './stdioServer.ts';

export interface VaultToolsOptions {
  readonly vault: SharedVault;
  readonly clock: Clock;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the tools of a vault to other agents, over MCP on standard input and output, until the input ends. */
export function serveVaultTools({ vault, clock, ...streams }: VaultToolsOptions): Promise<void> {
  const newUlid = createUlids(clock);
  let program = '';
  const caller = new AgentCaller({ clock, source: () => (program === '' ? 'an agent' : `agent:${program}`) });
  return serveTools({
    ...streams,
    list: async () => agentToolNames.map(describe),
    call: (name, args, { signal }) => callNamed(vault, { name, args, id: newUlid() as Ulid, signal, caller }),
    onClient: (name) => {
      program = oneLine(name).slice(0, 100);
    },
  });
}

function describe(name: (typeof agentToolNames)[number]): ToolDescription {
  return { name, description: agentTools[name].description, inputSchema: inputSchemaOf(name) };
}

async function callNamed(
  vault: SharedVault,
  { name, ...call }: Omit<AgentToolCall, 'tool'> & { readonly name: string },
): Promise<CallResult> {
  if (!isAgentToolName(name)) {
    return { text: `There is no tool "${name}"; there are ${agentToolNames.join(', ')}.`, isError: true };
  }
  const tool = agentTools[name];
  try {
    const text = await callTool({ tool, ...call }, (work) => vault.use(tool.kind === 'read' ? 'read' : 'own', work));
    return { text, isError: false };
  } catch (error) {
    return { text: describeFailure(error), isError: true };
  }
}
