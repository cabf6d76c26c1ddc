/** One problem of one host; `phase` is the fault during which it was first sent. */
export interface Complaint {
  readonly tenant: string;
  readonly host: string;
  readonly title: string;
  readonly phase: string;
}

/** Number of times that a problem was sent: known to be accepted, and perhaps accepted. */
export interface Tally extends Complaint {
  acknowledged: number;
  unknown: number;
}

export interface KnownEvent {
  readonly tenant: string;
  readonly phase: string;
  /** The highest count in any reply. */
  count: number;
}

/** A requested change of status, recognized by its note. */
export interface Patch {
  readonly tenant: string;
  readonly eventId: string;
  readonly note: string;
  readonly phase: string;
  /** `queued`: 202, the log has it, and it may still be refused when its turn arrives. */
  outcome: 'done' | 'queued' | 'refused' | 'unknown';
}

export const complaintKey = ({ tenant, host, title }: Omit<Complaint, 'phase'>): string =>
  `${tenant}\n${host}\n${title}`;

/** Knowledge of clients. */
export class Ledger {
  readonly tallies = new Map<string, Tally>();
  readonly events = new Map<string, KnownEvent>();
  /** Ids in the order of their first occurrence. */
  readonly eventIds: string[] = [];
  readonly patches: Patch[] = [];
  /** Answers by status; `none`: the connection broke or no answer arrived. */
  readonly answers = new Map<string, number>();
  /** Replies that no client should ever see. */
  readonly lies: { readonly phase: string; readonly what: string }[] = [];
  resent = 0;
  slowestMs = 0;

  tally(complaint: Complaint): Tally {
    const key = complaintKey(complaint);
    const known = this.tallies.get(key) ?? { ...complaint, acknowledged: 0, unknown: 0 };
    this.tallies.set(key, known);
    return known;
  }

  /** An answer named this event. */
  saw({ tenant, phase }: Pick<Complaint, 'tenant' | 'phase'>, eventId: string, count: number): void {
    const known = this.events.get(eventId);
    if (known === undefined) {
      this.events.set(eventId, { tenant, phase, count });
      this.eventIds.push(eventId);
    } else known.count = Math.max(known.count, count);
  }

  answered(status: number | 'none', ms: number): void {
    this.answers.set(String(status), (this.answers.get(String(status)) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, ms);
  }

  lie(phase: string, what: string): void {
    this.lies.push({ phase, what });
  }
}
