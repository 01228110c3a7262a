import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskStoredIn } from '../../src/gates/secrets/maskSecrets.ts';
import { createStoredValues, type StoredSecret } from '../../src/gates/secrets/storedValues.ts';
import { judgeSecrets } from '../../src/gates/secrets.ts';
import { judgeSecretsInTool } from '../../src/gates/tools/secretsGate.ts';
import { judgeEntrySecrets } from '../../src/gates/writes/secrets.ts';
import type { StoredValues } from '../../src/model/storedValues.ts';
import { makeProposal } from '../gates/proposal.ts';
import { createRandom, type Random } from '../support/seededRandom.ts';
import { findTestData } from '../support/testData.ts';
import { type Bench, type BenchRow, sized } from './bench.ts';

/** Each form in which a text can carry a value, and each place where a text goes on, for each of the values. */
async function secretLeak(): Promise<BenchRow> {
  const data = findTestData(process.cwd());
  if (data.kind === 'absent') throw new Error(`The bench needs real data, but ${data.reason}.`);
  const secrets = madeUpSecrets(sized(500, 20));
  const stored = createStoredValues(secrets);
  const leaks = new Map<string, number>();
  let sent = 0;
  for (const { value } of secrets) {
    for (const [form, write] of Object.entries(forms)) {
      for (const [place, refuses] of Object.entries(places)) {
        sent += 1;
        const name = `${form} in ${place}`;
        if (!refuses(`before ${write(value)} behind`, stored)) leaks.set(name, (leaks.get(name) ?? 0) + 1);
      }
    }
  }
  const files = ['ravel-lite-core', 'markdown-plan', 'mnemosyne'].flatMap((name) =>
    filesBelow(join(data.folder, name)),
  );
  const alarms = files.filter((file) => stored.find(readFileSync(file, 'utf8')).length > 0);
  const value = [...leaks.values()].reduce((sum, count) => sum + count, 0);
  const told = [...leaks].map(([name, count]) => `; ${name}: ${count}`).join('');
  return {
    ...{ id: 'secret-leak', value, unit: 'texts', goal: '0 leave, 0 false alarms' },
    ok: value === 0 && alarms.length === 0,
    note: `of ${sent} texts with one of ${secrets.length} stored values; ${alarms.length} false alarms in ${files.length} files of real plans${told}`,
  };
}

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const middle = (text: string) => text.length >> 1;
const swapCase = (text: string) =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');

const forms: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  quoted: (value) => `"${value}"`,
  'split over lines': (value) => `${value.slice(0, middle(value))}\n${value.slice(middle(value))}`,
  'split over strings': (value) => `"${value.slice(0, middle(value))}" + '${value.slice(middle(value))}'`,
  'in base64': base64,
  'in base64 with its name': (value) => base64(`password=${value}\n`),
  'in hexadecimal': (value) => Buffer.from(value, 'utf8').toString('hex'),
  'in hexadecimal with colons': (value) =>
    (Buffer.from(value, 'utf8').toString('hex').toUpperCase().match(/../g) ?? []).join(':'),
  'percent-encoded': encodeURIComponent,
  'in JSON': (value) => JSON.stringify({ key: value }),
  'in the other case': swapCase,
};

/** Whether a text is refused there. */
const places: Readonly<Record<string, (text: string, storedSecrets: StoredValues) => boolean>> = {
  'a plan’s file': (text, storedSecrets) => refused({ file: text }, storedSecrets),
  'a summary': (text, storedSecrets) => refused({ summary: text }, storedSecrets),
  'the source': (text, storedSecrets) => refused({ source: text }, storedSecrets),
  knowledge: (body, storedSecrets) =>
    judgeEntrySecrets({ title: 'A title', body, fields: {} }, { given: [], allowedSecrets: [], storedSecrets }) !==
    undefined,
  'a tool request': (command, storedSecrets) => {
    const request = { request: { tool_name: 'Bash', input: { command } }, storedSecrets };
    return judgeSecretsInTool({ request } as never).outcome === 'reject';
  },
  'what is masked, such as a transcript': (text, storedSecrets) =>
    isMasked({ type: 'session.output', output: { kind: 'text', text } }, storedSecrets),
  'a log or an error': (text, storedSecrets) => isMasked(new Error(text), storedSecrets),
};

/** Whether the name of a secret stands in the place of its value, and nothing is left of that. */
function isMasked(record: unknown, storedSecrets: StoredValues): boolean {
  const masked = maskStoredIn(record, storedSecrets);
  const text = JSON.stringify(masked);
  return masked !== record && text.includes('left out') && storedSecrets.find(text).length === 0;
}

function refused(
  { file, source, summary = 'Done.' }: { readonly file?: string; readonly source?: string; readonly summary?: string },
  storedSecrets: StoredValues,
): boolean {
  const lines = source?.split('\n') ?? [];
  const added = lines.map((line) => `+${line}\n`).join('');
  const head = `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -0,0 +1,${lines.length} @@\n`;
  const diff = source === undefined ? '' : `${head}${added}`;
  const facts = { diff, existingFiles: new Set<string>(), commits: [], commands: [], changedPaths: [], storedSecrets };
  const files = file === undefined ? {} : { 'memory.yaml': file };
  const { findings } = { findings: [], ...judgeSecrets(makeProposal('analyse-work', {}, files, { summary, facts })) };
  return findings.some((finding) => String(finding).includes('the stored secret'));
}

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&*+/=?@_-.:~',
];

/** Keys, passwords and passphrases of 12 to 60 characters; the seed makes them the same in every run. */
function madeUpSecrets(count: number): StoredSecret[] {
  const random: Random = createRandom(20261126);
  const characters = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[random(alphabet.length)] ?? '').join('');
  return Array.from({ length: count }, (_, at) => {
    const alphabet = alphabets[at % 4];
    const words = () => Array.from({ length: 4 }, () => characters(alphabets[0] ?? '', 4 + random(5))).join(' ');
    return { name: `SECRET_${at}`, value: alphabet === undefined ? words() : characters(alphabet, 14 + random(46)) };
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export const benches: readonly Bench[] = [{ id: 'secret-leak', run: secretLeak }];
