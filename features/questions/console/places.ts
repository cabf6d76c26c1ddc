import type { Citation } from './api.ts';

interface PageAddress {
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

const at = (to: string, search: Readonly<Record<string, string>> = {}): PageAddress => ({ to, search });

/** Filters in the list of events of the console. */
const EVENT_FILTERS = ['ciId', 'from', 'to', 'severity', 'status', 'source', 'search'];

const listed = (href: string): PageAddress | null => {
  const [path = '', query = ''] = href.split('?');
  const given = [...new URLSearchParams(query)];
  if (path === '/api/events' || path === '/v1/events') {
    const named = given.map(([name, value]) => [name === 'ci_id' ? 'ciId' : name, value] as const);
    return at('/events', Object.fromEntries(named.filter(([name]) => EVENT_FILTERS.includes(name))));
  }
  const group = /^\/api\/events\/groups\/([^/]+)$/.exec(path)?.[1];
  if (group !== undefined) return at(`/groups/${group}`);
  if (path === '/api/events/groups') return at('/groups');
  if (path === '/v1/cmdb/ci') return at('/cis', Object.fromEntries(given.filter(([name]) => name === 'search')));
  return path === '/v1/services' ? at('/services') : null;
};

/** Console page of a citation, built from kind and ID alone, never from an address in an answer. */
export const placeOf = ({ kind, id, href }: Citation): PageAddress | null => {
  const name = encodeURIComponent(id);
  switch (kind) {
    case 'event':
      return at('/events', { event: id });
    case 'group':
      return at(`/groups/${name}`);
    case 'ci':
      return at(`/cis/${name}`);
    case 'service':
      return at(`/services/${name}`);
    case 'query':
      return listed(href);
    default:
      return null;
  }
};

/** True if the user's navigation has the page: `/cis/…` needs an entry `/cis`. */
export const isThere = ({ to }: PageAddress, pages: readonly string[]): boolean =>
  pages.some((page) => to === page || to.startsWith(`${page}/`));
