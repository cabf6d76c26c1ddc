export const exceptions = 'Exceptions';
export const exceptionsLead =
  'Override the timeout for sources without recovery messages. The first matching exception applies.';
export const from = (source: string) => `from ${source}`;
export const after = (time: string) => `after ${time}`;
export const saved = 'Saved. Applies to new events.';
export const grouping = 'Grouping';
export const eventLifecycle = 'Event lifecycle';
export const quality = 'Quality';
export const groupingLead =
  'Controls how events are grouped and how root causes are ranked. Most environments can keep the defaults. Simulate changes on stored events before saving.';
export const eventLifecycleLead = 'Controls deduplication and auto-resolve. Applies to new events.';
export const qualityLead = 'Accuracy of root causes and groups, based on user verdicts.';
export const tuning = 'Tuning';
export const tuningSections = 'Tuning sections';
export const correlationThreshold = 'Correlation threshold';
export const correlationStrategies = 'Correlation strategies';
export const groupLimits = 'Group limits';
export const rootCauseRanking = 'Root-cause ranking';
export const eventStormLimits = 'Event storm limits';
export const deduplication = 'Deduplication';
export const autoResolve = 'Auto-resolve';
export const ungroupedEvents = 'Ungrouped events';
