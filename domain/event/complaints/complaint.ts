/** Visible form of a problem, which shows what may have caused it; `own`: nothing upstream does. */
export type Effect = 'stopped' | 'unreachable' | 'errors' | 'slow' | 'late' | 'login' | 'own';

/** Part of the CI that no longer works: `part` is a port, volume or process, `spare` its redundancy only. */
type Stops = 'all' | 'part' | 'spare' | 'none';

/** A kind of problem. */
export interface Complaint {
  readonly name: string;
  /** Matches a title in lower case with single spaces. Linear. */
  readonly pattern: RegExp;
  readonly stops: Stops;
  /** Its form on the CI that reports it. */
  readonly shows: Effect;
  /** Possible effects on CIs downstream. */
  readonly causes: 'any' | readonly Effect[];
  /** Effects also follow hours later. */
  readonly isSlow?: true;
  readonly examples: readonly string[];
  /** Titles with similar words that mean something else. */
  readonly unlike?: readonly string[];
}
