import type { Diagnostic } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { type Drafts, isDraft, toDrafts } from './drafts.ts';
import type { RavelEvent } from './event.ts';
import type { QualifiedId, Ulid } from './id.ts';
import type { Api, RequestName, RequestParams, RequestResults } from './protocol.ts';

/** Page and editor are built together; a page that outlived an update of the extension is told to load again. */
export const pageProtocol = 2;

/**
 * All that a page can request, and the parameters it can give: a page shows texts from untrusted sources, so it gets no
 * request that it has no button for, and cannot choose the program that carries out a run.
 */
const pageParameters = {
  approval: ['approval'],
  approvals: ['plan'],
  changed_file: ['plan', 'session', 'set', 'path', 'side'],
  changes: ['plan', 'session'],
  compare_snapshot: ['plan', 'snapshot'],
  decide: ['approval', 'decision', 'contentHash', 'option', 'text', 'reason', 'override'],
  finish_manual_run: ['plan', 'session', 'outcome', 'summary', 'unchanged'],
  drop_manual_run: ['plan', 'session'],
  given: ['plan', 'session'],
  given_text: ['plan', 'session', 'part'],
  history: ['plan', 'limit', 'before'],
  list: [],
  memory: ['plan'],
  propose_rules: [],
  retry: ['plan', 'task'],
  routes: ['limit', 'message'],
  routing: [],
  routing_share: ['days'],
  run_cycle: ['plan', 'task', 'cycles', 'resume'],
  run_phase: ['plan', 'phase', 'task'],
  send: ['to', 'type', 'text'],
  settings: ['plan'],
  snapshots: ['plan', 'limit'],
  spending: ['days'],
  state: ['plan', 'verb', 'args'],
  status: ['plan'],
  stop: ['plan'],
  suggestions: [],
  transcript: ['session', 'from'],
} as const satisfies { readonly [Name in RequestName]?: readonly ParameterName<Name>[] };

type ParameterName<Name extends RequestName> = KeyOf<RequestParams<Name>>;
// Parameters may be a union, whose members are looked at one by one.
type KeyOf<Params> = Params extends unknown ? keyof Params : never;
type Only<Params, Key> = Params extends unknown ? Pick<Params, Extract<keyof Params, Key>> : never;

export type PageRequest = keyof typeof pageParameters;
export const pageRequests = Object.keys(pageParameters) as readonly PageRequest[];

/** Parameters of a request as a page may write them. */
export type PageParams<Name extends PageRequest> = Only<RequestParams<Name>, (typeof pageParameters)[Name][number]>;

/** A parameter that came from a page and is not a page's to give; undefined if all of them are. */
export function foreignParameter(name: PageRequest, params: unknown): string | undefined {
  const allowed: readonly string[] = pageParameters[name];
  return isRecord(params) ? Object.keys(params).find((key) => !allowed.includes(key)) : undefined;
}

/** The `Api` as a page has it. */
export interface PageApi {
  request<Name extends PageRequest>(
    name: Name,
    params: PageParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]>;
  readonly onEvent: Api['onEvent'];
}

export const runnerTabs = ['session', 'given', 'changes', 'history', 'backlog', 'memory', 'snapshots'] as const;
export type RunnerTab = (typeof runnerTabs)[number];

/** What a panel shows: a plan, one of its sessions if it is not the latest, and a tab. */
export interface RunnerView {
  readonly plan: QualifiedId;
  readonly session?: Ulid;
  readonly tab?: RunnerTab;
}

/** What the page of routing shows: a suggestion, or none in particular. */
export interface RoutingView {
  readonly page: 'routing';
  /** Under its approval. */
  readonly suggestion?: string;
}

/** What the page of a question shows. */
export interface QuestionView {
  readonly page: 'question';
  readonly approval: Ulid;
}

/** What the first page says of something that Ravel needs. */
export interface NeedRow {
  readonly name: 'git' | 'claude';
  readonly isReady: boolean;
  readonly text: string;
}

