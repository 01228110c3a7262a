/** What the gate on tools says of tools and of paths. */

const tools = 'src/gates/tools';
const tests = 'test/gates/tools';

/** @type {readonly import('./rules.mjs').Rule[]} */
export const toolRules = [
  {
    id: 'tool-unknown',
    rule: 'A tool that the gate does not know is denied.',
    file: `${tools}/toolGate.ts`,
    edits: [
      [
        "if (tool !== 'Bash') return reject(`The tool ${tool} is not one that a session has.`);",
        "if (tool !== 'Bash') return { outcome: 'accept' };",
      ],
      [
        "if (typeof command !== 'string') return { decision: 'deny',",
        "if (typeof command !== 'string') return { decision: 'allow',",
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'tool-foreign-server',
    rule: "Of MCP tools only those of Ravel's own server are allowed.",
    file: `${tools}/toolGate.ts`,
    edits: [["tool_name.startsWith('mcp__ravel__')", "tool_name.startsWith('mcp__')"]],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'tool-session-tools',
    rule: 'A session that has the session tools alone uses no other.',
    file: `${tools}/toolGate.ts`,
    edits: [["if (rights === 'sessionTools') return reject", 'if (purpose === undefined) return reject']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'tool-edits-in-work',
    rule: 'Only a session for work changes files.',
    file: `${tools}/toolGate.ts`,
    edits: [["row.access !== 'read' && rights !== 'everything'", "row.access !== 'read' && rights === undefined"]],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'tool-commands-in-work',
    rule: 'Only a session for work runs commands.',
    file: `${tools}/toolGate.ts`,
    edits: [
      [
        "return rights === 'everything'\n    ? { outcome: 'accept' }",
        "return rights !== undefined\n    ? { outcome: 'accept' }",
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'tool-commands',
    rule: 'A command is judged.',
    file: `${tools}/toolGate.ts`,
    edits: [
      [
        'const objection = judgeCommandLine(request, command);',
        'const objection = command === "" ? judgeCommandLine(request, command) : undefined;',
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  ...['Read', 'NotebookRead', 'LS', 'Glob', 'Grep', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'].map((name) => ({
    id: `tool-${name}`,
    rule: `The path of the tool ${name} is judged.`,
    file: `${tools}/fileTools.ts`,
    edits: [
      [`['${name}', {`, `['${name}', { isOpen: true,`],
      [
        '{ access, fields }: FileTool): Examined {',
        "{ access, fields, isOpen }: FileTool & { isOpen?: true }): Examined {\n  if (isOpen) return { decision: 'allow' };",
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  })),
  {
    id: 'tool-glob-pattern',
    rule: 'A pattern does not leave the folder that is searched.',
    file: `${tools}/fileTools.ts`,
    edits: [
      [
        "if (typeof pattern === 'string' && mayLeaveFolder(pattern)) {",
        "if (typeof pattern === 'number' && mayLeaveFolder(pattern)) {",
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'tool-grep-secrets',
    rule: 'Grep does not read files with secrets.',
    file: `${tools}/fileTools.ts`,
    edits: [["tool === 'Grep' ? judgeGrep(request) : undefined;", "tool === '' ? judgeGrep(request) : undefined;"]],
    test: `${tests}/secretFiles.test.ts`,
  },
  {
    id: 'tool-outside-sandbox',
    rule: 'A tool on files is judged as outside of the sandbox.',
    file: `${tools}/fileTools.ts`,
    edits: [["judgeFileTool({ ...request, confinement: 'unconfined' },", 'judgeFileTool(request,']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-outside',
    rule: 'What lies outside the project is denied.',
    file: `${tools}/toolPath.ts`,
    edits: [["    return deny('it lies outside the project');", '    return undefined;']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-links',
    rule: 'A path is judged by where its links lead.',
    file: `${tools}/toolPath.ts`,
    edits: [['const real = place.resolvePath(absolute);', 'const real = absolute;']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-secrets',
    rule: 'A file whose name says that it holds secrets is denied.',
    file: `${tools}/toolPath.ts`,
    edits: [["    return deny('it may hold secrets');", '    return undefined;']],
    test: `${tests}/secretFiles.test.ts`,
  },
  {
    id: 'path-secret-folders',
    rule: 'What lies in a folder of secrets is denied.',
    file: `${tools}/toolPath.ts`,
    edits: [[' || secretFolders.has(name)) || isDockerLogin(names))', ') || isDockerLogin(names))']],
    test: `${tests}/toolGate.test.ts`,
  },
  ...[
    ['forms', ".normalize('NFKC')\n"],
    ['unseen', ".replace(/[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]/g, '')"],
    ['case', '.toLowerCase();\n  let end'],
    ['dots', "seen.charAt(end - 1) === '.' || "],
  ].map(([what, text]) => ({
    id: `path-folded-${what}`,
    rule: `No other spelling hides a name: ${what}.`,
    file: `${tools}/toolPath.ts`,
    edits: [[text, text.includes('let end') ? ';\n  let end' : '']],
    test: `${tests}/secretFiles.test.ts`,
  })),
  {
    id: 'path-secrets-below',
    rule: 'Reading a whole folder with secrets in it is a question.',
    file: `${tools}/toolPath.ts`,
    edits: [
      [
        "if (access === 'tree' || access === 'follow') return secretsBelow",
        "if (access === 'tree' && names.length < 0) return secretsBelow",
      ],
    ],
    test: `${tests}/secretReads.test.ts`,
  },
  {
    id: 'path-session-log',
    rule: 'No session reads the session log.',
    file: `${tools}/toolPath.ts`,
    edits: [["      return deny('no session reads the session log');", '      return undefined;']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-git-config',
    rule: "Reading git's configuration is a question.",
    file: `${tools}/toolPath.ts`,
    edits: [["access === 'read' && isGitConfig(names)) return", "access === 'stat' && isGitConfig(names)) return"]],
    test: `${tests}/secretFiles.test.ts`,
  },
  {
    id: 'path-plans',
    rule: 'The plans do not change by tools on files.',
    file: `${tools}/toolPath.ts`,
    edits: [['  if (inRavel) return deny("the plans', '  if (inRavel && names.length < 0) return deny("the plans']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-git',
    rule: "Git's own files do not change.",
    file: `${tools}/toolPath.ts`,
    edits: [["if (names.includes('.git')) return deny", 'if (names.length < 0) return deny']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-whole-project',
    rule: 'The whole project is not removed.',
    file: `${tools}/toolPath.ts`,
    edits: [["if (access === 'remove' && holdsGuarded(place, real))", "if (access === 'remove' && names.length < 0)"]],
    test: `${tests}/guardedWrites.test.ts`,
  },
  {
    id: 'path-deciding',
    rule: 'A change of what other programs run is a question.',
    file: `${tools}/toolPath.ts`,
    edits: [['return decides ? question(', 'return decides && names.length < 0 ? question(']],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-deciding-below',
    rule: 'Removing a folder that may hold what others run is a question.',
    file: `${tools}/toolPath.ts`,
    edits: [
      [
        "if (access === 'remove' && leadsToDeciding(names.slice(0, -1)))",
        "if (access === 'remove' && names.length < 0)",
      ],
    ],
    test: `${tests}/guardedWrites.test.ts`,
  },
  {
    id: 'path-temporary',
    rule: 'The temporary folder that all share is a question.',
    file: `${tools}/toolPath.ts`,
    edits: [
      [
        "return place.confinement === 'confined'\n    ? undefined",
        'return place.confinement !== undefined\n    ? undefined',
      ],
    ],
    test: `${tests}/toolGate.test.ts`,
  },
  {
    id: 'path-devices',
    rule: 'No device runs as a program.',
    file: `${tools}/toolPath.ts`,
    edits: [["if (access === 'run' && isDevice(absolute)) return deny('what would run cannot be seen');", '']],
    test: `${tests}/runningCode.test.ts`,
  },
  {
    id: 'glob-guarded',
    rule: 'A pattern that reaches guarded files counts as them.',
    file: `${tools}/guardedPaths.ts`,
    edits: [['return guardedExamples(place).find(', 'return [""].slice(1).find(']],
    test: `${tests}/guardedWrites.test.ts`,
  },
];
