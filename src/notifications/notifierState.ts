import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import { readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { VaultLayout } from '../vault/layout.ts';

const stateSchema = z.object({
  /** Keys of what was told, the oldest first. */
  told: z.array(z.string()),
  /** What waits for the end of the quiet hours. */
  held: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(['question', 'phase-failed', 'run-ended', 'plan-faulted', 'budget', 'summary', 'test']),
      title: z.string(),
      text: z.string(),
      plan: z.string().optional(),
      id: z.string().optional(),
      command: z.string(),
    }),
  ),
  /** How many more came than are kept. */
  dropped: z.number().int().nonnegative().optional(),
  /** What went wrong with the last one, if something did. */
  problem: z.object({ at: z.string(), message: z.string() }).optional(),
});

/** `runtime/notifications.json`. */
export type NotifierState = z.infer<typeof stateSchema>;

export async function loadNotifierState(disk: Disk, { notifications }: VaultLayout): Promise<NotifierState> {
  return (await readNoticeFile(disk, notifications, stateSchema)) ?? { told: [], held: [] };
}

/**
 * What a file remembers of what was told. One that cannot be read counts as empty: in doubt something is told twice, and
 * not never.
 */
export async function readNoticeFile<State>(
  disk: Disk,
  path: string,
  schema: z.ZodType<State>,
): Promise<State | undefined> {
  const text = await readTextIfExists(disk, path).catch((error: unknown) => {
    if (isRavelError(error)) return undefined;
    throw error;
  });
  return schema.safeParse(parseJson(text ?? '')).data;
}

export async function saveNotifierState(disk: Disk, layout: VaultLayout, state: NotifierState): Promise<void> {
  await writeAtomic(disk, layout.notifications, `${JSON.stringify(state)}\n`, { replacesLink: true });
}
