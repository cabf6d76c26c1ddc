import { feature } from '#features/feature.ts';
import { inboxEndpoints } from './http/inbox.ts';

export const inbox = feature({ id: 'inbox', uses: ['silent-sources'], endpoints: inboxEndpoints });
