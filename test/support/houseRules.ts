import { posix } from 'node:path';
import { isPrivateName, privateNamesIn } from './privateNames.ts';
import { isUnitTest } from './projects.ts';
import { importsOf, lineOf, type SourceFile, splitLayers } from './sourceText.ts';

/** A rule looks at files and returns one line for each violation: `path:line: what is wrong`. */
type Rule = (files: readonly SourceFile[]) => string[];

/**
 * Who may import whom, from top to bottom: a room (a folder of `src/`) or a file, and the rooms or files it may import
 * besides itself. What a file has is added to what its room has. `docs/design/house.md` says why.
 */
const lowRooms = ['base', 'model'];
/** What runs in a browser: of the base only what needs no Node. */
const browserRooms = [
  'model',
  ...[
    'base/abort.ts',
    'base/clock.ts',
    'base/defined.ts',
    'base/disposable.ts',
    'base/emitter.ts',
    'base/errors.ts',
    'base/json.ts',
    'base/text.ts',
  ],
];
const resourceRooms = ['yaml', 'vault', 'actors', 'harness', 'gates', 'git'];
const roomsBelowCore = [
  ...[...lowRooms, ...resourceRooms, 'documents', 'imports', 'routing', 'knowledge', 'questions', 'plans'],
  ...['decisions', 'housekeeping', 'doctor', 'inspect', 'experts', 'goals', 'notifications'],
];

