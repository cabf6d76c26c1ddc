import { wordsIn } from '#features/questions/rules/query.ts';

/** Each agent answers questions about its own kind of decision by rules. */
export const AGENT_IDS = wordsIn('correlation root-cause relationships reconciliation change-risk capacity');
export type AgentId = (typeof AGENT_IDS)[number];

/** Decisions that users and outcomes can judge. */
export const SUBJECT_KINDS = wordsIn('event group relationship review assessment forecast');
export type AgentSubjectKind = (typeof SUBJECT_KINDS)[number];

export interface Agent {
  readonly name: string;
  /** Kinds of questions that the agent answers, as shown to users. */
  readonly capabilities: readonly string[];
  /** Kinds of decisions that feedback may refer to. */
  readonly subjects: readonly AgentSubjectKind[];
}

export const AGENTS: Readonly<Record<AgentId, Agent>> = {
  correlation: {
    name: 'Correlation',
    capabilities: ['why events are in one group', 'why events are not in one group', 'largest groups in a time range'],
    subjects: ['group', 'event'],
  },
  'root-cause': {
    name: 'Root cause',
    capabilities: ['probable cause of a group', 'probable cause of an event', 'probable causes in a time range'],
    subjects: ['group', 'event'],
  },
  relationships: {
    name: 'Relationships',
    capabilities: ['what a CI depends on', 'what depends on a CI', 'proposed relationships'],
    subjects: ['relationship'],
  },
  reconciliation: {
    name: 'Reconciliation',
    capabilities: ['which CI a name or address belongs to', 'scanned hosts that match several CIs'],
    subjects: ['review'],
  },
  'change-risk': {
    name: 'Change risk',
    capabilities: ['risk of a change to a CI', 'planned changes by risk'],
    subjects: ['assessment'],
  },
  capacity: {
    name: 'Capacity',
    capabilities: ['event trends', 'forecast for today', 'AI cost and budget'],
    subjects: ['forecast'],
  },
};

export const isAgentId = (text: string): text is AgentId => (AGENT_IDS as readonly string[]).includes(text);

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
  const bySubject = Map.groupBy(labels, ({ subject }) => `${subject.kind} ${subject.id}`);
  return [...bySubject.values()].map((same) => same.reduce((best, one) => (outranks(one, best) ? one : best)));
}
