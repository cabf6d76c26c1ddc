import type { Actor } from '#domain/event/event.ts';

/** Kind of the records with what people did with groups; ids begin with that of the group. */
export const GROUP_ENTRY = 'group-entry';

export const GROUP_ENTRY_KINDS = ['note', 'assigned', 'verdict', 'split', 'status'] as const;
type GroupEntryKind = (typeof GROUP_ENTRY_KINDS)[number];

/** An action of a person on a group; stored with it for ever. */
export interface GroupEntry {
  /** ULID. */
  readonly id: string;
  /** The group as it was named then; it may have been merged since. */
  readonly group: string;
  readonly kind: GroupEntryKind;
  readonly at: number;
  readonly by: Actor;
  /** One sentence for people; of a note what was written. */
  readonly text: string;
}

export const entryId = ({ group, id }: Pick<GroupEntry, 'group' | 'id'>): string => `${group}/${id}`;
