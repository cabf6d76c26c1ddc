import { actorOf } from '#application/access/actor.ts';
import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { inTurn } from '#application/records/in-turn.ts';
import type { Actor } from '#domain/event/event.ts';
import { Fault, notFound } from '#domain/fault.ts';
import { mergeOverrides } from '#domain/merge-patch.ts';
import type { SideRecord } from '#domain/side-record.ts';

export type Overrides = Readonly<Record<string, unknown>>;

/** Place of stored overrides, and their name in the audit. */
export interface SettingsPlace {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
}
export const CORRELATION: SettingsPlace = {
  kind: 'settings',
  id: 'correlation',
  action: 'settings.correlation.updated',
};
export const INBOUND: SettingsPlace = { kind: 'settings', id: 'inbound', action: 'settings.inbound.updated' };

/** Changes of the tenant, empty when there are none, and the revision that a change is based on. */
export interface StoredTenantSettings {
  readonly overrides: Overrides;
  readonly revision: number;
}

export const readSettings = async (
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  { kind, id }: SettingsPlace,
): Promise<StoredTenantSettings> => {
  const stored = await ports.records.get<Overrides>(tenant, kind, id);
  return { overrides: stored?.body ?? {}, revision: stored?.revision ?? 0 };
};

export const readOverrides = async (
  context: Pick<UseCaseContext, 'tenant' | 'ports'>,
  place: SettingsPlace,
): Promise<Overrides> => (await readSettings(context, place)).overrides;

/** Maximum number of versions per place. */
const MAX_VERSIONS = 50;

/** Overrides after a change, and before it. */
interface VersionRecord {
  readonly revision: number;
  readonly at: number;
  readonly by: Actor;
  readonly before: Overrides;
  readonly after: Overrides;
}
/** Settings as they were from a time on; null: before the first change that is known. */
export interface SettingsVersion {
  readonly revision: number;
  readonly at: number | null;
  readonly by: Actor | null;
  readonly overrides: Overrides;
}

const versionKind = ({ kind, id }: SettingsPlace): string => `version-of-${kind}-${id}`;

const versionOf = (
  { ports, tenant, caller }: UseCaseContext,
  place: SettingsPlace,
  change: Pick<VersionRecord, 'before' | 'after' | 'revision'>,
): SideRecord => {
  const body: VersionRecord = { ...change, at: ports.clock.now(), by: actorOf(caller) };
  return { tenant, kind: versionKind(place), id: ports.ids.ulid(), body };
};

/** An interruption leaves some for the next change. */
const dropOldVersions = async ({ ports, tenant }: UseCaseContext, place: SettingsPlace): Promise<void> => {
  const kind = versionKind(place);
  const all = await ports.records.list(tenant, kind, { limit: MAX_VERSIONS + 10, descending: true });
  for (const { id } of all.slice(MAX_VERSIONS)) await ports.records.remove(tenant, kind, id);
};

/** Newest first; the last one is from before the oldest change. */
export const listVersions = async (
  { ports, tenant }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  place: SettingsPlace,
): Promise<readonly SettingsVersion[]> => {
  const options = { limit: MAX_VERSIONS, descending: true } as const;
  const found = (await ports.records.list<VersionRecord>(tenant, versionKind(place), options)).map(({ body }) => body);
  const oldest = found.at(-1);
  return [
    ...found.map(({ revision, at, by, after: overrides }) => ({ revision, at, by, overrides })),
    ...(oldest === undefined ? [] : [{ revision: oldest.revision - 1, at: null, by: null, overrides: oldest.before }]),
  ];
};

const revise = async (
  context: UseCaseContext,
  place: SettingsPlace,
  change: (before: Overrides) => Overrides,
): Promise<StoredTenantSettings> => {
  const { tenant, ports, ifMatch } = context;
  const { kind, id, action } = place;
  return inTurn(ports, { of: [kind, tenant, id], ifMatch }, async () => {
    const { overrides: before, revision: expected } = await readSettings(context, place);
    requireMatch(ifMatch, expected);
    const after = change(before);
    const entry = audited(context, { action, target: { kind, id }, before, after });
    const version = versionOf(context, place, { before, after, revision: expected + 1 });
    const options = { expected, sideRecords: [entry, version] };
    const revision = await ports.records.put(tenant, kind, id, after, options);
    await dropOldVersions(context, place);
    return { overrides: after, revision };
  });
};

/**
 * Applies a patch to the overrides (null restores the default) and audits it. Throws Fault `precondition` when If-Match
 * names another revision.
 */
export const patchOverrides = (
  context: UseCaseContext,
  place: SettingsPlace,
  patch: Overrides,
): Promise<StoredTenantSettings> => revise(context, place, (before) => mergeOverrides(before, patch));

/** Puts others in place of the overrides and audits it. */
export const replaceOverrides = (
  context: UseCaseContext,
  place: SettingsPlace,
  overrides: Overrides,
): Promise<StoredTenantSettings> => revise(context, place, () => overrides);

/** `fits`: within the bounds of today. Puts the overrides of an earlier version in place of the current ones and audits it. */
export const restoreVersion = async (
  context: UseCaseContext,
  place: SettingsPlace,
  revision: number,
  fits: (overrides: Overrides) => boolean,
): Promise<StoredTenantSettings> => {
  const version = (await listVersions(context, place)).find((one) => one.revision === revision);
  if (version === undefined) throw notFound('Version', String(revision));
  if (!fits(version.overrides))
    throw new Fault(
      'unprocessable',
      `Version ${revision} exceeds the bounds of this release. Change the settings instead`,
    );
  return replaceOverrides(context, place, version.overrides);
};
