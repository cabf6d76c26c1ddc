/** What saving changes of a field, in words; or what another person has changed. */
export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}
