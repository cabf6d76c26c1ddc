import type { Actor, EventBefore, Team } from '#domain/event/event.ts';
import type { Acknowledgement } from './group-state.ts';

/** Kind of the records with the changes of an operation on groups; ids begin with that of the operation. */
export const OPERATION = 'group-operation';
/** Time for which an operation can be undone, ms. */
export const UNDO_MS = 10 * 60_000;

interface PartBase {
  /** Id as named in the request; for an event in no group its storage id. */
  readonly subject: string;
  /** Time of the request, ms. */
  readonly at: number;
}
/** Events that changed status or assignment, as they were before. */
export interface EventsPart extends PartBase {
  readonly groupId: string | null;
  /** Position of the record that changed them. */
  readonly position: number;
  readonly events: readonly EventBefore[];
}
interface GroupAssignees {
  readonly assignedTo?: Actor;
  readonly assignedTeam?: Team;
}
/** A group that was assigned. */
export interface CarePart extends PartBase {
  readonly groupId: string;
  readonly before: GroupAssignees;
  readonly after: GroupAssignees;
}
/** A group that was acknowledged, or is not any more. */
export interface AcknowledgementPart extends PartBase {
  readonly groupId: string;
  readonly acknowledged: { readonly before: Acknowledgement | null; readonly after: Acknowledgement | null };
}
export type OperationPart = EventsPart | CarePart | AcknowledgementPart;
