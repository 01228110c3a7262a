import { basename } from 'node:path';
import type { DocumentRecord } from '../model/document.ts';
import { documentSchemas } from '../model/documentSchemas.ts';
import { expertIdProblem } from '../model/expert.ts';
import { jsonSchemaOf } from '../model/jsonSchemas.ts';
import { nearestNames } from '../model/nearest.ts';
import { phaseFromWord, phases } from '../model/phase.ts';
import { descriptionLengthMax } from '../model/plan.ts';
import { parseExpert } from '../vault/expertStore.ts';
import { readPhase, readPlanState } from '../vault/planStore.ts';
import { parseSource, type YamlPlace } from '../yaml/yamlDocument.ts';
import { type Found, found, type QuickFix, replacements, replaceText } from './found.ts';
import type { YamlPart } from './textEdits.ts';
import { issueFixes } from './yamlFindings.ts';

/** The YAML between the fences; undefined if there are none. */
export function frontmatterPart(text: string): YamlPart | undefined {
  const lines = text.split('\n');
  const isFence = (line: string | undefined) => line?.trimEnd() === '---';
  const end = isFence(lines[0]) ? lines.findIndex((line, at) => at > 0 && isFence(line)) : -1;
  return end < 0
    ? undefined
    : {
        text: lines
          .slice(1, end)
          .map((line) => `${line}\n`)
          .join(''),
        lines: 1,
      };
}

/** What is wrong with the frontmatter of `plan-state.md` or of an expert. */
export function frontmatterFindings(kind: 'planState' | 'expert', text: string, place: YamlPlace): Found[] {
  const id = basename(place.file, '.md');
  const { diagnostics } = kind === 'expert' ? parseExpert(id, text, place.file) : readPlanState(text, place);
  const part = frontmatterPart(text);
  if (part === undefined) return diagnostics.map((one) => found(one));
  const source = parseSource(part.text, place);
  if (source.value === undefined) return diagnostics.map((one) => found(one));
  const parsed = documentSchemas[kind].safeParse(source.value ?? {});
  const issues = parsed.success ? [] : parsed.error.issues;
  const schema = jsonSchemaOf(kind);
  // Both read the same value, so the n-th problem of the one is the n-th issue of the other.
  const first = diagnostics.length - issues.length;
  return diagnostics.map((one, at) => {
    if (one.code === 'expert/badId' && expertIdProblem(id) === undefined) {
      const change: QuickFix['change'] = { yaml: [{ op: 'set', path: ['expert-id'], value: id }] };
      return found(one, () => [{ title: `Set expert-id to "${id}"`, isPreferred: true, change }]);
    }
    const issue = issues[at - first];
    if (issue === undefined) return found(one);
    const description = issue.path[0] === 'description' ? shorter(source.value) : undefined;
    return found(one, () => description ?? issueFixes(issue, source, schema));
  });
}

/** Cut at the last word that fits. */
function shorter(value: unknown): QuickFix[] | undefined {
  const text = typeof value === 'object' && value !== null && 'description' in value ? value.description : undefined;
  if (typeof text !== 'string' || [...text.trim()].length <= descriptionLengthMax) return undefined;
  const characters = [...text.trim()].slice(0, descriptionLengthMax);
  const blank = characters.findLastIndex((character) => /\s/.test(character));
  const cut = (blank < 0 ? characters : characters.slice(0, blank)).join('').trimEnd();
  const change: QuickFix['change'] = { yaml: [{ op: 'set', path: ['description'], value: cut }] };
  return [{ title: `Cut to ${[...cut].length} characters`, change }];
}

/** What is wrong with `phase.md`. */
export function phaseFindings(text: string, place: YamlPlace): Found[] {
  const { diagnostics } = readPhase(text, place);
  const lines = text.split(/\r?\n/);
  const line = Math.max(
    0,
    lines.findIndex((one) => one.trim() !== ''),
  );
  const start = Math.max(0, (lines[line] ?? '').search(/\S/));
  const word = (lines[line] ?? '').trim();
  const range = { start: { line, character: start }, end: { line, character: start + word.length } };
  const meant = phaseFromWord(word.toLowerCase());
  const near = meant === undefined ? nearestNames(word, phases) : [meant];
  return diagnostics.map((one) =>
    found({ ...one, range }, () => replacements(near.length > 0 ? near : phases, (phase) => replaceText(range, phase))),
  );
}

/** The keys of the frontmatter, for the outline. */
export function frontmatterKeys(text: string): DocumentRecord[] {
  const part = frontmatterPart(text);
  if (part === undefined) return [];
  const keys = [...part.text.matchAll(/^([\w-]+):[ \t]*(.*)$/gm)];
  const lineOf = (offset: number) => part.lines + part.text.slice(0, offset).split('\n').length - 1;
  return keys.map((key, at) => {
    const line = lineOf(key.index);
    const next = keys[at + 1];
    const last = next === undefined ? part.lines + part.text.split('\n').length - 2 : lineOf(next.index) - 1;
    const [whole, id = '', title = ''] = key;
    const endCharacter = last === line ? whole.trimEnd().length : 0;
    return {
      kind: 'key',
      list: '',
      id,
      title: title.trim(),
      range: { start: { line, character: 0 }, end: { line: last === line ? line : last + 1, character: endCharacter } },
      idRange: { start: { line, character: 0 }, end: { line, character: id.length } },
    };
  });
}
