import { isRecord, parseJson } from '../base/json.ts';
import { headline, oneLine, plural, withoutEnd } from '../base/text.ts';
import { maskSecrets } from '../gates/secrets/maskSecrets.ts';
import type { Task } from '../model/backlog.ts';
import type { ProjectFiles } from './projectFiles.ts';

/** Bytes of a survey. */
const surveyBytesMax = 12_000;

/** What is known of the plans and experts, beside the project's files. */
export interface SurveyFacts {
  readonly project: string;
  /** The plan that the goal is for. */
  readonly under: string;
  readonly plans: readonly {
    readonly plan: string;
    readonly description: string;
    readonly tasks: readonly Pick<Task, 'title' | 'status'>[];
  }[];
  /** One line each. */
  readonly experts: readonly string[];
  /** Titles of the last commits, the newest first. */
  readonly commits: readonly string[];
}

/** Bytes of each part, which together leave room for their headings. */
const budgets = {
  readme: 1700,
  manifests: 1300,
  tests: 600,
  tree: 2500,
  todo: 1500,
  commits: 1000,
  plans: 2300,
  experts: 500,
} as const;

/**
 * What a session learns of a project before it looks by itself: made by code, the same for the same files, of at most
 * 12,000 bytes.
 */
export async function surveyProject(files: ProjectFiles, facts: SurveyFacts): Promise<string> {
  const readme = topFile(files, /^readme(\.\w+)?$/i);
  const manifests = manifestsOf(files);
  const todos = todoFiles(files);
  const texts = await files.readAll([...(readme === undefined ? [] : [readme]), ...manifests, ...todos]);
  const readmeText = readme === undefined ? undefined : texts[0];
  const offset = readme === undefined ? 0 : 1;
  const manifestTexts = manifests.map((path, at): Named => ({ path, text: texts[offset + at] ?? '' }));
  const todoTexts = todos.map((path, at): Named => ({ path, text: texts[offset + manifests.length + at] ?? '' }));
  const more = files.isCut ? ' (there are more, which are not listed)' : '';
  const parts = [
    `# Project ${facts.project}, for the plan ${facts.under}\n\n${plural(files.paths.length, 'file')} that git does not ignore${more}.`,
    section('Beginning of the README', lines(readmeText ?? ''), budgets.readme, 'There is no README.'),
    section('Manifests', manifestTexts.flatMap(describeManifest), budgets.manifests, 'None is at the top.'),
    section('How tests are run', testHints(files, manifestTexts), budgets.tests, 'Nothing at the top says how.'),
    section('Folders', describeTree(files.paths), budgets.tree, 'The project is empty.'),
    section('Open points in files', todoTexts.flatMap(openPoints), budgets.todo, 'None was found.'),
    section(
      'Last commits',
      facts.commits.map((title) => `- ${titleOf(title)}`),
      budgets.commits,
      'There is none.',
    ),
    section('Plans and their open tasks', facts.plans.flatMap(describePlan), budgets.plans, 'There is none.'),
    section(
      'Experts',
      facts.experts.map((line) => `- ${oneLine(line)}`),
      budgets.experts,
      'There is none.',
    ),
  ];
  return cutTo(maskSecrets(parts.join('\n\n')), surveyBytesMax);
}

interface Named {
  readonly path: string;
  readonly text: string;
}

function section(title: string, rows: readonly string[], bytesMax: number, otherwise: string): string {
  const taken: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const line = cutTo(maskSecrets(row), 300);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > bytesMax) break;
    taken.push(line);
  }
  const left = rows.length - taken.length;
  const more = left > 0 ? [`(${plural(left, 'more line')} left out)`] : [];
  return [`## ${title}`, ...(rows.length === 0 ? [otherwise] : taken), ...more].join('\n');
}

/** Masked first: the beginning of a secret is none that the mask would know. */
function titleOf(text: string): string {
  return headline(maskSecrets(text), 100);
}

/** The beginning of a text, within a number of bytes; no character is cut in two. */
function cutTo(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const cut = Buffer.from(text)
    .subarray(0, bytesMax - 3)
    .toString('utf8');
  return `${withoutEnd(cut, '\uFFFD')}…`;
}

function lines(text: string): string[] {
  return text
    .split(/\r?\n/, 200)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

function topFile({ paths }: ProjectFiles, name: RegExp): string | undefined {
  return paths.find((path) => name.test(path));
}

const manifestNames: readonly RegExp[] = [
  /^package\.json$/,
  /^(?:deno|jsr)\.jsonc?$/,
  /^Cargo\.toml$/,
  /^pyproject\.toml$/,
  /^(?:setup\.(?:py|cfg)|requirements\.txt|tox\.ini|noxfile\.py)$/,
  /^go\.mod$/,
  /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
  /^(?:Gemfile|Rakefile|composer\.json|mix\.exs|Package\.swift|pubspec\.yaml)$/,
  /^(?:CMakeLists\.txt|meson\.build|configure\.ac|Makefile|justfile)$/i,
  /^[^/]+\.(?:sln|csproj|cabal|gemspec)$/,
  /^(?:Dockerfile|docker-compose\.ya?ml|flake\.nix)$/,
];
const manifestsMax = 12;

function manifestsOf({ paths }: ProjectFiles): string[] {
  return paths.filter((path) => manifestNames.some((name) => name.test(path))).slice(0, manifestsMax);
}

function describeManifest({ path, text }: Named): string[] {
  if (path !== 'package.json') return [`- ${path}: ${firstFacts(text)}`];
  const json = parseJson(text);
  if (!isRecord(json)) return [`- ${path} cannot be read`];
  const names = (key: string) => (isRecord(json[key]) ? Object.keys(json[key]).sort().slice(0, 25) : []);
  const facts = [
    ['description', json['description']],
    ['engines', isRecord(json['engines']) ? JSON.stringify(json['engines']) : undefined],
    ['dependencies', names('dependencies').join(', ')],
    ['devDependencies', names('devDependencies').join(', ')],
  ].flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [`  ${name}: ${oneLine(value)}`] : []));
  return [`- ${path}: ${oneLine(String(json['name'] ?? ''))}`, ...facts];
}

