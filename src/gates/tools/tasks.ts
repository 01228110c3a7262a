import { type CommandPlace, doubt, type Objection, refuse, strictest } from './objection.ts';
import { byNames, wordsOf } from './programs/table.ts';
import type { ShellWord } from './shell/shell.ts';

/** What tasks and scripts are called by custom; any other name may be that of a program, or of what runs its arguments. */
const customary =
  /^(?:all|bench|build|check|ci|clean|codegen|compile|coverage|cov|db|dev|docs|e2e|fix|fmt|format|generate|gen|lint|migrate|preview|qa|seed|serve|server|start|storybook|style|styles|test|tests|types|typecheck|type-check|unit|validate|verify|watch)(?:[:_.-]\S*)?$/;

export function isCustomary(task: string): boolean {
  return customary.test(task);
}

/** Words in the name of a task that takes something out of the project, or installs it. */
const leaving: ReadonlySet<string> = new Set(
  wordsOf('publish deploy upload unpublish push promote jib install uninstall'),
);

/**
 * Tools whose plugins bring tasks that publish, by names that are known. Undefined stands for a tool whose other tasks are
 * named by the project.
 */
const pluginTasks: ReadonlyMap<string, RegExp | undefined> = byNames({
  'mvn mvnw':
    /^(?:(?:pre-|post-)?(?:clean|site|integration-test)|initialize|package|prepare-package|install|test-compile|process-(?:test-)?(?:sources|resources|classes)|(?:surefire|failsafe|checkstyle|spotless|spotbugs|pmd|jacoco|compiler|resources|jar|war|formatter|fmt|enforcer|javadoc|source|license):[\w@-]+|dependency:(?:tree|analyze|list)|spring-boot:run|quarkus:dev)$/,
  'gradle gradlew': undefined,
  sbt: /^(?:package|run|doc|stage|assembly|(?:test|scalafmt|scalafix|coverage)[A-Z]\w*|projects|tasks|version)$/,
  lein: /^(?:run|uberjar|jar|cljfmt|kibit|eastwood|javac|classpath|version|help)$/,
});

/** The name of a task. A word for sbt may hold several commands, each with arguments of its own. */
export function judgeTask(program: string, word: ShellWord, place: CommandPlace): Objection {
  if (word.isDynamic || word.isGlob) return doubt(place, `What ${program} would do cannot be known.`);
  if (program !== 'sbt') return judgeName(program, word.text, place);
  const commands = word.text.split(';').map((command) => command.trim().split(/\s/)[0] ?? '');
  return strictest(commands.map((command) => judgeName(program, command.replace(/^[+~]+/, ''), place)));
}

function judgeName(program: string, task: string, place: CommandPlace): Objection {
  const isOfPlugins = pluginTasks.has(program);
  if (isLeaving(task) && !(program.startsWith('mvn') && task === 'install')) {
    return isOfPlugins
      ? refuse(`${program} ${task} reaches beyond the project.`)
      : doubt(place, `${program} ${task} may take something out of the project, or install it.`);
  }
  if (program.startsWith('gradle') && /(?:^|:)(?:properties|init|wrapper)$/.test(task))
    return doubt(place, `${program} ${task} may show passwords, or change what later builds run.`);
  const known = pluginTasks.get(program);
  const name = task.split('/').at(-1) ?? '';
  return known === undefined || isCustomary(name) || known.test(name)
    ? undefined
    : doubt(place, `${program} ${task} is not known to be harmless.`);
}

/** By the words of a name, such as `:lib:publishSigned` or `docker-push`. */
export function isLeaving(task: string): boolean {
  const words = task.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  // Elsewhere in a name it is a kind of build, as in `assembleRelease`.
  const own = task.split(task.startsWith(':') ? ':' : '/').at(-1) ?? '';
  return words.some((word) => leaving.has(word)) || /^release(?![a-z])/i.test(own);
}

/** Variables that choose and name things by custom. Others may hold a program; an empty one shortens a path. */
const settings: ReadonlySet<string> = new Set(
  wordsOf(
    `V VERBOSE DEBUG TEST TESTS BUILD BUILD_TYPE CONFIG MODE PROFILE TARGET ARCH PLATFORM VERSION PKG COVERAGE JOBS
     CMAKE_BUILD_TYPE CMAKE_C_STANDARD CMAKE_CXX_STANDARD CMAKE_CONFIGURATION_TYPES buildtype optimization warning_level`,
  ),
);
/** A switch of cmake itself that is on may still name a file. */
const switches =
  /^CMAKE_(?:EXPORT_COMPILE_COMMANDS|VERBOSE_MAKEFILE|POSITION_INDEPENDENT_CODE|CXX_EXTENSIONS|UNITY_BUILD|COLOR_\w+|INTERPROCEDURAL_OPTIMIZATION)$|^(?!CMAKE_)/;

/** Whether a variable given to a build is plainly a switch, a number or one that chooses by custom. */
export function isSetting(name: string, value: string): boolean {
  if (/^(?:\d{1,9}|y|n|no|on|off|true|false)$/i.test(value)) return switches.test(name) || settings.has(name);
  return settings.has(name) && /^\w[\w./:@%+-]*$/.test(value);
}

/** `NAME=value` or `NAME:TYPE=value`, which decides what a build runs. */
export function judgeSetting(program: string, word: ShellWord, place: CommandPlace): Objection {
  const [, name = '', value = ''] = /^([A-Za-z_][\w.-]*)(?::\w+)?=(.*)$/s.exec(word.text) ?? [];
  return word.isDynamic || !isSetting(name, value)
    ? doubt(place, `A build may run what ${program} ${word.text} says.`)
    : undefined;
}
