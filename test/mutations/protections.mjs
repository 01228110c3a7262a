/** Hooks of commits, the network for one command, secret files, and the files that decide what others run. */

const hooks = { file: 'src/plans/commits/confineHooks.ts', test: 'test/plans/commits/confineHooks.test.ts' };
const standIns = { file: 'src/plans/commits/standIns.ts', test: 'test/plans/commits/standIns.test.ts' };
const ticket = {
  file: 'src/harness/confinement/networkTicket.ts',
  test: 'test/harness/confinement/confiner.test.ts',
};
const secretFiles = { file: 'src/plans/sessions/secretFiles.ts', test: 'test/plans/sessions/secretFiles.test.ts' };
const deciding = { file: 'src/model/decidingFiles.ts', test: 'test/model/decidingFiles.test.ts' };

/** @type {readonly import('./rules.mjs').Rule[]} */
export const protectionRules = [
  {
    ...hooks,
    id: 'hooks-required',
    rule: 'A commit whose hooks need a sandbox is not made without one.',
    edits: [["if (sandboxMode === 'required') {", 'if (sandboxMode === undefined) {']],
  },
  {
    ...hooks,
    id: 'hooks-confined',
    rule: 'Hooks of a repository run in the sandbox.',
    edits: [["if (shell.state === 'confined')", "if (shell.state === 'confined' && directory === '')"]],
  },
  {
    ...hooks,
    id: 'hooks-secrets',
    rule: 'A hook reads no secret files that git does not know.',
    edits: [['secretFiles: secrets.filter((path) => !tracked.has(path)),', 'secretFiles: [],']],
  },
  {
    ...hooks,
    id: 'hooks-plans',
    rule: 'What a hook stages of the plans is in no commit.',
    edits: [["name === 'pre-commit' && plans.length > 0", "name === ''"]],
  },
  {
    ...hooks,
    id: 'hooks-included',
    rule: 'A hook does not change a file that settings may include.',
    file: 'src/git/hooks.ts',
    edits: [[', ...(await includedFiles(git, root))];', '];']],
  },
  {
    ...hooks,
    id: 'hooks-network',
    rule: 'A hook does not reach the network.',
    edits: [["network: settings.sandbox.network === 'open' ? 'open' : 'closed',", "network: 'open',"]],
  },
  {
    ...standIns,
    id: 'stand-in-whole',
    rule: 'No git finds a stand-in half written.',
    edits: [["if (text === '') await", 'if (text !== undefined) await']],
  },
  {
    ...standIns,
    id: 'stand-in-settings',
    rule: 'A stand-in for settings is no change of what decides what runs.',
    file: 'src/git/fingerprint.ts',
    edits: [['if (settings.length > 0) add(', 'add(']],
  },
  {
    ...standIns,
    id: 'stand-in-inner',
    rule: 'A stand-in in a submodule or working tree is no change of what decides what runs.',
    file: 'src/git/fingerprint.ts',
    edits: [['return text !== undefined && hash', "return text === 'none' && hash"]],
  },
  {
    id: 'stand-in-gone',
    rule: 'Git starts again if a stand-in was taken away while it began.',
    file: 'src/git/git.ts',
    edits: [['lostCommondir(ending) ? startOnce(...job) : ending', 'ending']],
    test: 'test/git/git.test.ts',
  },
  {
    id: 'read-pipe',
    rule: 'To read a file does not wait for a pipe that was put in its place.',
    file: 'src/base/nodeDisk.ts',
    edits: [['(O_RDONLY | O_NONBLOCK)', 'O_RDONLY']],
    test: 'test/base/nodeDisk.test.ts',
  },
  {
    id: 'open-pipe',
    rule: 'To open a file does not wait for a pipe that was put in its place.',
    file: 'src/base/nodeDisk.ts',
    edits: [['read: O_RDONLY | O_NONBLOCK,', 'read: O_RDONLY,']],
    test: 'test/base/nodeDisk.test.ts',
  },
  {
    id: 'first-problems',
    rule: 'Of millions of records that are wrong, only the first are checked.',
    file: 'src/yaml/yaml.ts',
    edits: [['firstProblems(schema, plain.value);', 'undefined;']],
    test: 'test/yaml/yamlBounds.test.ts',
  },
  ...[
    ['size', 'if (size > comparedBytesMax) throw', 'if (size < 0) throw'],
    ['link', 'const isShown = isWithin(await disk.realPath(project), real) && ', 'const isShown = '],
  ].map(([name, search, replacement]) => ({
    id: `repository-hooks-${name}`,
    rule: `Files of a repository that say what runs are read with care: ${name}.`,
    file: 'src/plans/phases/hooksQuestion.ts',
    edits: [[search, replacement]],
    test: 'test/plans/phases/hooksQuestion.test.ts',
  })),
  {
    id: 'changed-file-folder',
    rule: 'A page shows nothing that lies behind a link in the place of a folder.',
    file: 'src/inspect/changedFile.ts',
    edits: [['if ((await disk.realPath(folder)) !== folder) return undefined;', '']],
    test: 'test/inspect/changedFile.test.ts',
  },
  {
    id: 'commits-in-turn',
    rule: 'Commits of one repository are made one after the other, also in two working trees.',
    file: 'src/git/repository.ts',
    edits: [["'rev-parse', '--git-common-dir'", "'rev-parse', '--show-toplevel'"]],
    test: 'test/plans/phases/workTrees.test.ts',
  },
  {
    ...ticket,
    id: 'ticket-text',
    rule: 'A ticket opens the network to the command that it was made for alone.',
    edits: [['" != "$(${strip} < "$file.used")" ] || network', '" = "" ] || network']],
  },
  {
    ...ticket,
    id: 'ticket-once',
    rule: 'A ticket is taken once.',
    edits: [
      ['&& ${shellQuoted(mv)} "$file" "$file.used" 2>/dev/null; then', '&& cp "$file" "$file.used" 2>/dev/null; then'],
    ],
  },
  {
    ...ticket,
    id: 'ticket-folder',
    rule: 'A ticket lies in the folder of its session, which commands do not write.',
    file: 'src/harness/confinement/sandboxLayout.ts',
    edits: [["  add({ kind: 'empty', path: facts.vault });\n", "  add({ kind: 'writable', path: facts.vault });\n"]],
  },
  {
    id: 'ticket-refused',
    rule: 'A no at a terminal takes the ticket back.',
    file: 'src/plans/sessions/sessionRun.ts',
    edits: [["output.kind === 'toolEnded' && output.ran === false", "output.kind === 'text'"]],
    test: 'test/plans/sessions/sessionRun.test.ts',
  },
  {
    id: 'ticket-own',
    rule: 'It takes back the ticket of that call alone.',
    file: 'src/harness/confinement/networkTicket.ts',
    edits: [
      [
        '  const file = join(sessionDirectory, networkTickets, ticket);\n  await ifThere(file, () => disk.unlink(file));',
        '  await removeTickets(disk, sessionDirectory);',
      ],
    ],
    test: 'test/plans/sessions/sessionRun.test.ts',
  },
  {
    ...ticket,
    id: 'ticket-closed',
    rule: 'Without a ticket the network is closed.',
    file: 'src/harness/confinement/shellFile.ts',
    edits: [["${run(variables, 'closed')}", "${run(variables, 'open')}"]],
  },
  ...[
    ['names', 'secretPart([...folders, name]) !== undefined', 'name === ""'],
    ['links', "kind === 'symlink' ? await leadsToSecrets(disk, project, path) : ", ''],
    ['link-names', 'mayHoldSecrets(basename(target))) return target !== undefined;', 'false) return false;'],
    ['link-outside', 'return real !== undefined && !isWithin(project, real);', 'return false;'],
    ['git-config', 'if (isGitConfigFile(path)) return', "if (path === '') return"],
    ['registry-settings', 'return mayHoldRegistryToken(path) && hasLine', "return path === '' && hasLine"],
    [
      'incomplete',
      "if (entries === undefined || seen > most) return 'tooMany';",
      'if (entries === undefined) continue;',
    ],
    ['addresses', "(line.includes('://') && line.includes('@')) ||\n    ", ''],
    ['mail-passwords', '(?<!ask)pass\\s*=|', ''],
  ].map(([name, search, replacement]) => ({
    ...secretFiles,
    id: `secret-files-${name}`,
    rule: `Files that may hold secrets are found: ${name}.`,
    edits: [[search, replacement]],
  })),
  {
    ...secretFiles,
    id: 'secret-files-table',
    rule: 'Each row of the list that holds tokens of registries counts.',
    file: 'src/model/decidingFiles.ts',
    edits: [
      ["'bunfig.toml'], watched: 'everywhere', holdsTokens: 'ofRegistry'", "'bunfig.toml'], watched: 'everywhere'"],
    ],
  },
  {
    ...deciding,
    id: 'deciding-row',
    rule: 'Each file of the list decides what others run.',
    edits: [["  { files: ['.gitattributes'], watched: 'everywhere' },\n", '']],
  },
  {
    ...deciding,
    id: 'deciding-name',
    rule: 'Each name in a row of the list counts.',
    edits: [["'.cursor/', ", '']],
  },
  {
    ...deciding,
    id: 'deciding-everywhere',
    rule: 'A file that counts in every folder is watched in every folder.',
    edits: [["['CODEOWNERS'], watched: 'everywhere'", "['CODEOWNERS'], watched: 'atTop'"]],
  },
  {
    id: 'patterns-made',
    rule: 'A regular expression that a program puts together is not taken for a safe one.',
    file: 'test/support/patterns.ts',
    edits: [
      [
        "if (type !== 'NewExpression' && type !== 'CallExpression') return false;",
        'if (type !== undefined) return false;',
      ],
    ],
    test: 'test/support/patterns.test.ts',
  },
];
