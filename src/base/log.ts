import { type Clock, formatTimestamp } from './clock.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a line says besides its message; JSON values, and errors, of which code and message are kept. */
export type LogFields = Readonly<Record<string, unknown>>;

/** For the people who look after a running program; nothing in the program reads it. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  readonly clock: Pick<Clock, 'wallMs'>;
  /** The least level that is written. */
  readonly level: LogLevel;
  /** Takes one line of JSON without its newline. */
  readonly write: (line: string) => void;
}

/** Writes each message as one line of JSON: `at`, `level`, `message`, then the fields. */
export function createLogger({ clock, level, write }: LoggerOptions): Logger {
  const least = levels.indexOf(level);
  const at =
    (own: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (levels.indexOf(own) < least) return;
      const head = { at: formatTimestamp(clock.wallMs()), level: own, message };
      write(JSON.stringify({ ...head, ...fields, ...head }, toLoggable));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Passes on what `mask` makes of each message and its fields. */
export function maskedLogger(log: Logger, mask: <T>(value: T) => T): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      log[level](mask(message), mask(fields));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Of what a person wrote, such as in the environment. */
export function isLogLevel(text: string | undefined): text is LogLevel {
  return levels.some((level) => level === text);
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

function toLoggable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!(value instanceof Error)) return value;
  const code = 'code' in value ? { code: value.code } : {};
  return { name: value.name, ...code, message: value.message };
}
