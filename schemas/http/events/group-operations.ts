import { z } from 'zod';
import { RESOLUTION_CATEGORIES } from '#domain/event/event.ts';
import { atLeastOneOf } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';

/** Actions on several groups at once, and their outcome. */

const MOST = 200;
const ids = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(MOST)
  .meta({ description: 'Group IDs (current or merged), or ungrouped event IDs (EVT-…)' });
const notes = z.string().max(4_096).optional();
const example = { ids: ['COR-1764288000000-x7k2', 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ'] };

export const GroupsRequest = z.strictObject({ ids, notes }).meta({ id: 'GroupsRequest', example });
export const ResolveGroupsRequest = z
  .strictObject({ ids, notes, resolutionCategory: z.enum(RESOLUTION_CATEGORIES).optional() })
  .meta({ id: 'ResolveGroupsRequest', example: { ...example, resolutionCategory: 'manual-fix' } });

const keeper = z.string().min(1).max(256).nullable().optional();
export const AssignGroupsRequest = z
  .strictObject({ ids, user_id: keeper, team_id: keeper })
  .refine(({ user_id, team_id }) => user_id !== undefined || team_id !== undefined, {
    path: ['user_id'],
    message: 'expected user_id, team_id or both; null unassigns',
  })
  .meta({ id: 'AssignGroupsRequest', ...atLeastOneOf('user_id', 'team_id') });

export const UndoRequest = z.strictObject({ operationId: z.string().min(1).max(64) }).meta({ id: 'UndoGroupsRequest' });

const Result = z
  .object({
    id: z.string().meta({ description: 'Requested ID' }),
    ok: z.boolean(),
    changed: z.int().min(0).meta({ description: 'Changed events; 1 for an assigned group' }),
    queued: z.boolean(),
    error: z.string().nullable(),
  })
  .meta({ id: 'GroupOperationResult' });

export const OperationReply = succeeded({
  operationId: z.string().nullable().meta({ description: 'null if nothing changed, and for undo operations' }),
  changed: z.int().min(0).meta({ description: 'Total changed' }),
  results: z.array(Result),
});

interface OperationResult {
  readonly operationId: string | null;
  readonly results: readonly {
    readonly id: string;
    readonly changed: number;
    readonly queued: boolean;
    readonly error: string | null;
  }[];
}
export const operationView = ({ operationId, results }: OperationResult) => ({
  operationId,
  changed: results.reduce((sum, { changed }) => sum + changed, 0),
  results: results.map(({ id, changed, queued, error }) => ({ id, ok: error === null, changed, queued, error })),
});