/** The first page; without `needs` until they are known. */
export interface StartView {
  readonly page: 'start';
  readonly needs?: readonly NeedRow[];
}

/** Where a button of the first page leads: a way to begin, a page about what is missing, or another look. */
export const startWays = ['demo', 'vault', 'goal', 'open', 'steps', 'git', 'claude', 'again'] as const;
export type StartWay = (typeof startWays)[number];

/** What a panel shows; which page it is, is said by what is in it. */
export type PageView = RunnerView | RoutingView | QuestionView | StartView;

export function isRunnerView(view: PageView): view is RunnerView {
  return 'plan' in view;
}

export function isRoutingView(view: PageView): view is RoutingView {
  return 'page' in view && view.page === 'routing';
}

export function isQuestionView(view: PageView): view is QuestionView {
  return 'page' in view && view.page === 'question';
}

export function isStartView(view: PageView): view is StartView {
  return 'page' in view && view.page === 'start';
}

/** Where a path begins. An absolute path is taken as it is if it lies in one of these, and refused elsewhere. */
export const placeRoots = ['plan', 'vault', 'project'] as const;

export interface FilePlace {
  readonly root: (typeof placeRoots)[number];
  readonly path: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** One side of a diff: a file as it is, to be edited there, or a text that was. */
export type DiffSide = { readonly file: FilePlace } | { readonly text: string };

export const answerSights = ['text', 'receiver', 'sides', 'nearest', 'document', 'proposal'] as const;
export type AnswerSight = (typeof answerSights)[number];

export const suggestionSights = ['thread', 'preview', 'form'] as const;
export type SuggestionSight = (typeof suggestionSights)[number];

/** What the editor opens for a page. */
export type OpenTarget =
  | { readonly kind: 'file'; readonly place: FilePlace }
  /** `path` names the file to the reader, and its ending the language. */
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly title: string;
      readonly before: DiffSide;
      readonly after: DiffSide;
    }
  /** A text that does not come from a file, in a document of its own; `path` as for a diff. */
  | { readonly kind: 'text'; readonly path: string; readonly text: string }
  | { readonly kind: 'plan'; readonly plan: string }
  /** In the runner of its plan. */
  | { readonly kind: 'session'; readonly plan: string; readonly session: string; readonly tab?: RunnerTab }
  | { readonly kind: 'approval'; readonly approval: string }
  /** Asks first whether to reject the open question, or to drop the unfinished phase of the page's plan. */
  | { readonly kind: 'reject'; readonly approval: string }
  | { readonly kind: 'dismiss' }
  | { readonly kind: 'start'; readonly way: StartWay }
  /** Asks until when to put the question off. */
  | { readonly kind: 'defer'; readonly approval: string }
  /** Shows what an earlier state of the page's plan would change, and asks whether to go back to it. */
  | { readonly kind: 'rollBack'; readonly snapshot: string }
  /** Asks whether a file of the plan's unfinished work goes back, or comes again; without a path all of them. */
  | { readonly kind: 'putBack'; readonly path?: string; readonly to: 'before' | 'after' }
  /**
   * A text to write the answer in, a choice of who receives the message, both sides to compare, the nearest entry beside
   * it, all of it as a text, or what a session proposes with the answer.
   */
  | { readonly kind: 'answer'; readonly approval: string; readonly as: AnswerSight }
  /** A suggested rule at its place in `routing.yaml`: its thread, how the file would change, or a form to edit it in. */
  | { readonly kind: 'suggestion'; readonly approval: string; readonly as: SuggestionSight }
  /** A rule in `routing.yaml`. */
  | { readonly kind: 'rule'; readonly rule: string }
  /** What led to a task, a message, a rule or a session, and what it led to. */
  | { readonly kind: 'why'; readonly about: string }
  | { readonly kind: 'transcript'; readonly session: string }
  /** In a browser, after its address was shown. */
  | { readonly kind: 'link'; readonly url: string }
  /** Opens the current phase for a person, and the files that are theirs. */
  | { readonly kind: 'manual' }
  /** A terminal for the work phase. */
  | { readonly kind: 'terminal' };

