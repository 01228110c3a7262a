import { join, sep } from 'node:path';
import { partsFolder } from '../base/journalParts.ts';
import { type QualifiedId, segmentFromId, type Ulid } from '../model/id.ts';
import type { ReasoningPhase } from '../model/phase.ts';

/** Every path inside a vault; no other code joins vault paths. */
export class VaultLayout {
  readonly root: string;
  readonly projects: string;

  constructor(root: string) {
    this.root = root;
    this.projects = join(root, 'projects');
  }

  get identity(): string {
    return join(this.root, 'ravel.toml');
  }
  get settings(): string {
    return join(this.root, 'daemon.toml');
  }
  get projectsFile(): string {
    return join(this.root, 'projects.yaml');
  }
  get localProjectsFile(): string {
    return join(this.root, 'projects.local.yaml');
  }
  get routing(): string {
    return join(this.root, 'routing.yaml');
  }
  /** What sessions may do. */
  get policy(): string {
    return join(this.root, 'policy.yaml');
  }
  get catalog(): string {
    return join(this.root, 'plan-catalog.md');
  }
  /** What an editor's search leaves out and takes in. */
  get searchFile(): string {
    return join(this.root, '.ignore');
  }
  get experts(): string {
    return join(this.root, 'experts');
  }
  get knowledge(): string {
    return join(this.root, 'knowledge');
  }
  get archive(): string {
    return join(this.root, 'archive');
  }
  /** Entries of the vault that were put away, in the folders that they were in. */
  get archivedKnowledge(): string {
    return join(this.archive, 'knowledge');
  }
  get runtime(): string {
    return join(this.root, 'runtime');
  }
  get ownerLock(): string {
    return join(this.runtime, 'daemon.lock');
  }
  get socket(): string {
    return join(this.runtime, 'daemon.sock');
  }
  /** Alone in its folder, so that a sandbox can show the folder and not the owner's other socket. */
  get sessionSocket(): string {
    return join(this.runtime, 'tools', 'session.sock');
  }
  get spending(): string {
    return join(this.runtime, 'spending.jsonl');
  }
  get ledger(): string {
    return join(this.runtime, 'ledger.jsonl');
  }
  /** When what is old was last removed, and what of it. */
  get housekeeping(): string {
    return join(this.runtime, 'housekeeping.json');
  }
  /** What the windows of the vault were given to tell. */
  get notices(): string {
    return join(this.runtime, 'notices.json');
  }
  /** What was told to the person outside of Ravel, and what is still to be told. */
  get notifications(): string {
    return join(this.runtime, 'notifications.json');
  }
  get approvals(): string {
    return join(this.runtime, 'approvals');
  }
  get decisions(): string {
    return join(this.root, 'decisions');
  }
  /** Decisions of earlier months, a folder for each. */
  get decisionArchive(): string {
    return join(this.archive, 'decisions');
  }
  /** What a person allowed or denied a session, for as long as its phase lasts. */
  get grants(): string {
    return join(this.runtime, 'grants');
  }
  /** What of each project decides what runs, as it was before sessions were at it. */
  get programs(): string {
    return join(this.runtime, 'programs');
  }
  /** Sandboxes for the hooks of commits, by repository. */
  get hooks(): string {
    return join(this.runtime, 'hooks');
  }
  get sessions(): string {
    return join(this.runtime, 'sessions');
  }
  get plans(): string {
    return join(this.runtime, 'plans');
  }
  /** A file for each plan of which something is under way. */
  get underWay(): string {
    return join(this.runtime, 'under-way');
  }
  /** A file for each plan that is being changed, for as long as that takes. */
  get locks(): string {
    return join(this.runtime, 'locks');
  }
  /** Outlives what retention removes. */
  get histories(): string {
    return join(this.runtime, 'history');
  }
  /** What the terminals that live write down about themselves, and where they are reached. */
  get terminals(): string {
    return join(this.runtime, 'terminals');
  }
  get staging(): string {
    return join(this.runtime, 'staging');
  }
  /** Pages that are made for people who read in Obsidian. */
  get pages(): string {
    return join(this.runtime, 'pages');
  }
  page(name: string): string {
    return join(this.pages, `${name}.md`);
  }
  /** What can be made again at any time. */
  get cache(): string {
    return join(this.runtime, 'cache');
  }
  get overviews(): string {
    return join(this.cache, 'overviews');
  }
  get verified(): string {
    return join(this.cache, 'verified');
  }
  /** What the entries of the knowledge say of themselves. */
  get entries(): string {
    return join(this.cache, 'entries');
  }
  /** What is found by its words. */
  get searchIndex(): string {
    return join(this.cache, 'search');
  }
  /** What scores say about tasks of plans. */
  get taskLeads(): string {
    return join(this.cache, 'leads');
  }
  get interrupted(): string {
    return join(this.runtime, 'interrupted');
  }
  /** One file and one cursor for each actor that was ever sent something. */
  get mailboxes(): string {
    return join(this.runtime, 'mailboxes');
  }
  get deadLetters(): string {
    return join(this.runtime, 'dead-letters');
  }

  /** Questions to plans that have no answer yet, a folder for each plan. */
  get questions(): string {
    return join(this.runtime, 'questions');
  }
  /** Answers to questions, by the id of the question; those of earlier months in a folder for each. */
  get answers(): string {
    return join(this.runtime, 'answers');
  }
  /** What each answer of an expert was made of, by the id of the question. */
  get receipts(): string {
    return join(this.runtime, 'receipts');
  }
  /** What experts were asked and did not know, by the id of the question. */
  get gaps(): string {
    return join(this.runtime, 'gaps');
  }
  /** What each cycle of a plan taught, and what became of it. */
  get ingestions(): string {
    return join(this.runtime, 'ingestion-events');
  }

