import { fenced, inlined, visibleJson } from '../../src/base/fence.ts';
import { parseJson } from '../../src/base/json.ts';
import { NdjsonDecoder } from '../../src/base/ndjson.ts';
import { oneLine } from '../../src/base/text.ts';
import { chop, clip, wrap } from '../../src/cli/render/text.ts';
import { tomlRecords } from '../../src/documents/tomlFindings.ts';
import { yamlCursorAt } from '../../src/documents/yamlCursor.ts';
import { comparedMax, DreamText, dreamFactsOf, inventedFacts, missingFacts } from '../../src/gates/dream/dreamFacts.ts';
import { commitPathProblem, covers } from '../../src/gates/pathspec.ts';
import { parseRuleString } from '../../src/gates/policy/ruleString.ts';
import { readDiff } from '../../src/gates/secrets/addedLines.ts';
import { findSecrets } from '../../src/gates/secrets/findSecrets.ts';
import { readShell } from '../../src/gates/tools/shell/shellReader.ts';
import { hasChange, parseUnifiedDiff } from '../../src/gates/unifiedDiff.ts';
import { matchesWildcard } from '../../src/gates/wildcard.ts';
import { parseTrailers } from '../../src/git/snapshot.ts';
import { splitNul } from '../../src/git/splitNul.ts';
import { parseStatus } from '../../src/git/status.ts';
import { readHandedIn } from '../../src/goals/readHandedIn.ts';
import { parseClaudeHook } from '../../src/harness/claudeHooks.ts';
import { ClaudeStreamParser } from '../../src/harness/claudeStream.ts';
import { redactGitConfig } from '../../src/harness/confinement/redactGitConfig.ts';
import { parseObject } from '../../src/harness/jsonLine.ts';
import { parseTemplate } from '../../src/harness/promptTemplate.ts';
import { parseScenario } from '../../src/harness/scenario.ts';
import { convertBacklog } from '../../src/imports/markdownBacklog.ts';
import { convertMemory } from '../../src/imports/markdownMemory.ts';
import { convertSessions } from '../../src/imports/markdownSessions.ts';
import { escapeTokens, resolvePathTokens, unknownPathTokens } from '../../src/imports/pathTokens.ts';
import { partsOfProse } from '../../src/knowledge/search/proseParts.ts';
import { backlogSchema } from '../../src/model/backlog.ts';
import { formatMarkdownTable } from '../../src/model/markdownTable.ts';
import { parsePathspec } from '../../src/model/pathspec.ts';
import { parseTerm } from '../../src/routing/facts/terms.ts';
import { readWords } from '../../src/routing/facts/text.ts';
import { parseEntry } from '../../src/vault/entryFile.ts';
import { parseFrontmatter } from '../../src/vault/frontmatter.ts';
import { readMemoryFile } from '../../src/vault/memoryFile.ts';
import { readPlanState } from '../../src/vault/planStore.ts';
import { parseSettings } from '../../src/vault/settings.ts';
import { locateKey, parseToml, tomlCharactersMax } from '../../src/vault/toml.ts';
import { checkSeal } from '../../src/vault/viewSeal.ts';
import { parsePlainYaml } from '../../src/yaml/plainYaml.ts';
import { parseYaml, readYaml } from '../../src/yaml/yaml.ts';
import { readableText } from '../../webview/session/readableText.ts';
import { judgeIn } from '../gates/tools/toolRequest.ts';

/** What meets text of others. */
export interface Reader {
  readonly name: string;
  /** Pieces of texts that it looks for. */
  readonly pieces: readonly string[];
  readonly read: (text: string) => unknown;
  /** What is longer is refused at once. */
  readonly charactersMax?: number;
}

const place = { file: 'made.yaml', subject: 'made' };

/** A reader that refuses a text has read it. */
function refusing(read: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    try {
      return read(text);
    } catch {
      return undefined;
    }
  };
}

const yamlPieces = [
  '# c\r\n',
  '- ',
  'a: ',
  '"',
  "'",
  '[',
  '{',
  '|\n',
  '%',
  '&a',
  '*a',
  '? ',
  '\t',
  'id: x\n',
  '---\n',
  ' #',
];
const dreamPieces = ['`', '"', '/a', 'a.b', 'aB', '1.', '-', 'not ', ', ', '```\n', '1 ', '\u0001 not \u0001a '];
const toolPieces = ['../', '*', '**/', '[', '{a,b}', '{', ',', ' -', '$a', 'git ', '; ', '| ', '!', '~', '.git'];
const markdownPieces = [
  ...['# ', '```', '- [ ] ', '|', '**', '[HANDOFF]', '### a\n', '## \u0001\n', 'Session 1', '[[', '[a](b)', '<!--'],
  ...['## Session \u0001 (2026-01-01)\n', '# a\n**Status:** done\n', '**Dependencies:** ', 'a, ', '- **a:** b\n'],
  ...['- **\u0001:** b\n', '- **\u0002:** b\n', '{{PROJECT}}/', ' [a]', '---\n'],
];
const fencePieces = ['```', '~~~', '<', '# ', '\u001b', '\u202e', 'a\u202e', 'a\u{e0041}', '\r\n', '漢'];
const terminalPieces = ['\u001b[31m', '漢', '\u0301', '\u0301 ', '`', ' ', '\t', '😀'];

