import { z } from 'zod';
import { MAX_MEMBERS, type TeamRecord } from '#domain/access/team.ts';
import { always } from '#schemas/http/always.ts';
import { pageFields, ulidCursor, withinWindow } from '#schemas/http/paging.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/* Teams under /api/admin and /v1. */

const name = z.string().trim().min(1).max(255);
const description = z.string().max(1_024);
const members = z.array(z.string().min(1).max(64)).max(MAX_MEMBERS).meta({ description: 'User IDs' });

export const NewTeam = z
  .strictObject({ name, description: description.default(''), members: members.default([]) })
  .meta({ id: 'NewTeam' });
export type NewTeamInput = z.output<typeof NewTeam>;

/** Absent fields stay; `members` are replaced as a whole. */
export const TeamPatch = z
  .strictObject({ name: name.optional(), description: description.optional(), members: members.optional() })
  .meta({ id: 'TeamPatch' });
export type TeamPatchInput = z.output<typeof TeamPatch>;

export const TeamsQuery = z
  .strictObject({ ...pageFields({ limit: 20, max: 100 }), cursor: ulidCursor })
  .check(always(withinWindow));

export const TeamBody = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    members: z.array(z.string()).meta({ description: 'User IDs' }),
    created_at: IsoTime,
    updated_at: IsoTime,
  })
  .meta({ id: 'Team' });

/** A team as it may be audited. */
export const teamFacts = ({ id, name: called, description: text, members: users }: TeamRecord) => ({
  id,
  name: called,
  description: text,
  members: [...users],
});

export const teamBody = (team: TeamRecord): z.output<typeof TeamBody> => ({
  ...teamFacts(team),
  created_at: iso(team.createdAt),
  updated_at: iso(team.updatedAt),
});
