import type { RequestResults } from '../../model/protocol.ts';
import type { Style } from './style.ts';
import { clip, wrap } from './text.ts';

type Settings = RequestResults['settings'];

/** One table of `daemon.toml` after the other; a setting that is not the default stands out, and says where it is set. */
export function formatSettings({ settings }: Settings, style: Style, columns: number): string[] {
  const lines: string[] = [];
  let table = '';
  for (const setting of settings) {
    const at = setting.path.lastIndexOf('.');
    const [parent, key] = [setting.path.slice(0, at), setting.path.slice(at + 1)];
    if (parent !== table) lines.push(...(table === '' ? [] : ['']), style.strong(`[${parent}]`));
    table = parent;
    const from = setting.from === 'default' ? '' : `   (${setting.from})`;
    const line = clip(`${key} = ${formatValue(setting.value)}${from}`, columns);
    lines.push(setting.from === 'default' ? line : style.strong(line));
    if (setting.waiting !== undefined) lines.push(clip(`    ${formatWaiting(setting.waiting)}`, columns));
    lines.push(...wrap(describe(setting), Math.max(20, columns - 4)).map((text) => style.faint(`    ${text}`)));
  }
  return lines;
}

function formatWaiting({ value }: NonNullable<Settings['settings'][number]['waiting']>): string {
  return `${formatValue(value)} in daemon.toml takes effect once the owner of the vault starts again`;
}

function describe({ meaning, inPlan, flag }: Settings['settings'][number]): string {
  const elsewhere = [
    ...(inPlan === undefined ? [] : [`for one plan: ${inPlan} in plan-state.md`]),
    ...(flag === undefined ? [] : [`for one run: ${flag}`]),
  ];
  return elsewhere.length === 0 ? meaning : `${meaning} (${elsewhere.join('; ')})`;
}

function formatValue(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}
