import { makeSigner } from '#domain/event/identity/signature.ts';
import { SourceCounts } from '#domain/event/source-counts.ts';
import { PipelineHistory } from '#domain/pipeline/history.ts';
import type { KnownSilences, Memory, MemorySlot } from '#domain/ports/memory.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { CallerCache } from './access/authenticate.ts';
import { openDirectories } from './access/directory.ts';
import { openSilences } from './events/silences/known-silences.ts';
import { RecordTurns } from './records/turns.ts';
import { openMembership } from './services/membership.ts';

const openSlots = (records: RecordStore): Memory['of'] => {
  const opened = new Map<MemorySlot<unknown>, unknown>();
  return <T>(slot: MemorySlot<T>): T => {
    if (!opened.has(slot)) opened.set(slot, slot.open(records));
    return opened.get(slot) as T;
  };
};

/** The memory of a process; the authenticator has the same `callers`. */
export const openMemory = (
  records: RecordStore,
  callers: CallerCache,
  silences: KnownSilences = openSilences(),
): Memory => ({
  callers,
  directories: openDirectories(records),
  services: openMembership(records),
  servicesHit: new WeakMap(),
  silences,
  turns: new RecordTurns(),
  failedLogins: new Map(),
  analyses: new Set(),
  streams: new Map(),
  liveStreams: new Map(),
  lastSeconds: new Map(),
  sources: new SourceCounts(),
  pipeline: new PipelineHistory(),
  sign: makeSigner(),
  of: openSlots(records),
});
