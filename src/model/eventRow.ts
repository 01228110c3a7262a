/** What of a vault's picture can be out of date besides its plans. */
export type VaultPart =
  | 'structure'
  | 'experts'
  | 'approvals'
  | 'deadLetters'
  | 'messages'
  | 'questions'
  | 'sessions'
  | 'spending';

/** One line on the screen of a person who watches. */
interface EventLine {
  readonly tone: 'good' | 'bad' | 'notice';
  readonly sign: string;
  readonly text: string;
}

/** Everything about a kind of event besides its fields. */
export interface EventRow<Event> {
  /** One sentence; the protocol page is written from it. */
  readonly describes: string;
  /**
   * What views have to read again besides the row of the plan. What a session says while it runs outdates nothing: no
   * view of the whole vault shows it, and there may be thousands a second.
   */
  readonly outdates: 'nothing' | readonly VaultPart[] | ((event: Event) => readonly VaultPart[]);
  /** What the command line prints while it watches; `own` has a form of its own in `cli/render/events.ts`. */
  readonly line: 'none' | 'own' | ((event: Event) => EventLine | readonly EventLine[]);
}
