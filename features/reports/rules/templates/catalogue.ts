import type { Permission } from '#domain/access/permissions.ts';

export const TEMPLATE_IDS = [
  'ci-inventory',
  'event-summary',
  'incident-review',
  'service-health',
  'correlation-quality',
  'change-risk',
  'ai-usage',
] as const;
export type TemplateId = (typeof TEMPLATE_IDS)[number];
export const isTemplate = (id: string): id is TemplateId => TEMPLATE_IDS.some((one) => one === id);

const PARAMETER_NAMES = ['ci_type', 'date_range', 'grouping', 'service', 'severity', 'source', 'time_zone'] as const;
export type ParameterName = (typeof PARAMETER_NAMES)[number];

/** A kind of report and its parameters. */
export interface TemplateFacts {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  /** Permissions needed to ask for it, or to read a shared one. */
  readonly needs: readonly Permission[];
  readonly parameters: readonly ParameterName[];
  /** Values of `grouping`; the first is the default. Empty: the template has no such parameter. */
  readonly groupings: readonly string[];
  /** Days that it covers without `date_range`. */
  readonly days: number;
}

const NARROWED = ['date_range', 'grouping', 'ci_type', 'service', 'severity', 'source', 'time_zone'] as const;
const OF_EVENTS = ['source', 'ci', 'ci_type', 'service', 'environment', 'severity', 'status', 'signature'] as const;

export const TEMPLATES: Readonly<Record<TemplateId, TemplateFacts>> = {
  'ci-inventory': {
    name: 'CI inventory',
    description:
      'The configuration items that there are now: types, states, which are new, not seen for long, or without relationships.',
    category: 'inventory',
    needs: ['cmdb.read'],
    parameters: ['ci_type', 'grouping', 'date_range', 'time_zone'],
    groupings: ['ci_type', 'status', 'environment', 'service'],
    days: 30,
  },
  'event-summary': {
    name: 'Event summary',
    description:
      'Events of a time by severity and by where they come from, how fast they were resolved, and the most frequent complaints.',
    category: 'operations',
    needs: ['events.read', 'cmdb.read'],
    parameters: NARROWED,
    groupings: OF_EVENTS,
    days: 7,
  },
  'incident-review': {
    name: 'Incident review',
    description: 'Groups of correlated events: how many, how large, what caused them, and what is still open.',
    category: 'operations',
    needs: ['events.read', 'cmdb.read'],
    parameters: NARROWED,
    groupings: ['service', 'ci_type', 'source', 'environment', 'severity'],
    days: 7,
  },
  'service-health': {
    name: 'Service health',
    description: 'Business services with their health now, and the events, incidents and times to resolve of a range.',
    category: 'services',
    needs: ['services.read', 'events.read', 'cmdb.read'],
    parameters: ['service', 'date_range', 'time_zone'],
    groupings: [],
    days: 30,
  },
  'correlation-quality': {
    name: 'Correlation quality',
    description:
      'How much repetition is folded, how many events are in a group, how sure causes are, and how often people agreed.',
    category: 'quality',
    needs: ['events.read', 'cmdb.read'],
    parameters: ['date_range', 'grouping', 'source', 'time_zone'],
    groupings: ['source', 'service', 'ci_type', 'environment', 'severity'],
    days: 30,
  },
  'change-risk': {
    name: 'Change risk',
    description: 'Changes that were assessed, their risk, what became of them, and the changes that monitors told of.',
    category: 'changes',
    needs: ['cmdb.read', 'events.read'],
    parameters: ['ci_type', 'date_range', 'grouping', 'time_zone'],
    groupings: ['change_type', 'ci_type', 'risk_level'],
    days: 90,
  },
  'ai-usage': {
    name: 'AI usage',
    description:
      'Calls, tokens and costs of the model by function, model, department or day (UTC), and what the rules answered alone.',
    category: 'costs',
    needs: ['settings.read'],
    parameters: ['date_range', 'grouping'],
    groupings: ['service', 'model', 'department', 'day'],
    days: 30,
  },
};