/** Every reader that meets text which a session, a message, a file or a program of others may have written. */
export const foreignReaders: readonly Reader[] = [
  { name: 'yaml', pieces: yamlPieces, read: (text) => parseYaml(text, place) },
  { name: 'yaml of a schema', pieces: yamlPieces, read: (text) => readYaml(backlogSchema, text, place) },
  { name: 'plain yaml', pieces: yamlPieces, read: parsePlainYaml },
  { name: 'plan', pieces: yamlPieces, read: (text) => readPlanState(`---\n${text}`, place) },
  { name: 'memory', pieces: yamlPieces, read: (text) => readMemoryFile(text, place) },
  {
    name: 'entry',
    pieces: yamlPieces,
    read: (text) => parseEntry(`---\n${text}`, { ...place, project: '', path: 'a.md', isArchived: false }),
  },
  {
    name: 'rule of a policy',
    pieces: ['*', ' ', '"', "'", '\\', '/', '..', ':*', ')', 'a', '.', '-'],
    read: (text) => ['Bash', 'Read', 'WebFetch'].map((tool) => parseRuleString(`${tool}(${text})`)),
  },
  { name: 'frontmatter', pieces: yamlPieces, read: (text) => parseFrontmatter(`---\n${text}`, place) },
  {
    name: 'yaml cursor',
    pieces: [...yamlPieces, ': |\n', '  '],
    read: (text) => {
      const lines = text.split('\n');
      return [0, lines.length - 1].map((line) => yamlCursorAt(lines, line, lines[line]?.length ?? 0));
    },
  },
  {
    name: 'toml',
    pieces: ['[', ']', 'a = ', '"""', '\\', '#'],
    read: refusing((text) => parseToml(text, { ...place, code: 'vault/unreadable' })),
    charactersMax: tomlCharactersMax + 1,
  },
  {
    name: 'settings',
    pieces: ['[', ']', 'a = 1\n', 'a\u0001 = 1\n', '"', '#'],
    read: refusing((text) => parseSettings(text, 'made.toml')),
    charactersMax: tomlCharactersMax + 1,
  },
  { name: 'toml keys', pieces: ['[', ']', 'a = ', '"', '.'], read: (text) => locateKey(text, ['a', 'b']) },
  { name: 'toml records', pieces: ['[', ']', 'a = ', '"', '.'], read: tomlRecords },
  {
    name: 'diff',
    pieces: ['diff --git ', 'a/', ' b/', '@@ -1 +1 @@', '"', '\\1', '+', '-', '--- a/'],
    read: parseUnifiedDiff,
  },
  { name: 'hunk of a diff', pieces: ['+a\n', '+b\n', '-a\n'], read: lookForHunk },
  { name: 'added lines', pieces: ['diff --git a/b b/b\n', '@@ -1,9 +1,9 @@\n', '+a\n', '-a\n', ' \n'], read: readDiff },
  {
    name: 'secrets',
    pieces: ['sk-', 'gh', 'password=', '://', '@', ':', 'eyJ', '-----', 'AKIA', 'curl -u ', ' -u a:b', 'curl '],
    read: findSecrets,
  },
  {
    name: 'shell',
    pieces: ['$(', '`', '<<E', '"', "'", '\\', 'cd a;', '${', '((', '| ', '&&', '{a,b}'],
    read: refusing((text) => readShell(text)),
    charactersMax: 128 * 1024 - 1,
  },
  ...(
    [
      ['Bash', 'command', 128 * 1024 - 1],
      ['Read', 'file_path', 4097],
      ['Write', 'file_path', 4097],
      ['Write', 'content', undefined],
      ['Glob', 'pattern', 4097],
      ['Grep', 'glob', 4097],
      ['Grep', 'type', 4097],
      ['mcp__ravel__finish', 'body', undefined],
    ] as const
  ).map(([tool, field, most]) => ({
    name: `${field} of ${tool}`,
    pieces: toolPieces,
    read: toolReader(tool, field),
    ...(most !== undefined && { charactersMax: most }),
  })),
  {
    name: 'wildcard',
    pieces: ['*', '?', '[', ']', '[!a-', '\\'],
    read: (text) => matchesWildcard(text, '.github/workflows/release.yml'),
  },
  { name: 'routed words', pieces: ['a@', '://', 'www.', '0x', '1:', 'ab ', 'é', '-'], read: (text) => readWords(text) },
  {
    name: 'dream facts',
    pieces: dreamPieces,
    read: (text) => dreamFactsOf(new DreamText(text)),
    charactersMax: comparedMax + 1,
  },
  {
    name: 'facts of itself',
    pieces: dreamPieces,
    read: (given) => {
      const text = new DreamText(given);
      return missingFacts(dreamFactsOf(text), [text]);
    },
    charactersMax: comparedMax + 1,
  },
  {
    name: 'invented facts',
    pieces: dreamPieces,
    read: (text) => inventedFacts(new DreamText(text), [new DreamText(text.slice(text.length >> 1))]),
    charactersMax: comparedMax + 1,
  },
  { name: 'fact of a rule', pieces: ['a@', '://', 'www.', 'ab ', 'é', '-'], read: parseTerm },
  {
    name: 'template',
    pieces: ['{{', '}}', '{{A}}', '<!--', '#'],
    read: refusing((text) => parseTemplate(text, 'made.md')),
  },
  { name: 'markdown table', pieces: ['\\', '|', '\n', '`'], read: (text) => formatMarkdownTable(['a'], [[text]]) },
  { name: 'imported backlog', pieces: markdownPieces, read: (text) => convertBacklog(text, place) },
  {
    name: 'handed-in list',
    pieces: [...markdownPieces, '- ', '  ', '[x] ', '# a\n', '- a\n  - b\n'],
    read: (text) => readHandedIn(text, 'made.md'),
  },
  { name: 'imported memory', pieces: markdownPieces, read: (text) => convertMemory(text, place) },
  { name: 'imported sessions', pieces: markdownPieces, read: (text) => convertSessions(text, place) },
  {
    name: 'imported tokens',
    pieces: ['{{', '}}', 'PLAN', '{{PROJECT}}/', '{{\u0002}}/', '`'],
    read: (text) => [resolvePathTokens(text, 'a'), unknownPathTokens(text), escapeTokens(text, 'work')],
  },
  {
    name: 'scenario',
    pieces: yamlPieces,
    read: refusing((text) => parseScenario(text, 'made.yaml')),
    charactersMax: 64 * 1024 + 1,
  },
  { name: 'trailers', pieces: ['\x1f', ':', 'a: b\x1f'], read: parseTrailers },
  {
    name: 'status of git',
    pieces: ['1 ', '2 ', 'u ', '? ', '\0', '160000 '],
    read: (text) => parseStatus(splitNul(Buffer.from(text))),
  },
  {
    name: 'pathspec',
    pieces: [':!', '../', '*', '[', '?', '**/', './'],
    read: (text) => [parsePathspec(text), commitPathProblem(text), covers([text, `:!${text}`], 'src/a.ts')],
    charactersMax: 4097,
  },
  {
    name: 'lines of a stream',
    pieces: ['\r\n', '{}', '\u00e9'],
    read: (text) => new NdjsonDecoder(65_536).push(Buffer.from(text)),
  },
  {
    name: 'hook of Claude Code',
    pieces: ['{"a":', '[', '"', '\\u0041'],
    read: (text) =>
      parseClaudeHook(
        JSON.stringify({
          hook_event_name: 'PreToolUse',
          tool_name: 'Bash',
          tool_use_id: 'a',
          tool_input: { command: text },
        }),
      ),
  },
  { name: 'request', pieces: ['{"a":', '[', '"', '1e'], read: (text) => parseJson(text) },
  { name: 'line of a stream', pieces: ['{"a":', '[', '"', '\\\\u0041', '1e'], read: parseObject },
  {
    name: 'results of calls',
    pieces: ['a'],
    read: (text) => {
      const ids = Array.from({ length: text.length / 64 }, (_, n) => `${n}`);
      const content = ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: '' }));
      const frame = { type: 'user', message: { content }, tool_result_meta: ids.map((id) => ({ id })) };
      return new ClaudeStreamParser().parse(JSON.stringify(frame));
    },
  },
  { name: 'view seal', pieces: ['*Ravel makes this view from a', ' %%sha256:', '0'], read: checkSeal },
  { name: 'fence', pieces: fencePieces, read: (text) => fenced(text) },
  {
    name: 'configuration of git',
    pieces: [
      '[a "b"]',
      '[',
      '"',
      'a = ',
      'token=',
      'https://a:b@c',
      '://',
      '@',
      '\\\n',
      '\\\r\n',
      'helper = !',
      '#',
      ';',
    ],
    read: redactGitConfig,
  },
  { name: 'name in a sentence', pieces: fencePieces, read: inlined },
  { name: 'visible JSON', pieces: fencePieces, read: visibleJson },
  { name: 'parts of prose', pieces: ['# ', '\n', 'a', '\t', ' ', '\r', 'superseded'], read: partsOfProse },
  { name: 'one line', pieces: [' ', '\n', 'a'], read: oneLine },
  { name: 'wrapped lines', pieces: terminalPieces, read: (text) => wrap(text, 80) },
  { name: 'chopped lines', pieces: terminalPieces, read: (text) => chop(text, 80) },
  { name: 'clipped text', pieces: terminalPieces, read: (text) => clip(text, 80) },
  { name: 'plain text', pieces: ['\u001b[', '\u009b', '0;', ']', '\u0007'], read: readableText },
];

