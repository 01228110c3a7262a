/**
 * The gates on tools, by name, with what each stops; the highest priority is asked first. `reserved` ones have their place
 * and are not asked yet.
 */
export const toolGateRows = {
  token: { priority: 900, stops: 'tools that a session for this purpose does not have' },
  protected: {
    priority: 800,
    stops:
      'plans, git’s own files, policies, files that may hold secrets, and what lies outside the project; asks about files that decide what others run; leaves secrets out of searches',
  },
  policy: { priority: 700, stops: 'what a rule of `policy.yaml` denies; asks about what a rule asks about' },
  secrets: {
    priority: 600,
    stops: 'the values of your secrets in what a tool is given, in any form that is looked for',
  },
  privacy: { priority: 500, stops: 'text of private entries that leaves its place', isReserved: true },
  command: { priority: 450, stops: 'commands that cannot be read or do harm; asks about those that are not known' },
  network: { priority: 400, stops: 'nothing by itself; asks about commands that use the network' },
  impact: { priority: 300, stops: 'steps that are hard to take back', isReserved: true },
  skills: { priority: 100, stops: 'what a skill’s own gate refuses', isReserved: true },
  sandbox: { priority: 0, stops: 'nothing; the command that passed runs through the sandbox of its session' },
} as const satisfies Readonly<Record<string, ToolGateRow>>;

interface ToolGateRow {
  readonly priority: number;
  readonly stops: string;
  readonly isReserved?: true;
}

export type ToolGateName = keyof typeof toolGateRows;

/** In the order in which they are asked. */
export const toolGateNames = (Object.keys(toolGateRows) as ToolGateName[]).sort(
  (one, other) => toolGateRows[other].priority - toolGateRows[one].priority,
);
