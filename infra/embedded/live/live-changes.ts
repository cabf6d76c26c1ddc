import { firstItem } from '#domain/assert.ts';
import type { GroupChange } from '#domain/correlation/records.ts';
import type { Saved } from '#domain/event/incoming.ts';
import {
  changesOfEvent,
  changesOfGroup,
  changesOfTopology,
  deadLetterChange,
  type LiveChange,
} from '#domain/live/live-change.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { LiveChanges } from '#domain/ports/live/live-changes.ts';
import type { PublishChange } from '#infra/change-publishing-topology.ts';
import type { RejectedEntry } from '#infra/embedded/records/dead-letters.ts';
import { LiveHub, LiveHubs } from '#infra/live-hubs.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';

interface Batch {
  entries(topic: string): readonly Entry<unknown>[];
  readonly rejected: readonly RejectedEntry[];
}

/** The changes of a batch, by tenant, for tenants with a listener. */
type Gathered = readonly (readonly [tenant: string, changes: readonly LiveChange[]])[];

export interface EmbeddedLiveChanges extends LiveChanges {
  /** Commits the batch and publishes its changes once it is durable. */
  gather(batch: Batch, commit: () => Promise<number>): Promise<number>;
  /** A change of the topology that was made. */
  readonly tellTopology: PublishChange;
  /** A dead letter that is stored. */
  tellDeadLetter(tenant: string): void;
  /** Ends all listening. */
  end(): void;
}

/** Changes of the one process: numbered by tenant from the first listener on, and forgotten with the process. */
export const openLiveChanges = (ids: Ids): EmbeddedLiveChanges => {
  let isAnyHeard = false;
  const hubs = new LiveHubs(() => {
    isAnyHeard = false;
  });
  let lastBatch: Promise<unknown> = Promise.resolve();
  const tellAll = (tenant: string, changes: readonly LiveChange[]): void => {
    const hub = hubs.of(tenant);
    if (hub !== undefined) for (const change of changes) hub.add(0, firstItem(hub.lanes) + 1, [change]);
  };
  const gathered = (batch: Batch): Gathered => {
    const isHeard = ({ tenant }: { readonly tenant: string }): boolean => hubs.of(tenant) !== undefined;
    const saved = batch.entries(eventsSaved).filter(isHeard);
    const grouped = batch.entries(correlationChanges).filter(isHeard);
    const letters = batch.rejected.map(({ entry }) => entry).filter(isHeard);
    return [
      ...saved.map(({ tenant, value }) => [tenant, changesOfEvent(value as Saved)] as const),
      ...grouped.map(({ tenant, value }) => [tenant, changesOfGroup(value as GroupChange)] as const),
      ...letters.map(({ tenant }) => [tenant, [deadLetterChange]] as const),
    ];
  };
  return {
    async listen(tenant, from, listener) {
      isAnyHeard = true;
      const listening = hubs.listen(tenant, from, listener, () => new LiveHub(ids.ulid(), [-1]));
      // Batches in flight may have been processed without listeners.
      await lastBatch.catch(() => undefined);
      return listening;
    },
    recordChanged: (tenant, of, id) => tellAll(tenant, changesOfTopology({ of, kind: 'updated', ids: [id] })),
    tellTopology: ({ tenant, ...change }) => {
      if (hubs.of(tenant) !== undefined) tellAll(tenant, changesOfTopology(change));
    },
    tellDeadLetter: (tenant) => tellAll(tenant, [deadLetterChange]),
    gather(batch, commit) {
      const changes = isAnyHeard ? gathered(batch) : [];
      const durable = commit();
      lastBatch = durable;
      if (changes.length === 0) return durable;
      return durable.then((ms) => {
        for (const [tenant, ofTenant] of changes) tellAll(tenant, ofTenant);
        return ms;
      });
    },
    end: () => hubs.end(),
  };
};
