import type { AgentId, AgentSubjectKind } from './agents.ts';

export interface LabelSubject {
  readonly kind: AgentSubjectKind;
  /** Storage id. */
  readonly id: string;
}
export const VERDICTS = ['right', 'wrong'] as const;
export type LabelVerdict = (typeof VERDICTS)[number];

/** A judgement of one decision, by a person or by its outcome. */
export interface Label {
  readonly agent: AgentId;
  readonly subject: LabelSubject;
  /** Of the decision when it was judged, 0 to 1; null: it had none. */
  readonly confidence: number | null;
  readonly verdict: LabelVerdict;
  /** Id of the user; null: the outcome. */
  readonly user: string | null;
  readonly note: string | null;
  /** ms. */
  readonly at: number;
}

/** People count before outcomes, later ones before earlier ones. */
const outranks = (one: Label, other: Label): boolean => {
  if ((one.user === null) !== (other.user === null)) return one.user !== null;
  return one.at > other.at;
};

/** The label that counts for each subject. */
export function standingLabels(labels: readonly Label[]): Label[] {
  const standing = new Map<string, Label>();
  for (const label of labels) {
    const key = `${label.subject.kind} ${label.subject.id}`;
    const known = standing.get(key);
    if (known === undefined || outranks(label, known)) standing.set(key, label);
  }
  return [...standing.values()];
}
