/** Permission bits with which everyone who may read a file can also run it, or no one can. */
export function withExecution(mode: number, isExecutable: boolean): number {
  return isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}
