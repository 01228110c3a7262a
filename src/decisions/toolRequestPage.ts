import { isRecord } from '../base/json.ts';
import { opensNetwork } from '../model/approval.ts';
import { formatYaml } from '../yaml/yaml.ts';

/**
 * What a session wants to do, as a person sees it before they answer: the tool, each part of its input as it is, where it
 * would run, and why it is asked. Texts stand deeper than the names before them, so that none can pass for a name.
 */
export function describeToolRequest(details: unknown): string {
  const { tool_name: tool, input, folder, confinement, reason } = isRecord(details) ? details : {};
  const place = typeof folder === 'string' ? `${String(tool)}, in ${folder}` : String(tool);
  const where = [
    place,
    ...(confinement === undefined ? [] : [String(confinement)]),
    ...(opensNetwork(details) ? ['with the network open'] : []),
  ];
  const parts = isRecord(input) ? Object.entries(input).map(([name, value]) => describePart(name, value)) : [];
  return [
    [where.join(', '), ...parts].join('\n'),
    ...(typeof reason === 'string' ? [`Why you are asked: ${reason}`] : []),
    ...(tool === 'Bash' ? [opensNetwork(details) ? networkForGood : forGood] : []),
  ].join('\n\n');
}

const forGood =
  'To stop questions about a command, allow it in `policy.yaml` of the vault, which takes effect at once.';

const networkForGood =
  'To stop questions about the network, set `sandbox.network` to `open` or `none` in daemon.toml; that takes effect for every command at the next start of Ravel.';

function describePart(name: string, value: unknown): string {
  const text = (typeof value === 'string' ? value : formatYaml(value)).replace(/\n$/, '');
  return `  ${name}:\n${text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}`;
}
