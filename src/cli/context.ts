import type { Diagnostic } from '../base/errors.ts';
import { visibleJson } from '../base/fence.ts';
import type { RavelEvent } from '../model/event.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Ports } from './ports.ts';
import { formatDiagnostic } from './render/diagnostics.ts';
import { chooseLink, type FileLink, noLink } from './render/link.ts';
import { columnsOf, plainColumns, Screen } from './render/screen.ts';
import { chooseStyle, type TextLayout } from './render/style.ts';
import { terminalText } from './render/terminalText.ts';

/** Options that every command takes. */
export interface Globals {
  readonly vault?: string;
  readonly json?: boolean;
  readonly color: boolean;
  readonly quiet?: boolean;
}

/** Starts the command that was named; its exit code becomes the program's. */
export type Start = (begin: (context: CommandContext) => Promise<number>) => Promise<void>;

/** What a command says, in the form that was asked for: text for people, or one JSON object a line for scripts. */
export interface CommandContext extends TextLayout {
  readonly ports: Ports;
  readonly globals: Globals;
  /** Makes a text a link to a file, where the terminal can open one. */
  readonly link: FileLink;
  /** What the command came to: the object for scripts, the lines for people. */
  result(value: unknown, lines: readonly string[]): void;
  /**
   * As `result`; on a terminal the person reads it in their pager, unless they want none. Elsewhere a text for programs,
   * such as a patch, goes out byte for byte in place of the lines.
   */
  page(value: unknown, lines: readonly string[], wantsPager: boolean, forPrograms?: string): Promise<void>;
  /** That a command which goes on is ready; as `result`, and before it. */
  started(value: unknown, lines: readonly string[]): void;
  /** What goes on meanwhile; nothing of it with `--quiet`. */
  event(event: RavelEvent): void;
  /** Names the project of a plan, so that paths inside it are shown short. */
  setProject(plan: QualifiedId, directory: string): void;
  /** A remark for people only. */
  note(lines: readonly string[]): void;
  error(diagnostic: Diagnostic): void;
  /** Takes live rows off the terminal; to be called before the process ends, whatever happened. */
  close(): void;
}

export function createContext(ports: Ports, globals: Globals): CommandContext {
  return globals.json === true ? createJsonContext(ports, globals) : createTextContext(ports, globals);
}

function createTextContext(ports: Ports, globals: Globals): CommandContext {
  const { stdout, stderr, clock, environment } = ports;
  const colorFlag = globals.color;
  const style = chooseStyle({ isTty: stdout.isTty, colorFlag, environment });
  const errorStyle = chooseStyle({ isTty: stderr.isTty, colorFlag, environment });
  const columns = columnsOf(stdout);
  const screen = new Screen({ output: stdout, clock, style });
  const isQuiet = globals.quiet === true;
  const isOneScreen = stdout.isTty && stderr.isTty;
  const shown = new Set<string>();
  return {
    ports,
    globals,
    style,
    columns,
    link: chooseLink(style, environment),
    result(_value, lines) {
      screen.dispose();
      if (lines.length > 0) stdout.write(terminalText(`${lines.join('\n')}\n`, style));
    },
    async page(_value, lines, wantsPager, forPrograms) {
      screen.dispose();
      if (forPrograms !== undefined && !stdout.isTty) return stdout.write(forPrograms);
      if (lines.length === 0) return;
      const text = terminalText(`${lines.join('\n')}\n`, style);
      if (!stdout.isTty || !wantsPager) return stdout.write(text);
      // An interrupt is the pager's to handle: without us it would be left alone with the terminal.
      const ignoring = ports.onInterrupt(() => undefined);
      try {
        if (!(await ports.runPager(text))) stdout.write(text);
      } finally {
        ignoring.dispose();
      }
    },
    started(_value, lines) {
      if (!isQuiet) screen.print(lines);
    },
    event(event) {
      if (isQuiet) return;
      if (event.type === 'diagnostic') shown.add(keyOf(event.diagnostic));
      screen.show(event);
    },
    setProject: (plan, directory) => screen.setProject(plan, directory),
    note(lines) {
      if (!isQuiet) screen.print(lines);
    },
    error(diagnostic) {
      screen.dispose();
      const lines = formatDiagnostic(diagnostic, errorStyle, columns);
      // If stdout and stderr share a screen, the user has just read the event. A file of errors needs the whole text.
      const isRepeat = isOneScreen && shown.has(keyOf(diagnostic));
      stderr.write(terminalText(`${lines.slice(0, isRepeat ? 1 : undefined).join('\n')}\n`, errorStyle));
    },
    close: () => screen.dispose(),
  };
}

function createJsonContext(ports: Ports, globals: Globals): CommandContext {
  const { stdout } = ports;
  const line = (value: unknown) => stdout.write(`${visibleJson(JSON.stringify(value))}\n`);
  return {
    ports,
    globals,
    style: chooseStyle({ isTty: false, colorFlag: false, environment: {} }),
    columns: plainColumns,
    link: noLink,
    result: (value) => line({ result: value }),
    page: async (value) => line({ result: value }),
    started: (value) => line({ started: value }),
    event(event) {
      if (globals.quiet !== true) line({ event });
    },
    setProject: () => undefined,
    note: () => undefined,
    error: (error) => line({ error }),
    close: () => undefined,
  };
}

function keyOf({ code, subject, message }: Diagnostic): string {
  return [code, subject, message].join('\n');
}
