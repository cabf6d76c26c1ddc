/** A field that somebody else has changed meanwhile. */
export interface Clash {
  readonly field: string;
  readonly words: string;
  readonly theirs: string;
  /** What this person wants for it; null: nothing, and theirs stays. */
  readonly mine: string | null;
}
