import type { Capabilities } from './adapter.ts';

/** What the profiles come to: a work session changes files by itself, and no other session can. */
export const writesInWorkAlone: Capabilities['writes'] = {
  work: true,
  'analyse-work': false,
  reflect: false,
  dream: false,
  triage: false,
  route: false,
  check: false,
  answer: false,
  facts: false,
  absorb: false,
  horizon: false,
  plan: false,
};
