import { asRecord } from '#domain/record-of.ts';
import type { Tracker } from './tracker.ts';

const PATH = /\/api\/now\/(?:v\d\/)?table\/[\w-]{1,80}$/;
/** States of an incident. */
const [IN_PROGRESS, RESOLVED, CLOSED] = ['2', '6', '7'];
/** Impact and urgency by severity. */
const URGENCY: Readonly<Record<string, string>> = { critical: '1', major: '2' };

const tableOf = ({ origin, pathname }: URL): string => origin + pathname;
const ticketOf = (url: URL, ticket: string): string => `${tableOf(url)}/${encodeURIComponent(ticket)}`;
const idOf = (row: unknown): string | null => {
  const { sys_id: id } = asRecord(row);
  return typeof id === 'string' && id !== '' ? id : null;
};

/** ServiceNow's Table API. */
export const servicenow: Tracker = {
  refusal: (url) => (PATH.test(url.pathname) ? null : 'expected https://…/api/now/table/incident'),
  find: (url, key) => {
    const asked = { sysparm_query: `correlation_id=${key}`, sysparm_fields: 'sys_id', sysparm_limit: '1' };
    return { method: 'GET', url: `${tableOf(url)}?${new URLSearchParams(asked)}` };
  },
  found: (reply) => {
    const { result } = asRecord(reply);
    return Array.isArray(result) ? idOf(result[0]) : null;
  },
  create: (url, { key, summary, text, severity }) => {
    const urgency = URGENCY[severity ?? ''] ?? '3';
    return {
      method: 'POST',
      url: tableOf(url),
      body: {
        short_description: summary,
        description: text,
        correlation_id: key,
        correlation_display: 'Faultline',
        urgency,
        impact: urgency,
      },
    };
  },
  created: (reply) => idOf(asRecord(reply).result),
  look: (url, ticket) => ({ method: 'GET', url: `${ticketOf(url, ticket)}?sysparm_fields=state` }),
  looked: (reply) => {
    const { state } = asRecord(asRecord(reply).result);
    return { isDone: String(state) === RESOLVED || String(state) === CLOSED };
  },
  comment: (url, ticket, { text }) => ({ method: 'PATCH', url: ticketOf(url, ticket), body: { work_notes: text } }),
  change: (url, ticket, { isOver, text }) => ({
    method: 'PATCH',
    url: ticketOf(url, ticket),
    body: isOver
      ? { state: RESOLVED, close_code: url.searchParams.get('close_code') ?? 'Solution provided', close_notes: text }
      : { state: IN_PROGRESS },
  }),
};
