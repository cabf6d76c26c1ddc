import { adminPagesFor } from '#console/slots/admin-pages.ts';
import { type ConsoleFeature, type FoundPlace, inPlace, type NavigationEntry } from '#console/slots/feature.ts';
import type { Permission } from '#domain/access/permissions.ts';
import * as text from './texts.ts';

/** A page of the core has one line here and one in `routes.tsx`. */
const NAVIGATION: readonly NavigationEntry[] = [
  {
    place: 10,
    to: '/groups',
    words: text.groups,
    also: 'incidents problems',
    icon: 'groups',
    needs: 'events.read',
    key: 'g',
  },
  {
    place: 20,
    to: '/events',
    words: text.events,
    also: 'alerts alarms',
    icon: 'events',
    needs: 'events.read',
    key: 'e',
  },
  {
    place: 30,
    to: '/topology',
    words: text.topology,
    also: 'map dependencies graph',
    icon: 'topology',
    needs: 'cmdb.read',
    key: 't',
  },
  {
    place: 40,
    to: '/cis',
    words: text.cis,
    also: 'hosts servers devices inventory cmdb',
    icon: 'cis',
    needs: 'cmdb.read',
    key: 'c',
  },
  {
    place: 50,
    to: '/tuning',
    words: text.tuning,
    also: 'settings correlation thresholds simulation',
    icon: 'tuning',
    needs: 'settings.read',
    key: 'u',
  },
  {
    place: 60,
    to: '/sources',
    words: text.sources,
    also: 'integrations monitoring',
    icon: 'sources',
    needs: 'tokens.manage',
    key: 'o',
  },
  {
    place: 70,
    to: '/pipeline',
    words: text.pipeline,
    also: 'health status lag backlog jobs processors',
    icon: 'pipeline',
    needs: 'pipeline.read',
    key: 'p',
  },
  {
    place: 80,
    to: '/admin',
    words: text.admin,
    also: 'settings',
    icon: 'admin',
    key: 'a',
    needs: 'settings.read',
    orElse: ['users.manage', 'tokens.manage', 'webhooks.manage', 'audit.read'],
  },
  { place: 90, to: '/noc', words: text.wallboard, also: 'screen dashboard', icon: 'screen', needs: 'events.read' },
  { place: 100, to: '/start', words: text.getStarted, also: 'onboarding setup', icon: 'start', needs: 'tokens.manage' },
];

export const entriesFor = (
  own: readonly Permission[],
  features: readonly ConsoleFeature[],
): readonly NavigationEntry[] =>
  inPlace([...NAVIGATION, ...features.flatMap(({ navigation = [] }) => navigation)]).filter(
    ({ needs, orElse = [] }) => needs === null || [needs, ...orElse].some((one) => own.includes(one)),
  );

const PLACES: readonly FoundPlace[] = [
  {
    to: '/tuning?view=events',
    words: text.eventLifecycle,
    also: 'settings auto-resolve deduplication',
    needs: 'settings.read',
  },
  { to: '/tuning?view=quality', words: text.quality, also: 'verdicts accuracy calibration', needs: 'settings.read' },
  { to: '/pipeline', words: text.deadLetters, also: 'failed records replay', needs: 'pipeline.read' },
  { to: '/me', words: text.preferences, also: 'settings profile password zone', needs: null },
];

/** Pages and their parts that the user may open. */
export const placesFor = (own: readonly Permission[], features: readonly ConsoleFeature[]): readonly FoundPlace[] => {
  const tabs = features.flatMap(({ pageTabs = [] }) => pageTabs);
  const entries = entriesFor(own, features);
  const parts = [...PLACES, ...features.flatMap(({ places = [] }) => places)];
  return [
    ...entries,
    ...adminPagesFor(own, features),
    ...tabs
      .filter(({ page }) => entries.some(({ to }) => to === page))
      .map(({ id, page, words }) => ({ to: `${page}?tab=${id}`, words, also: page.slice(1), needs: null })),
    ...parts.filter(({ needs }) => needs === null || own.includes(needs)),
  ];
};
