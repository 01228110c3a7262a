/** Whether the name of a variable is one of `environment.pass`: such a name, or one with that beginning before a `*`. */
export function isVariableOf(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}
