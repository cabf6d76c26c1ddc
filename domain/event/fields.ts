import type { Event } from './event.ts';

/**
 * Fields that change together. `fixed`: never. `said`: the first message counts, later ones fill gaps. `state`: by
 * users and recoveries. `tally`: with each occurrence. `assigned`: by merge. `fence`: always.
 */
type FieldPart = 'fixed' | 'said' | 'state' | 'tally' | 'assigned' | 'fence';

/**
 * The part of each field of an event. Serializing, comparing and writing follow from it, except for `tally`, whose
 * columns define what occurrences add to.
 */
export const EVENT_FIELDS = {
  tenant: 'fixed',
  id: 'fixed',
  source: 'fixed',
  timestamp: 'fixed',
  reportedTimestamp: 'fixed',
  identity: 'fixed',
  createdAt: 'fixed',
  createdPosition: 'fixed',
  returns: 'fixed',

  sourceId: 'said',
  title: 'said',
  category: 'said',
  hostname: 'said',
  ipAddress: 'said',
  service: 'said',
  application: 'said',
  environment: 'said',

  status: 'state',
  severity: 'state',
  signature: 'state',
  ci: 'state',
  assignedTo: 'state',
  assignedTeam: 'state',
  acknowledgedBy: 'state',
  acknowledgedAt: 'state',
  resolvedBy: 'state',
  resolvedAt: 'state',
  resolutionNotes: 'state',
  resolutionCategory: 'state',
  aiAnalysis: 'state',
  businessImpact: 'state',
  history: 'state',
  supersedes: 'state',
  supersededBy: 'state',
  problemSince: 'state',
  silencing: 'state',
  usual: 'state',

  count: 'tally',
  firstOccurrence: 'tally',
  lastOccurrence: 'tally',
  seen: 'tally',
  description: 'tally',
  tags: 'tally',
  details: 'tally',
  conditions: 'tally',

  correlationId: 'assigned',

  position: 'fence',
  updatedAt: 'fence',
} as const satisfies Record<keyof Event, FieldPart>;

export type FieldOf<Part extends FieldPart> = {
  [Name in keyof Event]-?: (typeof EVENT_FIELDS)[Name] extends Part ? Name : never;
}[keyof Event];

export const fieldsOf = <Part extends FieldPart>(...parts: readonly Part[]): FieldOf<Part>[] =>
  Object.entries(EVENT_FIELDS).flatMap(([name, part]) =>
    (parts as readonly FieldPart[]).includes(part) ? [name as FieldOf<Part>] : [],
  );

type OptionallySaid = Exclude<FieldOf<'said'>, 'sourceId' | 'title'>;
/** Fields that a sender may leave out and a later message may fill. */
export const OPTIONALLY_SAID: readonly OptionallySaid[] = fieldsOf('said').filter(
  (name): name is OptionallySaid => name !== 'sourceId' && name !== 'title',
);

/** Parts that a step can change; a new event is written whole. */
export type ChangedPart = Exclude<FieldPart, 'fixed' | 'fence'>;
