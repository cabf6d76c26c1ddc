import type { DeliveryFormat } from '#features/webhooks/rules/webhook.ts';
import { jira } from './jira.ts';
import { servicenow } from './servicenow.ts';
import type { Tracker } from './tracker.ts';

export const TRACKERS: Readonly<Partial<Record<DeliveryFormat, Tracker>>> = { jira, servicenow };
