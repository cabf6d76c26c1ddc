import type { Context } from '#api/surfaces/endpoint.ts';

/** Shared by all endpoints of reports. */
export const reporting = { tag: 'Reports', limit: 'standard' } as const;

/** Prefix of links: the public URL, and the path style of the request. */
export const prefixOf = (style: '/v1' | '/api', { baseUrl }: Pick<Context, 'baseUrl'>): string => `${baseUrl}${style}`;
