import { markupText } from '#domain/text.ts';
import type { StandardBody } from '#features/webhooks/rules/body.ts';
import type { DeliveryFormat } from '#features/webhooks/rules/webhook.ts';
import { alertmanagerBody, alertmanagerTest } from './alertmanager.ts';
import { type DeliveryFacts, factsOf } from './facts.ts';
import { clipped } from './read.ts';
import { ticketNews } from './ticket.ts';

/** Limits of Block Kit, characters. */
const HEADER = 150;
const FIELD = 1_000;
const FIELDS = 10;

const MARKS: Readonly<Record<string, string>> = { open: '🔴', acknowledged: '🟡', resolved: '🟢' };

const SUMMARY = 1_024;
const KEY = 255;

const SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'critical',
  major: 'error',
  minor: 'warning',
  warning: 'warning',
  info: 'info',
};
const ACTIONS = { open: 'trigger', acknowledged: 'acknowledge', resolved: 'resolve' } as const;

/** A test opens an alert that closes nothing and that any user may resolve. */
const tested = (facts: DeliveryFacts, { webhook_id }: StandardBody): DeliveryFacts => ({
  ...facts,
  severity: 'info',
  state: 'open',
  key: `test ${webhook_id}`,
});

/**
 * Returns an event of the Events API v2, without its routing key; null where no action is needed. All deliveries about
 * one group, or one event, have one dedup key, so that they are one alert.
 */
const pagerdutyBody = (body: StandardBody): object | null => {
  const facts = body.event === 'webhook.test' ? tested(factsOf(body), body) : factsOf(body);
  const { headline, severity, state, key, source, fields } = facts;
  if (state === null || key === null) return null;
  return {
    event_action: ACTIONS[state],
    dedup_key: clipped(`faultline ${key}`, KEY),
    payload: {
      summary: clipped(headline, SUMMARY),
      source: source ?? 'Faultline',
      severity: SEVERITIES[severity ?? 'info'] ?? 'error',
      timestamp: body.timestamp,
      class: body.event,
      custom_details: Object.fromEntries(fields),
    },
    client: 'Faultline',
  };
};

const TITLE = 500;
const VALUE = 1_000;

const colorOf = ({ state }: DeliveryFacts): string =>
  state === null ? 'Default' : ({ open: 'Attention', acknowledged: 'Warning', resolved: 'Good' } as const)[state];

/** Cards read Markdown: no title makes a link, a heading or code. */
const markdownText = (text: string): string => text.replace(/[\\`*[\]]/g, '\\$&').replace(/\s+/g, ' ');

/** An Adaptive Card (workflow webhooks of Microsoft Teams). */
const teamsBody = (body: StandardBody): object => {
  const facts = factsOf(body);
  const title = { type: 'TextBlock', text: markdownText(clipped(facts.headline, TITLE)), wrap: true };
  const told = facts.fields.map(([label, value]) => ({ title: label, value: markdownText(clipped(value, VALUE)) }));
  const footer = `${body.event} · ${body.timestamp} · ${body.delivery_id}`;
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { ...title, size: 'Medium', weight: 'Bolder', color: colorOf(facts) },
            ...(told.length === 0 ? [] : [{ type: 'FactSet', facts: told }]),
            { type: 'TextBlock', text: footer, wrap: true, isSubtle: true, size: 'Small' },
          ],
        },
      },
    ],
  };
};

/** Buttons by the action that Slack sends back, with the subject as their value. */
const BUTTONS = {
  acknowledge: 'Acknowledge',
  resolve: 'Resolve',
  silence: 'Silence 1h',
  'wrong-cause': 'Wrong root cause',
} as const;

/** An event has no root cause, and an acknowledgement is not repeated. */
const buttonsOf = (key: string, state: 'open' | 'acknowledged'): object => ({
  type: 'actions',
  elements: Object.entries(BUTTONS)
    .filter(
      ([action]) =>
        (action !== 'acknowledge' || state === 'open') && (action !== 'wrong-cause' || key.startsWith('group ')),
    )
    .map(([action, text]) => ({
      type: 'button',
      action_id: `faultline-${action}`,
      text: { type: 'plain_text', text },
      value: key,
    })),
});

/** Block Kit (incoming webhooks of Slack). */
const slackBody = (body: StandardBody, hasReplies: boolean): object => {
  const { headline, state, key, fields } = factsOf(body);
  const title = state === null ? headline : `${MARKS[state]} ${headline}`;
  const told = fields
    .slice(0, FIELDS)
    .map(([label, value]) => ({ type: 'mrkdwn', text: `*${label}*\n${markupText(clipped(value, FIELD))}` }));
  const footer = `${body.event} · ${body.timestamp} · ${body.delivery_id}`;
  return {
    text: markupText(clipped(title, FIELD)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: clipped(title, HEADER), emoji: true } },
      ...(told.length === 0 ? [] : [{ type: 'section', fields: told }]),
      ...(hasReplies && key !== null && state !== null && state !== 'resolved' ? [buttonsOf(key, state)] : []),
      { type: 'context', elements: [{ type: 'plain_text', text: footer, emoji: false }] },
    ],
  };
};

export interface Formatted {
  readonly body: string;
  readonly contentType: string;
}

const FORMATS: Readonly<Record<DeliveryFormat, (body: StandardBody, hasReplies: boolean) => object | null>> = {
  standard: (body) => body,
  slack: slackBody,
  teams: teamsBody,
  pagerduty: pagerdutyBody,
  alertmanager: alertmanagerBody,
  'alertmanager-api': alertmanagerTest,
  jira: ticketNews,
  servicenow: ticketNews,
};

/** Returns the body in the format of the service; null when it has no equivalent. */
export const formatted = (format: DeliveryFormat, body: StandardBody, hasReplies = false): Formatted | null => {
  const made = FORMATS[format](body, hasReplies);
  return made && { body: JSON.stringify(made), contentType: 'application/json' };
};
