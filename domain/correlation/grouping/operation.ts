import type { Actor, EventBefore, Team } from '#domain/event/event.ts';
import type { Acknowledgement } from './group-state.ts';

/** Kind of the records with what an operation on groups has changed; ids begin with that of the operation. */
export const OPERATION = 'group-operation';
/** How long an operation can be undone, ms. */
export const UNDO_MS = 10 * 60_000;

interface Part {
  /** As it was named; of an event in no group its storage id. */
  readonly subject: string;
  /** When the operation was asked for, ms. */
  readonly at: number;
}
/** Events that changed status or assignment, as they were before. */
export interface EventsPart extends Part {
  readonly groupId: string | null;
  /** Of the record that changed them. */
  readonly position: number;
  readonly events: readonly EventBefore[];
}
interface Keepers {
  readonly assignedTo?: Actor;
  readonly assignedTeam?: Team;
}
/** A group that was assigned. */
export interface CarePart extends Part {
  readonly groupId: string;
  readonly before: Keepers;
  readonly after: Keepers;
}
/** A group that was acknowledged, or is not any more. */
export interface AcknowledgementPart extends Part {
  readonly groupId: string;
  readonly acknowledged: { readonly before: Acknowledgement | null; readonly after: Acknowledgement | null };
}
export type OperationPart = EventsPart | CarePart | AcknowledgementPart;
