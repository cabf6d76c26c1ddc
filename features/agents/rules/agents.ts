/** Each agent answers questions about its own kind of decision by rules. */
export const AGENT_IDS = [
  'correlation',
  'root-cause',
  'relationships',
  'reconciliation',
  'change-risk',
  'capacity',
] as const;
export type AgentId = (typeof AGENT_IDS)[number];

/** Decisions that users and outcomes can judge. */
export const SUBJECT_KINDS = ['event', 'group', 'relationship', 'review', 'assessment', 'forecast'] as const;
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
