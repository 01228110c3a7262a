/** One entry of a configuration, its key as git prints it: section and name in lower case, a subsection as written. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

interface ProgramSetting {
  readonly pattern: RegExp;
  /** The value that starts nothing; undefined if git goes on without the setting as if it said ''. */
  readonly off?: string;
}

/**
 * Settings that name a program, or say that one is to run, and that a person may well want: filters such as git-lfs,
 * signatures. From a person's own configuration they count; from a repository only as long as no session has been at it,
 * and otherwise as they were accepted. `.` in a pattern matches any subsection, also one with a line break.
 */
const programSettings: readonly ProgramSetting[] = [
  { pattern: /^filter\..*\.(?:clean|smudge|process|required)$/s },
  { pattern: /^diff\.external$|^diff\..*\.(?:command|textconv)$/s },
  { pattern: /^merge\..*\.driver$/s },
  { pattern: /^(?:commit|tag)\.gpgsign$/, off: 'false' },
  { pattern: /^gpg\.format$/, off: 'openpgp' },
  { pattern: /^gpg(?:\.openpgp)?\.program$/, off: 'gpg' },
  { pattern: /^gpg\.x509\.program$/, off: 'gpgsm' },
  { pattern: /^gpg\.ssh\.program$/, off: 'ssh-keygen' },
  { pattern: /^gpg\.ssh\.defaultkeycommand$|^user\.signingkey$/ },
  { pattern: /^core\.(?:hookspath|attributesfile|alternaterefscommand|gitproxy)$/, off: '/dev/null' },
  { pattern: /^init\.templatedir$/ },
  { pattern: /^trailer\..*\.(?:command|cmd)$/s },
  { pattern: /^submodule\..*\.update$/s, off: 'none' },
  // git-lfs runs these from inside its filter.
  { pattern: /^lfs\.(?:extension|customtransfer)\..*$|^lfs\.standalonetransferagent$/s },
  // Hooks run git themselves, and find these: an alias, the programs of a remote.
  { pattern: /^alias\..*$/s },
  { pattern: /^remote\..*\.(?:uploadpack|receivepack|vcs)$/s },
  { pattern: /^uploadpack\.packobjectshook$|^core\.sshcommand$|^core\.askpass$/ },
  { pattern: /^credential\..*$/s },
  { pattern: /^protocol\..*allow$/s, off: 'never' },
];

export function startsProgram({ key }: Pick<Setting, 'key'>): boolean {
  return programSettings.some(({ pattern }) => pattern.test(key));
}

/** Commands that store what a filter makes of a file; without the filter they would store something else. */
const storing: ReadonlySet<string> = new Set(['add', 'update-index', 'commit']);

/**
 * Settings that replace those of a repository that were not accepted: the user's own, or values that start nothing. A
 * filter that is not allowed to run is skipped if git only reads; a command that would store the file without it, for
 * example unencrypted, fails.
 */
export function withdrawn(
  settings: readonly Setting[],
  own: ReadonlyMap<string, string>,
  command: string,
): ReadonlyMap<string, string> {
  const instead = new Map<string, string>();
  for (const { key } of settings) {
    instead.set(key, own.get(key) ?? programSettings.find(({ pattern }) => pattern.test(key))?.off ?? '');
    const filter = /^(filter\..*)\.[a-z]+$/s.exec(key)?.[1];
    if (filter === undefined) continue;
    const isOwn = own.has(`${filter}.clean`) || own.has(`${filter}.process`);
    const required = isOwn ? own.get(`${filter}.required`) : String(storing.has(command));
    instead.set(`${filter}.required`, required ?? 'false');
  }
  return instead;
}

/** One text for a setting, to be compared with what was accepted. */
export function settingText({ key, value }: Setting): string {
  return `${key}=${value}`;
}

/** Settings that bring in another file, whose entries are not in the one that was read. */
export function isInclude({ key }: Pick<Setting, 'key'>): boolean {
  return /^include(?:if\..*)?\.path$/s.test(key);
}
