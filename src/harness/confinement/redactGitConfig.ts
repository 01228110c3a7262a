/** Names of settings whose values are secrets, by what they contain. */
const secretNames = ['extraheader', 'password', 'passwd', 'token', 'secret', 'cookie'];
const login = /\b(https?|ftps?):\/\/[^\s/"]{1,2000}@/gi;
const password = /(:\/\/[^\s/"':@]{1,200}):[^\s/"]{1,2000}@/g;
/** The header of a section, behind which a setting may stand on the same line. A name in quotes may hold anything. */
const section = /^[ \t]*\[(?:[^\]"]|"(?:\\.|[^"\\])*")*\]/;

/**
 * A configuration of git without logins: users and passwords in addresses, and values of settings that are named as
 * secrets. The rest is as it was, so that git reads the same. Undefined if there is nothing to take out.
 */
export function redactGitConfig(text: string): string | undefined {
  let isInSecret = false;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const isRest: boolean = isInSecret;
    const valueAt: number | undefined = isRest || !line.includes('=') ? undefined : secretValueAt(line);
    isInSecret = (isRest || valueAt !== undefined) && (line.endsWith('\\') || line.endsWith('\\\r'));
    if (isRest) continue;
    if (valueAt !== undefined) lines.push(`${line.slice(0, valueAt)}= redacted`);
    else lines.push(line.includes('://') ? line.replace(login, '$1://').replace(password, '$1@') : line);
  }
  const redacted = lines.join('\n');
  return redacted === text ? undefined : redacted;
}

/** Where the `=` of a secret setting stands in its line. */
function secretValueAt(line: string): number | undefined {
  const start = line.includes('[') ? (section.exec(line)?.[0].length ?? 0) : 0;
  const at = line.indexOf('=', start);
  if (at < 0) return undefined;
  const name = line.slice(start, at).trim().toLowerCase();
  if (/^[#;]/.test(name)) return undefined;
  const isHelper = name.endsWith('helper') && line.includes('!', at);
  const named = isHelper ? name + line.slice(at).toLowerCase() : name;
  const isSecret = secretNames.some((secret) => named.includes(secret)) || /(?<!ask)pass$/.test(name);
  return isSecret ? at : undefined;
}
