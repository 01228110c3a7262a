import { spawn as systemSpawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import { visible } from '../base/fence.ts';
import type { Spawn } from '../base/processes.ts';
import { OutputTail } from '../base/processOutput.ts';
import { runProcess } from '../base/runProcess.ts';
import { excerpt, firstLine } from '../base/text.ts';
import { maskSecrets } from '../gates/secrets/maskSecrets.ts';
import type { NotifySettings, PersonNotification } from '../model/notification.ts';

export interface DeliveryPorts {
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings: NotifySettings;
  readonly spawn?: Spawn | undefined;
  /** The text with the names of the person's secrets in the place of their values, as far as these are known. */
  readonly withoutSecrets: (text: string) => string;
}

/** Sends one notification; resolves with what went wrong, as sentences. */
export type Deliver = (notification: PersonNotification, stop?: AbortSignal) => Promise<readonly string[]>;

/** A program that takes longer hangs. */
export const deliveryTimeoutMs = 10_000;
const titleLengthMax = 100;
const textLengthMax = 300;
const readLengthMax = 4000;
const outputBytesMax = 4096;

interface Job {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Sends notifications by the person's own program, which gets one JSON object on standard input, and by the system's
 * program for the desktop. Nothing of a notification is read by a shell.
 */
export function createDeliver(ports: DeliveryPorts): Deliver {
  const { settings } = ports;
  return async (given, stop) => {
    const notification = harmlessNotification(given, ports);
    const jobs = [
      ...commandJob(settings, notification, ports),
      ...(settings.desktop ? [desktopJob(notification)] : []),
    ];
    const problems = await Promise.all(jobs.map((job) => runJob(job, ports, stop)));
    return problems.filter((problem) => problem !== undefined);
  };
}

/** Bounded, on one line each, and without what looks like a secret: it leaves Ravel, and may leave the machine. */
function harmlessNotification(
  { title, text, ...rest }: PersonNotification,
  { withoutSecrets }: DeliveryPorts,
): PersonNotification {
  const plain = (one: string, lengthMax: number) =>
    excerpt(visible(maskSecrets(withoutSecrets(one.slice(0, readLengthMax)))), lengthMax);
  return { ...rest, title: plain(title, titleLengthMax), text: plain(text, textLengthMax) };
}

function commandJob(
  { command }: NotifySettings,
  { kind, title, text, plan, id, command: link }: PersonNotification,
  { environment }: DeliveryPorts,
): Job[] {
  const [program = '', ...args] = typeof command === 'string' ? [command] : command;
  if (program === '') return [];
  const path = program.replace(/^~(?=\/)/, environment['HOME'] ?? '~');
  return [
    {
      name: program,
      program: path,
      args,
      stdin: `${JSON.stringify({ kind, title, text, plan, id, command: link })}\n`,
    },
  ];
}

function desktopJob({ title, text, command }: PersonNotification): Job {
  const body = `${text}\n${command}`;
  switch (process.platform) {
    case 'darwin': {
      const script = 'display notification (item 2 of argv) with title (item 1 of argv)';
      const lines = ['on run argv', script, 'end run'].flatMap((line) => ['-e', line]);
      return { name: 'osascript', program: 'osascript', args: [...lines, title, body] };
    }
    case 'win32':
      return {
        ...{ name: 'powershell', program: 'powershell.exe' },
        args: ['-NoProfile', '-NonInteractive', '-Command', toastScript],
        environment: { RAVEL_NOTIFY_TITLE: title, RAVEL_NOTIFY_TEXT: body },
      };
    default: {
      // The body may hold markup there, and a title may begin with a hyphen.
      const escaped = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return { name: 'notify-send', program: 'notify-send', args: ['--app-name=Ravel', '--', title, escaped] };
    }
  }
}

/** Reads the texts from the environment, so that nothing in them is a part of the script. */
const toastScript = `
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $xml.GetElementsByTagName('text')
[void]$texts.Item(0).AppendChild($xml.CreateTextNode($env:RAVEL_NOTIFY_TITLE))
[void]$texts.Item(1).AppendChild($xml.CreateTextNode($env:RAVEL_NOTIFY_TEXT))
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($xml))
`;

async function runJob(job: Job, ports: DeliveryPorts, stop?: AbortSignal): Promise<string | undefined> {
  const { clock, environment, spawn = systemSpawn } = ports;
  const stderr = new OutputTail(outputBytesMax);
  const known = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const end = await runProcess(
    {
      ...{ program: job.program, args: job.args, stdin: job.stdin },
      environment: { ...Object.fromEntries(known), ...job.environment },
      ...{ stdout: new OutputTail(0), stderr, timeoutMs: deliveryTimeoutMs, killsRest: true },
    },
    { clock, spawn },
    stop,
  );
  if (end.cause === 'stopped') return undefined;
  if (end.cause === 'notStarted') return `${job.name} could not be started: ${end.error.message}.`;
  if (end.cause === 'timedOut')
    return `${job.name} was ended because it took longer than ${deliveryTimeoutMs / 1000} s.`;
  if (end.code === 0) return undefined;
  const said = firstLine(visible(stderr.bytes.toString('utf8')).trim());
  return `${job.name} ended with code ${end.code ?? 'of a signal'}${said === '' ? '' : `: ${excerpt(said, textLengthMax)}`}.`;
}
