import { readPrinted, runStoreProgram, type StoreOutcome, type StorePorts } from './storeProgram.ts';

export interface KeychainPorts extends StorePorts {
  /** That of this process unless told. */
  readonly platform?: NodeJS.Platform | undefined;
}

type Problem = { readonly problem: string };

/** The service under which the keychain has each secret; the account is the secret's name. */
const service = 'ravel';
/** Before a value that the program could not carry as it is, such as one of several lines. */
const encoded = 'ravel-base64:';
const printable = /^[\x20-\x7e]+$/;

/**
 * `security -i` reads its commands by lines of at most 4,095 bytes, and takes the value in hexadecimal;
 * `secret-tool store` reads at most 8,191 bytes. Both leave room for what stands beside the value.
 */
const bytesMax: Partial<Record<NodeJS.Platform, number>> = { darwin: 1_900, linux: 8_000 };

/** The value that the system's keychain has of a secret; or why there is none, as a clause. */
export async function readKeychain(name: string, ports: KeychainPorts): Promise<{ readonly value: string } | Problem> {
  const program = programOf(ports);
  if (program === undefined) return noKeychain;
  const args =
    program === 'security'
      ? ['find-generic-password', '-s', service, '-a', name, '-w']
      : ['lookup', 'service', service, 'account', name];
  const end = await runStoreProgram({ program, args }, ports);
  const problem = problemOf(program, end);
  if (problem !== undefined) return problem;
  const found = readPrinted('output' in end ? end.output : Buffer.alloc(0));
  if ('problem' in found) return { problem: `${program} ${found.problem}` };
  return { value: decode(found.value) };
}

/** Puts a value there in the place of any before it; resolves with why that failed, as a clause. The value is in no argument. */
export async function writeKeychain(name: string, value: string, ports: KeychainPorts): Promise<Problem | undefined> {
  const program = programOf(ports);
  if (program === undefined) return noKeychain;
  const text = printable.test(value) && !value.startsWith(encoded) ? value : encode(value);
  const most = bytesMax[platformOf(ports)] ?? 0;
  if (Buffer.byteLength(text) > most) {
    return { problem: `the keychain takes at most ${most} bytes through ${program}, and fewer of several lines` };
  }
  const hexadecimal = Buffer.from(text).toString('hex');
  const job =
    program === 'security'
      ? {
          ...{ program, args: ['-i'] },
          stdin: `add-generic-password -U -s ${service} -a ${name} -l "Ravel ${name}" -X ${hexadecimal}\n`,
        }
      : {
          ...{ program, args: ['store', `--label=Ravel ${name}`, 'service', service, 'account', name] },
          stdin: text,
        };
  const problem = problemOf(program, await runStoreProgram(job, ports));
  if (problem !== undefined) return problem;
  // An interactive `security` ends with 0 whatever became of its commands.
  const read = await readKeychain(name, ports);
  if ('problem' in read) return read;
  return read.value === value ? undefined : { problem: `${program} did not keep the value` };
}

/** Removes it from there; resolves with why that failed, as a clause. One that is not there is removed already. */
export async function removeFromKeychain(name: string, ports: KeychainPorts): Promise<Problem | undefined> {
  const program = programOf(ports);
  if (program === undefined) return noKeychain;
  const args =
    program === 'security'
      ? ['delete-generic-password', '-s', service, '-a', name]
      : ['clear', 'service', service, 'account', name];
  const end = await runStoreProgram({ program, args }, ports);
  // `secret-tool` ends with 1 for every failure, but is silent only if there was nothing to remove.
  const isGone = 'code' in end && (program === 'security' ? end.code === notFound : end.code === 1 && !end.complained);
  return isGone ? undefined : problemOf(program, end);
}

/** Whether this system has a keychain that can be asked, by its program on PATH. */
export async function hasKeychain(ports: KeychainPorts): Promise<boolean> {
  const program = programOf(ports);
  if (program === undefined) return false;
  const end = await runStoreProgram({ program, args: program === 'security' ? ['help'] : ['--version'] }, ports);
  return !('cause' in end && end.cause === 'missing');
}

const noKeychain: Problem = { problem: 'Ravel knows no keychain of this system' };

function platformOf({ platform = process.platform }: KeychainPorts): NodeJS.Platform {
  return platform;
}

function programOf(ports: KeychainPorts): 'security' | 'secret-tool' | undefined {
  const platform = platformOf(ports);
  if (platform === 'darwin') return 'security';
  return platform === 'linux' ? 'secret-tool' : undefined;
}

/** Codes of `security`: the low byte of what the Security framework reports. */
const notFound = 44;
const lockedCodes: ReadonlySet<number> = new Set([36, 51, 128]);

function problemOf(program: 'security' | 'secret-tool', end: StoreOutcome): Problem | undefined {
  if ('problem' in end) {
    const why = end.cause === 'hangs' ? ', so the keychain may be locked and waits for its password' : '';
    return { problem: `${program} ${end.problem}${why}` };
  }
  if (end.code === 0) return undefined;
  if (program === 'security' && lockedCodes.has(end.code)) return { problem: 'the keychain is locked' };
  if (program === 'security' && end.code === notFound) return { problem: 'the keychain has no value for it' };
  if (program === 'secret-tool' && end.code === 1) {
    if (end.complained) return { problem: 'the keychain is locked or does not run' };
    // Silent, it ends alike for all of these.
    return { problem: 'the keychain has no value for it, or is locked, or does not run' };
  }
  return { problem: `${program} ended with code ${end.code}` };
}

function encode(value: string): string {
  return encoded + Buffer.from(value, 'utf8').toString('base64');
}

function decode(text: string): string {
  return text.startsWith(encoded) ? Buffer.from(text.slice(encoded.length), 'base64').toString('utf8') : text;
}
