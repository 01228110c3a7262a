import { quoting } from '../../harness/toolAnswers.ts';
import type { FinishVerdict } from '../proposals/callJournal.ts';

/** How `finish_phase` is answered. */
export function formatFinish(verdict: FinishVerdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return 'Accepted. The phase is over; end the session now.';
    case 'refused':
      return `Refused. Fix what is named and call finish_phase again.\n${quoting(verdict.reason)}`;
    case 'failed':
      return `Refused for good; end the session now.\n${quoting(verdict.reason)}`;
    case 'givenUp':
      return `Refused for the last time; the memory stays as it was. End the session now.\n${quoting(verdict.reason)}`;
    case 'waiting':
      return `A person decides this; end the session now.\n${quoting(verdict.reason)}`;
  }
}
