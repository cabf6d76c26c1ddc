import { z } from 'zod';
import { type OnCallShift, shiftAt, type TeamOnCall } from '#features/on-call/rules/on-call.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

const MAX_MINUTES = 24 * 60;

export const OnCallPutBody = z
  .strictObject({
    calendar: z.string().trim().min(1).max(2_048).nullable().optional().meta({
      description: 'Public iCalendar URL, which is never returned; omitted: unchanged; null: none',
      example: 'https://calendar.example.com/night.ics',
    }),
    after_minutes: z.int().min(1).max(MAX_MINUTES).nullable().default(null).meta({
      description: 'Minutes without acknowledgment after which groups of the team are escalated; null: never',
    }),
    next_team: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .nullable()
      .default(null)
      .meta({ description: 'ID of the team that escalated groups are assigned to' }),
  })
  .meta({ id: 'OnCallPut' });

const Shift = z
  .object({ name: z.string(), until: IsoTime })
  .nullable()
  .meta({ id: 'OnCallNow', description: 'On call now; null: unknown, or no calendar' });
const TeamRef = z.object({ id: z.string(), name: z.string() });
export const OnCallBody = z
  .object({
    team: TeamRef,
    members: z.int().min(0).meta({ description: 'Number of members of the team' }),
    now: Shift,
    calendar_host: z.string().nullable(),
    read_at: IsoTime.nullable(),
    error: z.string().nullable().meta({ description: 'Why the last read of the calendar failed' }),
    after_minutes: z.int().nullable(),
    next_team: TeamRef.nullable(),
  })
  .meta({ id: 'OnCall' });

const shiftView = (shift: OnCallShift | null) => shift && { name: shift.name, until: iso(shift.to) };

export const onCallBody = ({ team, policy, rota }: TeamOnCall, now: number): z.output<typeof OnCallBody> => ({
  team: { id: team.id, name: team.name },
  members: team.members.length,
  now: shiftView(shiftAt(rota?.shifts ?? [], now)),
  calendar_host: policy?.calendar == null ? null : new URL(policy.calendar).host,
  read_at: rota === null ? null : iso(rota.readAt),
  error: rota?.error ?? null,
  after_minutes: policy?.afterMinutes ?? null,
  next_team: policy?.next ? { id: policy.next.id, name: policy.next.name } : null,
});
