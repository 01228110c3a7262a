import * as z from 'zod';
import { harnessNames, harnessSettingsSchema, usualHarness } from './harnesses.ts';
import { priceSchema } from './spending.ts';

/** Who can carry out a reasoning phase: a session of a harness, or a person with an editor, who is in no setting. */
export const executorNames = [...harnessNames, 'person'] as const;
export type ExecutorName = (typeof executorNames)[number];

/** The root, the home and the system's own folders are none: a sandbox has its own of each. */
const readablePath = z
  .string()
  .refine(
    (path) => /^~?\/(?!\.{0,2}(?:\/|$))/.test(path) && !/^\/(?:dev|proc)(?:\/|$)/.test(path),
    'expected a path below `/` or `~/`, and none in /dev or /proc',
  );

/**
 * Settings as `daemon.toml` writes them; every key has a default, so an empty file is whole. Unknown keys are reported
 * as warnings and otherwise ignored. Precedence: default < daemon.toml < plan-state.md < flag.
 */
export const settingsSchema = z.object({
  run: z.object({ harness: z.enum(harnessNames).default(usualHarness) }).prefault({}),
  limits: z
    .object({
      'session-minutes': z.number().positive().default(60),
      /** The same for a session with a person at its terminal. */
      'terminal-minutes': z.number().positive().default(720),
      'session-output-mib': z.number().positive().default(64),
      'session-usd': z.number().positive().default(10),
      /** How long a session outlives its owner: after a crash, and after an orderly stop. */
      'orphan-minutes-after-crash': z.number().positive().default(10),
      'orphan-minutes-after-stop': z.number().positive().default(1),
      /** How long a harness may take to exit after its phase was accepted. */
      'exit-grace-seconds': z.number().positive().default(10),
      /** How long a session may take to answer a question to its plan. */
      'answer-minutes': z.number().positive().default(5),
      /** How long a plan's own check before work may run. */
      'pre-work-minutes': z.number().positive().default(5),
    })
    .prefault({}),
  actors: z
    .object({
      'max-active': z.number().int().positive().default(20),
      'idle-minutes': z.number().positive().default(5),
      /** This many crashes within the window stop an actor until a person acts. */
      crashes: z.number().int().positive().default(3),
      'crash-window-seconds': z.number().positive().default(60),
    })
    .prefault({}),
  budget: z
    .object({
      /** US dollars that the sessions of one plan, and of all plans, may cost in a local day; 0 for no limit. */
      'plan-usd-per-day': z.number().nonnegative().default(0),
      'vault-usd-per-day': z.number().nonnegative().default(0),
      /** Price by model, for harnesses that report tokens alone; a name holds for all that begin with it. */
      prices: z.record(z.string(), priceSchema).default({}),
    })
    .prefault({}),
  retention: z
    .object({
      /** How long what sessions and phases left is kept, and how much of it at most. */
      days: z.number().positive().default(30),
      mib: z.number().positive().default(1024),
      /** Whether the owner removes by itself, once a day, what may go. */
      automatic: z.boolean().default(true),
    })
    .prefault({}),
  knowledge: z
    .object({
      /** Whether what plans prove is offered to the experts of the vault: by itself, after a person saw it, or never. */
      ingestion: z.enum(['auto', 'review-first', 'off']).default('auto'),
    })
    .prefault({}),
  memory: z
    .object({
      /** Whether a session is given the part of a memory that fits its task, or always all of it. */
      given: z.enum(['relevant', 'all']).default('relevant'),
      /** Up to how many kB the prompt holds of a memory, and up to how many of a backlog; smaller ones are whole. */
      'budget-kb': z.number().nonnegative().default(19),
      /** What comes later, with the answer to one tool call; agent programs cut what is much longer. */
      'later-call-kb': z.number().nonnegative().max(9).default(4),
      /** The same for a session as a whole. */
      'later-session-kb': z.number().nonnegative().default(16),
    })
    .prefault({}),
  dream: z.object({ 'headroom-words': z.number().int().nonnegative().default(1500) }).prefault({}),
  gates: z
    .object({
      'finish-attempts': z.number().int().positive().default(3),
      /** Ids of texts that the gate takes for secrets and that are not; each finding names its own. */
      'allowed-secrets': z.array(z.string()).default([]),
      /** How long a tool that wants leave waits for a person's word; 0 for not at all. */
      'approval-wait-seconds': z.number().nonnegative().max(3600).default(0),
    })
    .prefault({}),
  /** Whether what a work session runs is in a sandbox if there can be one, has to be, or is in none. */
  sandbox: z
    .object({
      commands: z.enum(['preferred', 'required', 'off']).default('preferred'),
      network: z.enum(['none', 'ask', 'open']).default('ask'),
      /** What else commands read: absolute paths, or `~/` and a path from the home folder. */
      readable: z.array(readablePath).default([]),
    })
    .prefault({}),
  routing: z
    .object({
      /** What finds out what a message is about: the words of this vault, or a small model. */
      facts: z.enum(['vocabulary', 'model']).default('vocabulary'),
      /** A model that takes longer is not waited for; an agent program takes 2 to 5 seconds to start and to say anything. */
      'facts-seconds': z.number().positive().max(600).default(20),
      /** Whether a reliable lead among the scored candidates decides without a model. */
      'auto-score': z.boolean().default(true),
      /** How often the scores must have been right at a lead and above for that. */
      precision: z.number().min(0.5).max(0.999).default(0.95),
      /** How often a project may pass a message on before a person is asked. */
      retargets: z.number().int().nonnegative().max(10).default(3),
      'level-2-minutes': z.number().positive().max(60).default(5),
      /** Messages that sessions are asked about at the same time; the others queue. */
      concurrent: z.number().int().positive().max(100).default(2),
      /** After this many messages the history is searched for rules; 0 searches only on request. */
      'propose-every': z.number().int().nonnegative().max(100_000).default(25),
      /** Model of routing sessions; empty for what the harness has for them. */
      model: z.string().default(''),
    })
    .prefault({}),
  search: z
    .object({
      /** A second ranking by meaning, from a server that speaks the OpenAI embeddings protocol; off without an address. */
      embeddings: z
        .object({
          url: z.string().max(2000).default(''),
          /** The one host besides this machine that texts of the vault may be sent to. */
          host: z.string().max(300).default(''),
          model: z.string().max(300).default(''),
          'key-variable': z.string().max(200).default(''),
        })
        .prefault({}),
    })
    .prefault({}),
  environment: z
    .object({
      /** Names of environment variables that sessions inherit beside the built-in list; `*` at the end matches a prefix. */
      pass: z.array(z.string()).default([]),
    })
    .prefault({}),
  watch: z
    .object({
      enabled: z.boolean().default(true),
      'reconcile-seconds': z.number().positive().max(86_400).default(60),
    })
    .prefault({}),
  vault: z.object({ commit: z.enum(['auto', 'approved', 'never']).default('auto') }).prefault({}),
  harnesses: harnessSettingsSchema,
});

export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});
