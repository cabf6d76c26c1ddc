import type { StandardBody } from '#features/webhooks/rules/body.ts';
import type { DeliveryFormat } from '#features/webhooks/rules/webhook.ts';
import { pagerdutyBody } from './pagerduty.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';

export interface Formatted {
  readonly body: string;
  readonly contentType: string;
}

const FORMATS: Readonly<Record<DeliveryFormat, (body: StandardBody) => object | null>> = {
  standard: (body) => body,
  slack: slackBody,
  teams: teamsBody,
  pagerduty: pagerdutyBody,
};

/** The body that the service takes; null when it has nothing to say there. */
export const formatted = (format: DeliveryFormat, body: StandardBody): Formatted | null => {
  const made = FORMATS[format](body);
  return made && { body: JSON.stringify(made), contentType: 'application/json' };
};
