import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import {
  type SilentSource,
  SilentSourceBody,
  silentSourceBody,
} from '#features/silent-sources/schemas/silent-source.ts';
import { silentSources } from '#features/silent-sources/use-cases/watch-sources.ts';
import { wrapped } from '#schemas/http/envelope.ts';

export const listSilentSources = endpoint<undefined, readonly SilentSource[]>({
  id: 'sources.silent',
  summary: 'List silent sources',
  description:
    'Sources that sent data at least every 5 minutes for an hour or longer, and nothing for 15 minutes. Each has an open event, which is resolved when the source sends again.',
  tag: 'Events',
  permission: 'events.read',
  mounts: on.platform.get('/sources/silent', {
    reply: wrapped(z.array(SilentSourceBody)),
    read: () => undefined,
    present: (found) => ({ body: found.map(silentSourceBody) }),
  }),
  handle: (_, { ports, tenant }) => silentSources(ports, tenant),
});
