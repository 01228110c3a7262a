import type { PlanFile } from '../model/plan.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';

/** Shapes that nothing but a secret has. */
const shapes: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g },
  { kind: 'an Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { kind: 'an OpenAI key', pattern: /\bsk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]*[A-Za-z0-9]{20,}/g },
  { kind: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { kind: 'a GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { kind: 'a Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'a Slack webhook', pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{16,}/g },
  { kind: 'a Google key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'a Stripe key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'a PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{50,}/g },
  { kind: 'a Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'a DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { kind: 'a SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g },
  { kind: 'a signed web token', pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
  { kind: 'a storage account key', pattern: /\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}/g },
  {
    kind: 'a password in an address',
    pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"<>${}]+:[^\s/@'"<>${}]{3,}@[\w.-]+/gi,
  },
];

/** Measured on a real plan: ids and paths reach 4.0 bits a character, none reaches this (design 8). */
const entropyBitsMin = 4.5;
const tokenPattern = /[A-Za-z0-9+/=_-]{32,}/g;

/**
 * Nothing that looks like a secret enters a file: what is committed cannot be taken back. A secret is never repeated in a
 * finding; its file, line and kind are enough to find it. What was there before is not this session's doing.
 */
export function judgeSecrets(proposal: Proposal): Verdict {
  const findings: string[] = [];
  const notes: string[] = [];
  const known = [...proposal.base.values()];
  for (const [file, text] of changedTexts(proposal)) {
    for (const { kind, pattern } of shapes) {
      for (const match of text.matchAll(pattern)) {
        if (isNew(match[0], known))
          findings.push(`${file}, line ${lineOf(text, match.index)}: this looks like ${kind}.`);
      }
    }
    for (const match of text.matchAll(tokenPattern)) {
      if (entropyBits(match[0]) < entropyBitsMin || !isNew(match[0], known)) continue;
      notes.push(
        `${file}, line ${lineOf(text, match.index)}: a long token that looks random; see that it is no secret.`,
      );
    }
  }
  if (findings.length > 0) {
    return {
      outcome: 'reject',
      reason: 'Something looks like a secret; say where it is kept instead.',
      findings,
      retryable: true,
    };
  }
  return notes.length === 0 ? { outcome: 'accept' } : { outcome: 'accept', notes };
}

function* changedTexts({ base, proposed, summary }: Proposal): Generator<readonly [PlanFile | 'summary', string]> {
  for (const [file, text] of proposed) if (base.get(file) !== text) yield [file, text];
  yield ['summary', summary];
}

function isNew(secret: string, known: readonly string[]): boolean {
  return !known.some((text) => text.includes(secret));
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Shannon entropy in bits a character. */
function entropyBits(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}