const importTable: Readonly<Record<string, readonly string[]>> = {
  base: [],
  model: [
    'base/assert.ts',
    'base/defined.ts',
    'base/disposable.ts',
    'base/errors.ts',
    'base/fence.ts',
    'base/json.ts',
    'base/text.ts',
  ],
  // The id of a reply follows from what it says, no matter who sends it.
  'model/reply.ts': ['base/ulid.ts'],
  yaml: lowRooms,
  vault: [...lowRooms, 'yaml'],
  actors: lowRooms,
  harness: lowRooms,
  gates: lowRooms,
  git: lowRooms,
  // What an editor shows in a file of the vault: findings, completions, links.
  documents: [...lowRooms, 'yaml', 'vault'],
  imports: [...lowRooms, 'yaml', 'vault'],
  // The entries of a plan's files and the index of their words, by which messages find the plan that they are about.
  routing: [...lowRooms, 'yaml', 'vault', 'harness', 'gates', 'git', 'knowledge'],
  knowledge: [...lowRooms, 'yaml', 'vault', 'harness', 'gates', 'git'],
  // Questions from the moment they are taken in to their answer, for plans and experts alike.
  questions: [...lowRooms, 'yaml', 'vault', 'harness'],
  plans: [...lowRooms, ...resourceRooms, 'knowledge', 'questions'],
  // What stands on plans, and no plan needs.
  decisions: [...lowRooms, ...resourceRooms, 'plans'],
  housekeeping: [...lowRooms, ...resourceRooms, 'questions', 'plans'],
  doctor: [...lowRooms, ...resourceRooms, 'plans', 'housekeeping', 'notifications'],
  inspect: [...lowRooms, ...resourceRooms, 'plans'],
  experts: [...lowRooms, ...resourceRooms, 'knowledge', 'questions'],
  // From a goal or a list to plans that a person accepted.
  goals: [...lowRooms, ...resourceRooms, 'imports', 'plans'],
  // Tells a person by other programs what needs them.
  notifications: [...lowRooms, 'vault', 'gates'],
  // Copies a plan's project and vault to a temporary place, and reads what became of them there.
  rehearsal: [...lowRooms, 'yaml', 'vault', 'actors', 'harness', 'git', 'plans'],
  'core.ts': [
    ...roomsBelowCore,
    'requests',
    'requests.ts',
    'coreOwner.ts',
    'coreParts.ts',
    'coreMeaning.ts',
    'coreServices.ts',
    'coreStop.ts',
  ],
  // Parts of `core.ts`, for it alone.
  'coreOwner.ts': [...roomsBelowCore, 'coreParts.ts', 'coreStart.ts'],
  'coreParts.ts': [
    ...roomsBelowCore,
    ...[
      'coreActors.ts',
      'coreEvents.ts',
      'coreExperts.ts',
      'coreIngestion.ts',
      'coreKnowledge.ts',
      'coreMessages.ts',
      'coreRouting.ts',
      'coreServices.ts',
    ],
  ],
  'coreServices.ts': [...roomsBelowCore, 'coreEvents.ts'],
  'coreEvents.ts': roomsBelowCore,
  'coreActors.ts': roomsBelowCore,
  'coreKnowledge.ts': [...roomsBelowCore, 'requests/handlers.ts'],
  'coreExperts.ts': roomsBelowCore,
  'coreIngestion.ts': [...roomsBelowCore, 'coreExperts.ts', 'requests/handlers.ts'],
  'coreRouting.ts': [...roomsBelowCore, 'coreIngestion.ts', 'requests/handlers.ts'],
  'coreStart.ts': [...roomsBelowCore, 'requests/handlers.ts'],
  'coreMessages.ts': roomsBelowCore,
  'coreMeaning.ts': roomsBelowCore,
  'coreStop.ts': roomsBelowCore,
  requests: roomsBelowCore,
  'requests.ts': [...roomsBelowCore, 'requests'],
  // Requests and answers as lines, for whatever carries them: a socket and a page. It runs in browsers, too.
  wire: browserRooms,
  server: [...lowRooms, 'wire'],
  // What other agents may do with a vault, for the faces that offer it to them.
  agents: lowRooms,
  mcp: [...lowRooms, 'agents', 'server/client.ts', 'server/reconnecting.ts'],
  // Opens a vault for the command line, the editor and other programs: as its owner or as a client.
  access: [...lowRooms, 'server'],
  'access/corePort.ts': [
    'core.ts',
    'git/git.ts',
    'harness/processTable.ts',
    'vault/discovery.ts',
    'vault/layout.ts',
    'vault/owner.ts',
    'vault/watcher.ts',
    'harness/sessionAbove.ts',
    'harness/socketPeer.ts',
    'rehearsal/makeRehearsal.ts',
    'rehearsal/rehearsalFolder.ts',
  ],
  cli: [...lowRooms, 'server', 'mcp', 'access'],
  // Completions are answered before the rest of the command line is loaded, and ask no core.
  'cli/completion/complete.ts': [...lowRooms, 'vault/layout.ts', 'vault/discovery.ts'],
  'cli/completion/vaultNames.ts': [...lowRooms, 'vault/layout.ts'],
  // Holds the pseudo-terminal of one program, in a process of its own.
  terminals: [...lowRooms, 'server/socketRoom.ts'],
  // The program's wiring: it makes the core and its ports, and starts what runs as a process of its own.
  'cli/main.ts': [
    'harness/claudeHooks.ts',
    'harness/editor.ts',
    'harness/pager.ts',
    'harness/processTable.ts',
    'harness/scriptedProgram.ts',
    'harness/terminate.ts',
    'notifications/deliver.ts',
    'notifications/notifySettings.ts',
    'plans/storedSecrets.ts',
    'terminals/terminalProgram.ts',
  ],
  'access/sessionsOfVault.ts': ['vault/layout.ts'],
  // What is worth telling a person is decided once, for a window and for other programs.
  ui: [...lowRooms, 'agents', 'wire', 'notifications/newsQueue.ts'],
  webview: [...browserRooms, 'wire'],
  'extension.ts': [...lowRooms, 'ui', 'library.ts', 'terminals/terminalClient.ts'],
  // For programs that use Ravel without its command line, and for the extension; the same wiring.
  'library.ts': [
    ...lowRooms,
    ...['harness/processTable.ts', 'access', 'vault/discovery.ts', 'notifications/notifySettings.ts'],
    'doctor/startNeeds.ts',
  ],
};

/** Rooms with floors: a folder may import those that stand before it, and the files of its room that are in none. */
const floors: Readonly<Record<string, readonly string[]>> = {
  plans: [...['verbs', 'approvals', 'proposals', 'sessions', 'messages', 'commits', 'phases']],
  routing: ['facts', 'rules', 'history', 'learning', 'content', 'scores', 'steps', 'sessions', 'causes'],
};

