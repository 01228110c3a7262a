/** Names of settings whose values are secrets, by what they contain. */
const secretNames = ['extraheader', 'password', 'passwd', 'token', 'secret', 'cookie'];
const login = /\b(https?|ftps?):\/\/[^\s/"']{1,2000}@/gi;
const password = /(:\/\/[^\s/"':@]{1,200}):[^\s/"']{1,2000}@/g;

/**
 * A configuration of git without logins: users and passwords in addresses, and values of settings that are named as
 * secrets. The rest is as it was, so that git reads the same. Undefined if there is nothing to take out.
 */
export function redactGitConfig(text: string): string | undefined {
  let isInSecret = false;
  const lines = text.split('\n').flatMap((line) => {
    const isRest = isInSecret;
    isInSecret = (isRest || isSecret(line)) && line.endsWith('\\');
    if (isRest) return [];
    if (isSecret(line)) return [`${line.slice(0, line.indexOf('='))}= redacted`];
    return [line.replace(login, '$1://').replace(password, '$1@')];
  });
  const redacted = lines.join('\n');
  return redacted === text ? undefined : redacted;
}

function isSecret(line: string): boolean {
  const at = line.indexOf('=');
  if (at < 0 || /^\s*[#;]/.test(line)) return false;
  const name = line.slice(0, at).toLowerCase();
  const value = line.slice(at).toLowerCase();
  const isHelper = name.trim().endsWith('helper') && value.includes('!');
  return secretNames.some((secret) =>
    (name.slice(name.lastIndexOf(']') + 1) + (isHelper ? value : '')).includes(secret),
  );
}