/** A claim that names half of a diff as its evidence, and one line that is not there. */
function lookForHunk(text: string): boolean {
  const header = `diff --git a/a b/a\n@@ -0,0 +1,${text.length} @@\n`;
  return hasChange(parseUnifiedDiff(header + text), 'a', `${text.slice(0, text.length >> 1)}\nis not there`);
}

/** The verdict on one use of a tool, of which one field is the text. */
function toolReader(tool: string, field: string): (text: string) => unknown {
  return (text) =>
    judgeIn({ secrets: ['.env', 'keys/a.pem'] }, tool, { file_path: 'a.ts', pattern: 'a', [field]: text });
}

/**
 * Other exports that are named like readers of text, and why no text of others holds one up; by `path name`. Whatever is named
 * so and stands in neither list turns the test of this file red.
 */
export const otherReaders: Readonly<Record<string, string>> = {
  'src/actors/record.ts parseRecord': 'one line of a mailbox, by JSON.parse; its length has a bound',
  'src/actors/record.ts parseHeaderKeys': 'one line of a mailbox, by JSON.parse; its length has a bound',
  'src/base/jsonFile.ts parseJsonFile': 'JSON.parse, as `request` has it',
  'src/base/jsonFile.ts parseJsonText': 'JSON.parse, as `request` has it',
  'src/base/jsonFile.ts readJson': 'JSON.parse, as `request` has it',
  'src/cli/completion/commandLineWords.ts splitLine': 'one walk over the line that a person types',
  'src/gates/policy/commandPattern.ts parseCommandPattern': 'a step of what `rule of a policy` reads',
  'src/gates/secrets/tokenFormat.ts parseShape': 'shapes of our own tables',
  'src/gates/tools/shell/shellArithmetic.ts parseArithmetic': 'a part of what `shell` reads',
  'src/gates/tools/shellBuiltins.ts readNames': 'words of what `shell` reads',
  'src/harness/secrets/storeProgram.ts readPrinted': 'decodes at most 64 KiB and looks at their end',
  'src/goals/proposalForm.ts readProposal': 'YAML and a schema, as `yaml of a schema` has them',
  'src/model/when.ts parseWhen': 'an argument of a command, by patterns that take linear time',
  'src/plans/policyImport.ts readForeignSettings': 'JSON.parse, and each rule as `rule of a policy` has it',
  'src/plans/proposals/conflictForm.ts parseConflicts': 'YAML and a schema, as `yaml of a schema` has them',
  'src/plans/transcriptFile.ts parseEvent': 'JSON.parse, as `request` has it',
  'src/vault/entrySurvey.ts parseFoundNote': 'a note by its frontmatter, as `entry` has it',
  'src/vault/claim.ts parseClaim': 'JSON.parse and a schema',
  'src/vault/expertStore.ts parseExpert': 'frontmatter and a schema, as `plan` has them',
  'src/vault/identity.ts parseIdentity': 'TOML and a schema, as `settings` has them',
  'src/imports/markdownLines.ts parseMarkdown': 'the first step of what `imported …` reads',
  'src/imports/markdownTask.ts parseTask': 'a step of what `imported backlog` reads',
  'src/vault/planStore.ts readPhase': 'compares one word',
  'src/vault/loadRules.ts parseRules': 'YAML and a schema, as `yaml of a schema` has them',
  'src/vault/policyFile.ts parsePlanPolicy': 'frontmatter and a schema, as `plan` has them',
  'src/vault/policyFile.ts parsePolicyFile': 'YAML and a schema, as `yaml of a schema` has them',
  'src/vault/stampedCache.ts parseFound': 'JSON.parse of what Ravel wrote itself, under a check sum',
  'src/yaml/yamlDocument.ts parseSource': 'a step of what `yaml` reads',
};
