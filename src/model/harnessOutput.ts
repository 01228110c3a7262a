import type { Usage } from './usage.ts';

/** What a harness says on its output, in one vocabulary for all harnesses. */
export type HarnessOutput =
  | { readonly kind: 'ready'; readonly model: string; readonly version: string; readonly tools: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'toolStarted'; readonly tool: string; readonly callId: string; readonly input: unknown }
  | {
      readonly kind: 'toolEnded';
      readonly callId: string;
      readonly isError: boolean;
      readonly output: string;
      readonly exitCode?: number;
      /** False if the harness itself says that it refused the call before the tool ran. */
      readonly ran?: false;
    }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'retry'; readonly attempt: number; readonly reason: string }
  | { readonly kind: 'result'; readonly isError: boolean; readonly reason: string; readonly usage: Usage }
  | { readonly kind: 'warning'; readonly message: string };
