import * as z from 'zod';
import type { Disk } from '../../base/disk.ts';
import type { Consult } from '../../harness/consultation.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { foreign, ownName } from '../../model/promptText.ts';
import type { Consulted, RoutedMessage } from '../../model/routing.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { askedBy, consultationCost } from './consulting.ts';
import { planView } from './planView.ts';
import { messageText } from './promptSections.ts';

export interface CheckSessionPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly consult: Consult;
  readonly newUlid: () => Ulid;
  /** Empty for what the harness has. */
  readonly model: string;
  readonly timeMs: number;
}

/** What a session over one plan said: yes or no with its reason; undefined if it did not say. */
export interface CheckSessionAnswer {
  readonly takes: boolean | undefined;
  readonly reasoning: string;
  readonly consulted: Consulted;
}

const verdictArgs = z.object({
  takes: z.boolean().describe('whether the plan takes the message'),
  reasoning: z.string().trim().min(1).max(4000).describe('why, in one or two sentences'),
});

/** Asks a fresh session whether one plan takes a message. Rejects if none can be asked. */
export async function askCheckSession(
  ports: CheckSessionPorts,
  asked: {
    readonly message: RoutedMessage;
    /** Written down already. */
    readonly session: Ulid;
    readonly plan: QualifiedId;
    readonly question: string;
  },
  signal: AbortSignal,
): Promise<CheckSessionAnswer> {
  const { message, session, plan, question } = asked;
  let verdict: z.infer<typeof verdictArgs> | undefined;
  const report = await ports.consult(
    {
      ...askedBy(message, { session, model: ports.model, timeMs: ports.timeMs }),
      purpose: 'check',
      prompt: {
        file: 'routing/plan.md',
        values: {
          PLAN: ownName(plan),
          MESSAGE: messageText(message),
          QUESTION: foreign('question', question, 'Whether this plan takes the message.'),
          DESCRIPTION: foreign('plan', await planView(ports.disk, ports.layout, plan)),
        },
      },
      tools: [
        {
          name: 'verdict',
          description: 'Says whether the plan takes the message, and why. Ends the session.',
          args: verdictArgs,
          async call(args) {
            verdict = verdictArgs.parse(args);
            return { text: 'Taken down.', isError: false, ends: true };
          },
        },
      ],
    },
    signal,
  );
  const reasoning = verdict?.reasoning ?? `It did not say: the session ended (${report.end}).`;
  return {
    takes: verdict?.takes,
    reasoning,
    consulted: {
      ...{ level: 3, scope: plan, reasoning },
      ...consultationCost(report),
      answer: verdict === undefined ? 'none' : verdict.takes ? 'accept' : 'reject',
      ...(verdict === undefined && { raw: report.output }),
    },
  };
}