/** What touches the outside world, and the only rooms or files that may. */
const onlyThere: readonly { readonly what: string; readonly pattern: RegExp; readonly allowed: readonly string[] }[] = [
  {
    what: 'the file system',
    pattern: /^(node:)?fs(\/promises)?$/,
    allowed: ['base/nodeDisk.ts', 'base/blockingDisk.ts'],
  },
  {
    what: 'threads',
    pattern: /^(node:)?worker_threads$/,
    allowed: [
      'vault/scanThread.ts',
      'vault/scanWorker.ts',
      'vault/entryWorker.ts',
      'base/callThread.ts',
      'base/offerCalls.ts',
      'knowledge/search/searchWorker.ts',
      'routing/history/historyThread.ts',
      'routing/history/historyWorker.ts',
    ],
  },
  {
    what: 'sockets',
    pattern: /^(node:)?(net|tls|dgram|http|https|http2)$/,
    allowed: ['server', 'terminals', 'base/http.ts'],
  },
  { what: 'pseudo-terminals', pattern: /^(node-pty|@lydell\/)/, allowed: ['terminals/pty.ts'] },
  {
    what: 'processes',
    pattern: /^(node:)?(child_process|cluster)$/,
    allowed: ['harness', 'git', 'base/processes.ts', 'notifications/deliver.ts'],
  },
  { what: 'timers', pattern: /^(node:)?timers(\/promises)?$/, allowed: ['base/clock.ts'] },
  // What blocks a thread is for a thread that no code waits for.
  {
    what: 'the disk that blocks',
    pattern: /\/blockingDisk\.ts$/,
    allowed: ['vault/scanWorker.ts', 'vault/entryWorker.ts', 'knowledge/search/searchWorker.ts'],
  },
  { what: 'gray-matter', pattern: /^gray-matter$/, allowed: ['vault/frontmatter.ts'] },
  { what: 'chokidar', pattern: /^chokidar$/, allowed: ['vault/watcher.ts'] },
  { what: 'the editor', pattern: /^vscode$/, allowed: ['ui', 'extension.ts'] },
  { what: 'the global process', pattern: /^(node:)?process$/, allowed: ['cli', 'library.ts', 'extension.ts'] },
];

