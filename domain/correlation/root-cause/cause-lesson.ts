/** Root cause set by a user, stored with the signature for later occurrences. */
export interface CauseLesson {
  readonly signature: string;
  readonly by: string;
  /** ms. */
  readonly at: number;
  readonly groupId: string;
  readonly note: string | null;
  readonly rootTitle: string;
  readonly rootSubject: string;
  /** Kinds of the problems of the cause and of the candidate that the score had; null: of no known kind, or there was none. */
  readonly rootKind: string | null;
  readonly scoredKind: string | null;
}
