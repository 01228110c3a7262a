import type { LogFields, LogLevel } from '../base/log.ts';
import type { RavelEvent } from '../model/event.ts';

export interface LogLine {
  readonly level: Exclude<LogLevel, 'debug'>;
  readonly message: string;
  readonly fields: LogFields;
}

/** What the log of an owner says of an event: what began and how it ended, by ids. Nothing that a session said is in it. */
export function logLineOf(event: RavelEvent): LogLine | undefined {
  const { actor } = event;
  switch (event.type) {
    case 'phase.started':
      return { level: 'info', message: `${event.phase} of ${actor} begins`, fields: { session: event.session } };
    case 'phase.ended': {
      const { phase, end, next, session } = event;
      const level = end === 'failed' || end === 'interrupted' ? 'warn' : 'info';
      return { level, message: `${phase} of ${actor} is ${end}`, fields: { next, session } };
    }
    case 'session.started': {
      const { session, phase, harness, reattached } = event;
      const message = `session ${session} of ${actor} ${reattached ? 'is taken over' : 'starts'}`;
      return { level: 'info', message, fields: { phase, harness } };
    }
    case 'session.ended': {
      const { session, end, exitCode, durationMs } = event;
      return { level: 'info', message: `session ${session} of ${actor} ended`, fields: { end, exitCode, durationMs } };
    }
    case 'run.ended':
      return { level: 'info', message: `the run of ${actor} is over`, fields: { reason: event.reason } };
    default:
      return undefined;
  }
}
