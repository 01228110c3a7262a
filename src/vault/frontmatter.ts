import matter from 'gray-matter';
import { type Diagnostic, type Range, RavelError } from '../base/errors.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { parsePlainYaml } from '../yaml/plainYaml.ts';
import { parseYaml } from '../yaml/yaml.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';

export interface Frontmatter {
  /** `{}` when the frontmatter is empty; undefined when the diagnostics hold an error. */
  readonly data: unknown;
  readonly body: string;
  /** Where the body starts in the given text, in UTF-16 units. */
  readonly bodyOffset: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Offsets into the given text: where the YAML starts and ends, and what follows the closing fence. */
export interface Fences {
  readonly yamlStart: number;
  readonly yamlEnd: number;
  readonly bodyStart: number;
}

/** Bytes of a frontmatter; a larger one is refused. */
const frontmatterBytesMax = 64 * 1024;

/** The YAML between two lines `---` at the start of a text; never throws. Ranges are those of the whole text. */
export function parseFrontmatter(text: string, place: YamlPlace): Frontmatter {
  const fences = findFences(text, place);
  if (isDiagnostic(fences)) return { data: undefined, body: text, bodyOffset: 0, diagnostics: [fences] };
  const { yamlStart, yamlEnd, bodyStart } = fences;
  const plain = parsePlainYaml(text.slice(yamlStart, yamlEnd));
  if (plain !== undefined) {
    return { data: plain.value ?? {}, body: text.slice(bodyStart), bodyOffset: bodyStart, diagnostics: [] };
  }
  let diagnostics: readonly Diagnostic[] = [];
  let value: unknown = {};
  // What is commonly written was read by now. gray-matter sees only what lies between exact fences, so that no word after `---` can choose an engine; each of its
  // own engines is replaced all the same, since one of them evaluates. Options are always given: without any it caches.
  matter(`${text.slice(markLength(text), yamlEnd)}---\n`, {
    language: 'yaml',
    delimiters: '---',
    engines: { yaml: readEngine, json: refuseEngine, javascript: refuseEngine, js: refuseEngine, coffee: refuseEngine },
  });
  return { data: value, body: text.slice(bodyStart), bodyOffset: bodyStart, diagnostics };

  /** Its input starts with the line end of the opening fence: lines count as in the whole text. */
  function readEngine(yaml: string): object {
    const parsed = parseYaml(yaml.replace(/\r$/, ''), place);
    diagnostics = parsed.diagnostics;
    value = parsed.value === null ? {} : parsed.value;
    return {};
  }
}

function refuseEngine(): never {
  throw failure('frontmatter/badFence', 'frontmatter', 'Frontmatter must be written in YAML.');
}

/** Where the frontmatter of a text is; throws what is wrong with its fences. */
export function frontmatterFences(text: string, place: YamlPlace): Fences {
  const fences = findFences(text, place);
  if (isDiagnostic(fences)) throw new RavelError(fences);
  return fences;
}

function findFences(text: string, place: YamlPlace): Fences | Diagnostic {
  const mark = markLength(text);
  const opening = /---\r?\n/y;
  opening.lastIndex = mark;
  if (!opening.test(text)) {
    const first = text.slice(mark).split(/\r?\n/, 1)[0] ?? '';
    const shown = first === '' ? 'it is empty' : `it is ${JSON.stringify(first.slice(0, 40))}`;
    return trouble('frontmatter/badFence', place, `The first line must be exactly ---, but ${shown}.`, [
      0,
      first.length,
    ]);
  }
  const yamlStart = opening.lastIndex;
  const closing = /^---.*$/m.exec(text.slice(yamlStart));
  if (closing === null) {
    return trouble('frontmatter/unclosed', place, 'The frontmatter has no closing line ---.', [0, 3]);
  }
  const yamlEnd = yamlStart + closing.index;
  const fence = closing[0].replace(/\r$/, '');
  if (fence !== '---') {
    const line = text.slice(0, yamlEnd).split('\n').length - 1;
    const message = `The frontmatter must be closed by a line that is exactly ---, but line ${line + 1} continues after it.`;
    return trouble('frontmatter/unclosed', place, message, [line, fence.length]);
  }
  if (Buffer.byteLength(text.slice(yamlStart, yamlEnd)) > frontmatterBytesMax) {
    return trouble('disk/tooLarge', place, 'The frontmatter is larger than 64 KiB.', [0, 3]);
  }
  const lineEnd = text.indexOf('\n', yamlEnd);
  return { yamlStart, yamlEnd, bodyStart: lineEnd < 0 ? text.length : lineEnd + 1 };
}

/** The line of a key of the frontmatter, or the opening fence. */
export function keyRange(text: string, key: PropertyKey | undefined): Range {
  const lines = text.split('\n');
  const found = lines.findIndex((line) => key !== undefined && line.startsWith(`${String(key)}:`));
  const line = Math.max(0, found);
  return { start: { line, character: 0 }, end: { line, character: (lines[line] ?? '').trimEnd().length } };
}

function trouble(
  code: 'frontmatter/badFence' | 'frontmatter/unclosed' | 'disk/tooLarge',
  place: YamlPlace,
  message: string,
  [line, length]: readonly [number, number],
): Diagnostic {
  const range = { start: { line, character: 0 }, end: { line, character: length } };
  return diagnostic(code, place.subject, message, { file: place.file, range });
}

function isDiagnostic(value: Fences | Diagnostic): value is Diagnostic {
  return 'code' in value;
}

function markLength(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}
