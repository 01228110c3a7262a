import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from '../../src/gates/secrets/findSecrets.ts';
import { judgeSecrets } from '../../src/gates/secrets.ts';
import { makeProposal } from '../gates/proposal.ts';
import { findTestData } from '../support/testData.ts';
import { type Bench, type BenchRow, round } from './bench.ts';

/** Tokens in published formats that the gate refuses, and what it takes for one in texts that hold none. */
async function secretsFound(): Promise<BenchRow> {
  const repository = process.cwd();
  const data = findTestData(repository);
  if (data.kind === 'absent') throw new Error(`The bench needs real data, but ${data.reason}.`);
  const formats: readonly { readonly name: string; readonly token: string }[] = JSON.parse(
    readFileSync(join(data.folder, 'secrets/formats.json'), 'utf8'),
  );
  const missed = formats.filter(({ token }) => !everywhere(token));
  const plans = ['ravel-lite-core', 'markdown-plan', 'mnemosyne'].map((name) => join(data.folder, name));
  const own = ['src', 'webview', 'test', 'docs', 'prompts', 'packaging'].map((name) => join(repository, name));
  const files = [...plans, ...own].flatMap(filesBelow);
  const alarms = files.filter((file) => findSecrets(readFileSync(file, 'utf8')).length > 0);
  const value = round((100 * (formats.length - missed.length)) / formats.length, 1);
  const names = (what: string, list: readonly string[]) => (list.length === 0 ? '' : `; ${what}: ${list.join(', ')}`);
  return {
    id: 'secrets-found',
    value,
    unit: '%',
    goal: '≥ 95 refused, 0 false alarms',
    ok: value >= 95 && alarms.length === 0,
    note: `of ${formats.length} tokens; ${alarms.length} false alarms in ${files.length} files of real plans and this project${names(
      'missed',
      missed.map(({ name }) => name),
    )}${names('alarms', alarms)}`,
  };
}

/** Whether the gate refuses the token in a file of the plan, in the source, in the summary. */
function everywhere(token: string): boolean {
  const diff = `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -0,0 +1 @@\n+const key = "${token}";\n`;
  const facts = { diff, existingFiles: new Set<string>(), commits: [], commands: [], changedPaths: [] };
  return [
    makeProposal('reflect', {}, { 'memory.yaml': `entries:\n  - body: It is ${token}\n` }),
    makeProposal('analyse-work', {}, {}, { facts }),
    makeProposal('reflect', {}, {}, { summary: token }),
  ].every((proposal) => judgeSecrets(proposal).outcome === 'reject');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

export const benches: readonly Bench[] = [{ id: 'secrets-found', run: secretsFound }];
