/** The only source of identifiers and randomness. */
export interface Ids {
  /** A ULID that sorts by time; monotonic within a process. */
  ulid(): string;
  /** `bytes` random bytes, base62. */
  secret(characters: number): string;
}
