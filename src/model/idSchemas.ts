import * as z from 'zod';
import { isQualifiedId, isUlid, type QualifiedId, type Ulid } from './id.ts';

export const ulidSchema = z.string().transform((text, context): Ulid => {
  if (isUlid(text)) return text;
  context.addIssue({ code: 'custom', message: 'it is not a ULID' });
  return z.NEVER;
});

/** The name of a plan or an expert. */
export const actorSchema = z.string().transform((text, context): QualifiedId => {
  if (isQualifiedId(text)) return text;
  context.addIssue({ code: 'custom', message: 'it names no actor' });
  return z.NEVER;
});
