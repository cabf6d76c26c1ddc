import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { changesStream } from './changes-endpoint.ts';

/** Changes, as they happen. */
export const liveEndpoints: readonly AnyEndpoint[] = [changesStream];
