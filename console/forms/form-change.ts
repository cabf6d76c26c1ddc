/** A change of a field in words, by saving or by another person. */
export interface FormChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}
