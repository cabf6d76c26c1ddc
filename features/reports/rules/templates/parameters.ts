import { SEVERITIES } from '#domain/event/event.ts';
import { type ParameterName, TEMPLATES, type TemplateId } from './catalogue.ts';

export interface ParameterFacts {
  readonly name: ParameterName;
  readonly type: string;
  readonly description: string;
  /** Null: depends on the data of the tenant. */
  readonly values: readonly string[] | null;
  readonly default: string | null;
  readonly example: unknown;
}

type Described = Omit<ParameterFacts, 'name'>;
const NAMES = 'name or list of names';

const DESCRIBED: Readonly<Record<Exclude<ParameterName, 'grouping' | 'date_range'>, Described>> = {
  ci_type: {
    type: NAMES,
    description: 'CI types (default: all)',
    values: null,
    default: null,
    example: ['server', 'database'],
  },
  service: {
    type: NAMES,
    description: 'Business services by name or ID (default: all)',
    values: null,
    default: null,
    example: 'Shop',
  },
  source: { type: NAMES, description: 'Sources (default: all)', values: null, default: null, example: 'zabbix' },
  severity: {
    type: NAMES,
    description: 'Severities (default: all)',
    values: SEVERITIES,
    default: null,
    example: ['critical', 'major'],
  },
  group: {
    type: 'group ID',
    description: 'Group (default: the newest of the time range)',
    values: null,
    default: null,
    example: 'COR-1763632800000-00k3f1',
  },
  time_zone: {
    type: 'IANA time zone',
    description: 'Time zone of the report (default: AI settings)',
    values: null,
    default: null,
    example: 'Europe/Berlin',
  },
};

export const parametersOf = (template: TemplateId): ParameterFacts[] => {
  const { parameters, groupings, days } = TEMPLATES[template];
  return parameters.map((name) => {
    if (name === 'grouping')
      return {
        name,
        type: 'word',
        description: 'Group results by',
        values: groupings,
        default: groupings[0] ?? null,
        example: groupings[1] ?? null,
      };
    if (name === 'date_range')
      return {
        name,
        type: 'range',
        values: null,
        default: days === 1 ? '24h' : `last_${days}_days`,
        example: { from: '2026-11-01', to: '2026-11-15' },
        description: 'last_30_days, 24h, yesterday, last week …, or { from, to }; at most 400 days',
      };
    return { name, ...DESCRIBED[name] };
  });
};
