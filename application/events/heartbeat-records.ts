import { isOvertaken } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** Kind of the record store; by lower-case name. */
export const HEARTBEAT_KIND = 'heartbeat';

/** State of a heartbeat that was heard at least once. */
export interface Heartbeat {
  /** As the tenant lists it. */
  readonly name: string;
  /** When it was last received, in ms; exact to ten seconds. */
  readonly lastSeen: number;
  /** Its absence was reported and has not ended. */
  readonly missing: boolean;
}

const ATTEMPTS = 3;

/** Changes what is stored, again when somebody else was faster; `change` answers null to leave it as it is. */
export const amendHeartbeat = async (
  records: RecordStore,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  change: (before: Heartbeat | null) => Heartbeat | null,
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const stored = await records.get<Heartbeat>(tenant, HEARTBEAT_KIND, id);
    const after = change(stored?.body ?? null);
    if (after === null) return;
    try {
      await records.put(tenant, HEARTBEAT_KIND, id, after, { expected: stored?.revision ?? 0 });
      return;
    } catch (error) {
      const overtaken = isOvertaken(error);
      if (!overtaken || attempt === ATTEMPTS) throw error;
    }
  }
};
