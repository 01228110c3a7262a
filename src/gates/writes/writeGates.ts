import { messageOf } from '../../base/errors.ts';
import { judgeEcho } from './echo.ts';
import { judgePrivateText } from './privateText.ts';
import { judgeEntrySchema } from './schema.ts';
import { judgeEntrySecrets } from './secrets.ts';
import {
  type WriteCandidate,
  type WriteFacts,
  type WriteGate,
  type WriteGateName,
  type WriteRefusal,
  writeGateNames,
} from './writeGate.ts';

const writeGates: Readonly<Record<WriteGateName, WriteGate>> = {
  schema: judgeEntrySchema,
  secrets: judgeEntrySecrets,
  privateText: judgePrivateText,
  echo: judgeEcho,
};

/** The first refusal of what is to become an entry; undefined if all gates accept. A gate that throws refuses. */
export function judgeWrite(
  candidate: WriteCandidate,
  facts: WriteFacts,
  table: Readonly<Record<WriteGateName, WriteGate>> = writeGates,
): (WriteRefusal & { readonly gate: WriteGateName }) | undefined {
  for (const gate of writeGateNames) {
    const refusal = judge(gate, table[gate], { candidate, facts });
    if (refusal !== undefined) return { gate, ...refusal };
  }
  return undefined;
}

/** Why words that join an entry or the message of its commit are refused; what stands there already is not judged again. */
export function judgeAddedWords(text: string, facts: Omit<WriteFacts, 'given'>) {
  const accept: WriteGate = () => undefined;
  const candidate = { title: '', body: text, fields: {} };
  return judgeWrite(candidate, { ...facts, given: [] }, { ...writeGates, schema: accept, echo: accept });
}

function judge(
  name: WriteGateName,
  gate: WriteGate,
  { candidate, facts }: { readonly candidate: WriteCandidate; readonly facts: WriteFacts },
): WriteRefusal | undefined {
  try {
    return gate(candidate, facts);
  } catch (error) {
    return { code: 'gate/threw', findings: [`The gate ${name} failed: ${messageOf(error)}.`] };
  }
}
