import * as z from 'zod';
import { isRavelError } from '../../base/errors.ts';
import type { KnowledgeBase } from '../../knowledge/entries/knowledgeBase.ts';
import type { Approval, Decision } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { evidenceProblem } from '../../model/evidence.ts';
import { ulidSchema } from '../../model/idSchemas.ts';
import { parseFrontmatter } from '../../vault/frontmatter.ts';
import type { Ingester } from './ingester.ts';

interface HandlerParts {
  readonly knowledge: () => Promise<Pick<KnowledgeBase, 'load' | 'survey' | 'supersede' | 'graduate'>>;
  readonly ingester: () => Promise<Pick<Ingester, 'decide'>>;
}

const statementSchema = z.looseObject({
  ingestion: ulidSchema,
  at: z.number().int().nonnegative(),
  title: z.string(),
  body: z.string(),
  claims: z.array(z.string()).default([]),
  positions: z.array(z.looseObject({ expert: z.string(), verdict: z.string(), reason: z.string() })).default([]),
});

const pairSchema = z.looseObject({
  older: z.string(),
  newer: z.string(),
  olderText: z.string(),
  newerText: z.string(),
});

const graduationSchema = z.looseObject({
  path: z.string(),
  title: z.string(),
  text: z.string(),
  breakdown: z.array(z.string()).default([]),
});

/** What decisions about what plans learned do. Each can be carried out again after a crash. */
export function createIngestionHandlers({ knowledge, ingester }: HandlerParts) {
  return {
    'learned-statement': {
      async describe(approval: Approval): Promise<{ readonly shown: string }> {
        const { title, body, claims, positions } = detailsOf(statementSchema, approval);
        const sides = positions.map(({ expert, verdict, reason }) => `${expert} would ${verdict} it: ${reason}`);
        const proof = claims.map((claim) => `Proven: ${claim}`);
        return { shown: [title, '', body, '', ...proof, ...sides].join('\n') };
      },
      check: async (approval: Approval): Promise<void> => void detailsOf(statementSchema, approval),
      async carryOut(decision: Decision): Promise<{ readonly did: string }> {
        const { ingestion, at, title } = detailsOf(statementSchema, decision);
        const isAccepted = decision.decision !== 'reject';
        const { reason } = decision;
        await (await ingester()).decide({ ingestion, at }, { isAccepted, ...(reason !== undefined && { reason }) });
        return { did: isAccepted ? `“${title}” is taken further.` : `“${title}” is left out.` };
      },
    },

    'contradicting-entries': {
      async describe(approval: Approval): Promise<{ readonly shown: string }> {
        const { older, newer, olderText, newerText } = detailsOf(pairSchema, approval);
        return { shown: `# The older one: ${older}\n\n${olderText}\n\n# The newer one: ${newer}\n\n${newerText}` };
      },
      async check(approval: Approval, answer: { readonly decision: string }): Promise<void> {
        if (answer.decision === 'reject') return;
        const { older, newer, olderText, newerText } = detailsOf(pairSchema, approval);
        const base = await knowledge();
        const [old, young] = [await base.load(older), await base.load(newer)];
        if (bodyOf(old.text) !== bodyOf(olderText) || bodyOf(young.text) !== bodyOf(newerText))
          throw failure('entry/changedSince', older, 'One of the two entries was changed since the question.');
        const problem = evidenceProblem(young.fields, old.fields);
        if (problem !== undefined) throw failure('entry/weakerEvidence', newer, problem);
      },
      async carryOut(decision: Decision): Promise<{ readonly did: string }> {
        const { older, newer } = detailsOf(pairSchema, decision);
        if (decision.decision === 'reject') return { did: 'Both entries stand.' };
        await (await knowledge())
          .supersede(older, newer, decision.reason ?? 'A person chose the newer one.')
          .catch(unlessLinked);
        return { did: `${newer} takes the place of ${older}.` };
      },
    },

    'entry-graduation': {
      async describe(approval: Approval): Promise<{ readonly shown: string }> {
        const { text, breakdown } = detailsOf(graduationSchema, approval);
        const score = breakdown.length === 0 ? [] : ['What speaks for it, in points:', '', ...breakdown, ''];
        return { shown: [...score, text].join('\n') };
      },
      async check(approval: Approval, answer: { readonly decision: string }): Promise<void> {
        if (answer.decision === 'reject') return;
        const { path, text, title } = detailsOf(graduationSchema, approval);
        const base = await knowledge();
        const known = await base.survey();
        const entry = await base.load(path, known);
        // Further proof changes only the frontmatter.
        const isSame = bodyOf(text) === bodyOf(entry.text);
        const { canGraduate } = await import('../../knowledge/entries/graduate.ts');
        const { countContradicting } = await import('../../knowledge/entries/promotion.ts');
        if (isSame && canGraduate(entry, countContradicting(entry, known))) return;
        const why = isSame ? 'not enough speaks for it any more' : 'its text was changed since the question';
        throw failure('entry/changedSince', path, `“${title}” cannot hold in general: ${why}.`);
      },
      async carryOut(decision: Decision): Promise<{ readonly did: string }> {
        const { path, title } = detailsOf(graduationSchema, decision);
        if (decision.decision === 'reject') return { did: `“${title}” stays staged.` };
        await (await knowledge()).graduate(path);
        return { did: `“${title}” holds in general.` };
      },
    },
  };
}

/** What an entry says below its frontmatter. */
function bodyOf(text: string): string {
  return parseFrontmatter(text, { file: '', subject: '' }).body.trim();
}

/** Carried out before a crash. */
function unlessLinked(error: unknown): void {
  if (!isRavelError(error, 'entry/alreadyLinked')) throw error;
}

function detailsOf<T>(schema: z.ZodType<T>, { id, details }: Pick<Approval, 'id' | 'details'>): T {
  const { data } = schema.safeParse(details);
  if (data !== undefined) return data;
  throw failure('approval/badDecision', id, 'The question does not say what a plan learned.');
}
