import type { Permission } from '#domain/access/permissions.ts';

export const TEMPLATE_IDS = [
  'ci-inventory',
  'event-summary',
  'incident-review',
  'handover',
  'status-update',
  'post-incident',
  'service-health',
  'correlation-quality',
  'change-risk',
  'ai-usage',
] as const;
export type TemplateId = (typeof TEMPLATE_IDS)[number];
export const isTemplate = (id: string): id is TemplateId => TEMPLATE_IDS.some((one) => one === id);

const PARAMETER_NAMES = [
  'ci_type',
  'date_range',
  'grouping',
  'service',
  'severity',
  'source',
  'group',
  'time_zone',
] as const;
export type ParameterName = (typeof PARAMETER_NAMES)[number];

/** A kind of report and its parameters. */
export interface TemplateFacts {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  /** Permissions required to request it, or to read a shared one. */
  readonly needs: readonly Permission[];
  readonly parameters: readonly ParameterName[];
  /** Values of `grouping`; the first is the default. Empty: not supported. */
  readonly groupings: readonly string[];
  /** Number of days if `date_range` is missing. */
  readonly days: number;
}

const NARROWED = ['date_range', 'grouping', 'ci_type', 'service', 'severity', 'source', 'time_zone'] as const;
const OF_EVENTS = ['source', 'ci', 'ci_type', 'service', 'environment', 'severity', 'status', 'signature'] as const;

export const TEMPLATES: Readonly<Record<TemplateId, TemplateFacts>> = {
  'ci-inventory': {
    name: 'CI inventory',
    description: 'Current CIs by type and status; new, stale and unrelated CIs.',
    category: 'inventory',
    needs: ['cmdb.read'],
    parameters: ['ci_type', 'grouping', 'date_range', 'time_zone'],
    groupings: ['ci_type', 'status', 'environment', 'service'],
    days: 30,
  },
  'event-summary': {
    name: 'Event summary',
    description: 'Events by severity and source, resolution times and most frequent problems.',
    category: 'operations',
    needs: ['events.read', 'cmdb.read'],
    parameters: NARROWED,
    groupings: OF_EVENTS,
    days: 7,
  },
  'incident-review': {
    name: 'Incident review',
    description: 'Groups of correlated events: count, size, root causes and open groups.',
    category: 'operations',
    needs: ['events.read', 'cmdb.read'],
    parameters: NARROWED,
    groupings: ['service', 'ci_type', 'source', 'environment', 'severity'],
    days: 7,
  },
  handover: {
    name: 'Handover',
    description: 'Open groups with owners, user actions, silences, planned work and who is on call next.',
    category: 'operations',
    needs: ['events.read', 'cmdb.read'],
    parameters: ['date_range', 'time_zone'],
    groupings: [],
    days: 1,
  },
  'status-update': {
    name: 'Status update',
    description: 'One group in four sentences, for readers outside the team.',
    category: 'operations',
    needs: ['events.read', 'cmdb.read', 'services.read'],
    parameters: ['group', 'date_range', 'time_zone'],
    groupings: [],
    days: 7,
  },
  'post-incident': {
    name: 'Post-incident review',
    description: 'One group: timeline, impact per service, root cause and alternative, actions, open questions.',
    category: 'operations',
    needs: ['events.read', 'cmdb.read', 'services.read'],
    parameters: ['group', 'date_range', 'time_zone'],
    groupings: [],
    days: 30,
  },
  'service-health': {
    name: 'Service health',
    description: 'Current service health, with events, groups and resolution times.',
    category: 'services',
    needs: ['services.read', 'events.read', 'cmdb.read'],
    parameters: ['service', 'date_range', 'time_zone'],
    groupings: [],
    days: 30,
  },
  'correlation-quality': {
    name: 'Correlation quality',
    description: 'Deduplication rate, grouping rate, root-cause confidence and verdicts.',
    category: 'quality',
    needs: ['events.read', 'cmdb.read'],
    parameters: ['date_range', 'grouping', 'source', 'time_zone'],
    groupings: ['source', 'service', 'ci_type', 'environment', 'severity'],
    days: 30,
  },
  'change-risk': {
    name: 'Change risk',
    description: 'Assessed changes with risk and outcome, and detected change events.',
    category: 'changes',
    needs: ['cmdb.read', 'events.read'],
    parameters: ['ci_type', 'date_range', 'grouping', 'time_zone'],
    groupings: ['change_type', 'ci_type', 'risk_level'],
    days: 90,
  },
  'ai-usage': {
    name: 'AI usage',
    description: 'Model requests, tokens and cost by function, model, department or day (UTC), and rule-based answers.',
    category: 'costs',
    needs: ['settings.read'],
    parameters: ['date_range', 'grouping'],
    groupings: ['service', 'model', 'department', 'day'],
    days: 30,
  },
};
