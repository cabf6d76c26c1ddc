import type { z } from 'zod';
import type { EventDetail, ListedEvent } from '#schemas/http/events/event-view.ts';
import type { WebhookReply } from '#schemas/http/events/events.ts';
import type { GroupMember } from '#schemas/http/events/group-parts.ts';
import type { EventReply as EventWithGroup } from '#schemas/http/events/group-view.ts';
import type { GroupBody, GroupDetailFields } from '#schemas/http/events/groups.ts';
import type { pagination } from '#schemas/http/paging.ts';

/* Replies, typed by the schemas of the server. */

export type ReplyOf<S extends z.ZodType> = z.output<S>;
/** Wrapped, as on /api. */
export interface DataReply<S extends z.ZodType> {
  readonly data: z.output<S>;
}
export interface Paged {
  readonly pagination: Pick<z.output<typeof pagination>, 'total' | 'nextCursor'>;
}
export interface PageReply<S extends z.ZodType> extends Paged {
  readonly data: readonly z.output<S>[];
}
type FieldOutputs<F> = { readonly [K in keyof F]: F[K] extends z.ZodType ? z.output<F[K]> : never };

export type EventReply = z.output<typeof ListedEvent>;
export interface EventsReply extends Paged {
  readonly events: readonly EventReply[];
}
/** PATCH of its status. */
export interface EventChangedReply {
  readonly event: z.output<typeof EventDetail>;
}
export type EventDetailReply = z.output<typeof EventWithGroup>;
export type AnalysisReply = NonNullable<EventReply['aiAnalysis']>;

export type GroupReply = z.output<typeof GroupBody>;
export interface GroupsReply extends Paged {
  readonly groups: readonly GroupReply[];
}
export type GroupDetailReply = GroupReply &
  FieldOutputs<typeof GroupDetailFields> & { readonly aiAnalysis?: AnalysisReply | undefined };
export interface MembersReply extends Paged {
  readonly members: readonly z.output<typeof GroupMember>[];
}

export type TakenReply = z.output<typeof WebhookReply>;
