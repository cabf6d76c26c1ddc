import type { CliFeature } from '#cli/commands/feature.ts';
import { addWebhook } from './webhook.ts';

export const webhooks: CliFeature = { id: 'webhooks', commands: [{ place: 175, add: addWebhook }] };
