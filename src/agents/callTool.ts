import type { Ulid } from '../model/id.ts';
import type { Api } from '../model/protocol.ts';
import { sendOnce } from '../model/sendOnce.ts';
import type { AgentCaller } from './agentCaller.ts';
import type { AgentTool } from './agentTools.ts';

export interface AgentToolCall {
  readonly tool: AgentTool;
  readonly args: unknown;
  /** What the message goes out under, if the tool sends one. */
  readonly id: Ulid;
  readonly signal: AbortSignal;
  readonly caller: AgentCaller;
}

/**
 * Calls a tool on the vault that `use` opens, and gives text for the model. A message whose owner went away meanwhile is
 * given to the next one under the same id. Rejects as the tool does.
 */
export async function callTool(
  { tool, args, id, signal, caller }: AgentToolCall,
  use: (work: (api: Api) => Promise<string>) => Promise<string>,
): Promise<string> {
  const call = () => use((api) => tool.call(api, args, signal, id, caller));
  const text = await (tool.sends === true ? sendOnce(call) : call());
  if (tool.shows === true) caller.noteShown(text);
  return text;
}