  /** What was done of proposals that a person accepted, for as long as that takes. */
  get acceptedPlans(): string {
    return join(this.runtime, 'accepted-plans');
  }

  /** Messages that plans send at once, for as long as that takes. */
  get sending(): string {
    return join(this.runtime, 'sending');
  }

  /** How messages found their receivers, a line each. */
  get routingHistory(): string {
    return join(this.runtime, 'routing-history.jsonl');
  }
  /** Up to which of them all messages were handed over. */
  get handedOver(): string {
    return join(this.runtime, 'handed-over.json');
  }
  /** Messages that look for their receiver. */
  get pendingRoutes(): string {
    return join(this.runtime, 'routing');
  }

  /** What is under way of a rename, a removal or a restoration; one at a time. */
  get moveIntent(): string {
    return join(this.runtime, 'move.json');
  }
  /** What plans and projects were called before. */
  get renames(): string {
    return join(this.runtime, 'renames.json');
  }

  /** What is written down about the use of knowledge, and what is under way of it. */
  get knowledgeState(): string {
    return join(this.runtime, 'knowledge');
  }
  /** A change of entries that is under way. */
  get entryChange(): string {
    return join(this.knowledgeState, 'change.json');
  }
  get uses(): string {
    return join(this.knowledgeState, 'uses.jsonl');
  }
  /** Uses that were noted while the vault had no owner; the next one takes them into `uses`. */
  get usesAside(): string {
    return join(this.knowledgeState, 'uses-aside');
  }

  project(name: string): string {
    return join(this.projects, name);
  }
  /** The plan's own folder, through the project's link. */
  plan(id: QualifiedId): string {
    // An id is a path already, of which there can be ten thousand.
    return `${this.projects}${sep}${sep === '/' ? id : id.replaceAll('/', sep)}`;
  }
  session(session: Ulid): string {
    return join(this.sessions, session);
  }
  transcript(session: Ulid): string {
    return join(this.session(session), 'transcript.jsonl');
  }
  runState(id: QualifiedId): string {
    return join(this.plans, `${segmentFromId(id)}.yaml`);
  }
  /** Verbs that a person used while a phase ran; tells a person's edits from unattributed ones. */
  attributions(id: QualifiedId): string {
    return join(this.plans, `${segmentFromId(id)}.verbs.jsonl`);
  }
  /** Phases that ended, a line each. */
  history(id: QualifiedId): string {
    return join(this.histories, `${segmentFromId(id)}.jsonl`);
  }
  questionsOf(id: QualifiedId): string {
    return join(this.questions, segmentFromId(id));
  }
  /** Of which received messages their senders were told what became of them. */
  replied(id: QualifiedId): string {
    return join(this.plans, `${segmentFromId(id)}.replied.json`);
  }
  /** Who added the tasks and the memory entries of a plan, a line for each change. */
  origins(id: QualifiedId): string {
    return join(this.plans, `${segmentFromId(id)}.origins.jsonl`);
  }
  crashTimes(actor: QualifiedId): string {
    return join(this.plans, `${segmentFromId(actor)}.crashes.json`);
  }
  underWayOf(id: QualifiedId): string {
    return join(this.underWay, segmentFromId(id));
  }
  planLock(id: QualifiedId): string {
    return join(this.locks, `${segmentFromId(id)}.lock`);
  }
  stagingOf(id: QualifiedId, phase: ReasoningPhase, session: Ulid): string {
    return join(this.staging, segmentFromId(id), `${phase}-${session}`);
  }
  interruptedOf(id: QualifiedId, phase: ReasoningPhase, session: Ulid): string {
    return join(this.interrupted, segmentFromId(id), `${phase}-${session}`);
  }
  /** What the project's source was before and after a work session, as far as it can be put back. */
  sourceOf(id: QualifiedId, session: Ulid): string {
    return join(this.interrupted, segmentFromId(id), `source-${session}`);
  }
  /** Everything of one plan in `runtime/` that follows it; its lock and its mailbox are not among it. */
  runtimeOf(id: QualifiedId): readonly string[] {
    const segment = segmentFromId(id);
    const folders = [this.staging, this.interrupted, this.grants, this.questions].map((folder) =>
      join(folder, segment),
    );
    const files = [
      ...[this.runState(id), this.attributions(id), this.crashTimes(id)],
      ...[this.history(id), this.replied(id), this.origins(id)],
    ];
    return [...files, ...folders, partsFolder(this.history(id))];
  }
  sendingOf(message: Ulid): string {
    return join(this.sending, `${message}.json`);
  }
  pendingRoute(message: Ulid): string {
    return join(this.pendingRoutes, `${message}.json`);
  }
  approval(approval: Ulid): string {
    return join(this.approvals, `${approval}.yaml`);
  }
  answer(query: Ulid): string {
    return join(this.answers, `${query}.yaml`);
  }
  decision(approval: Ulid): string {
    return join(this.decisions, `${approval}.yaml`);
  }
  /** What was put back when a person rejected a change, as it was then. */
  putAside(id: QualifiedId, approval: Ulid): string {
    return join(this.interrupted, segmentFromId(id), `unattributed-${approval}`);
  }
}

/** Paths of a project that was adopted, from its own root. */
export const projectPaths = {
  ravel: 'ravel',
  /** The following are in `ravel/`. */
  policy: 'policy.yaml',
  knowledge: 'knowledge',
  archivedKnowledge: join('archive', 'knowledge'),
} as const;

/** Folder of a plan relative to its project, with `/`. */
export function planPath(plan: QualifiedId): string {
  return [projectPaths.ravel, ...plan.split('/').slice(1)].join('/');
}