const globalsOnlyThere: typeof onlyThere = [
  {
    what: 'frames',
    pattern: /(?<![.\w$#])(?:(?:globalThis|window)\s*\.\s*)?(?:requestAnimationFrame|requestIdleCallback)\b/g,
    allowed: ['webview/frames.ts'],
  },
  // Text from outside never becomes a tag: texts are put in as texts, Markdown as a sanitised fragment.
  {
    what: 'raw HTML',
    pattern: /\b(?:innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|unsafeStatic|createContextualFragment)\b/g,
    allowed: [],
  },
  {
    what: 'the door to the editor',
    pattern: /\b(?:acquireVsCodeApi|postMessage)\b/g,
    allowed: [
      ...['webview/vscodeTransport.ts', 'ui', 'vault', 'routing/history/historyWorker.ts'],
      ...['base/callThread.ts', 'base/offerCalls.ts'],
    ],
  },
  {
    what: 'timers',
    pattern: /(?<![.\w$#])(?:globalThis\s*\.\s*)?(?:setTimeout|setInterval)\b/g,
    allowed: ['base/clock.ts'],
  },
  {
    what: 'time and random',
    pattern: /\b(?:Date\.now|Math\.random|performance\.now)\b|\bnew Date\(\s*\)/g,
    allowed: ['base/clock.ts', 'base/ulid.ts'],
  },
  {
    what: 'the global process',
    pattern: /(?<![.\w$#])(?:globalThis\s*\.\s*)?process\s*\??\.\s*(?!\.|(?:kill|pid|platform)\b)\w/g,
    // Each is the entry of a process, and hands down what it takes of it.
    allowed: ['cli', 'access/corePort.ts', 'library.ts', 'extension.ts'],
  },
  {
    what: 'processes',
    pattern: /(?<![.\w$#])process\.(?:kill|pid)\b/g,
    // `base/runProcess.ts` ends what the rooms for processes start by it: git and harness cannot import each other.
    allowed: ['cli', 'access/corePort.ts', 'harness', 'git', 'terminals/pty.ts', 'base/runProcess.ts'],
  },
  {
    what: 'the kind of operating system',
    pattern: /(?<![.\w$#])process\.platform\b/g,
    allowed: [
      ...['cli', 'access/corePort.ts', 'harness', 'git', 'server', 'terminals/pty.ts'],
      ...['base/nodeDisk.ts', 'base/runProcess.ts', 'notifications/deliver.ts'],
    ],
  },
];

const importsGoDownhill: Rule = (files) =>
  sources(files).flatMap(({ path, text }) =>
    importsOf(text).flatMap(({ specifier, line }) => {
      const target = resolveImport(path, specifier);
      if (target === undefined || mayImport(path, target)) return [];
      return [`${path}:${line}: may not import ${target}`];
    }),
  );

const outsideWorldHasOneDoor: Rule = (files) =>
  sources(files).flatMap(({ path, text }) => {
    const { code } = splitLayers(text);
    const imported = importsOf(text).flatMap(({ specifier, line }) =>
      onlyThere
        .filter(({ pattern, allowed }) => pattern.test(specifier) && !isWithin(path, allowed))
        .map(({ what }) => `${path}:${line}: may not touch ${what}`),
    );
    const used = globalsOnlyThere
      .filter(({ allowed }) => !isWithin(path, allowed))
      .flatMap(({ what, pattern }) =>
        [...code.matchAll(pattern)].map(({ index }) => `${path}:${lineOf(text, index)}: may not touch ${what}`),
      );
    return [...new Set([...imported, ...used])];
  });

const noCycles: Rule = (files) => {
  const graph = new Map(
    sources(files).map(({ path, text }) => [
      path,
      importsOf(text).flatMap(({ specifier }) => resolveImport(path, specifier) ?? []),
    ]),
  );
  const finished = new Set<string>();
  for (const start of graph.keys()) {
    const cycle = findCycle(start, graph, finished);
    if (cycle !== undefined) return [`${cycle.join(' -> ')}: a circle of imports`];
  }
  return [];
};

/** The editor calls `deactivate` without saying what to stop, so the extension's own file has to keep that. */
const keepsState = 'src/extension.ts';

const modulesHoldNoState: Rule = (files) =>
  sources(files.filter(({ path }) => path !== keepsState)).flatMap(({ path, text }) =>
    [...splitLayers(text).code.matchAll(/^(?:export )?(?:let|var) /gm)].map(
      ({ index }) => `${path}:${lineOf(text, index)}: a module holds mutable state`,
    ),
  );

const noReExports: Rule = (files) =>
  sources(files).flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ reExport }) => reExport)
      .map(({ line, specifier }) => `${path}:${line}: exports ${specifier} a second time`),
  );

const unfinished = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X'].join(''), 'g');
const leftOut =
  /\.(?:skip|only|todo|skipIf|runIf)\b\s*[(.`]|\b(?:vi|vitest)\.(?:mock|doMock)\b|\bretry: (?:\d|\{)|\.fails\b|\{ (?:skip|todo|only|fails): true/g;
/** The one place that leaves a test out, and says why. */
const leavesOut = 'test/support/machine.ts';
const elsewhere = /\b(?:designs?|facts) \d/gi;
const designPage = /\bdocs\/design\/[\w-]+\.md\b/g;
const machinePath = /(?<![\w.~-])\/(?:home|Users|root|work)\/[\w.-]/g;

/** Comments of the sources and the tests, and the whole of every other text. */
const nothingIsLeftUnfinished: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const where = isTypeScript(path) ? splitLayers(text).comments : text;
    return [...where.matchAll(unfinished)].map((match) => `${path}:${lineOf(text, match.index)}: says ${match[0]}`);
  });

const noTestIsLeftOut: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('test/') && path !== leavesOut)
    .flatMap(({ path, text }) =>
      [...splitLayers(text).code.matchAll(leftOut)].map(
        (match) => `${path}:${lineOf(text, match.index)}: holds ${match[0].replace(/\s*[(`]$/, '')}`,
      ),
    );

/** A longer file of tests is split by subject. */
const testFilesAreShort: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    if (!path.endsWith('.test.ts')) return [];
    const linesMax = path.includes('/scenarios/') ? 400 : 440;
    const lines = text.split('\n').length - 1;
    return lines > linesMax ? [`${path}: has ${lines} lines; split it by subject, at most ${linesMax}`] : [];
  });

/** Unit tests share threads, so neither they nor the support that they import starts a process. */
const unitsStartNoProcess: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const starter = (path: string, seen: Set<string>): string | undefined => {
    const text = byPath.get(path)?.text;
    if (text === undefined || seen.has(path)) return undefined;
    seen.add(path);
    const imports = importsOf(text);
    if (imports.some(({ specifier }) => /^node:(?:child_process|cluster)$/.test(specifier))) return path;
    for (const { specifier } of imports) {
      const found = starter(resolveImport(path, specifier) ?? '', seen);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return files
    .filter(({ path }) => isUnitTest(path))
    .flatMap(({ path }) => {
      const found = starter(path, new Set());
      return found === undefined ? [] : [`${path}: reaches ${found}, which starts processes`];
    });
};

/** What ships, and what builds, packs and starts it, works in a checkout without tests. */
const productImportsNoTest: Rule = (files) =>
  files
    .filter(({ path }) => !path.startsWith('test/'))
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ specifier }) => resolveImport(path, specifier)?.startsWith('test/'))
        .map(({ line, specifier }) => `${path}:${line}: imports ${specifier}, which is only for tests`),
    );

/** A comment is read where the repository is, so what it rests on has to be there too. */
const commentsNameWhatIsHere: Rule = (files) => {
  const present = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, text }) => {
    const where = isTypeScript(path) ? splitLayers(text).comments : text;
    const papers = [...where.matchAll(elsewhere)].map(({ 0: cited, index }) => ({ cited, index }));
    const pages = [...where.matchAll(designPage)]
      .filter(([page]) => !present.has(page))
      .map(({ 0: cited, index }) => ({ cited, index }));
    return [...papers, ...pages].map(
      ({ cited, index }) => `${path}:${lineOf(text, index)}: cites ${cited}, which is not here`,
    );
  });
};

const noMachinePaths: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(machinePath)].map(({ index }) => `${path}:${lineOf(text, index)}: names a path of one machine`),
  );

