import { t } from '@vscode/l10n';
import { counted } from '../../src/base/text.ts';
import type {
  ChangedFile,
  ChangeSet,
  CheckedClaim,
  InspectedSession,
  LeftFileRow,
} from '../../src/model/requests/inspect.ts';
import type { ClaimVerdict } from '../../src/model/session.ts';

/** `+3 −1`; empty for a file that is not text. */
export function figures({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): string {
  return added === undefined || removed === undefined ? '' : `+${added} −${removed}`;
}

/** The same for a screen reader. */
export function changedLinesLabel({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): string {
  return added === undefined || removed === undefined
    ? t('not text')
    : t`${counted(added, t('{0} line'), t('{0} lines'))} added, ${removed} removed`;
}

/** What a set of changes is, as its heading, and what that means. */
export function describeSet(
  { kind, title, set, earlierCount = 0 }: ChangeSet,
  state: InspectedSession['state'],
): {
  readonly title: string;
  readonly note: string;
} {
  switch (kind) {
    case 'staged': {
      const note =
        state === 'running'
          ? t(
              'A copy that the session works on. The plan itself is changed when the gates accept the end of the phase.',
            )
          : t('Kept from a session that did not finish; none of it is in the plan.');
      return { title: t('Staged for the plan'), note };
    }
    case 'source': {
      const earlier =
        earlierCount === 0
          ? ''
          : t` Without ${counted(earlierCount, t('{0} file'), t('{0} files'))} that changed earlier and not since.`;
      const note = t`In the working tree, not yet in a commit of this cycle.${earlier}`;
      return { title: t('In the project since work began'), note };
    }
    case 'commit':
      return { title, note: t`Commit ${set.slice(0, 10)}` };
  }
}

export function countFiles({ files, fileCount }: ChangeSet): string {
  const shown = fileCount > files.length ? t`; the first ${files.length} are shown` : '';
  return `${counted(fileCount, t('{0} file'), t('{0} files'))}${shown}`;
}

/** What code found about a claim. */
export const verdictWords: Readonly<Record<ClaimVerdict | 'open', string>> = {
  evidenced: t('evidenced'),
  unsupported: t('unsupported'),
  contradicted: t('contradicted'),
  open: t('not checked yet'),
};

const evidenceWords: Readonly<Record<CheckedClaim['evidence'][number]['kind'], string>> = {
  change: t('change'),
  test: t('test'),
  commit: t('commit'),
  file: t('file'),
};

export function evidenceWord(kind: CheckedClaim['evidence'][number]['kind']): string {
  return evidenceWords[kind];
}

/** Whether a commit holds Ravel's own files alone: what it did to the plan stands in the other tabs. */
export function isBookkeeping({ kind, files }: ChangeSet): boolean {
  return kind === 'commit' && files.length > 0 && files.every(({ path }) => path.startsWith('ravel/'));
}

/** `2 evidenced, 1 unsupported` */
export function countVerdicts(claims: readonly CheckedClaim[]): string {
  const counts = Object.entries(verdictWords).map(([verdict, word]) => {
    const count = claims.filter((claim) => (claim.verdict ?? 'open') === verdict).length;
    return count === 0 ? '' : `${count} ${word}`;
  });
  return counts.filter((text) => text !== '').join(', ');
}

/** Whether a file is as an unfinished session left it, and can go back. */
export function canPutBack({ now, why }: LeftFileRow): boolean {
  return now === 'left' && why === undefined;
}

/** Why a file of an unfinished session has no button. */
export function whyItStays({ now, why }: LeftFileRow): string {
  if (why !== undefined) return t`cannot be put back: ${why}`;
  return now === 'changed' ? t('changed after the session') : '';
}
