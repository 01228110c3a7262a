/** What the sandbox holds, what tries it, and what its processes may ask of the owner. */

const sandbox = 'src/harness/confinement';
const tests = 'test/harness/confinement';

/** Each probe says that it held without trying anything. */
const probes = [
  ['read', "{ ${unreadable.join(' && ')}; } && echo read"],
  ['write', '{ ${unwritable}; }; echo write'],
  ['host', "{ ${facts.network === 'open' ? 'true' : `${ownNamespace('net')} && ${noHost}`}; } && echo host"],
  ['socket', '{ ${noSocket}; } && echo socket'],
  ['variable', '{ ${noVariable}; } && echo variable'],
  ['process', "{ ${ownNamespace('pid')}; } && echo process"],
  ['allowed-write', 'echo 1 > ${shellQuoted(allowedTarget)} && rm ${shellQuoted(allowedTarget)} && echo allowed-write'],
  ['allowed-temporary', 't=$(mktemp) && rm "$t" && echo allowed-temporary'],
].map(([name, line]) => ({
  id: `probe-${name}`,
  rule: `The probe ${name} says what does not hold.`,
  file: `${sandbox}/probes.ts`,
  edits: [[`${line}\n`, `echo ${name}\n`]],
  test: `${tests}/probes.test.ts`,
}));

/** One of several tries of a probe. */
const tries = [
  ['read-file', '    `! read -r _ < ${shellQuoted(forbiddenFile)}`,\n', "    'true',\n"],
  ['read-folders', '...forbiddenFolders.map((folder) =>', '...forbiddenFolders.slice(2).map((folder) =>'],
  ['read-surroundings', '...facts.surroundings.map(nothingElse)', '...facts.surroundings.slice(0, 0).map(nothingElse)'],
  ['read-root', "folder === '/' ? '' : folder", 'folder'],
  ['variable-processes', '...(hasNamespaces ? [`seen=$(cat', '...(!hasNamespaces ? [`seen=$(cat'],
].map(([name, search, replacement]) => ({
  id: `probe-${name}`,
  rule: `A probe tries more than one thing: ${name}.`,
  file: `${sandbox}/probes.ts`,
  edits: [[search, replacement]],
  test: `${tests}/probes.test.ts`,
}));

const mount = (path) => `  add({ kind: 'empty', path: ${path} });\n`;

