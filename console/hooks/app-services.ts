import { createContext, useContext } from 'react';
import type { Call } from '#console/api/link/call.ts';
import type { Session } from '#console/api/session/session.ts';
import type { TenantChoice } from '#console/api/session/tenant.ts';
import type { Registry } from '#console/keys/registry.ts';
import type { Announcer } from '#console/memory/announcer.ts';
import type { Neighbours } from '#console/memory/neighbours.ts';
import type { PageTransfer } from '#console/memory/page-transfer.ts';
import type { Places } from '#console/memory/places.ts';
import type { SettingsStore } from '#console/settings/settings.ts';
import type { TimesOf } from '#console/text/times.ts';
import type { BrowserClock } from '#console/time/clock.ts';
import type { Ticker } from '#console/time/ticker.ts';

/** Parts that `main.tsx` opens and every component may use. */
export interface AppServices {
  /** Root of the server, with a slash at its end. */
  readonly root: string;
  readonly call: Call;
  readonly session: Session;
  readonly tenant: TenantChoice;
  readonly clock: BrowserClock;
  readonly ticker: Ticker;
  readonly timesOf: TimesOf;
  readonly registry: Registry;
  readonly settings: SettingsStore;
  readonly neighbours: Neighbours;
  readonly places: Places;
  readonly pageTransfer: PageTransfer;
  readonly announcer: Announcer;
}

export const AppServicesContext = createContext<AppServices | null>(null);

export const useAppServices = (): AppServices => {
  const parts = useContext(AppServicesContext);
  if (parts === null) throw new Error('a component outside <PartsContext>');
  return parts;
};
