import { askerOf, audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { storeDurations } from '#application/records/alert-durations.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { pageFrom } from '#application/records/list-records.ts';
import { Fault, invalid, notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import { sameJson } from '#domain/same-json.ts';
import { codeData } from '#features/topology-sources/rules/connection.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import { NEW_STATE, SYNCED, type TopologySource } from '#features/topology-sources/rules/source.ts';
import { type SourceInput, sourceFacts } from '#features/topology-sources/schemas/sources.ts';
import { CALLER_WAITS, exclusively } from '#features/topology-sources/use-cases/exclusive.ts';
import { endHeard } from '#features/topology-sources/use-cases/kubernetes/hear-clusters.ts';
import { KNOWN_OBJECTS } from '#features/topology-sources/use-cases/objects/known-objects.ts';
import { dropPods } from '#features/topology-sources/use-cases/objects/stored-pods.ts';
import { runStored, type SourceRun, tryOut } from '#features/topology-sources/use-cases/run-source.ts';
import { dropBook } from '#features/topology-sources/use-cases/said/said-book.ts';
import {
  allSources,
  findSource,
  putSource,
  requireSource,
  setDue,
  stateOf,
  type WatchedSource,
} from '#features/topology-sources/use-cases/stored/source-store.ts';
import type { Paging } from '#schemas/http/paging.ts';

export interface ShownSource extends WatchedSource {
  readonly revision: number;
}

export const readSource = async ({ ports, tenant }: UseCaseContext, name: string): Promise<ShownSource> => {
  const { body: source, revision } = await requireSource(ports.records, tenant, name);
  return { source, state: await stateOf(ports.records, tenant, name), revision };
};

export async function listSources({ ports, tenant }: UseCaseContext, paging: Paging): Promise<Page<WatchedSource>> {
  const { records } = ports;
  const all = (await allSources(records, tenant)).map((source) => ({ id: source.name, source }));
  const { page, limit, cursor } = paging;
  const start = cursor === undefined ? (page - 1) * limit : all.filter(({ id }) => id <= cursor).length;
  const { items, ...rest } = pageFrom(all, start, limit);
  const watched = items.map(async ({ id, source }) => ({ source, state: await stateOf(records, tenant, id) }));
  return { ...rest, items: await Promise.all(watched) };
}

export interface SourcePut {
  readonly name: string;
  readonly input: SourceInput;
  readonly dryRun: boolean;
}

export interface PutSource extends ShownSource {
  readonly isNew: boolean;
  /** Result of a dry run. */
  readonly run: SourceRun | null;
}

/** True for a URL that can only be refused for its address. */
function hasHost(text: string | null): boolean {
  const { protocol = '', username, password } = URL.parse(text ?? '') ?? {};
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** Only a cluster needs no address: that of the cluster in which Faultline runs is known. */
function refusalOf({ outbound, clusters }: UseCaseContext['ports'], { kind, url }: SourceInput): string | null {
  if (url !== null) return outbound.refusal(url);
  if (kind !== 'kubernetes') return 'required';
  return clusters.own() === null
    ? "required: Faultline doesn't run in a Kubernetes cluster with a service account"
    : null;
}

/**
 * Creates or replaces a source, which then runs at once. A dry run reads the source and stores nothing. Throws Fault
 * `invalid` for an address that may not be called.
 */
export async function saveSource(context: UseCaseContext, { name, input, dryRun }: SourcePut): Promise<PutSource> {
  const { ports, tenant, receivedAt: at, ifMatch } = context;
  const refusal = refusalOf(ports, input);
  if (refusal !== null) {
    const { kind, message, problems } = invalid('url', refusal);
    throw new Fault(kind, message, problems, { data: codeData(hasHost(input.url) ? 'refused_address' : null) });
  }
  if (input.kind === 'kubernetes' && input.auth?.type === 'basic') throw invalid('auth', 'expected type bearer');
  const before = await findSource(ports.records, tenant, name);
  if (before?.body.kind === SYNCED) throw new Fault('conflict', `${name} is used by sync. Use another name`);
  requireMatch(ifMatch, before?.revision ?? 0);
  const kept = input.auth === undefined && before?.body.url === input.url ? before.body.auth : null;
  const source: TopologySource = {
    name,
    ...input,
    auth: input.auth ?? kept,
    createdAt: before?.body.createdAt ?? at,
    updatedAt: at,
  };
  const asker = askerOf(context);
  if (dryRun) {
    const run = await tryOut(context, source, { isStopping: () => false, waits: CALLER_WAITS, asker });
    return {
      source,
      state: await stateOf(ports.records, tenant, name),
      revision: before?.revision ?? 0,
      isNew: before === null,
      run,
    };
  }
  const state = before === null ? NEW_STATE : await stateOf(ports.records, tenant, name);
  const isSame = before !== null && sameJson({ ...before.body, updatedAt: 0 }, { ...source, updatedAt: 0 });
  if (!isSame) {
    const action = before === null ? 'source.created' : 'source.changed';
    const target = { kind: 'source', id: name };
    const facts = { before: before && sourceFacts(before.body), after: sourceFacts(source) };
    await putSource(ports, tenant, source, { before, sideRecords: [audited(context, { action, target, ...facts })] });
    await setDue(ports.records, tenant, name, source.paused ? null : at);
  }
  const revision = (before?.revision ?? 0) + (isSame ? 0 : 1);
  return { source: isSame ? before.body : source, state, revision, isNew: before === null, run: null };
}

async function deleted(context: UseCaseContext, name: string): Promise<void> {
  const { ports, tenant, ifMatch } = context;
  const { records, memory } = ports;
  const { body, revision } = await requireSource(records, tenant, name);
  requireMatch(ifMatch, revision);
  const target = { kind: 'source', id: name };
  const entry = audited(context, { action: 'source.deleted', target, before: sourceFacts(body), after: null });
  await setDue(records, tenant, name, null);
  await records.remove(tenant, SOURCE_RECORDS.source, name, [entry]);
  await records.remove(tenant, SOURCE_RECORDS.state, name);
  await dropBook(records, tenant, name);
  await dropPods(records, tenant, name);
  await storeDurations(records, tenant, name, {});
  await endHeard(ports, tenant, name);
  memory.of(KNOWN_OBJECTS).forget(tenant);
}

/** Deletes a source and its record, but not its CIs. Throws Fault `conflict` if a run is still in progress. */
export const deleteSource = (context: UseCaseContext, name: string): Promise<void> =>
  exclusively(context, { source: name, waits: CALLER_WAITS, isStopping: () => false }, () => deleted(context, name));

export interface AskedRun {
  readonly name: string;
  readonly isDryRun: boolean;
  readonly isConfirmed: boolean;
}

export interface ShownRun extends ShownSource {
  readonly run: SourceRun;
}

/** Runs a source now. Throws Fault `conflict` for a sync source, unless its endings are confirmed. */
export async function runNow(context: UseCaseContext, { name, ...how }: AskedRun): Promise<ShownRun> {
  const { ports, tenant } = context;
  const { body } = await requireSource(ports.records, tenant, name);
  if (body.kind === SYNCED && !how.isConfirmed)
    throw new Fault('conflict', `${name} isn't polled. Send its CIs to /cmdb/sync/${name}`);
  const run = await runStored(context, name, {
    ...how,
    isStopping: () => false,
    waits: CALLER_WAITS,
    asker: askerOf(context),
  });
  if (run === null) throw notFound('Source', name);
  return { ...(await readSource(context, name)), run };
}