/** Turns of speech that a native reader stumbles over. Those that need judgement are left to readers. */
const stiffWords =
  /(?<!\bthere )\b(?:is|are) no\b(?! longer| more\b)|\bso many\b(?! that)|\b(?:whoever|(?:some|no|any|every)body)\b|\b(?:undefined|null|false|absent|empty|throws|rejects) where\b|\bmend(?:s|ed|ing)?\b|\b(?:goes|go|going|went) on with\b|\blets? go of\b|\bleft[- ]?overs?\b|\banew\b/gi;

/** Pages without what they quote, and the whole of every other text. */
const wordsArePlain: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const prose = path.endsWith('.md') ? withoutQuotes(text) : text;
    return [...prose.matchAll(stiffWords)].map(
      ({ 0: found, index }) => `${path}:${lineOf(text, index)}: says ${found}`,
    );
  });

/** The title of a test or of a group of tests, also of a table: what is called with a text first. */
const testTitle = /(?:\b(?:test|describe)(?:\.\w+)*\(|[)`]\()\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;

const titlesArePlain: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(testTitle)].flatMap(({ 2: title = '', index }) =>
      [...title.matchAll(stiffWords)].map(
        ({ 0: found }) => `${path}:${lineOf(text, index)}: says ${found} in the title of a test`,
      ),
    ),
  );

/** What a file exports, and what it is called itself. */
const namesAreTheFields: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const file = posix.basename(path).replace(/\..*$/, '');
    return [
      ...(isPrivateName(file) ? [`${path}: is called ${file}`] : []),
      ...exportsOf(text)
        .filter(({ name }) => isPrivateName(name))
        .map(({ name, index }) => `${path}:${lineOf(text, index)}: exports ${name}`),
    ];
  });

/** Where the names are written that people read in lists: of events, settings, requests and commands. */
const shownIn: readonly { readonly path: RegExp; readonly pattern: RegExp }[] = [
  { path: /^src\/model\/event\.ts$/, pattern: /readonly type: '([\w.]+)'/g },
  { path: /^src\/model\/(?:settingRows|harnesses)\.ts$/, pattern: /^ {2,4}'?([a-z][\w.-]*)'?: \{/gm },
  { path: /^src\/model\/requests\//, pattern: /^ {2}(\w+): \w+\(/gm },
  { path: /^src\/cli\//, pattern: /\.command\('([\w-]+)/g },
  { path: /^src\/ui\/commandNames\.ts$/, pattern: /'([\w.]+)'/g },
  { path: /^package\.nls\.json$/, pattern: /"(?:command|view|tool)\.\w+": "([^"]+)"/g },
  { path: /^package\.json$/, pattern: /"(ravel\.[\w.]+)"|"(?:title|label|category|name)": "([^"]+)"/g },
];

const shownNamesAreTheFields: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    shownIn
      .filter((table) => table.path.test(path))
      .flatMap(({ pattern }) => [...text.matchAll(pattern)])
      .flatMap(({ 1: first, 2: second, index }) =>
        privateNamesIn(first ?? second ?? '').map(
          (name) => `${path}:${lineOf(text, index)}: ${first ?? second} says ${name}`,
        ),
      ),
  );

/** Names that two files export, and why both must; none has to so far. */
const sharedNames: Readonly<Record<string, string>> = {};

/** One idea is exported once, and two ideas have two names: a name leads to one file. */
const namesAreExportedOnce: Rule = (files) => {
  const first = new Map<string, string>();
  return sources(files).flatMap(({ path, text }) => {
    const problems: string[] = [];
    for (const { name, index } of exportsOf(text)) {
      const before = first.get(name) ?? path;
      first.set(name, before);
      if (before === path || Object.hasOwn(sharedNames, name)) continue;
      problems.push(`${path}:${lineOf(text, index)}: exports ${name}, as ${before} does`);
    }
    return problems;
  });
};

function exportsOf(text: string): readonly { readonly name: string; readonly index: number }[] {
  const exported = splitLayers(text).code.matchAll(
    /^export (?:abstract |async |declare )*(?:class|interface|type|function\*?|const|enum) (\w+)/gm,
  );
  return [...exported].map(({ 1: name = '', index }) => ({ name, index }));
}

/** Code in Markdown is blanked, line by line. */
function withoutQuotes(markdown: string): string {
  return markdown.replace(/^```.*?^```|`[^`\n]*`/gms, (quoted) => quoted.replace(/[^\n]/g, ' '));
}

export const houseRules = {
  importsGoDownhill,
  outsideWorldHasOneDoor,
  noCycles,
  modulesHoldNoState,
  noReExports,
  nothingIsLeftUnfinished,
  noTestIsLeftOut,
  testFilesAreShort,
  unitsStartNoProcess,
  productImportsNoTest,
  commentsNameWhatIsHere,
  noMachinePaths,
  wordsArePlain,
  titlesArePlain,
  namesAreTheFields,
  shownNamesAreTheFields,
  namesAreExportedOnce,
} as const;

function sources(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path }) => placeOf(path) !== undefined);
}

