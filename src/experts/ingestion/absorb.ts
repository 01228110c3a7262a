import * as z from 'zod';
import { shortened } from '../../base/text.ts';
import type { ConsultationPrompt, ConsultationTool } from '../../harness/consultation.ts';
import { failed } from '../../harness/toolAnswers.ts';
import type { Expert } from '../../model/expert.ts';
import type { ExpertPosition, IngestionCandidate } from '../../model/ingestion.ts';
import { foreign, ownName, ownWords } from '../../model/promptText.ts';
import { entryText } from '../expertPrompt.ts';
import type { RetrievedEntry } from '../retrieveEntries.ts';

/** Files below `prompts/`. */
export const absorbPrompts = { system: 'consultation.md', prompt: 'absorb.md' } as const;

/** All that a session is given which decides for an expert. */
export function absorbPrompt(
  expert: Expert,
  { title, body }: Pick<IngestionCandidate, 'title' | 'body'>,
  entries: readonly RetrievedEntry[],
): ConsultationPrompt {
  return {
    file: absorbPrompts.prompt,
    values: {
      EXPERT: ownName(expert['expert-id']),
      PERSONA: foreign('persona', expert.persona),
      STATEMENT: foreign('statement', `${title}\n\n${body}`),
      ENTRIES: entries.length === 0 ? ownWords('None.') : entries.flatMap(entryText),
    },
  };
}

/**
 * The entries with texts that have about `bytesMax` bytes together: of one that is larger than its equal share, the beginning.
 * None is left out, since an expert could not link to it then.
 */
export function withinBudget(entries: readonly RetrievedEntry[], bytesMax: number): readonly RetrievedEntry[] {
  const share = bytesMax / entries.length;
  return entries.map((entry) => {
    const { text, bytes } = entry;
    if (bytes <= share) return entry;
    return { ...entry, text: shortened(text, Math.floor((text.length * share) / bytes)) };
  });
}

export interface AbsorbToolsOptions {
  readonly entries: readonly RetrievedEntry[];
  /** Durable once it resolves. */
  readonly take: (position: Omit<ExpertPosition, 'expert'>) => Promise<void>;
}

const reasonLengthMax = 2000;
const entriesMax = 10;
const entry = z.string().min(1).max(500).describe('The id of an entry, as it is written above it.');
const reason = z.string().trim().min(10).max(reasonLengthMax).describe('Why, in a sentence.');

const absorbArgs = z.object({ reason, contradicts: z.array(entry).max(entriesMax).default([]) });
const linkArgs = z.object({ reason, entry });
const rejectArgs = z.object({ reason });

const taken = { text: 'Your decision was taken; end the session now.', isError: false, ends: true } as const;

/** The tools of a session that decides for an expert; entries that it names are checked against those that it was given. */
export function absorbTools({ entries, take }: AbsorbToolsOptions): ConsultationTool[] {
  const pathOfId = (named: string) => entries.find(({ id }) => id === named.trim())?.path;
  const unknown = (named: string) => failed(`No entry that you were given has the id "${named}".`);
  return [
    {
      name: 'absorb',
      description: 'Take it into what you know, and end.',
      args: absorbArgs,
      async call(args) {
        const { reason: why, contradicts: named } = absorbArgs.parse(args);
        const strange = named.find((one) => pathOfId(one) === undefined);
        if (strange !== undefined) return unknown(strange);
        await take({ verdict: 'absorb', reason: why, contradicts: named.map((one) => pathOfId(one) ?? one) });
        return taken;
      },
    },
    {
      name: 'link',
      description: 'Say that an entry says the same already, and end.',
      args: linkArgs,
      async call(args) {
        const { reason: why, entry: named } = linkArgs.parse(args);
        const path = pathOfId(named);
        if (path === undefined) return unknown(named);
        await take({ verdict: 'link', reason: why, entry: path, contradicts: [] });
        return taken;
      },
    },
    {
      name: 'reject',
      description: 'Leave it out of what you know, and end.',
      args: rejectArgs,
      async call(args) {
        await take({ verdict: 'reject', reason: rejectArgs.parse(args).reason, contradicts: [] });
        return taken;
      },
    },
  ];
}
