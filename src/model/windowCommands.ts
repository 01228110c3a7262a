import { isQualifiedId } from './id.ts';

/** What a window of the editor offers in place of a command line. */
export interface WindowCommand {
  /** Of its button; if it is a command of the palette, its title there. */
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly string[];
}

interface Row {
  /** How the line begins. */
  readonly words: string;
  /** An option that it has. */
  readonly option?: string;
  readonly title: string;
  readonly command: string;
  /** What an argument of the line names; without it the command is given none. */
  readonly takes?: 'plan' | 'id';
}

const openPlan = { title: 'Open Plan', command: 'ravel.openPlan', takes: 'plan' } as const;
const showPlans = { title: 'Show Plans', command: 'ravel.plans.focus' } as const;
const showKnowledge = { title: 'Show Knowledge', command: 'ravel.knowledge.focus' } as const;
const showInbox = { title: 'Show Inbox', command: 'ravel.inbox.focus' } as const;

/** By what follows `ravel`; the first that fits counts. */
const rows: readonly Row[] = [
  { words: 'init', title: 'Create Vault…', command: 'ravel.createVault' },
  { words: 'adopt', title: 'Adopt Project…', command: 'ravel.adoptProject' },
  { words: 'demo', title: 'Run the Demo', command: 'ravel.runDemo' },
  { words: 'daemon', title: 'Start Daemon in a Terminal', command: 'ravel.startDaemon' },
  { words: 'plan', option: '--from', title: 'Create Plans From a Goal…', command: 'ravel.planGoal' },
  { words: 'plan', title: 'Create Plans From a Goal…', command: 'ravel.planGoal' },
  { words: 'doctor', title: 'Run Doctor', command: 'ravel.runDoctor' },
  { words: 'verify', title: 'Verify Vault', command: 'ravel.verifyVault' },
  { words: 'run', option: '--by-hand', title: 'Do Phase by Hand', command: 'ravel.beginManualRun', takes: 'plan' },
  { words: 'run', option: '--resume', title: 'Resume Run', command: 'ravel.resumeRun', takes: 'plan' },
  { words: 'run', title: 'Run Cycle', command: 'ravel.runCycle', takes: 'plan' },
  { words: 'rehearse', title: 'Rehearse Plan…', command: 'ravel.rehearsePlan', takes: 'plan' },
  { words: 'retry', title: 'Retry Phase', command: 'ravel.retryPhase', takes: 'plan' },
  { words: 'dismiss', title: 'Dismiss Phase…', command: 'ravel.dismissPhase', takes: 'plan' },
  { words: 'stop', title: 'Stop Plan', command: 'ravel.stopPlan', takes: 'plan' },
  { words: 'revive', title: 'Revive Plan or Expert…', command: 'ravel.reviveActor', takes: 'id' },
  { words: 'approvals show', title: 'Open Question…', command: 'ravel.openApproval', takes: 'id' },
  { words: 'suggestions', title: 'Review Suggested Rules', command: 'ravel.reviewSuggestions' },
  { words: 'route', option: '--explain', title: 'Open Routing', command: 'ravel.openRouting' },
  { words: 'route', title: 'Open Routing', command: 'ravel.openRouting' },
  { words: 'archive list', title: 'Restore From Archive…', command: 'ravel.restorePlan' },
  { words: 'attach', ...openPlan },
  { words: 'received', ...openPlan },
  { words: 'state backlog list', ...openPlan },
  { words: 'status', ...showPlans },
  { words: 'projects', ...showPlans },
  { words: 'approvals', ...showInbox },
  { words: 'dead-letters', ...showInbox },
  { words: 'knowledge list', option: '--status', title: 'Restore Entry…', command: 'ravel.restoreEntry' },
  { words: 'knowledge list', ...showKnowledge },
  { words: 'knowledge show', ...showKnowledge },
  { words: 'knowledge restore', title: 'Restore Entry…', command: 'ravel.restoreEntry' },
  { words: 'knowledge contradict', option: '--reason', title: 'Contradict Entry…', command: 'ravel.contradictEntry' },
  { words: 'experts', title: 'Show Experts', command: 'ravel.experts.focus' },
];

/** Options that a command of the window asks about, or has no need of. */
const passed = new Set(['--take-over', '--name', '--description']);

const commandLine = /`ravel ([^`\n]+)`/g;

/** A text with its command lines as the commands of a window; what the window has no command for is for a terminal. */
export function inWindowWords(text: string): string {
  return text.replaceAll(commandLine, (whole: string, line: string) => {
    const row = rowOf(line);
    if (row === undefined) return `${whole} in a terminal`;
    return row.command.endsWith('.focus') ? `“${row.title}”` : `“Ravel: ${row.title}”`;
  });
}

/** The commands that a text names, each once; a `PLAN` that it leaves open is the one that the text is about. */
export function windowCommandsIn(text: string, subject: string): WindowCommand[] {
  const found = new Map<string, WindowCommand>();
  for (const [, line = ''] of text.matchAll(commandLine)) {
    const row = rowOf(line);
    if (row === undefined || found.has(row.command)) continue;
    const { title, command } = row;
    const argument = argumentOf(row, line, subject);
    found.set(command, { title, command, ...(argument !== undefined && { arguments: [argument] }) });
  }
  return [...found.values()];
}

function rowOf(line: string): Row | undefined {
  const words = line.split(' ');
  const options = words.filter((word) => word.startsWith('--') && !passed.has(word));
  return rows.find((row) => {
    const isIt = line === row.words || line.startsWith(`${row.words} `);
    return (
      isIt && options.every((option) => option === row.option) && (row.option === undefined) === (options.length === 0)
    );
  });
}

function argumentOf({ takes }: Row, line: string, subject: string): string | undefined {
  if (takes === undefined) return undefined;
  const words = line.split(' ').map((word) => word.replaceAll("'", ''));
  if (takes === 'plan') return [...words, subject].find((word) => isQualifiedId(word));
  const last = words.at(-1);
  return last === undefined || (last === last.toUpperCase() && !/\d/.test(last)) ? undefined : last;
}
