import type { Lifecycle } from '#domain/event/life/lifecycle.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** Whether the tenant wants the maintenance of a CI to suppress events of what lies below it, too. */
export const maintenanceReaches = async (records: RecordStore, tenant: string): Promise<boolean> =>
  (await records.get<Partial<Lifecycle>>(tenant, 'settings', 'lifecycle'))?.body.maintenanceBelow ?? false;
