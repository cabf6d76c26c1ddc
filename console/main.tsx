import { errorMessage } from '#domain/fault.ts';
import './theme/base.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { rootOf } from './api/link/address.ts';
import { openCall } from './api/link/call.ts';
import { isProblem } from './api/link/problem.ts';
import { carryTenant, lockedAt, openBoard, openChannel } from './api/session/browser.ts';
import type { SessionMessage } from './api/session/messages.ts';
import { linkCodeOf } from './api/session/password-link.ts';
import { openSession, type Session } from './api/session/session.ts';
import { type Credentials, openSignIn } from './api/session/sign-in.ts';
import { signInRefusal } from './api/session/single-sign-on.ts';
import { linkedTenant, openTenantChoice } from './api/session/tenant.ts';
import { features } from './features.ts';
import { Gate } from './frame/gate.tsx';
import { LiveProvider } from './frame/live-provider.tsx';
import { forgetUndo, Messages } from './frame/toasts.tsx';
import { AppServicesContext } from './hooks/app-services.ts';
import { openQueries } from './hooks/queries.ts';
import { openRegistry } from './keys/registry.ts';
import { openAnnouncer } from './memory/announcer.ts';
import { openNeighbours } from './memory/neighbours.ts';
import { openPageTransfer } from './memory/page-transfer.ts';
import { openPlaces } from './memory/places.ts';
import { loadPageEarly, openRouter } from './routes.tsx';
import { openSettings } from './settings/settings.ts';
import { FeaturesContext } from './slots/feature.ts';
import { openTimes } from './text/times.ts';
import * as text from './texts.ts';
import { ThemeProvider } from './theme/theme-provider.tsx';
import { THEMES, type ThemeName } from './theme/tokens.ts';
import { randomId } from './time/chance.ts';
import { openClock } from './time/clock.ts';
import { openTicker } from './time/ticker.ts';

const SETTINGS = 'faultline-settings';
const TENANT = 'faultline-tenant';

const isScreen = (): boolean => /\/noc\/?$/.test(location.pathname);

/** A start link and a large screen bring their credential behind the `#`; it does not stay in the address. */
const credentialOf = (hash: string): Credentials | null => {
  const given = new URLSearchParams(hash.slice(1));
  const [code, token] = [given.get('code'), given.get('token')];
  if (code === null && token === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  if (code !== null) return { code };
  return token !== null && isScreen() ? { token, onlyReads: true } : null;
};

/** A link opened in another tab carries its tenant behind the `#`; it does not stay in the address. */
const takeLinkedTenant = (): string | null => {
  const linked = linkedTenant(location.hash);
  if (linked !== null) history.replaceState(null, '', location.pathname + location.search);
  return linked;
};

/** The code of a link that sets a password does not stay in the address. */
const takeLinkCode = (): string | null => {
  const code = linkCodeOf(location.hash);
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code;
};

const refusalOf = (error: unknown): string => {
  if (isProblem(error, 401)) return text.linkExpired;
  return errorMessage(error);
};

/** An invalid credential leads to the sign-in form, which shows the reason, or to the earlier sign-in. */
const enter = async (session: Session): Promise<void> => {
  const credential = credentialOf(location.hash);
  if (credential === null) return session.start(signInRefusal(location.search));
  return session.signIn(credential).catch((error: unknown) => session.start(refusalOf(error)));
};

/** A large screen has no user to choose: its address may contain `?theme=dark`. */
const askedTheme = (): ThemeName | null =>
  THEMES.find((theme) => isScreen() && new URLSearchParams(location.search).get('theme') === theme) ?? null;

/**
 * Styles that the kit makes at run time are allowed by the nonce of this load alone; the scroll lock looks for it here.
 */
const allowStyles = (): void => {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  Object.assign(globalThis, { __webpack_nonce__: nonce });
};

const start = (place: HTMLElement): void => {
  allowStyles();
  const root = rootOf(document.baseURI);
  const clock = openClock();
  const queries = openQueries();
  const send: typeof fetch = (...request) => fetch(...request);
  const linked = takeLinkedTenant();
  if (linked !== null) sessionStorage.setItem(TENANT, linked);
  const tenant = openTenantChoice({
    read: () => sessionStorage.getItem(TENANT),
    write: (chosen) => (chosen === null ? sessionStorage.removeItem(TENANT) : sessionStorage.setItem(TENANT, chosen)),
    forget: () => {
      queries.clear();
      forgetUndo();
    },
  });
  const session = openSession({
    signIn: openSignIn({ root, now: clock.own, fetch: send }),
    channel: openChannel<SessionMessage>(`faultline ${root}`),
    locked: lockedAt(root),
    board: openBoard(root),
    now: clock.own,
    forget: () => {
      tenant.choose(null);
      queries.clear();
    },
  });
  const parts = {
    root,
    session,
    tenant,
    clock,
    call: openCall({ root, bearer: session, tenant: tenant.get, now: clock.now, randomId, fetch: send }),
    ticker: openTicker(() => !document.hidden),
    timesOf: openTimes(),
    registry: openRegistry(),
    neighbours: openNeighbours(),
    places: openPlaces(),
    pageTransfer: openPageTransfer(),
    announcer: openAnnouncer(clock.now),
    settings: openSettings({
      read: () => localStorage.getItem(SETTINGS),
      write: (text) => localStorage.setItem(SETTINGS, text),
    }),
  };
  for (const press of ['pointerdown', 'contextmenu', 'keydown'])
    document.addEventListener(press, ({ target }) => carryTenant(target, tenant.get(), root), { capture: true });
  const router = openRouter();
  const linkCode = takeLinkCode();
  const theme = askedTheme();
  void enter(session);
  loadPageEarly(router);
  createRoot(place).render(
    <AppServicesContext value={parts}>
      <ThemeProvider asked={theme}>
        <QueryClientProvider client={queries}>
          <Messages />
          <Gate linkCode={linkCode}>
            <LiveProvider>
              <FeaturesContext value={features}>
                <RouterProvider router={router} />
              </FeaturesContext>
            </LiveProvider>
          </Gate>
        </QueryClientProvider>
      </ThemeProvider>
    </AppServicesContext>,
  );
};

const place = document.getElementById('console');
if (place !== null) start(place);
