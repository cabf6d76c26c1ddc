/** Why the server ends a stream: its credential is not valid any more, the process stops, nobody reads it. */
export const LIVE_ENDINGS = ['expired', 'stopping', 'slow'] as const;
