import type { z } from 'zod';
import type { AiAnalysisBody } from '#schemas/http/events/analysis-view.ts';
import type { GroupBody, GroupDetailFields, GroupRowBody } from '#schemas/http/events/groups.ts';
import type { eventsPagination } from '#schemas/http/paging.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call } from './link/call.ts';

type FieldOutputs<S> = { readonly [K in keyof S]: S[K] extends z.ZodType ? z.output<S[K]> : never };

/** A group of a list; one that was asked for by `view=row` lacks the event of its cause. */
export type GroupRow = z.output<typeof GroupRowBody> & Partial<Pick<z.output<typeof GroupBody>, 'rootCause'>>;
export type GroupDetailData = z.output<typeof GroupBody> &
  FieldOutputs<typeof GroupDetailFields> & { readonly aiAnalysis?: z.output<typeof AiAnalysisBody> | undefined };

export interface GroupsPage {
  readonly groups: readonly GroupRow[];
  readonly pagination: z.output<typeof eventsPagination>;
}

export const listGroups = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<GroupsPage> =>
  call<GroupsPage>('GET /api/events/groups', { query, signal });

export const readGroup = async (call: Call, id: string, signal?: AbortSignal): Promise<GroupDetailData> => {
  const params = { correlationId: id };
  return (await call<{ readonly group: GroupDetailData }>('GET /api/events/groups/{correlationId}', { params, signal }))
    .group;
};
