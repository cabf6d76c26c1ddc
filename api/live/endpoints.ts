import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { changesStream } from './changes-endpoint.ts';

/** What changes, as it changes. */
export const liveEndpoints: readonly AnyEndpoint[] = [changesStream];
