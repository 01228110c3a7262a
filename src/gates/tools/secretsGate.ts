import { isRecord } from '../../base/json.ts';
import type { ToolRequest } from '../../model/verdict.ts';

type SecretsVerdict =
  | { readonly outcome: 'accept' }
  | { readonly outcome: 'reject'; readonly reason: string; readonly retryable: boolean };

/**
 * Refuses a request that holds a value of the person's secrets: in a command, in the text of a file or in a path. The
 * reason names the secret, never the value. Texts of one request are also read as one, for a value that is spread over them.
 */
export function judgeSecretsInTool({
  request: { request, storedSecrets, secretsProblem },
}: {
  readonly request: Pick<ToolRequest, 'request' | 'storedSecrets' | 'secretsProblem'>;
}): SecretsVerdict {
  if (secretsProblem !== undefined) return { outcome: 'reject', reason: secretsProblem, retryable: false };
  const texts = [...textsIn(request.input)];
  const found = [...namesIn(request.input), ...texts, texts.join('')].flatMap(
    (text) => storedSecrets?.find(text) ?? [],
  );
  if (found.length === 0) return { outcome: 'accept' };
  const names = [...new Set(found.map(({ service }) => service))].join(', ');
  const reason = `It would pass on the ${names}. Leave the value out; a program that needs it takes it from where it is kept.`;
  return { outcome: 'reject', reason, retryable: true };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (isRecord(value)) for (const item of Object.values(value)) yield* textsIn(item);
}

/** Names of fields, which a harness passes on as well. */
function* namesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item);
  else if (isRecord(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield name;
      yield* namesIn(item);
    }
  }
}
