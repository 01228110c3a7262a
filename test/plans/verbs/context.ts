import { expect } from 'vitest';
import { RavelError } from '../../../src/base/errors.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import type { VerbName } from '../../../src/model/verbs.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import type { VerbContext } from '../../../src/plans/verbs/verbContext.ts';
import { parseYaml } from '../../../src/yaml/yaml.ts';

export const backlogText = `# the plan
tasks:
- id: first
  title: First   # a remark
  category: core
  status: in_progress
  dependencies: []
  description: |
    What to do.
  results: |
    It works.
  mine: 1
- id: second
  title: 'Second'
  category: core
  status: not_started
  dependencies: []
  description: ""
  handoff: |
    Settled.
- id: third
  title: Third
  category: docs
  status: blocked
  blocked_reason: waits for the first
  dependencies:
  - first # it needs this
  - second
- id: odd
  title: Odd
  category: docs
  status: done
  dependencies: [second]
received:
- id: 01JD0000000000000000000001
  from: Other/project-root
  at: 2026-11-01T00:00:00Z
  reason: because
  body: |
    Please do it.
  state: new
mine: [kept,   as is]
`;

export const memoryText = `entries:
- id: alpha
  title: Alpha
  body: |
    The first fact.
- id: beta
  title: Beta
  body: |
    The second fact.
# gamma is old
- id: gamma
  title: Alpha
  body: The first fact
`;

export function makeContext(rest: Partial<VerbContext> = {}): VerbContext {
  return {
    texts: new Map<PlanFile, string>([
      ['backlog.yaml', backlogText],
      ['memory.yaml', memoryText],
    ]),
    subject: toQualifiedId('Demo/project-root'),
    now: '2026-11-20T08:30:00Z',
    newUlid: () => '01JDZZZZZZZZZZZZZZZZZZZZZZ' as Ulid,
    dreamMap: {},
    ...rest,
  };
}

/** The value of a file after a verb; the file must have changed. */
export function after(file: PlanFile, name: VerbName, args: unknown, context = makeContext()): unknown {
  const text = applyVerb(name, args, context).edits.get(file);
  expect(text).toBeDefined();
  return parseYaml(text ?? '', { file, subject: context.subject }).value;
}

/** The error with which a verb refuses. */
export function refused(name: VerbName, args: unknown, context = makeContext()): RavelError {
  try {
    applyVerb(name, args, context);
  } catch (error) {
    if (error instanceof RavelError) return error;
    throw error;
  }
  throw new Error(`${name} did not refuse ${JSON.stringify(args)}`);
}