/** A line from a page to the editor. */
export type PageLine =
  | { readonly type: 'ready'; readonly protocol: number }
  | { readonly type: 'request'; readonly id: number; readonly name: PageRequest; readonly params: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'open'; readonly target: OpenTarget }
  /** The person went to another session or tab: what a reload of the window comes back to. */
  | { readonly type: 'view'; readonly view: PageView }
  /** What stands in a field and was not sent; empty once it was, or is none any more. */
  | { readonly type: 'draft'; readonly key: string; readonly text: string };

/** What a page has to know of the window around it. */
export interface WindowState {
  /** Why nothing may be run or changed just now, as a sentence; undefined if it may. */
  readonly readOnly?: string;
}

/** A line from the editor to a page. */
export type EditorLine =
  /** The answer to `ready`, and later whenever something else is to be shown. */
  | { readonly type: 'show'; readonly view: PageView; readonly window: WindowState; readonly drafts: Drafts }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: Diagnostic }
  | { readonly type: 'events'; readonly events: readonly RavelEvent[] }
  /** Events may be missing before this line: the owner changed, or they came faster than they were taken. */
  | { readonly type: 'opened'; readonly window: WindowState };

/** The line that a page sent; undefined for anything else, which is not acted on. */
export function toPageLine(value: unknown): PageLine | undefined {
  if (!isRecord(value)) return undefined;
  const { type } = value;
  switch (type) {
    case 'ready':
      return isCount(value['protocol']) ? { type, protocol: value['protocol'] } : undefined;
    case 'request':
      return isCount(value['id']) && isPageRequest(value['name'])
        ? { type, id: value['id'], name: value['name'], params: value['params'] }
        : undefined;
    case 'cancel':
      return isCount(value['id']) ? { type, id: value['id'] } : undefined;
    case 'open': {
      const target = toOpenTarget(value['target']);
      return target && { type, target };
    }
    case 'view': {
      const view = toPageView(value['view']);
      return view && { type, view };
    }
    case 'draft': {
      const { key, text } = value;
      return isText(key) && isDraft(key, text) ? { type, key, text } : undefined;
    }
    default:
      return undefined;
  }
}

/** The line that the editor sent; its content is our own and is not looked into. */
export function toEditorLine(value: unknown): EditorLine | undefined {
  if (!isRecord(value)) return undefined;
  const fits: Readonly<Record<EditorLine['type'], boolean>> = {
    show: toPageView(value['view']) !== undefined && isRecord(value['window']) && isRecord(value['drafts']),
    result: isCount(value['id']),
    error: isCount(value['id']) && isRecord(value['error']),
    events: Array.isArray(value['events']),
    opened: isRecord(value['window']),
  };
  const { type } = value;
  const isKnown = typeof type === 'string' && Object.hasOwn(fits, type) && fits[type as EditorLine['type']];
  return isKnown ? (value as unknown as EditorLine) : undefined;
}

/** What a page keeps for itself over a reload of the window. */
export type KeptPage = PageView & { readonly drafts: Drafts };

/** The drafts that a page kept for itself; undefined if it kept none, not even that there are none. */
export function keptDrafts(value: unknown): Drafts | undefined {
  return isRecord(value) && isRecord(value['drafts']) ? toDrafts(value['drafts']) : undefined;
}

/** What a panel showed, as it was kept over a reload; undefined if it is nothing of the kind. */
export function toRunnerView(value: unknown): RunnerView | undefined {
  if (!isRecord(value) || !isText(value['plan'])) return undefined;
  const { plan, session, tab } = value;
  return {
    plan: plan as QualifiedId,
    ...(isText(session) ? { session: session as Ulid } : {}),
    ...(isRunnerTab(tab) ? { tab } : {}),
  };
}

