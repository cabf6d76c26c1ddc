/** Limits that count a request and whose numbers can be set for tenants and tokens. */
export const SETTABLE_CLASSES = ['ingest', 'bulk', 'webhook', 'query', 'standard', 'ai', 'ai-platform'] as const;
export type SettableClass = (typeof SETTABLE_CLASSES)[number];
/** `limits` counts requests to the limits themselves; its number is fixed. */
export const COUNTED_CLASSES = [...SETTABLE_CLASSES, 'limits'] as const;
export type CountedClass = (typeof COUNTED_CLASSES)[number];

/** Kinds of credentials; /v1 has numbers for each. */
export const CREDENTIAL_KINDS = ['jwt', 'api_key', 'service_account', 'integration', 'discovery'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/**
 * Reasons for a 429: the number of a minute or of an hour is reached, logins failed too often, or the service has no room for the
 * request at the moment.
 */
export const LIMIT_REASONS = ['minute', 'hour', 'logins', 'busy'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** Limits that count a request (docs: limits); `none` for requests without credential. */
export type LimitClass = CountedClass | 'none';