function isTypeScript(path: string): boolean {
  return /\.[mc]?[tj]s$/.test(path);
}

/** Path below the root of a relative import; undefined for packages and Node's own modules. */
function resolveImport(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(path), specifier);
}

function mayImport(path: string, target: string): boolean {
  const from = placeOf(path);
  const to = placeOf(target);
  if (from === undefined || to === undefined) return false;
  const room = roomOf(from);
  if (room === roomOf(to)) return floorOf(to) <= floorOf(from);
  const rows = [importTable[room], importTable[from]].flatMap((row) => row ?? []);
  return isWithin(target, rows);
}

/** A path as the tables name it: that of a source below `src/`, and that of a page as it is. */
function placeOf(path: string): string | undefined {
  if (path.startsWith('src/')) return path.slice('src/'.length);
  return path.startsWith('webview/') ? path : undefined;
}

/** A file directly in `src/` is a room of its own. */
function roomOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** A room's own files are on the ground; a folder that is not listed is above all, so that no folder can use it. */
function floorOf(path: string): number {
  const [room = '', folder, file] = path.split('/');
  const folders = floors[room];
  if (folders === undefined || file === undefined) return -1;
  const floor = folders.indexOf(folder ?? '');
  return floor < 0 ? folders.length : floor;
}

function isWithin(path: string, places: readonly string[]): boolean {
  const place = placeOf(path);
  return places.some((one) => place === one || place?.startsWith(`${one}/`));
}

function findCycle(
  start: string,
  graph: ReadonlyMap<string, readonly string[]>,
  finished: Set<string>,
): string[] | undefined {
  return visit(start, []);

  function visit(path: string, trail: readonly string[]): string[] | undefined {
    const at = trail.indexOf(path);
    if (at >= 0) return [...trail.slice(at), path];
    if (finished.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(path);
    return undefined;
  }
}
