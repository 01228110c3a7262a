import * as vscode from 'vscode';
import { type AgentTool, type AgentToolName, agentToolNames, agentTools } from '../../agents/agentTools.ts';
import { describeFailure } from '../../agents/answers.ts';
import type { Disposable } from '../../base/disposable.ts';
import { disposeAll } from '../disposables.ts';
import { plainLabel } from '../plainLabel.ts';
import { requireLink } from '../requireLink.ts';
import type { Part, Workplace } from '../workplace.ts';

/** What the chat of the editor may do with the vault of the window. An editor without such tools is none the worse. */
export const languageModelToolsPart: Part = (workplace) => {
  if (typeof vscode.lm?.registerTool !== 'function') return disposeAll([]);
  return disposeAll(agentToolNames.map((name) => register(workplace, name)));
};

function register(workplace: Workplace, name: AgentToolName): Disposable {
  const tool = agentTools[name];
  return vscode.lm.registerTool(name, {
    prepareInvocation: ({ input }) => prepare(tool, input),
    invoke: ({ input }, token) => invoke(workplace, { tool, input }, token),
  });
}

/** Arguments that do not fit are told when the tool is invoked; nothing has to be confirmed of it. */
function prepare({ doing, asks }: AgentTool, input: unknown): vscode.PreparedToolInvocation {
  try {
    const question = asks?.(input);
    return {
      invocationMessage: plainLabel(doing(input)),
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
  workplace: Workplace,
  { tool, input }: { readonly tool: AgentTool; readonly input: unknown },
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort(new vscode.CancellationError()));
  try {
    if (tool.kind !== 'look') workplace.requireTrust();
    const text = await tool.call(requireLink(workplace).api, input, controller.signal);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  } catch (error) {
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    workplace.log.warn(`A tool for agents was refused: ${describeFailure(error)}`);
    throw new Error(describeFailure(error), { cause: error });
  } finally {
    listening.dispose();
  }
}
