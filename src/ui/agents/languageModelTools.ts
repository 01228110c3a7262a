import * as vscode from 'vscode';
import type { AgentCaller } from '../../agents/agentCaller.ts';
import type { AgentTool } from '../../agents/agentTools.ts';
import { CachedPromise } from '../../base/cachedPromise.ts';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { cancellable } from '../cancellation.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';
import { newUlid } from '../sendFromWindow.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';

/** What the chat of the editor can do with the vault of the window. An editor without such tools works as well. */
export const languageModelToolsPart: Part = (ui) => {
  if (typeof vscode.lm?.registerTool !== 'function') return disposeAll([]);
  // By the manifest's names: what a tool does is loaded when one is used, and not with the extension.
  const declared: readonly { readonly name: string }[] =
    ui.context.extension.packageJSON.contributes.languageModelTools;
  const caller = new CachedPromise<AgentCaller>();
  const callerOf = () => caller.get(() => makeCaller(ui));
  return disposeAll(declared.map(({ name }) => register(ui, name, callerOf)));
};

/** The chat of the editor, which is one agent for as long as the window is open. */
async function makeCaller({ clock }: UiContext): Promise<AgentCaller> {
  const { AgentCaller } = await import('../../agents/agentCaller.ts');
  return new AgentCaller({ clock, source: () => `agent:${vscode.env.appName}` });
}

function register(ui: UiContext, name: string, callerOf: () => Promise<AgentCaller>): Disposable {
  return vscode.lm.registerTool(name, {
    prepareInvocation: async ({ input }) => prepare(await loadTool(name), input),
    invoke: async ({ input }, token) =>
      invoke(ui, { tool: await loadTool(name), input, caller: await callerOf() }, token),
  });
}

async function loadTool(name: string): Promise<AgentTool> {
  const { agentTools, isAgentToolName } = await import('../../agents/agentTools.ts');
  if (isAgentToolName(name)) return agentTools[name];
  throw new Error(`There is no tool "${name}".`);
}

/** Arguments that do not fit are told when the tool is invoked; nothing has to be confirmed of it. */
function prepare({ doing, asks }: AgentTool, input: unknown): vscode.PreparedToolInvocation {
  try {
    const question = asks?.(input);
    return {
      invocationMessage: sanitizeLabel(doing(input)),
      ...(question !== undefined && {
        confirmationMessages: {
          title: question.title,
          // As text: what a model wrote shows no link and no picture here.
          message: new vscode.MarkdownString().appendText(question.message),
        },
      }),
    };
  } catch {
    return {};
  }
}

async function invoke(
  ui: UiContext,
  { tool, input, caller }: { readonly tool: AgentTool; readonly input: unknown; readonly caller: AgentCaller },
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  try {
    if (tool.kind !== 'read') ui.requireTrust();
    const { api } = requireLink(ui);
    const { callTool } = await import('../../agents/callTool.ts');
    const call = { tool, args: input, id: newUlid(ui), caller };
    const text = await cancellable(token, (signal) => callTool({ ...call, signal }, (work) => work(api)));
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  } catch (error) {
    if (error instanceof vscode.CancellationError) throw error;
    const { describeFailure } = await import('../../agents/answers.ts');
    const reason = describeFailure(error);
    ui.log.warn(`A tool for agents was refused: ${reason}`);
    throw new Error(reason, { cause: error });
  }
}
