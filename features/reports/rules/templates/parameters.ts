import { SEVERITIES } from '#domain/event/event.ts';
import { type ParameterName, TEMPLATES, type TemplateId } from './catalogue.ts';

/** A parameter as it is listed. */
export interface ParameterFacts {
  readonly name: ParameterName;
  readonly type: string;
  readonly description: string;
  /** Null: what the tenant has. */
  readonly values: readonly string[] | null;
  readonly default: string | null;
  readonly example: unknown;
}

type Described = Omit<ParameterFacts, 'name'>;
const NAMES = 'name or list of names';

const DESCRIBED: Readonly<Record<Exclude<ParameterName, 'grouping' | 'date_range'>, Described>> = {
  ci_type: {
    type: NAMES,
    description: 'Types of CIs; all when none is named',
    values: null,
    default: null,
    example: ['server', 'database'],
  },
  service: {
    type: NAMES,
    description: 'Business services, by name or id; all when none is named',
    values: null,
    default: null,
    example: 'Shop',
  },
  source: {
    type: NAMES,
    description: 'Monitors that events come from; all when none is named',
    values: null,
    default: null,
    example: 'zabbix',
  },
  severity: {
    type: NAMES,
    description: 'Severities of events; all when none is named',
    values: SEVERITIES,
    default: null,
    example: ['critical', 'major'],
  },
  time_zone: {
    type: 'IANA time zone',
    description: 'Times and days of the report; when none is named, that of the AI settings',
    values: null,
    default: null,
    example: 'Europe/Berlin',
  },
};

/** The parameters of a template, as they are listed. */
export const parametersOf = (template: TemplateId): ParameterFacts[] => {
  const { parameters, groupings, days } = TEMPLATES[template];
  return parameters.map((name) => {
    if (name === 'grouping')
      return {
        name,
        type: 'word',
        description: 'By what the numbers are told',
        values: groupings,
        default: groupings[0] ?? null,
        example: groupings[1] ?? null,
      };
    if (name === 'date_range')
      return {
        name,
        type: 'range',
        values: null,
        default: `last_${days}_days`,
        example: { from: '2026-11-01', to: '2026-11-15' },
        description: 'last_30_days, 24h, yesterday, last week …, or { from, to }; at most 400 days',
      };
    return { name, ...DESCRIBED[name] };
  });
};
