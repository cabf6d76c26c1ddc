import { makeSigner } from '#domain/event/identity/signature.ts';
import { SourceCounts } from '#domain/event/source-counts.ts';
import { PipelineHistory } from '#domain/pipeline/history.ts';
import type { KnownSilences, Memory } from '#domain/ports/memory.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { ModelQueue } from '#features/analysis/rules/model-queue.ts';
import { openWebhooks } from '#features/webhooks/use-cases/known-webhooks.ts';
import type { CallerCache } from './access/authenticate.ts';
import { openDirectories } from './access/directory.ts';
import { openSilences } from './events/silences/known-silences.ts';
import { RecordTurns } from './records/turns.ts';
import { openMembership } from './services/membership.ts';

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
  names: new Map(),
  webhooks: openWebhooks(records),
  waiting: new Map(),
  failedLogins: new Map(),
  modelQueue: new ModelQueue(),
  analyses: new Set(),
  streams: new Map(),
  liveStreams: new Map(),
  lastSeconds: new Map(),
  sources: new SourceCounts(),
  rulesAnswers: new Map(),
  spaces: new Map(),
  pipeline: new PipelineHistory(),
  sign: makeSigner(),
});
