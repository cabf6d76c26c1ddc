import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { TRIAL_KINDS, type Trial } from '#features/trials/rules/trial.ts';

/** The work of the background. */
export const TRY_SETTINGS = 'try-settings';

/** Trials with all they hold, ms. */
export const TRIAL_KEPT_MS = 7 * 86_400_000;

export const findTrial = (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<Trial> | null> =>
  records.get<Trial>(tenant, TRIAL_KINDS.trial, id);
