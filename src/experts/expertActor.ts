import type { Behaviour } from '../actors/behaviour.ts';
import type { Code } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';

const code: Code = 'expert/notYetImplemented';

/** An expert that takes nothing in yet: every message is answered with that, and nothing is lost by it. */
export function createExpertActor(expert: QualifiedId): Behaviour {
  const name = expert.replace(/^expert:/, '');
  const reason = `The expert ${name} cannot answer yet; ask a plan or a person.`;
  return {
    handle: async () => ({ kind: 'rejected', code, reason }),
    stop: async () => undefined,
  };
}
