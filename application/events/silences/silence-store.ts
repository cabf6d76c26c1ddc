/**
 * Silences of a tenant: current and future ones are one document, which every process reads at once; past ones are
 * records.
 */

import type { TurnPorts } from '#application/records/in-turn.ts';
import { everyRecord } from '#application/records/list-records.ts';
import { revise } from '#application/records/revise.ts';
import type { SilenceRule } from '#domain/event/silences/silence-rule.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';

const CURRENT = { kind: 'silences', id: 'current' } as const;
const PAST = 'silence-past';

interface Document {
  readonly silences: readonly SilenceRule[];
}
export interface CurrentSilences {
  readonly revision: number;
  /** Silences in the order of creation; some may be over. */
  readonly silences: readonly SilenceRule[];
}

export const currentSilences = async (records: RecordStore, tenant: string): Promise<CurrentSilences> => {
  const stored = await records.get<Document>(tenant, CURRENT.kind, CURRENT.id);
  return { revision: stored?.revision ?? 0, silences: stored?.body.silences ?? [] };
};

/** All of a tenant, the newest first; at most 10,000 past ones. */
export const everySilence = async (records: RecordStore, tenant: string): Promise<readonly SilenceRule[]> => {
  const [{ silences }, past] = await Promise.all([
    currentSilences(records, tenant),
    everyRecord<SilenceRule>(records, tenant, PAST),
  ]);
  const known = new Map([...past, ...silences].map((one) => [one.id, one]));
  return [...known.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
};

export const findSilence = async (records: RecordStore, tenant: string, id: string): Promise<SilenceRule | null> => {
  const { silences } = await currentSilences(records, tenant);
  const current = silences.find((one) => one.id === id);
  return current ?? (await records.get<SilenceRule>(tenant, PAST, id))?.body ?? null;
};

export interface SilenceChange {
  readonly tenant: string;
  /** ms. */
  readonly now: number;
  /** Retention of past silences after their end, ms. */
  readonly keptMs: number;
  /** The same array when nothing changes. */
  readonly change: (silences: readonly SilenceRule[]) => readonly SilenceRule[];
  /** Stored together with the change. */
  readonly audited: (before: readonly SilenceRule[], after: readonly SilenceRule[]) => SideRecord;
}

/** Changes current and future silences; ended ones become records of their own in the same change. */
export async function reviseSilences(ports: TurnPorts & Pick<Ports, 'records'>, asked: SilenceChange): Promise<void> {
  const { tenant, now, keptMs, change, audited } = asked;
  const { records } = ports;
  const pastRecord = (rule: SilenceRule): SideRecord => ({
    tenant,
    kind: PAST,
    id: rule.id,
    body: rule,
    expiresAt: rule.endsAt + keptMs,
  });
  await revise<CurrentSilences>(ports, {
    of: ['silence', tenant, CURRENT.id],
    ifMatch: null,
    load: () => currentSilences(records, tenant),
    change(before) {
      const silences = change(before.silences);
      return silences === before.silences ? before : { silences, revision: before.revision + 1 };
    },
    async put(after, before) {
      const entry = audited(before.silences, after.silences);
      const body: Document = { silences: after.silences.filter(({ endsAt }) => endsAt > now) };
      const past = after.silences.filter(({ endsAt }) => endsAt <= now).map(pastRecord);
      const kept = { expected: before.revision, sideRecords: [entry, ...past] };
      await records.put(tenant, CURRENT.kind, CURRENT.id, body, kept);
    },
  });
}
