interface Report {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

/** The JSON reports of the parts of a run as one. A part that left none adds a file that failed. */
export function mergeReports(reports: readonly (readonly [part: string, path: string])[]): Report;
