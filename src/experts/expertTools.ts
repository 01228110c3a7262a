import * as z from 'zod';
import type { ConsultationTool } from '../harness/consultation.ts';
import { failed } from '../harness/toolAnswers.ts';
import { answerConfidences, type CitedPassage } from '../model/receipt.ts';
import { type Citation, checkCitations } from './checkCitations.ts';
import type { RetrievedEntry } from './retrieveEntries.ts';

/** What a session came to. */
export type ExpertVerdict =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly confidence: (typeof answerConfidences)[number];
      /** Empty if they could not be checked. */
      readonly passages: readonly CitedPassage[];
      readonly isSupported: boolean;
    }
  | { readonly kind: 'unknown'; readonly missing: string }
  | { readonly kind: 'askedBack'; readonly text: string };

export interface ExpertToolsOptions {
  readonly entries: readonly RetrievedEntry[];
  /** How often it can still ask back. */
  readonly questionsLeft: number;
  /** Durable once it resolves. */
  readonly take: (verdict: ExpertVerdict) => Promise<void>;
}

const textLengthMax = 32_000;
const questionLengthMax = 4_000;
/** An answer whose citations are wrong is returned so often; then it is kept, and marked. */
const returnsMax = 2;

const answerArgs = z.object({
  answer: z.string().trim().min(1).max(textLengthMax).describe('The answer; it must stand by itself.'),
  citations: z
    .array(
      z.object({
        entry: z.string().min(1).max(500).describe('The id of an entry, as it is written above it.'),
        passage: z.string().min(1).max(4_000).describe('Words of that entry, exactly as they stand there.'),
      }),
    )
    .max(50)
    .default([])
    .describe('For each thing that the answer says, where it stands. At least one.'),
  confidence: z.enum(answerConfidences).describe('How sure the entries make you.'),
});

const declineArgs = z.object({
  missing: z.string().trim().min(1).max(textLengthMax).describe('What the entries would have to say.'),
});

const askBackArgs = z.object({
  question: z.string().trim().min(1).max(questionLengthMax).describe('One question, which can be understood alone.'),
});

const taken = { text: 'The answer was taken; end the session now.', isError: false, ends: true } as const;

/** The tools of an expert's session. Each answer is checked against what the session was given. */
export function expertTools({ entries, questionsLeft, take }: ExpertToolsOptions): ConsultationTool[] {
  let returned = 0;
  const tools: ConsultationTool[] = [
    {
      name: 'answer',
      description: 'Answer the question from the entries, and end. Each citation is checked.',
      args: answerArgs,
      async call(args) {
        const { answer: text, citations, confidence } = answerArgs.parse(args);
        const checked = checkCitations(citations as readonly Citation[], entries);
        if (checked.kind === 'unsupported' && returned < returnsMax) {
          returned += 1;
          return failed(`The answer was not taken. ${checked.reason} Correct the citations, or \`decline\`.`);
        }
        const isSupported = checked.kind === 'supported';
        const passages = checked.kind === 'supported' ? checked.passages : [];
        await take({ kind: 'answered', text, confidence, passages, isSupported });
        return taken;
      },
    },
    {
      name: 'decline',
      description: 'Say that the entries do not hold the answer, and end.',
      args: declineArgs,
      async call(args) {
        await take({ kind: 'unknown', missing: declineArgs.parse(args).missing });
        return taken;
      },
    },
  ];
  if (questionsLeft > 0) {
    tools.push({
      name: 'ask_back',
      description: 'Ask who asked for what you need to know first, and end; you are asked again with the reply.',
      args: askBackArgs,
      async call(args) {
        await take({ kind: 'askedBack', text: askBackArgs.parse(args).question });
        return { ...taken, text: 'The question was sent; end the session now.' };
      },
    });
  }
  return tools;
}
