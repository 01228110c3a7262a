import { shellQuoted } from '../../base/text.ts';
import type { Network } from './sandboxLayout.ts';

/** What is tried in a sandbox before a session may be called confined. */
export const probeNames = [
  'read',
  'write',
  'host',
  'socket',
  'variable',
  'process',
  'allowed-write',
  'allowed-temporary',
] as const;
export type ProbeName = (typeof probeNames)[number];

/** What did not hold, as the rest of the sentence that begins with “A command in the sandbox”. */
const failures: Readonly<Record<ProbeName, string>> = {
  read: 'could read what is kept from it',
  write: 'could write outside of what it may change',
  host: 'could reach the network',
  socket: "could reach the socket of the vault's owner",
  variable: 'could see a variable that is kept from it',
  process: 'could see processes outside of it',
  'allowed-write': 'could not write into the project',
  'allowed-temporary': 'could not write a temporary file',
};

export interface Surrounding {
  readonly folder: string;
  readonly shown: readonly string[];
}

export interface ProbeFacts {
  readonly project: string;
  /** A file with a secret text that only the session's owner may read. */
  readonly forbiddenFile: string;
  readonly secret: string;
  /** Files that do not exist, in folders that may not be changed. */
  readonly forbiddenTargets: readonly string[];
  /** Folders whose content must not be seen. */
  readonly forbiddenFolders: readonly string[];
  /** Folders in which nothing else can be read than what is shown there, by its absolute path. */
  readonly surroundings: readonly Surrounding[];
  readonly socketPath: string;
  /** A file of the project that does not exist. */
  readonly allowedTarget: string;
  /** An open network is not tried: nothing of it is kept from commands. */
  readonly network: Network;
  /** The namespaces that this process is in, as links of /proc; absent if there are none. */
  readonly namespaces?: { readonly net: string; readonly pid: string };
}

/** For perl: says whether it can connect to the socket whose path it is given. */
const connecting =
  'socket(my $s, PF_UNIX, SOCK_STREAM, 0) or exit 1; print connect($s, sockaddr_un($ARGV[0])) ? "in" : "out"';

/**
 * A shell command that tries everything, and prints the name of each probe that held. A probe that did not run has not
 * held: the shell itself does what it can, and the programs that it needs besides are named if they are missing.
 */
export function formatProbes(facts: ProbeFacts): string {
  const { forbiddenFile, secret, forbiddenTargets, forbiddenFolders, socketPath, allowedTarget } = facts;
  const unreadable = [
    `! read -r _ < ${shellQuoted(forbiddenFile)}`,
    ...facts.surroundings.map(nothingElse),
    ...forbiddenFolders.map((folder) => `found=(${shellQuoted(folder)}/*) && [ \${#found[@]} = 0 ]`),
  ];
  // All are tried, even after one could be written: the process that started this looks for the files and removes them.
  const unwritable = forbiddenTargets.map((path) => `: > ${shellQuoted(path)}`).join('; ');
  const ownNamespace = (kind: 'net' | 'pid') =>
    facts.namespaces === undefined
      ? 'true'
      : `own=$(readlink /proc/self/ns/${kind}) && [ -n "$own" ] && [ "$own" != ${shellQuoted(facts.namespaces[kind])} ]`;
  const noHost = '! (: > /dev/tcp/192.0.2.1/9)';
  const socket = shellQuoted(socketPath);
  const hasNamespaces = facts.namespaces !== undefined;
  const programs = hasNamespaces ? ['env', 'cat', 'readlink'] : ['env', 'perl'];
  // Without namespaces a sandbox can hide a socket and still let a command connect, and only perl tells. With them, a
  // socket that is not there cannot be connected to, so that a machine without perl has a sandbox all the same.
  const answer = `$(perl -MSocket -e ${shellQuoted(connecting)} ${socket})`;
  const noSocket = `[ ! -S ${socket} ] && case ${answer} in out) ;; in) false ;; *) ${hasNamespaces} ;; esac`;
  const withoutSecret = `[[ $seen == *HOME=* && $seen != *${shellQuoted(secret)}* ]]`;
  const noVariable = [
    `seen=$(env); ${withoutSecret}`,
    ...(hasNamespaces ? [`seen=$(cat /proc/[0-9]*/environ); ${withoutSecret}`] : []),
  ].join(' && ');
  return `exec 2>/dev/null
shopt -s nullglob dotglob
for program in ${programs.join(' ')}; do command -v "$program" > /dev/null || echo "missing $program"; done
{ ${unreadable.join(' && ')}; } && echo read
{ ${unwritable}; }; echo write
{ ${facts.network === 'open' ? 'true' : `${ownNamespace('net')} && ${noHost}`}; } && echo host
{ ${noSocket}; } && echo socket
{ ${noVariable}; } && echo variable
{ ${ownNamespace('pid')}; } && echo process
echo 1 > ${shellQuoted(allowedTarget)} && rm ${shellQuoted(allowedTarget)} && echo allowed-write
t=$(mktemp) && rm "$t" && echo allowed-temporary
`;
}

/** A link that is not expected may lead to something; what cannot be read may be seen, if a sandbox hides no names. */
function nothingElse({ folder, shown }: Surrounding): string {
  const known = shown.length === 0 ? '' : `${shown.map(shellQuoted).join(' | ')}) ;; `;
  const each = `case $one in ${known}*) [ ! -r "$one" ] || exit 1 ;; esac`;
  return `(for one in ${shellQuoted(folder === '/' ? '' : folder)}/*; do ${each}; done)`;
}

/** Why the probes say that a sandbox does not hold, as a sentence; undefined if all held. `written`: what was found outside. */
export function probeProblem(stdout: string, written: readonly string[]): string | undefined {
  const lines = stdout.split('\n');
  const missing = lines.flatMap((line) => (line.startsWith('missing ') ? [line.slice('missing '.length)] : []));
  if (missing.length > 0) return `The sandbox could not be tried: ${missing.join(', ')} cannot be found in it.`;
  const held = new Set(lines);
  const failed = probeNames.filter((name) => !held.has(name)).map((name) => failures[name]);
  if (written.length > 0) failed.unshift(`could write to ${written.join(', ')}`);
  return failed.length === 0 ? undefined : `A command in the sandbox ${failed.join(', and ')}.`;
}
