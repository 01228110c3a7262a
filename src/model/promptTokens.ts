import type { ReasoningPhase } from './phase.ts';

/**
 * What code may put into a prompt, and nothing else. In a prompt file a token stands as `{{NAME}}`; its value is
 * inserted as it is and never looked at again, so that no text of others can name a token.
 */
export const promptTokens = [
  'ANSWERS',
  'ATTEMPT_NOTE',
  'BACKLOG',
  'BACKLOG_TRANSITIONS',
  'CONFINEMENT',
  'DESCRIPTION',
  'DIFF',
  'LATEST_SESSION',
  'MEMORY',
  'MEMORY_STYLE',
  'PHASE',
  'PLAN',
  'PROJECT',
  'README',
  'RECEIVED',
  'RELATED_PLANS',
  'TASK',
  'TOOLS',
  'TREE_SNAPSHOT',
  'WORK_DIGEST',
] as const;

export type PromptToken = (typeof promptTokens)[number];

/** The same for consultations, beside the tokens of phases: what they are asked about. */
export const consultationTokens = [
  'ASKER',
  'CANDIDATES',
  'DIALOGUE',
  'RECIPIENTS',
  'EARLIER',
  'ENTRIES',
  'EXPERT',
  'GOAL',
  'LIMIT',
  'MESSAGE',
  'PART',
  'PERSONA',
  'STATEMENT',
  'SURVEY',
  'PURPOSE',
  'QUESTION',
  'REASON',
  'SCOPE',
  'TEXT',
] as const;

export type ConsultationToken = (typeof consultationTokens)[number];

/** Anything that a prompt file can have in braces. */
export type TemplateToken = PromptToken | ConsultationToken;

const templateTokens: readonly TemplateToken[] = [...promptTokens, ...consultationTokens];

export function isPromptToken(text: string): text is PromptToken {
  return promptTokens.some((token) => token === text);
}

export function isTemplateToken(text: string): text is TemplateToken {
  return templateTokens.some((token) => token === text);
}

/** Tokens of `system.md`, the same for every phase: who the session is, and what it can do. */
export const systemTokens: readonly PromptToken[] = ['DESCRIPTION', 'PHASE', 'PLAN', 'TOOLS'];

/**
 * Tokens of each phase's prompt: a phase whose row lacks a token can not be given that material, whatever its prompt
 * file says.
 */
export const phaseTokens: Readonly<Record<ReasoningPhase, readonly PromptToken[]>> = {
  work: [
    'ANSWERS',
    'ATTEMPT_NOTE',
    'BACKLOG',
    'CONFINEMENT',
    'MEMORY',
    'PROJECT',
    'README',
    'RECEIVED',
    'RELATED_PLANS',
    'TASK',
  ],
  'analyse-work': [
    'ANSWERS',
    'ATTEMPT_NOTE',
    'BACKLOG',
    'BACKLOG_TRANSITIONS',
    'DIFF',
    'PROJECT',
    'TREE_SNAPSHOT',
    'WORK_DIGEST',
  ],
  reflect: ['ANSWERS', 'ATTEMPT_NOTE', 'LATEST_SESSION', 'MEMORY', 'MEMORY_STYLE'],
  dream: ['ANSWERS', 'ATTEMPT_NOTE', 'MEMORY', 'MEMORY_STYLE'],
  triage: ['ANSWERS', 'ATTEMPT_NOTE', 'BACKLOG', 'MEMORY', 'RECEIVED', 'RELATED_PLANS'],
};
