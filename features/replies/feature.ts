import { feature } from '#features/feature.ts';
import { replyEndpoint } from './http/reply-endpoint.ts';

export const replies = feature({ id: 'replies', uses: ['webhooks', 'silences'], endpoints: [replyEndpoint] });
