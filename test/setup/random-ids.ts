import { idsAt } from '#infra/system/crypto.ts';
import { systemClock } from '#infra/system/time.ts';

/** Ids as the product makes them. */
export const randomIds = idsAt(systemClock);
