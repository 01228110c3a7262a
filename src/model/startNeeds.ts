import type { HarnessState } from './requests/doctor.ts';

/** What Ravel needs of this machine, as it was found. */
export interface StartNeeds {
  /** The version that git says; absent if there is no git. */
  readonly git?: string;
  readonly claude: {
    readonly state: HarnessState;
    readonly version?: string;
    /** What was found, or what is wrong, as a sentence. */
    readonly message: string;
  };
}