/** The first lines with text, which name a project in most formats. */
function firstFacts(text: string): string {
  const said = lines(text).filter((line) => !/^\s*(?:#|\/\/|<\?|<!--|\/\*|\*)/.test(line));
  return headline(said.slice(0, 6).map(oneLine).join('; '), 250);
}

/** What names the tests: scripts, targets of make, the files that runners read, and where tests lie. */
function testHints({ paths }: ProjectFiles, manifests: readonly Named[]): string[] {
  const scripts = manifests.flatMap(({ path, text }): string[] => {
    if (path === 'package.json') {
      const json = parseJson(text);
      const all = isRecord(json) && isRecord(json['scripts']) ? Object.entries(json['scripts']) : [];
      return all
        .filter(([name]) => /^(?:test|check|lint|build|typecheck)/.test(name))
        .map(([name, command]) => `- npm run ${name}: ${headline(String(command), 120)}`);
    }
    if (/^(?:makefile|justfile)$/i.test(path)) {
      const targets = lines(text)
        .map((line) => (line.includes(':') ? line.slice(0, line.indexOf(':')).trim() : ''))
        .filter((name) => /^[\w-]{1,60}$/.test(name) && /test|check|lint/.test(name));
      return targets.map((target) => `- ${path} has the target ${target}`);
    }
    if (path === 'Cargo.toml') return ['- cargo test'];
    if (path === 'go.mod') return ['- go test ./...'];
    return [];
  });
  const configs = paths.filter((path) =>
    /^(?:pytest\.ini|conftest\.py|tox\.ini|vitest\.config\.\w+|jest\.config\.\w+|phpunit\.xml|\.rspec)$/.test(path),
  );
  const tests = paths.filter(
    (path) => /(?:^|\/)(?:tests?|specs?|__tests__)\//i.test(path) || /[._](?:test|spec)\.\w+$/.test(path),
  );
  const ci = paths.filter((path) =>
    /^(?:\.github\/workflows\/[^/]+|\.gitlab-ci\.yml|\.circleci\/config\.yml)$/.test(path),
  );
  return [
    ...scripts,
    ...configs.map((path) => `- ${path}`),
    ...(tests.length === 0 ? [] : [`- ${plural(tests.length, 'test file')}, such as ${tests[0]}`]),
    ...ci.slice(0, 5).map((path) => `- ${path}`),
  ];
}

const depthMax = 3;
const kindsMax = 4;

/** Folders down to the third level with the number of files below each, and what kinds they are; the largest first. */
function describeTree(paths: readonly string[]): string[] {
  const folders = new Map<string, Map<string, number>>();
  for (const path of paths) {
    const segments = path.split('/');
    const kind = /[^.]\.(\w{1,10})$/.exec(segments.at(-1) ?? '')?.[1]?.toLowerCase() ?? 'other';
    for (let depth = 0; depth < Math.min(segments.length, depthMax + 1); depth++) {
      const folder = segments.slice(0, depth).join('/');
      const kinds = folders.get(folder) ?? new Map<string, number>();
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      folders.set(folder, kinds);
    }
  }
  const rows = [...folders].map(([folder, kinds]) => ({
    folder,
    depth: folder === '' ? 0 : folder.split('/').length,
    count: [...kinds.values()].reduce((sum, count) => sum + count, 0),
    kinds,
  }));
  // Level by level, so that what is left out at the end is what lies deepest and holds least.
  rows.sort((a, b) => a.depth - b.depth || b.count - a.count || (a.folder < b.folder ? -1 : 1));
  return rows.map(({ folder, count, kinds }) => {
    const largest = [...kinds].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, kindsMax);
    return `- ${folder === '' ? 'all' : `${folder}/`}: ${plural(count, 'file')} (${largest.map(([kind, n]) => `${kind} ${n}`).join(', ')})`;
  });
}

const todoFilesMax = 8;

function todoFiles({ paths }: ProjectFiles): string[] {
  return paths
    .filter((path) =>
      /^(?:docs?\/|\.github\/)?(?:todo|issues?|roadmap|backlog|known[-_]?issues|plan)(?:\.\w+)?$/i.test(path),
    )
    .slice(0, todoFilesMax);
}

/** Items of lists that are not ticked. */
function openPoints({ path, text }: Named): string[] {
  const items = lines(text).flatMap((line) => {
    const match = /^(?:[-*+]|\d{1,4}[.)])\s(.*)$/s.exec(line.trim());
    const item = match?.[1]?.trim() ?? '';
    return item === '' || /^\[[xX]\]/.test(item) ? [] : [`- ${path}: ${headline(item.replace(/^\[ \]\s*/, ''), 140)}`];
  });
  return items.length === 0 && text.trim() !== '' ? [`- ${path}: ${headline(text.trim(), 140)}`] : items;
}

const tasksOfPlanMax = 12;

function describePlan({ plan, description, tasks }: SurveyFacts['plans'][number]): string[] {
  const open = tasks.filter(({ status }) => status !== 'done');
  const left = open.length - tasksOfPlanMax;
  return [
    `- ${plan}: ${oneLine(description) || '(no description)'}`,
    ...open.slice(0, tasksOfPlanMax).map(({ title, status }) => `  - ${titleOf(title)} (${status})`),
    ...(left > 0 ? [`  - and ${plural(left, 'more open task')}`] : []),
  ];
}
