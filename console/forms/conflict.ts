/** A field that another user has changed meanwhile. */
export interface FieldConflict {
  readonly field: string;
  readonly words: string;
  readonly theirs: string;
  /** The wish of this person; null: none, and the other's value stays. */
  readonly mine: string | null;
}
