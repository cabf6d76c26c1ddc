import { actorOf } from '#application/access/actor.ts';
import { type AuditEntry, audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { revise } from '#application/records/revise.ts';
import {
  CONSOLE_KINDS,
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  SHARED_ID,
  type StoredView,
  type ViewShelf,
} from '#domain/access/console.ts';
import { assertDefined } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';

export interface ViewDraft extends Pick<StoredView, 'name' | 'page' | 'query' | 'columns'> {
  readonly shared: boolean;
}
export interface ShownView {
  readonly view: StoredView;
  readonly shared: boolean;
}

const shelfOf = ({ caller }: UseCaseContext, shared: boolean): string => (shared ? SHARED_ID : caller.id);

const onShelf = async ({ ports, tenant }: UseCaseContext, shelf: string): Promise<readonly StoredView[]> =>
  (await ports.records.get<ViewShelf>(tenant, CONSOLE_KINDS.views, shelf))?.body.views ?? [];

/** Shared views are first; a view that was just moved may be on both shelves. */
export const listViews = async (context: UseCaseContext): Promise<readonly ShownView[]> => {
  const [shared, own] = await Promise.all([onShelf(context, SHARED_ID), onShelf(context, context.caller.id)]);
  const known = new Set(shared.map(({ id }) => id));
  return [
    ...shared.map((view) => ({ view, shared: true })),
    ...own.filter(({ id }) => !known.has(id)).map((view) => ({ view, shared: false })),
  ];
};

/** The audit trail has changes that others see, and none that only one person sees. */
const trailOf = (context: UseCaseContext, shared: boolean, before: StoredView | null, after: StoredView | null) => {
  if (!shared) return [];
  const verb = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  const target = { kind: 'view', id: assertDefined(after ?? before, 'view').id };
  const entry: AuditEntry = { action: `view.${verb}`, target, before, after };
  return [audited(context, entry)];
};

interface Replacing {
  readonly shared: boolean;
  readonly id: string;
  /** Null: it is deleted. */
  readonly after: StoredView | null;
}

/** Throws Fault `conflict` when the shelf is full. */
async function replaceOnShelf(context: UseCaseContext, { shared, id, after }: Replacing): Promise<void> {
  const { ports, tenant } = context;
  const shelf = shelfOf(context, shared);
  const most = shared ? MAX_SHARED_VIEWS : MAX_OWN_VIEWS;
  interface StoredViews {
    readonly views: readonly StoredView[];
    readonly revision: number;
  }
  await revise<StoredViews>(ports, {
    of: ['view', tenant, shelf],
    ifMatch: null,
    load: async () => {
      const kept = await ports.records.get<ViewShelf>(tenant, CONSOLE_KINDS.views, shelf);
      return { views: kept?.body.views ?? [], revision: kept?.revision ?? 0 };
    },
    change: (loaded) => {
      const others = loaded.views.filter((view) => view.id !== id);
      if (after === null && others.length === loaded.views.length) return loaded;
      if (after !== null && others.length >= most)
        throw new Fault('conflict', `Limit reached: ${most} ${shared ? 'shared' : 'own'} views. Delete one first`);
      return { views: after === null ? others : [...others, after], revision: loaded.revision };
    },
    put: ({ views }, { views: earlier, revision }) => {
      const before = earlier.find((view) => view.id === id) ?? null;
      const sideRecords = trailOf(context, shared, before, after);
      return ports.records.put(tenant, CONSOLE_KINDS.views, shelf, { views }, { expected: revision, sideRecords });
    },
  });
}

const viewOf = ({ ports, caller }: UseCaseContext, id: string, { shared: _, ...draft }: ViewDraft): StoredView => ({
  ...draft,
  id,
  owner: actorOf(caller),
  updatedAt: ports.clock.now(),
});

/** All users of the tenant see a shared view, so that sharing needs more than read permission. */
const requireSharing = (context: UseCaseContext, shared: boolean): void => {
  if (shared) requirePermission(context, 'events.write');
};

export const createView = async (context: UseCaseContext, draft: ViewDraft): Promise<ShownView> => {
  const { shared } = draft;
  requireSharing(context, shared);
  const view = viewOf(context, context.ports.ids.ulid(), draft);
  await replaceOnShelf(context, { shared, id: view.id, after: view });
  return { view, shared };
};

/** Shared views are changed by their creator, and by users who may change settings. */
const findOwn = async (context: UseCaseContext, id: string): Promise<ShownView> => {
  const found = (await listViews(context)).find(({ view }) => view.id === id);
  if (found === undefined) throw new Fault('not-found', `View ${id} was not found`);
  const { caller } = context;
  if (found.shared && found.view.owner.id !== caller.id && !caller.permissions.has('settings.manage'))
    throw new Fault('forbidden', `This view belongs to ${found.view.owner.name}. Save a copy instead`);
  return found;
};

export const changeView = async (context: UseCaseContext, id: string, draft: ViewDraft): Promise<ShownView> => {
  requireSharing(context, draft.shared);
  const { view, shared: wasShared } = await findOwn(context, id);
  const after = { ...viewOf(context, id, draft), owner: view.owner };
  await replaceOnShelf(context, { shared: draft.shared, id, after });
  // Written there first and deleted afterwards: a view that is on both is shown once.
  if (draft.shared !== wasShared) await replaceOnShelf(context, { shared: wasShared, id, after: null });
  return { view: after, shared: draft.shared };
};

export const deleteView = async (context: UseCaseContext, id: string): Promise<void> => {
  const { shared } = await findOwn(context, id);
  await replaceOnShelf(context, { shared, id, after: null });
  if (shared) await replaceOnShelf(context, { shared: false, id, after: null });
};
