/** Reasons why the server ends a stream: its credential has expired, the process stops, the client does not read. */
export const LIVE_ENDINGS = ['expired', 'stopping', 'slow'] as const;
