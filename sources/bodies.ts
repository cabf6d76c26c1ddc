import { z } from 'zod';
import { sources } from './sources.ts';

const shapes = sources.map(({ card }) => card.body);

/** Any body that may be posted to `/api/events/webhook/{source}`; several bodies of a source may be sent as a list. */
export const WebhookBody = z.union([...shapes, z.array(z.union(shapes))]).meta({ id: 'WebhookBody' });
