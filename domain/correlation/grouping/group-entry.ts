import type { Actor } from '#domain/event/event.ts';

/** Kind of the records with user actions on groups; ids begin with that of the group. */
export const GROUP_ENTRY = 'group-entry';

export const GROUP_ENTRY_KINDS = ['note', 'assigned', 'verdict', 'split', 'status'] as const;
type GroupEntryKind = (typeof GROUP_ENTRY_KINDS)[number];

/** A user action on a group; stored with it permanently. */
export interface GroupEntry {
  /** ULID. */
  readonly id: string;
  /** The group as it was named then; it may have been merged since. */
  readonly group: string;
  readonly kind: GroupEntryKind;
  readonly at: number;
  readonly by: Actor;
  /** One sentence for users; for a note its text. */
  readonly text: string;
}

export const entryId = ({ group, id }: Pick<GroupEntry, 'group' | 'id'>): string => `${group}/${id}`;
