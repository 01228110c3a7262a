/** Calls without a verdict, what others run, who may ask for what, and fences in prompts. */

const verdicts = 'test/harness/coverage.test.ts';

/** The five cases in which a call ends its session. */
const cases = [
  [
    'verdict',
    "if (verdict === undefined) return 'ran, and Ravel was not asked about it';",
    'if (verdict === undefined) return undefined;',
  ],
  ['denied', "? undefined : 'ran although it was denied';", '? undefined : undefined;'],
  ['input', "? undefined : 'ran with other input than the one that was judged';", '? undefined : undefined;'],
  ['again', "if (this.#covered.has(call)) return 'ran again under the same id';", ''],
  ['end', 'if (this.#options.verdicts.find(call) === undefined) {', 'if (this.#begun.size < 0) {'],
  ['begun', "begun === undefined ? 'ended without a beginning' : this", 'begun === undefined ? undefined : this'],
  ['two', "return { call: callId, tool, problem: 'has the id of another call' };", 'return undefined;'],
].map(([name, search, replacement]) => ({
  id: `coverage-${name}`,
  rule: `A call that no verdict covers is found: ${name}.`,
  file: 'src/harness/coverage.ts',
  edits: [[search, replacement]],
  test: verdicts,
}));

const settings = [
  ...['core.fsmonitor', 'core.hooksPath', 'core.pager', 'core.editor', 'sequence.editor', 'core.sshCommand'],
  ...['core.askPass', 'credential.helper', 'gc.auto', 'maintenance.auto', 'log.showSignature', 'submodule.recurse'],
  ...['safe.bareRepository'],
].map((key) => ({
  id: `own-${key.replace('.', '-')}`,
  rule: `What a repository says of ${key} does not count for git that Ravel runs.`,
  file: 'src/git/ownSettings.ts',
  edits: [[`{ key: '${key}',`, "{ key: 'ravel.unused',"]],
  test: 'test/git/ownSettings.test.ts',
}));

const variables = [
  ...["GIT_EDITOR: 'true'", "GIT_TERMINAL_PROMPT: '0'", "GIT_OPTIONAL_LOCKS: '0'", "GIT_NO_LAZY_FETCH: '1'"],
  "GIT_ALLOW_PROTOCOL: 'none'",
].map((text) => ({
  id: `own-${text.split(':')[0]}`,
  rule: `Git that Ravel runs has the variable ${text}.`,
  file: 'src/git/ownSettings.ts',
  edits: [[text, `RAVEL_UNUSED: ''`]],
  test: 'test/git/ownSettings.test.ts',
}));

