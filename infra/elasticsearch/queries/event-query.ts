import { severityRank } from '#domain/event/event.ts';
import { isGlob } from '#domain/glob.ts';
import type { EventFilter, Unbound } from '#domain/ports/events/event-store.ts';
import type { SilentFilter } from '#domain/ports/events/event-sweeps.ts';
import { IS_CHANGE, IS_OPEN } from '#infra/elasticsearch/cluster/is-open.ts';
import {
  all,
  any,
  exists,
  NOTHING,
  not,
  phrase,
  phrasePrefix,
  prefix,
  range,
  term,
  terms,
  wildcard,
} from '#infra/elasticsearch/cluster/query.ts';
import type { DocumentQuery } from '#infra/elasticsearch/cluster/search.ts';
import { mayBegin, storedPhrases } from '#infra/elasticsearch/documents/words.ts';

const searchQueries = (typed: string): DocumentQuery[] => {
  const wanted = storedPhrases(typed);
  return wanted.length === 0
    ? [NOTHING]
    : wanted.map((words) => (mayBegin(words) ? phrasePrefix : phrase)('text', words));
};

const unboundQueries = ({ hostnames, addresses }: Unbound): DocumentQuery[] => {
  const isUnbound = term('unbound.is', true);
  if (hostnames === undefined && addresses === undefined) return [isUnbound];
  const named = (hostnames ?? []).map((name) => prefix('unbound.host', `${name}.`));
  return [isUnbound, any(terms('unbound.host', hostnames ?? []), ...named, terms('unbound.address', addresses ?? []))];
};

const hostQuery = (hosts: readonly string[]): DocumentQuery => {
  const exact = hosts.filter((host) => !isGlob(host));
  // Its own sign for "as it is written".
  const patterns = hosts.filter(isGlob).map((pattern) => wildcard('host', pattern.replaceAll('\\', '\\\\')));
  return any(terms('host', exact), ...patterns);
};
const whether = (is: boolean, query: DocumentQuery): DocumentQuery => (is ? query : not(query));

const ASSIGNEES = ['event.assignedTo.id', 'event.assignedTeam.id'] as const;

const facetQueries = (filter: EventFilter): DocumentQuery[] => {
  const { hosts, services, environments, tags, assignee, ids, grouped, bound, usual } = filter;
  return [
    ...(hosts ? [hostQuery(hosts)] : []),
    ...(services ? [terms('serviceName', services)] : []),
    ...(environments ? [terms('event.environment', environments)] : []),
    ...(tags ? [terms('event.tags', tags)] : []),
    ...(ids ? [terms('event.id', ids)] : []),
    ...(assignee === null ? ASSIGNEES.map((field) => not(exists(field))) : []),
    ...(assignee == null ? [] : [any(...ASSIGNEES.map((field) => terms(field, [assignee].flat())))]),
    ...(grouped === undefined ? [] : [whether(grouped, exists('event.correlationId'))]),
    ...(bound === undefined ? [] : [whether(bound, exists('event.ci.id'))]),
    ...(usual === undefined ? [] : [whether(usual, term('event.usual', true))]),
  ];
};

/** The conditions of a filter, within one tenant. */
export function eventQuery(tenant: string, filter: EventFilter): DocumentQuery {
  const { statuses, severities, sources, ciId, unbound, correlationIds, from, to, search } = filter;
  return all(
    term('event.tenant', tenant),
    ...(statuses ? [terms('event.status', statuses)] : []),
    ...(severities ? [terms('rank', severities.map(severityRank))] : []),
    ...(sources ? [terms('event.source', sources)] : []),
    ...(ciId === undefined ? [] : [terms('event.ci.id', [ciId].flat())]),
    ...(unbound === undefined ? [] : unboundQueries(unbound)),
    ...(correlationIds ? [terms('event.correlationId', correlationIds)] : []),
    ...(from === undefined ? [] : [range('event.lastOccurrence', { gte: from })]),
    ...(to === undefined ? [] : [range('event.firstOccurrence', { lte: to })]),
    ...(search === undefined ? [] : searchQueries(search)),
    ...facetQueries(filter),
  );
}

/** Documents stored before `updatedAt` was indexed are found by their last occurrence alone. */
export const silentQuery = (tenant: string, { before, changes }: SilentFilter): DocumentQuery =>
  all(
    term('event.tenant', tenant),
    IS_OPEN,
    changes ? IS_CHANGE : not(IS_CHANGE),
    range('event.lastOccurrence', { lt: before }),
    not(range('event.updatedAt', { gte: before })),
  );
