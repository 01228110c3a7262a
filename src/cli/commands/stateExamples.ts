import type { VerbName } from '../../model/verbs.ts';

interface VerbExample {
  /** What follows `ravel state <noun> <verb>`. */
  readonly words: string;
  /** Content of the file that the words name. */
  readonly file?: string;
}

/** One example for each verb of a person; a test runs them all, in a plan that has these records. */
export const stateExamples: Readonly<Record<Exclude<VerbName, 'source/revert'>, VerbExample>> = {
  'backlog/list': { words: 'greeter --ready --format markdown --group-by category' },
  'backlog/show': { words: 'greeter fix-the-crash' },
  'backlog/add': { words: 'greeter --title "Round half up" --category bug --dependencies fix-the-crash' },
  'backlog/set-status': { words: 'greeter fix-the-crash blocked --reason "the test machine is gone"' },
  'backlog/set-results': { words: 'greeter fix-the-crash --body "An empty name is refused; tested."' },
  'backlog/set-handoff': { words: 'greeter fix-the-crash --body-file handoff.md', file: 'Refuse, do not guess.\n' },
  'backlog/clear-handoff': { words: 'greeter fix-the-crash' },
  'backlog/set-title': { words: 'greeter fix-the-crash "Refuse an empty name"' },
  'backlog/set-description': { words: 'greeter fix-the-crash --body "An empty name crashes it."' },
  'backlog/set-dependencies': { words: 'greeter write-the-manual --dependencies fix-the-crash,add-a-comma' },
  'backlog/reorder': { words: 'greeter add-a-comma before fix-the-crash' },
  'backlog/delete': { words: 'greeter fix-the-crash --force' },
  'backlog/repair-stale-statuses': { words: 'greeter --dry-run' },
  'backlog/lint-dependencies': { words: 'greeter' },
  'backlog/init': {
    words: 'greeter/project-root/fresh --body-file tasks.yaml',
    file: 'tasks:\n- id: first-step\n  title: First step\n  category: core\n  status: not_started\n',
  },
  'received/list': { words: 'greeter' },
  'received/show': { words: 'greeter 01JD0000000000000000000001' },
  'received/promote': {
    words: 'greeter 01JD0000000000000000000001 --title "Greet in French" --category feature',
  },
  'received/decline': { words: 'greeter 01JD0000000000000000000001 --reason "the parser does that"' },
  'memory/list': { words: 'greeter' },
  'memory/show': { words: 'greeter names-are-utf-8' },
  'memory/add': { words: 'greeter --title "Tests need no network" --body "They run alone." --source decision' },
  'memory/set-title': { words: 'greeter names-are-utf-8 "Every name is UTF-8"' },
  'memory/set-body': { words: 'greeter names-are-utf-8 --body "Names come and go as UTF-8."' },
  'memory/delete': { words: 'greeter names-are-utf-8' },
  'memory/merge': { words: 'greeter names-are-utf-8 --from names-can-be-long --body "Names are UTF-8 and long."' },
  'memory/init': {
    words: 'greeter/project-root/fresh --body-file entries.yaml',
    file: 'entries:\n- id: one-fact\n  title: One fact\n  body: It holds.\n',
  },
  'session/list': { words: 'greeter --limit 5' },
  'session/show': { words: 'greeter 2026-11-19-say-hello' },
  'session/append': {
    words: 'greeter --id 2026-11-20-by-hand --timestamp 2026-11-20T08:30:00Z --body "### By hand"',
  },
  'session/show-latest': { words: 'greeter' },
  'session/set-latest': {
    words: 'greeter --json-args record.json',
    file: '{"title": "Rounding", "body": "...", "claims": [{"text": "It rounds", "evidence": [{"path": "greet.mjs"}]}]}\n',
  },
  'phase/show': { words: 'greeter' },
  'phase/set': { words: 'greeter triage' },
  'phase-summary/render': { words: 'greeter --phase triage --baseline HEAD' },
  'commits/set': {
    words: 'greeter --json-args commits.json',
    file: '{"commits": [{"paths": ["greet.mjs"], "message": "Round half up"}]}\n',
  },
  'message/list': { words: 'greeter' },
  'message/dispatch': {
    words: 'greeter --target-plan greeter/project-root/fresh --reason "it is yours" --body "Greet in French."',
  },
  'message/ask': { words: 'greeter --target-expert french --reason "we need the word" --body "Salut or bonjour?"' },
};