/** The same for the page of routing. */
export function toRoutingView(value: unknown): RoutingView | undefined {
  if (!isRecord(value) || value['page'] !== 'routing') return undefined;
  const { suggestion } = value;
  return { page: 'routing', ...(isText(suggestion) && { suggestion }) };
}

/** The same for the page of a question. */
export function toQuestionView(value: unknown): QuestionView | undefined {
  if (!isRecord(value) || value['page'] !== 'question' || !isText(value['approval'])) return undefined;
  return { page: 'question', approval: value['approval'] as Ulid };
}

/** The same for the first page: what is needed is looked for again. */
function toStartView(value: unknown): StartView | undefined {
  return isRecord(value) && value['page'] === 'start' ? { page: 'start' } : undefined;
}

function toPageView(value: unknown): PageView | undefined {
  return toStartView(value) ?? toRoutingView(value) ?? toQuestionView(value) ?? toRunnerView(value);
}

function toOpenTarget(value: unknown): OpenTarget | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, path, title, text, plan, session, tab } = value;
  switch (kind) {
    case 'file': {
      const place = toFilePlace(value['place']);
      return place && { kind, place };
    }
    case 'diff': {
      const before = toDiffSide(value['before']);
      const after = toDiffSide(value['after']);
      return isText(path) && isText(title) && before && after ? { kind, path, title, before, after } : undefined;
    }
    case 'text':
      return isText(path) && typeof text === 'string' ? { kind, path, text } : undefined;
    case 'plan':
      return isText(plan) ? { kind, plan } : undefined;
    case 'session':
      if (!isText(plan) || !isText(session)) return undefined;
      return { kind, plan, session, ...(isRunnerTab(tab) ? { tab } : {}) };
    case 'approval':
    case 'defer':
    case 'reject':
      return isText(value['approval']) ? { kind, approval: value['approval'] } : undefined;
    case 'rollBack':
      return isText(value['snapshot']) ? { kind, snapshot: value['snapshot'] } : undefined;
    case 'putBack': {
      const { to } = value;
      return to === 'before' || to === 'after' ? { kind, to, ...(isText(path) && { path }) } : undefined;
    }
    case 'answer': {
      const as = answerSights.find((name) => name === value['as']);
      return isText(value['approval']) && as !== undefined ? { kind, approval: value['approval'], as } : undefined;
    }
    case 'start': {
      const way = startWays.find((name) => name === value['way']);
      return way && { kind, way };
    }
    case 'suggestion': {
      const as = suggestionSights.find((name) => name === value['as']);
      return isText(value['approval']) && as !== undefined ? { kind, approval: value['approval'], as } : undefined;
    }
    case 'rule':
      return isText(value['rule']) ? { kind, rule: value['rule'] } : undefined;
    case 'why':
      return isText(value['about']) ? { kind, about: value['about'] } : undefined;
    case 'transcript':
      return isText(session) ? { kind, session } : undefined;
    case 'link':
      return isText(value['url']) ? { kind, url: value['url'] } : undefined;
    case 'manual':
    case 'dismiss':
    case 'terminal':
      return { kind };
    default:
      return undefined;
  }
}

function toFilePlace(value: unknown): FilePlace | undefined {
  if (!isRecord(value) || !isText(value['path'])) return undefined;
  const root = placeRoots.find((name) => name === value['root']);
  if (root === undefined) return undefined;
  const { line, path } = value;
  return { root, path, ...(isCount(line) ? { line } : {}) };
}

function toDiffSide(value: unknown): DiffSide | undefined {
  if (!isRecord(value)) return undefined;
  if (typeof value['text'] === 'string') return { text: value['text'] };
  const file = toFilePlace(value['file']);
  return file && { file };
}

function isPageRequest(value: unknown): value is PageRequest {
  return pageRequests.some((name) => name === value);
}

function isRunnerTab(value: unknown): value is RunnerTab {
  return runnerTabs.some((name) => name === value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
