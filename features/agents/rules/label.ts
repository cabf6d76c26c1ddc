import type { AgentId, AgentSubjectKind } from './agents.ts';

export interface LabelSubject {
  readonly kind: AgentSubjectKind;
  /** Storage id. */
  readonly id: string;
}
export const VERDICTS = ['right', 'wrong'] as const;
export type LabelVerdict = (typeof VERDICTS)[number];

/** Judgment of one decision by a user or by its outcome. */
export interface Label {
  readonly agent: AgentId;
  readonly subject: LabelSubject;
  /** Confidence of the decision when it was judged, 0 to 1; null: none. */
  readonly confidence: number | null;
  readonly verdict: LabelVerdict;
  /** User ID; null if the outcome judged the decision. */
  readonly user: string | null;
  readonly note: string | null;
  /** ms. */
  readonly at: number;
}

/** Users outrank outcomes; later labels outrank earlier ones. */
const outranks = (one: Label, other: Label): boolean => {
  if ((one.user === null) !== (other.user === null)) return one.user !== null;
  return one.at > other.at;
};

/** Returns the label in force for each subject. */
export function standingLabels(labels: readonly Label[]): Label[] {
  const standing = new Map<string, Label>();
  for (const label of labels) {
    const key = `${label.subject.kind} ${label.subject.id}`;
    const known = standing.get(key);
    if (known === undefined || outranks(label, known)) standing.set(key, label);
  }
  return [...standing.values()];
}
