import type { TeamRecord } from '#domain/access/team.ts';
import type { Team } from '#domain/event/event.ts';

/** A part of a calendar in which one person is on call. Times in ms. */
export interface OnCallShift {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** Null: the calendar names none. */
  readonly mail: string | null;
}

/** Settings of a team about being on call; one record by its id. */
export interface OnCallPolicy {
  readonly team: Team;
  /** Address of an iCalendar file; a secret. Null: none. */
  readonly calendar: string | null;
  /** Minutes without an acknowledgment after which a group is assigned to `next`; null: never. */
  readonly afterMinutes: number | null;
  readonly next: Team | null;
  readonly updatedAt: number;
}

/** The calendar of a team as it was read last. */
export interface OnCallRota {
  /** Shifts of the next days, by start. */
  readonly shifts: readonly OnCallShift[];
  readonly readAt: number;
  /** Reason why the last read failed; the shifts are those of the one before. */
  readonly error: string | null;
}

export const ON_CALL_KINDS = {
  policy: 'on-call-policy',
  rota: 'on-call-rota',
  /** Start of the wait for a team, by group. */
  wait: 'on-call-wait',
  /** Emails about escalations, by user. */
  mails: 'on-call-mails',
} as const;

/** An email to a member of the team that a group was escalated to. */
export interface EscalationMail {
  /** Id of the group. */
  readonly group: string;
  /** ms. */
  readonly at: number;
  readonly result: 'sent' | 'failed' | 'skipped';
  /** Null: it was sent. */
  readonly reason: string | null;
}

/** Returns the shift at an instant, ms; of several the latest to begin, such as a replacement. */
export const shiftAt = (shifts: readonly OnCallShift[], now: number): OnCallShift | null =>
  shifts.filter(({ from, to }) => from <= now && now < to).toSorted((a, b) => b.from - a.from)[0] ?? null;

/** A group as it waits for the acknowledgment of a team. */
export interface EscalationWait {
  readonly team: string;
  /** ms. */
  readonly since: number;
}

/** Returns the wait of a group that is assigned to this team now: a new one after another assignment. */
export const waitOf = (known: EscalationWait | null, team: string, now: number): EscalationWait =>
  known?.team === team ? known : { team, since: now };

export const isDue = ({ since }: EscalationWait, afterMinutes: number, now: number): boolean =>
  now - since >= afterMinutes * 60_000;

/** A team with its settings; null: it has none yet. */
export interface TeamOnCall {
  readonly team: Pick<TeamRecord, 'id' | 'name' | 'members'>;
  readonly policy: OnCallPolicy | null;
  readonly rota: OnCallRota | null;
}
