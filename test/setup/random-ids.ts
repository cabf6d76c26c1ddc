import { systemClock } from '#infra/system/clock.ts';
import { idsAt } from '#infra/system/ids.ts';

/** As the product makes them. */
export const randomIds = idsAt(systemClock);
