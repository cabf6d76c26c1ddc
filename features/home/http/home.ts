import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { silenceName } from '#domain/event/silences/silence-rule.ts';
import { HomeBody, HomeQuery } from '#features/home/schemas/home.ts';
import { type HomeNow, readNow } from '#features/home/use-cases/now.ts';
import { type HomePeriod, readPeriod } from '#features/home/use-cases/period.ts';
import { silentSourceBody } from '#features/silent-sources/schemas/silent-source.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_MS = 12 * HOUR_MS;
const MAX_MS = 7 * 24 * HOUR_MS;

interface Home {
  readonly now: HomeNow;
  readonly period: HomePeriod;
}
type HomeView = z.output<typeof HomeBody>;

const nowView = ({ counts, services, sources, silences }: HomeNow): HomeView['now'] => ({
  groups: counts.map((one) => ({ ...one })),
  services:
    services?.map(({ service: { id, name }, health }) => ({ id, name, status: health.status, score: health.score })) ??
    null,
  silentSources: sources.map(silentSourceBody),
  silencesEnding: silences.map(({ id, reason, createdBy, endsAt }) => ({
    id: silenceName(id),
    reason,
    createdBy: createdBy.name,
    endsAt: iso(endsAt),
  })),
});

const periodView = ({ from, hasMore, longest, users, ...numbers }: HomePeriod): HomeView['period'] => ({
  from: iso(from),
  ...numbers,
  truncated: hasMore,
  longest: longest.map(({ id, kind, title, severity, from: start, to }) => ({
    id,
    kind,
    title,
    severity,
    from: iso(start),
    to: isoOrNull(to),
  })),
  users: users.map(({ user, last, actions }) => ({
    id: user.id,
    name: user.name,
    last: iso(last),
    actions: actions.map((one) => ({ ...one })),
  })),
});

export const getHome = endpoint<number | undefined, Home>({
  id: 'home.get',
  summary: 'Get an overview of the tenant',
  description: 'Open problems now, and changes in a period.',
  tag: 'Console',
  permission: 'events.read',
  limit: 'query',
  mounts: on.platform.get('/home', {
    query: HomeQuery,
    reply: wrapped(HomeBody),
    read: ({ query }) => query.since,
    present: ({ now, period }) => ({ body: { now: nowView(now), period: periodView(period) } }),
  }),
  async handle(since, context) {
    const { receivedAt } = context;
    const from = Math.min(Math.max(since ?? receivedAt - DEFAULT_MS, receivedAt - MAX_MS), receivedAt);
    const [now, period] = await Promise.all([readNow(context), readPeriod(context, from)]);
    return { now, period };
  },
});
