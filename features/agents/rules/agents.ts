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
    capabilities: ['why events are one group', 'why events are not one group', 'largest groups of a time'],
    subjects: ['group', 'event'],
  },
  'root-cause': {
    name: 'Root cause',
    capabilities: ['probable cause of a group', 'probable cause of an event', 'causes of a time'],
    subjects: ['group', 'event'],
  },
  relationships: {
    name: 'Relationships',
    capabilities: ['what a CI depends on', 'what depends on a CI', 'proposed relationships'],
    subjects: ['relationship'],
  },
  reconciliation: {
    name: 'Reconciliation',
    capabilities: ['which CI a name or address is', 'machines that scans cannot tell apart'],
    subjects: ['review'],
  },
  'change-risk': {
    name: 'Change risk',
    capabilities: ['how risky a change of a CI is', 'planned changes by risk'],
    subjects: ['assessment'],
  },
  capacity: {
    name: 'Capacity',
    capabilities: ['trend of events', 'forecast of the next day', 'cost and budget of AI'],
    subjects: ['forecast'],
  },
};

export const isAgentId = (text: string): text is AgentId => (AGENT_IDS as readonly string[]).includes(text);
