import { isQualifiedId, type QualifiedId } from '../../model/id.ts';

/** The plan that a command was called with: its id, or a row of a view that names it. */
export function planOf(argument: unknown): QualifiedId | undefined {
  if (typeof argument === 'string') return isQualifiedId(argument) ? argument : undefined;
  if (typeof argument !== 'object' || argument === null) return undefined;
  if ('plan' in argument) return planOf(argument.plan);
  return 'id' in argument ? planOf(argument.id) : undefined;
}

/** The path that a command was called with: a text, or what the explorer hands over. */
export function pathOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument === '' ? undefined : argument;
  if (typeof argument !== 'object' || argument === null || !('fsPath' in argument)) return undefined;
  return typeof argument.fsPath === 'string' ? argument.fsPath : undefined;
}
