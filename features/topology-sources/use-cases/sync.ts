import { audit } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { Fault } from '#domain/fault.ts';
import { isChanging, SYNCED, type TopologySource } from '#features/topology-sources/rules/source.ts';
import type { WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { heldBody } from '#features/topology-sources/schemas/sources.ts';
import { CALLER_WAITS, exclusively } from './exclusive.ts';
import { type AppliedSet, applySet } from './said/apply-set.ts';
import { allSources, findSource, putSource, putState, setDue, stateOf } from './stored/source-store.ts';

export interface SyncInput {
  readonly source: string;
  /** The set is complete. */
  readonly full: boolean;
  readonly dryRun: boolean;
  readonly confirm: boolean;
  /** 0: missing items end at once. */
  readonly graceMs: number;
}

const heldFault = ({ held }: AppliedSet, name: string): Fault =>
  new Fault(
    'conflict',
    `This sync would retire more than 30% of the CIs or relationships of ${name}. Nothing changed. Send it again with confirm=true to apply it`,
    [],
    { data: { held: heldBody(held) } },
  );

/** Finds or creates the record of a sync source. Throws Fault `conflict` for the name of a polled source. */
async function ownSource(
  context: UseCaseContext,
  { source: name, graceMs, dryRun }: SyncInput,
): Promise<TopologySource> {
  const { ports, tenant, receivedAt: at } = context;
  const before = await findSource(ports.records, tenant, name);
  if (before !== null && before.body.kind !== SYNCED)
    throw new Fault('conflict', `${name} is a polled source. Use another name`);
  const source: TopologySource = {
    name,
    kind: SYNCED,
    url: null,
    auth: null,
    ca: null,
    everyMs: 0,
    graceMs,
    cluster: null,
    paused: false,
    createdAt: before?.body.createdAt ?? at,
    updatedAt: at,
  };
  if (!dryRun && before?.body.graceMs !== graceMs) await putSource(ports, tenant, source, { before, sideRecords: [] });
  return source;
}

/**
 * Applies a set. Throws Fault `conflict` with `held` if the guard rejects it, or if another sync of the source is in
 * progress.
 */
export async function syncSet(context: UseCaseContext, input: SyncInput, wanted: WantedSet): Promise<AppliedSet> {
  const { ports, tenant, receivedAt: at } = context;
  const { records } = ports;
  const { source: name, full, dryRun, confirm, graceMs } = input;
  return exclusively(
    context,
    { source: name, waits: CALLER_WAITS, isStopping: () => false },
    async ({ isStopping }) => {
      await ownSource(context, input);
      const sources = (await allSources(records, tenant)).map((one) => one.name);
      const applied = await applySet(context, wanted, {
        source: name,
        sources,
        isWhole: full,
        graceMs,
        isDryRun: dryRun,
        isConfirmed: confirm,
        isAllOrNothing: true,
        at,
        notesSeen: false,
        isStopping,
      });
      if (dryRun) return applied;
      const { cis, relationships, held, endsAt } = applied;
      const counts = { cis, relationships, pods: 0 };
      const state = { ...(await stateOf(records, tenant, name)), held };
      if (held !== null) {
        await putState(records, tenant, name, state);
        throw heldFault(applied, name);
      }
      await putState(records, tenant, name, {
        ...state,
        lastRun: at,
        counts,
        ...(isChanging(counts) && { lastChange: { at, counts, changes: applied.changes } }),
        staleSince: null,
        failures: 0,
        error: null,
      });
      await setDue(records, tenant, name, endsAt);
      if (isChanging(counts))
        await audit(context, {
          action: 'source.run',
          target: { kind: 'source', id: name },
          before: null,
          after: { cis, relationships },
        });
      return applied;
    },
  );
}
