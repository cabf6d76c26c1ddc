export const BASE = '/business-service-analyzer';
/** 500 servers with their processes, and 10,000 connections. */
export const MAX_BYTES = 8 * 1024 * 1024;

/** Shared by all endpoints that may ask a model. */
export const asking = {
  tag: 'AI: business services',
  permission: 'ai.use',
  limit: 'ai',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
} as const;
