import type { ToolParams } from '../tools.ts';

/** `critical,major` as people say it. */
export const either = (values: string): string => values.split(',').join(' or ').replaceAll('_', ' ');

/** Conditions that stand behind what is counted: ` from zabbix in production on CIs of type switch with "disk"`. */
export const narrowedBy = ({ source, environment, type, text }: Partial<ToolParams['analytics-query']>): string =>
  [
    source === undefined ? '' : ` from ${either(source)}`,
    environment === undefined ? '' : ` in ${either(environment)}`,
    type === undefined ? '' : ` on CIs of type ${either(type)}`,
    text === undefined ? '' : ` with "${text}"`,
  ].join('');