/** @type {readonly import('./rules.mjs').Rule[]} */
export const sandboxRules = [
  {
    id: 'runs-outside',
    rule: 'A command that was not recorded ran outside of the sandbox.',
    file: 'src/harness/runCoverage.ts',
    edits: [
      ['    if (this.#assign(call)) return undefined;\n', '    if (this.#assign(call) || call) return undefined;\n'],
    ],
    test: 'test/harness/runCoverage.test.ts',
  },
  {
    id: 'runs-own',
    rule: 'Each command needs a run of its own.',
    file: 'src/harness/runCoverage.ts',
    edits: [['(run) => run.call === undefined && run.letters', '(run) => run.letters']],
    test: 'test/harness/runCoverage.test.ts',
  },
  {
    id: 'runs-text',
    rule: 'A run counts for a command that stands in it.',
    file: 'src/harness/runCoverage.ts',
    edits: [['run.call === undefined && run.letters.includes(wanted)', 'run.call === undefined']],
    test: 'test/harness/runCoverage.test.ts',
  },
  {
    id: 'runs-recorded-first',
    rule: 'A command that cannot be recorded does not run.',
    file: 'src/harness/claudeShell.ts',
    edits: [[' || exit 126`;', '`;']],
    test: 'test/harness/claudeShell.test.ts',
  },
  ...probes,
  ...tries,
  {
    id: 'probe-asked',
    rule: 'Only a sandbox that was tried is confined.',
    file: `${sandbox}/confiner.ts`,
    edits: [
      ["return problem ?? { state: 'confined', shell };", "void problem;\n      return { state: 'confined', shell };"],
    ],
    test: `${tests}/probes.test.ts`,
  },
  {
    id: 'probe-looked-for',
    rule: 'What a probe could write is looked for outside of the sandbox.',
    file: `${sandbox}/confiner.ts`,
    edits: [['const written = await removeWritten(disk, forbiddenTargets);', 'const written: string[] = [];']],
    test: `${tests}/probes.test.ts`,
  },
  {
    id: 'sandbox-home',
    rule: 'The home folder is a private one.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [["  for (const path of homes) add({ kind: 'private', path, from: privateHome });\n", '']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-vault',
    rule: 'The vault is not seen.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [[mount('facts.vault'), '']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-shared',
    rule: 'The folders for temporary files are private ones.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [["  for (const path of facts.sharedFolders) add({ kind: 'private', path, from: temporary });\n", '']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-hidden',
    rule: 'What lies beside a project in a folder of the system is not seen.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [["  for (const path of facts.hidden) add({ kind: 'empty', path });\n", '']],
    test: `${tests}/surroundings.test.ts`,
  },
  {
    id: 'sandbox-root',
    rule: 'A command sees nothing of the file system but what is mounted.',
    file: `${sandbox}/bubblewrap.ts`,
    edits: [["['--dev', '/dev',", "['--ro-bind', '/', '/', '--dev', '/dev',"]],
    test: `${tests}/surroundings.test.ts`,
  },
  {
    id: 'sandbox-root-write',
    rule: 'The folders that lead to what is mounted cannot be written.',
    file: `${sandbox}/bubblewrap.ts`,
    edits: [["    ...['--remount-ro', '/'],\n", '']],
    test: `${tests}/surroundings.test.ts`,
  },
  {
    id: 'sandbox-side-by-side',
    rule: 'What lies beside a project that stands directly in /opt is not seen.',
    file: `${sandbox}/systemFolders.ts`,
    edits: [['system.includes(parent) && parent !== sideBySide', 'system.includes(parent)']],
    test: `${tests}/systemFolders.test.ts`,
  },
  {
    id: 'sandbox-borrowed',
    rule: 'Only a folder that is named as one of objects is shown as such.',
    file: `${sandbox}/borrowedObjects.ts`,
    edits: [[" && basename(path) === 'objects'", '']],
    test: `${tests}/systemFolders.test.ts`,
  },
  {
    id: 'sandbox-fixed',
    rule: 'Plans, git and what others run by can be read and not written.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [["for (const path of facts.fixed) add({ kind: 'readable', path });", '']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-relative-sockets',
    rule: 'A socket that its server named by a relative path cannot be reached.',
    file: `${sandbox}/layoutFacts.ts`,
    edits: [[', ...(await relativeSockets(disk, others))', '']],
    test: `${tests}/hostileCommands.test.ts`,
  },
  {
    id: 'sandbox-leads-past',
    rule: 'What a link in the project leads to is not shown.',
    file: `${sandbox}/resolvesOutside.ts`,
    edits: [['if (folders.some((folder) => isWithin(folder, next))) return false;', '']],
    test: `${tests}/projectLinks.test.ts`,
  },
  {
    id: 'sandbox-fixed-git',
    rule: "Git's own files cannot be written.",
    file: `${sandbox}/layoutFacts.ts`,
    edits: [['return [git, ravelDirectory];', 'return [ravelDirectory];']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-fixed-plans',
    rule: 'The plans cannot be written.',
    file: `${sandbox}/layoutFacts.ts`,
    edits: [['return [git, ravelDirectory];', 'return [git];']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-fixed-submodules',
    rule: 'What leads to the repository of a submodule cannot be written.',
    file: `${sandbox}/layoutFacts.ts`,
    edits: [['...(await submoduleLinks(disk, project)), ', '']],
    test: `${tests}/hostileCommands.test.ts`,
  },
  {
    id: 'sandbox-emptied',
    rule: 'Files with secrets look empty.',
    file: `${sandbox}/layoutFacts.ts`,
    edits: [['      ...(await realFiles(disk, place.secretFiles)).filter((path) => isShown(place, path)),\n', '']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-sockets',
    rule: 'Sockets that somebody listens at cannot be reached.',
    file: `${sandbox}/layoutFacts.ts`,
    edits: [['[...secrets, ...sockets]', 'secrets']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-secrets-of-home',
    rule: "Git's stored passwords and those of cargo look empty.",
    file: `${sandbox}/layoutFacts.ts`,
    edits: [['[...secrets, ...sockets]', 'sockets']],
    test: `${tests}/confiner.test.ts`,
  },
  ...[
    ['user', ".replace(login, '$1://')", ''],
    ['password', ".replace(password, '$1@')", ''],
    ['names', 'secretNames.some((secret) => named.includes(secret)) || ', ''],
    ['pass', ' || /(?<!ask)pass$/.test(name)', ''],
    ['askpass', '/(?<!ask)pass$/', '/pass$/'],
    ['helpers', 'isHelper ? name + line.slice(at).toLowerCase() : name', 'name'],
    ['lines', 'if (isRest) continue;', ''],
    ['line-ends', " || line.endsWith('\\\\\\r')", ''],
    ['sections', 'section.exec(line)?.[0].length ?? 0', '0'],
    ['comments', 'if (/^[#;]/.test(name)) return undefined;', ''],
  ].map(([name, search, replacement]) => ({
    id: `redact-${name}`,
    rule: `Commands see git's configuration without logins, and the rest as it is: ${name}.`,
    file: `${sandbox}/redactGitConfig.ts`,
    edits: [[search, replacement]],
    test: `${tests}/redactGitConfig.test.ts`,
  })),
  {
    id: 'redact-seen',
    rule: 'Commands see a configuration of git that holds no login in place of the one that does.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [['replaced: facts.replaced }', 'replaced: [] }']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-link',
    rule: 'Nothing begins in a project whose .git or ravel is a link.',
    file: `${sandbox}/confiner.ts`,
    edits: [['if (link !== undefined) return refused(link);', '']],
    test: `${tests}/projectLinks.test.ts`,
  },
  {
    id: 'sandbox-behind-link',
    rule: 'Nothing is mounted behind a link that a session could have made.',
    file: `${sandbox}/layoutFacts.ts`,
    edits: [['const parts = [...foldersBetween(folder, path), path];', 'const parts = [path];']],
    test: `${tests}/projectLinks.test.ts`,
  },
  {
    id: 'sandbox-refused',
    rule: 'Files of the project are no reason to run unconfined.',
    file: `${sandbox}/confiner.ts`,
    edits: [
      ["machine.state === 'confined' ? refused(problem.reason) : machine", "{ ...problem, state: 'unconfined' }"],
    ],
    test: `${tests}/projectLinks.test.ts`,
  },
  {
    id: 'sandbox-secret-folders',
    rule: 'The folders that a secret file lies in cannot be moved.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [['[...facts.fixed, ...facts.emptied]', 'facts.fixed']],
    test: `${tests}/projectLinks.test.ts`,
  },
  {
    id: 'sandbox-place',
    rule: 'A project that holds the home folder or the vault is unconfined.',
    file: `${sandbox}/confiner.ts`,
    edits: [['= placeProblem(facts);', '= facts.project === "" ? placeProblem(facts) : undefined;']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-engine-outside',
    rule: 'The sandbox is built by no program of the project.',
    file: `${sandbox}/engines.ts`,
    edits: [
      [
        '!isAbsolute(folder) || outside.some((one) => isWithin(one, folder))',
        '!isAbsolute(folder) || outside.length < 0',
      ],
    ],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-environment',
    rule: 'The environment is made anew.',
    file: `${sandbox}/shellFile.ts`,
    edits: [['exec ${shellQuoted(programs.env)} -i ${kept', 'exec ${shellQuoted(programs.env)} ${kept']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-descriptors',
    rule: 'No open file comes along.',
    file: `${sandbox}/shellFile.ts`,
    edits: [['exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-\n', '']],
    test: `${tests}/hostileCommands.test.ts`,
  },
  {
    id: 'sandbox-index',
    rule: 'git shows no tracked file with secrets as changed.',
    file: `${sandbox}/sandboxLayout.ts`,
    edits: [['...(facts.trackedSecrets.length > 0 && {', '...(facts.trackedSecrets.length < 0 && {']],
    test: `${tests}/confiner.test.ts`,
  },
  ...[
    ['network', "'--unshare-all'", "'--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts'"],
    ['processes', "'--unshare-all'", "'--unshare-user', '--unshare-ipc', '--unshare-net', '--unshare-uts'"],
  ].map(([what, search, replacement]) => ({
    id: `sandbox-${what}`,
    rule: `A sandbox has a namespace of its own: ${what}.`,
    file: `${sandbox}/bubblewrap.ts`,
    edits: [[search, replacement]],
    test: `${tests}/confiner.test.ts`,
  })),
  {
    id: 'sandbox-parent',
    rule: 'What runs in the sandbox ends with what started it.',
    file: `${sandbox}/bubblewrap.ts`,
    edits: [["      '--die-with-parent',\n", '']],
    test: `${tests}/confiner.test.ts`,
  },
  {
    id: 'sandbox-terminal',
    rule: 'A command has no terminal into which it could type.',
    file: `${sandbox}/bubblewrap.ts`,
    edits: [["      '--new-session',\n", '']],
    test: `${tests}/hostileCommands.test.ts`,
  },
  {
    id: 'pre-work-confined',
    rule: 'The pre-work.sh of a plan runs in the sandbox of its session.',
    file: 'src/plans/phases/preWork.ts',
    edits: [
      [
        "...(sandbox.state === 'confined' ? { program: sandbox.shell, args: [shellQuoted(program)] } : { program }),",
        'program,',
      ],
    ],
    test: 'test/scenarios/sandbox.test.ts',
  },
  {
    id: 'pre-work-confined-by-hand',
    rule: 'Before a phase by hand it has a sandbox of its own.',
    file: 'src/plans/phases/preWork.ts',
    edits: [
      [
        'shell ?? (await confineSession(services, location, session, stop))',
        "shell ?? { state: 'unconfined' as const, reason: '' }",
      ],
    ],
    test: 'test/scenarios/sandbox.test.ts',
  },
];
