import type { StandardBody } from '#features/webhooks/rules/body.ts';
import { factsOf } from './facts.ts';
import { clipped } from './read.ts';

/** News for a ticket: stored as the body of the delivery, from which the requests to the tracker are made. */
export interface TicketNews {
  /** The same for all news about one group, or one event. */
  readonly key: string;
  readonly isOver: boolean;
  readonly summary: string;
  readonly text: string;
  readonly severity: string | null;
}

/** Limit of a summary in Jira. */
const SUMMARY = 255;
/** Characters of a key as labels of Jira may have them. */
const LABEL = /[^A-Za-z0-9_-]+/g;

/** Null where no action is needed. A test opens a ticket, which the next test comments. */
export const ticketNews = (body: StandardBody): TicketNews | null => {
  const { headline, severity, state, key, fields } = factsOf(body);
  const isTest = body.event === 'webhook.test';
  if (!isTest && (state === null || key === null)) return null;
  return {
    key: `faultline-${isTest ? body.webhook_id : key}`.replaceAll(LABEL, '-'),
    isOver: state === 'resolved',
    summary: clipped(headline.replace(/\s+/g, ' '), SUMMARY),
    text: [headline, '', ...fields.map(([label, value]) => `${label}: ${value}`)].join('\n'),
    severity,
  };
};
