import type * as z from 'zod';
import { assert } from '../base/assert.ts';
import type { PlanFile } from '../model/plan.ts';
import { planSchemas } from '../model/planSchemas.ts';
import type { ParsedFile, Proposal, Verdict } from '../model/verdict.ts';
import { isObject, verdictOf } from './records.ts';

/** Every file parses and fits its schema, as far as it did before. */
export function judgeSchema(proposal: Proposal): Verdict {
  const findings: string[] = [];
  for (const [file, schema] of planSchemas) {
    if (!proposal.proposed.has(file)) continue;
    const parsed = proposal.proposedValues.get(file);
    assert(parsed !== undefined, `the proposed ${file} was not parsed`);
    const before = proposal.baseValues.get(file);
    const known = new Set(before === undefined ? [] : complaints(before, schema));
    for (const complaint of complaints(parsed, schema)) {
      if (!known.has(complaint)) findings.push(sentence(file, complaint));
    }
  }
  return verdictOf('A file does not parse or does not fit its schema.', findings);
}

function complaints({ value, problems }: ParsedFile, schema: z.ZodType): readonly string[] {
  if (problems.length > 0) return problems;
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map((issue) => `${placeOf(issue.path, value)}${issue.message}`);
}

/** Names records by their id, not by their index: a place that moved is still the same violation. */
function placeOf(path: readonly PropertyKey[], value: unknown): string {
  let at = value;
  let place = '';
  for (const key of path) {
    at = isObject(at) || Array.isArray(at) ? Reflect.get(at, key) : undefined;
    if (typeof key !== 'number') place += `${place === '' ? '' : '.'}${String(key)}`;
    else if (isObject(at) && typeof at['id'] === 'string') place += ` "${at['id']}"`;
    else place += `[${key}]`;
  }
  return place === '' ? '' : `${place}: `;
}

function sentence(file: PlanFile, complaint: string): string {
  return `${file}: ${complaint}`;
}