/** @type {readonly import('./rules.mjs').Rule[]} */
export const otherRules = [
  {
    id: 'fence-message',
    rule: 'A message that looks for its receiver is fenced.',
    file: 'src/routing/sessions/promptSections.ts',
    edits: [
      [
        "...foreign('message', shortened(body, bodyCharactersMax)),",
        '...ownWords(shortened(body, bodyCharactersMax)),',
      ],
    ],
    test: 'test/routing/sessions/routeSession.test.ts',
  },
  {
    id: 'fence-question',
    rule: 'A question to a plan is fenced.',
    file: 'src/plans/messages/askPlan.ts',
    edits: [
      [
        "foreign('question', shortened(message.question, questionCharactersMax))",
        'ownWords(shortened(message.question, questionCharactersMax))',
      ],
    ],
    test: 'test/plans/messages/planAnswers.test.ts',
  },
  {
    id: 'grant-as-asked',
    rule: 'A yes to a use of a tool is for the way in which it would have run.',
    file: 'src/plans/approvals/toolGrants.ts',
    edits: [['JSON.stringify([tool, input, confinement, network, uses])', 'JSON.stringify([tool, input, uses])']],
    test: 'test/plans/approvals/toolGrants.test.ts',
  },
  {
    id: 'grant-what-it-uses',
    rule: 'A yes to a use of a tool is for what it would have run.',
    file: 'src/plans/approvals/toolGrants.ts',
    edits: [
      [
        'JSON.stringify([tool, input, confinement, network, uses])',
        'JSON.stringify([tool, input, confinement, network])',
      ],
    ],
    test: 'test/plans/sessions/policyInSession.test.ts',
  },
  {
    id: 'texts-field-keys',
    rule: 'Many fields of a task whose names give one key are read in linear time.',
    file: 'src/imports/slugs.ts',
    edits: [['let number = nextNumbers.get(slug) ?? 2;', 'let number = 2;']],
    test: 'test/support/foreignReaders.test.ts',
  },
  {
    id: 'texts-wrap',
    rule: 'A line of words without a width is wrapped in linear time.',
    file: 'src/cli/render/text.ts',
    edits: [['width + 1 + own > columns', 'widthOf(current) + 1 + own > columns']],
    test: 'test/support/foreignReaders.test.ts',
  },
  {
    id: 'texts-dependencies',
    rule: 'A list of far too many dependencies is looked up only so far.',
    file: 'src/imports/markdownDependencies.ts',
    edits: [['if (this.isExhausted) return undefined;', '']],
    test: 'test/imports/markdownDependencies.test.ts',
  },
  {
    id: 'texts-settings-size',
    rule: 'A settings file that is far too long is refused.',
    file: 'src/vault/toml.ts',
    edits: [['if (text.length > tomlCharactersMax) {', 'if (text.length < 0) {']],
    test: 'test/vault/toml.test.ts',
  },
  ...cases,
  ...settings,
  ...variables,
  {
    id: 'own-filters',
    rule: 'A filter that nobody accepted does not run.',
    file: 'src/git/programSettings.ts',
    edits: [['  { pattern: /^filter\\..*\\.(?:clean|smudge|process|required)$/s },\n', '']],
    test: 'test/git/hardening.test.ts',
  },
  {
    id: 'verdict-recorded',
    rule: 'A verdict is on the disk before the harness hears of it.',
    file: 'src/harness/toolVerdicts.ts',
    edits: [['await this.#journal.append(verdict);', 'void verdict;']],
    test: verdicts,
  },
  {
    id: 'fingerprint-rebase',
    rule: 'The fingerprint has what a rebase that is half done would run.',
    file: 'src/git/fingerprint.ts',
    edits: [["['x', 'exec'].includes(", "['x'].includes("]],
    test: 'test/git/fingerprint.test.ts',
  },
  {
    id: 'fingerprint-submodule',
    rule: 'The fingerprint has a repository in the place of a submodule that is not checked out.',
    file: 'src/git/innerRepositories.ts',
    edits: [['if (!isWithin(root, folder)) continue;', 'if (isWithin(root, folder)) continue;']],
    test: 'test/git/fingerprint.test.ts',
  },
  {
    id: 'fingerprint-settings',
    rule: "The fingerprint has git's settings.",
    file: 'src/git/fingerprint.ts',
    edits: [
      [
        'if (settings.length > 0) add(path, describeSettings(settings));',
        'add(path, { hash: String(settings.length * 0) });',
      ],
    ],
    test: 'test/git/fingerprint.test.ts',
  },
  {
    id: 'fingerprint-included',
    rule: 'The fingerprint has included settings.',
    file: 'src/git/fingerprint.ts',
    edits: [['if (included.length > 0) add(', 'if (included.length < 0) add(']],
    test: 'test/git/fingerprint.test.ts',
  },
  {
    id: 'fingerprint-hooks',
    rule: 'The fingerprint has the hooks.',
    file: 'src/git/fingerprint.ts',
    edits: [['...hooks.map((hook) => hook.path), ', '']],
    test: 'test/git/fingerprint.test.ts',
  },
  {
    id: 'fingerprint-named',
    rule: 'The fingerprint has the files that decide what others run.',
    file: 'src/git/fingerprint.ts',
    edits: [[', ...named])]', '])]']],
    test: 'test/git/fingerprint.test.ts',
  },
  ...[
    ['attributes', "    join(folder, 'info', 'attributes'),\n", ''],
    ['alternates', "    join(folder, 'objects', 'info', 'alternates'),\n", ''],
    ['link', "  found.push(join(root, '.git'));\n", ''],
    ['top', 'found.push(...(await watchedAtTop(git.disk, top, filesMax)));', 'void top;'],
    ['listed', 'found.push(...splitNul(stdout).map((path) => join(root, path)));', 'void stdout;'],
    ['untracked', "    '--others',\n", ''],
    ['tracked', "    '--cached',\n", ''],
  ].map(([source, search, replacement]) => ({
    id: `fingerprint-found-${source}`,
    rule: `The fingerprint has what decides from each source: ${source}.`,
    file: 'src/git/fingerprint.ts',
    edits: [[search, replacement]],
    test: 'test/plans/commits/programsQuestion.test.ts',
  })),
  {
    id: 'client-turns',
    rule: 'A flood of lines from one client leaves every other client its turns of the event loop.',
    file: 'src/server/connection.ts',
    edits: [['this.#hasRoom && this.#begunThisTurn < linesEachTurn', 'this.#hasRoom']],
    test: 'test/server/connection.test.ts',
  },
  {
    id: 'promoted-ids',
    rule: 'A new task does not take the id of a task that a message became, so that no cause is false.',
    file: 'src/plans/verbs/backlog.ts',
    edits: [[', ...promoted]', ']']],
    test: 'test/plans/verbs/backlog.test.ts',
  },
  {
    id: 'client-looks',
    rule: 'Of one client only a few requests that look run at a time, so that others are heard in between.',
    file: 'src/server/connection.ts',
    edits: [['isReadOnly(request, params) ? this.#reads.run(ask, signal) : ask()', 'ask()']],
    test: 'test/server/connection.test.ts',
  },
  {
    id: 'client-gone-runs',
    rule: 'A run goes on although the client that began it is gone.',
    file: 'src/wire/apiConnection.ts',
    edits: [['if (outlivesClient(line.request, line.params)) continue;', '']],
    test: 'test/wire/apiConnection.test.ts',
  },
  {
    id: 'script-rest',
    rule: 'What a script leaves in its process group ends with it.',
    file: 'src/base/runProcess.ts',
    edits: [["if (job.killsRest === true) signalGroup(child, 'SIGKILL');", '']],
    test: 'test/base/runProcess.test.ts',
  },
  {
    id: 'session-socket-requests',
    rule: 'The socket of sessions takes the calls of session tools alone.',
    file: 'src/server/sessionApi.ts',
    edits: [['if (!isSessionRequest(name)) throw sessionsOnly(name);', '']],
    test: 'test/server/sessionSocket.test.ts',
  },
  {
    id: 'session-socket-events',
    rule: 'The socket of sessions tells no events.',
    file: 'src/server/connection.ts',
    edits: [['if (this.#options.isSession === true && (line', 'if (this.#options.isSession === false && (line']],
    test: 'test/server/sessionSocket.test.ts',
  },
  {
    id: 'peer-process',
    rule: 'A process below a session is found by those above it.',
    file: 'src/harness/sessionAbove.ts',
    edits: [['    next = row.parent;\n', '    next = undefined;\n']],
    test: 'test/harness/sessionAbove.test.ts',
  },
  {
    id: 'peer-group',
    rule: 'A process below a session is found by the leaders of its group and login session.',
    file: 'src/harness/sessionAbove.ts',
    edits: [['of [next, row.group, row.leader]', 'of [next]']],
    test: 'test/harness/sessionAbove.test.ts',
  },
  {
    id: 'peer-pid',
    rule: 'The kernel tells which process connected.',
    file: 'src/harness/socketPeer.ts',
    edits: [['? Number(output) : undefined', '? undefined : undefined']],
    test: 'test/harness/socketPeer.test.ts',
  },
  {
    id: 'page-requests',
    rule: 'A page asks for what its buttons do.',
    file: 'src/model/webview.ts',
    edits: [
      [
        "return isCount(value['id']) && isPageRequest(value['name'])",
        "return isCount(value['id']) && typeof value['name'] === 'string'",
      ],
    ],
    test: 'test/model/webview.test.ts',
  },
  {
    id: 'page-parameters',
    rule: 'A page gives the parameters of its buttons alone.',
    file: 'src/model/webview.ts',
    edits: [['.find((key) => !allowed.includes(key))', '.find((key) => key === "" && !allowed.includes(key))']],
    test: 'test/model/webview.test.ts',
  },
  {
    id: 'drafts-count',
    rule: 'At most a hundred drafts of a page are kept.',
    file: 'src/model/drafts.ts',
    edits: [['while (first > 0 && all.length - first < draftsMax) {', 'while (first > 0) {']],
    test: 'test/model/drafts.test.ts',
  },
  {
    id: 'drafts-size',
    rule: 'The drafts of a page are bounded together.',
    file: 'src/model/drafts.ts',
    edits: [['if (characters > allCharactersMax) break;', '']],
    test: 'test/model/drafts.test.ts',
  },
  {
    id: 'drafts-other-page',
    rule: 'The next page has what was typed into the one before.',
    file: 'src/ui/runner/pageConnection.ts',
    edits: [['this.#parts.drafts.set(line.key, line.text);', '']],
    test: 'test/ui/runner/pageConnection.test.ts',
  },
  {
    id: 'link-repeats-acts',
    rule: 'The next owner is asked only what looks.',
    file: 'src/ui/vaultLink.ts',
    edits: [
      [
        "isRavelError(error, 'server/gone') && isReadOnly(name, params) && tries",
        "isRavelError(error, 'server/gone') && tries",
      ],
    ],
    test: 'test/ui/vaultLink.test.ts',
  },
  {
    id: 'answer-rejected-goes-on',
    rule: 'Nothing begins by itself after a person rejected.',
    file: 'src/model/resumesByItself.ts',
    edits: [
      [
        "if (decision === 'reject' || next === undefined) return undefined;",
        'if (next === undefined) return undefined;',
      ],
    ],
    test: 'test/model/resumesByItself.test.ts',
  },
  {
    id: 'changes-earlier',
    rule: "A person's earlier edits are no session's changes.",
    file: 'src/inspect/traces.ts',
    edits: [['...since.filter(({ path }) => isTouched.get(path) !== false),', '...since,']],
    test: 'test/inspect/changes.test.ts',
  },
  {
    id: 'changes-undone',
    rule: 'An earlier edit that a session undid is listed.',
    file: 'src/inspect/traces.ts',
    edits: [
      ['isTouched.get(path) === true && !changed.has(path)', 'isTouched.get(path) === undefined && !changed.has(path)'],
    ],
    test: 'test/inspect/changes.test.ts',
  },
  {
    id: 'fence-prompts',
    rule: 'What others wrote is fenced in prompts.',
    file: 'src/model/promptText.ts',
    edits: [
      ["('own' in piece ? piece.own : fenced(piece.data, piece.label))", "('own' in piece ? piece.own : piece.data)"],
    ],
    test: 'test/plans/sessions/fencedPrompts.test.ts',
  },
  {
    id: 'fence-length',
    rule: 'A fence is longer than any run in what it holds.',
    file: 'src/base/fence.ts',
    edits: [["'`'.repeat(Math.max(3, longest + 1))", "'`'.repeat(3)"]],
    test: 'test/base/fence.test.ts',
  },
  {
    id: 'fence-unseen',
    rule: 'Characters that nobody sees are spelled out in a fence.',
    file: 'src/base/fence.ts',
    edits: [['const content = visible(text).trimEnd();', 'const content = text.trimEnd();']],
    test: 'test/base/fence.test.ts',
  },
  {
    id: 'fence-names',
    rule: 'A name inside a sentence does not end its backticks.',
    file: 'src/base/fence.ts',
    edits: [[".split('`').join(\"'\");", ';']],
    test: 'test/base/fence.test.ts',
  },
  {
    id: 'origin-of-person',
    rule: 'What a person adds is recorded as theirs.',
    file: 'src/plans/proposals/planWriter.ts',
    edits: [["(changes) => recordOrigins(ports, plan, { by: 'person' }, changes)", 'async () => undefined']],
    test: 'test/scenarios/why.test.ts',
  },
  {
    id: 'origin-of-session',
    rule: 'What a session adds is recorded as its own.',
    file: 'src/plans/proposals/applyPhase.ts',
    edits: [["{ by: 'session', session: job.transaction.session }", "{ by: 'person' }"]],
    test: 'test/scenarios/why.test.ts',
  },
  {
    id: 'import-unmet-is-ready',
    rule: 'An imported task that waits for what is not a task does not count as ready.',
    file: 'src/imports/markdownBacklog.ts',
    edits: [['const isBlocked = unmet.length > 0 && ', 'const isBlocked = unmet.length < 0 && ']],
    test: 'test/imports/markdownBacklog.test.ts',
  },
  {
    id: 'proposals-narrower-copy',
    rule: 'No narrower copy of a proposed rule is proposed.',
    file: 'src/routing/learning/ruleMining.ts',
    edits: [['if (yield* settler.isCovered(settled.draft, covering)) continue;', '']],
    test: 'test/routing/learning/ruleMining.test.ts',
  },
  {
    id: 'verify-note-once',
    rule: 'A note that is as it was is not read again at the next start.',
    file: 'src/vault/entrySurvey.ts',
    edits: [['if (known !== undefined) return known;', 'if (known === null) return known;']],
    test: 'test/vault/verifyKnowledge.test.ts',
  },
];
