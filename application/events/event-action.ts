import type { MonitorAction } from '#domain/event/draft.ts';

/** An action that concerns an event. */
export type EventAction = Exclude<MonitorAction, { action: 'confirm' | 'ignore' }>;
