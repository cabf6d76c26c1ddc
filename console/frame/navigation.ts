import { type ConsoleFeature, inPlace, type NavigationEntry } from '#console/slots/feature.ts';
import type { Permission } from '#domain/access/permissions.ts';
import * as text from './texts.ts';

/** A page of the core has one line here and one in `routes.tsx`. */
const NAVIGATION: readonly NavigationEntry[] = [
  { place: 10, to: '/groups', words: text.groups, icon: 'groups', needs: 'events.read', key: 'g' },
  { place: 20, to: '/events', words: text.events, icon: 'events', needs: 'events.read', key: 'e' },
  { place: 30, to: '/topology', words: text.topology, icon: 'topology', needs: 'cmdb.read', key: 't' },
  { place: 40, to: '/cis', words: text.cis, icon: 'cis', needs: 'cmdb.read', key: 'c' },
  { place: 50, to: '/tuning', words: text.tuning, icon: 'tuning', needs: 'settings.read', key: 'u' },
  { place: 60, to: '/sources', words: text.sources, icon: 'sources', needs: 'tokens.manage', key: 'o' },
  { place: 70, to: '/pipeline', words: text.pipeline, icon: 'pipeline', needs: 'pipeline.read', key: 'p' },
  {
    place: 80,
    to: '/admin',
    words: text.admin,
    icon: 'admin',
    key: 'a',
    needs: 'settings.read',
    orElse: ['users.manage', 'tokens.manage', 'webhooks.manage', 'audit.read'],
  },
  { place: 90, to: '/noc', words: text.wallboard, icon: 'screen', needs: 'events.read' },
  { place: 100, to: '/start', words: text.getStarted, icon: 'start', needs: 'tokens.manage' },
];

export const entriesFor = (
  own: readonly Permission[],
  features: readonly ConsoleFeature[],
): readonly NavigationEntry[] =>
  inPlace([...NAVIGATION, ...features.flatMap(({ navigation = [] }) => navigation)]).filter(
    ({ needs, orElse = [] }) => needs === null || [needs, ...orElse].some((one) => own.includes(one)),
  );
