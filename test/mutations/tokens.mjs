/** Which texts are taken for tokens of a published format, and which ways to a secret count. */

const secrets = 'src/gates/secrets';
const scanner = { file: `${secrets}/tokenScanner.ts`, test: 'test/gates/secrets/tokenScanner.test.ts' };
const texts = 'test/gates/secrets/findSecrets.test.ts';

/** @type {readonly import('./rules.mjs').Rule[]} */
export const tokenRules = [
  ...[
    ['aws', 'cloudFormats', "  ['AWS access key', 'AKIA[upper:16]', aws],\n"],
    ['google', 'cloudFormats', "  ['Google key', 'AIza[url:35]', google],\n"],
    ['github', 'codeFormats', "  ['GitHub token', 'ghp_[alnum:36-255]', gitHub],\n"],
    ['github-fine', 'codeFormats', "  ['GitHub token', 'github_pat_[word:22-255]', gitHub],\n"],
    ['gitlab', 'codeFormats', "  ['GitLab token', 'glpat-[url:20-300]', gitLab],\n"],
    ['slack', 'serviceFormats', "  ['Slack token', 'xoxb-[dash:20-200]', slack],\n"],
    ['stripe', 'serviceFormats', "  ['Stripe key', 'sk_live_[alnum:16-247]', stripe],\n"],
    ['anthropic', 'modelFormats', "  ['Anthropic key', 'sk-ant-[url:20-300]', anthropic],\n"],
    ['openai', 'modelFormats', "  ['OpenAI key', 'sk-proj-[url:20-300]', openAi],\n"],
  ].map(([name, file, row]) => ({
    id: `token-${name}`,
    rule: `Tokens of the best-known services are found: ${name}.`,
    file: `${secrets}/${file}.ts`,
    edits: [[row, '']],
    test: scanner.test,
  })),
  ...['serviceFormats', 'modelFormats'].map((table) => ({
    ...scanner,
    id: `token-table-${table}`,
    rule: `The table ${table} counts.`,
    edits: [[`  ...${table},\n`, '']],
  })),
  {
    ...scanner,
    id: 'token-longest',
    rule: 'Of two formats the longer match is told.',
    edits: [['match.end > (longest?.end ?? 0)', 'longest === undefined']],
  },
  {
    ...scanner,
    id: 'token-full-stop',
    rule: 'A full stop behind a token does not hide it.',
    edits: [["isLast && this.text[runEnd - 1] === '.' ? runEnd - 1 : runEnd", 'runEnd']],
  },
  {
    ...scanner,
    id: 'token-whole-word',
    rule: 'What stands inside a longer word is no token.',
    edits: [['&& !isBoundary(runs.text, at)) return undefined;', "&& runs.text === '') return undefined;"]],
    test: texts,
  },
  {
    ...scanner,
    id: 'token-escapes',
    rule: 'A token behind an escape is found.',
    edits: [["  if (text[at - 2] === '\\\\' && /[nrt]/.test(text[at - 1] ?? '')) return true;\n", '']],
    test: texts,
  },
  {
    ...scanner,
    id: 'token-made-up',
    rule: 'What only stands for a token is none.',
    edits: [['(isMadeUp(random) || isWordy(random))) return undefined;', "random === '') return undefined;"]],
    test: texts,
  },
  {
    id: 'token-wide-text',
    rule: 'A token in a text of two bytes a character is found.',
    file: `${secrets}/findSecrets.ts`,
    edits: [["given.includes('\\0') ? given.replaceAll('\\0', '') : given", 'given']],
    test: texts,
  },
  {
    id: 'token-once',
    rule: 'What two rules find at one place is told once.',
    file: `${secrets}/findSecrets.ts`,
    edits: [['if (!taken.overlaps(one)) found.push(one);', 'found.push(one);']],
    test: texts,
  },
];
