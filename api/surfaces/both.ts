/** One mount on each of the two general surfaces, whose envelopes differ: /v1 and /api. */
import type { z } from 'zod';
import { v1List, wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { type Method, type Mount, mount, type SharedMount } from './endpoint.ts';

type Schema = z.ZodType | undefined;
/** Prefix of links in a reply to others of its surface. */
type Prefix = '/v1' | '/api';
type Linked<In, Out, P, Q, B> = Omit<SharedMount<In, Out, P, Q, B>, 'present'>;

/** The reply is one record. */
export const both = <In, Out, P extends Schema, Q extends Schema, B extends Schema>(
  shared: SharedMount<In, Out, P, Q, B>,
  record: z.ZodType,
): Mount<In, Out>[] => [
  mount({ ...shared, on: 'v1', reply: record }),
  mount({ ...shared, on: 'platform', reply: wrapped(record) }),
];

/** The reply is a list of items. */
export const bothList = <In, Out, P extends Schema, Q extends Schema, B extends Schema>(
  shared: SharedMount<In, Out, P, Q, B>,
  item: z.ZodType,
): Mount<In, Out>[] => [
  mount({ ...shared, on: 'v1', reply: v1List(item) }),
  mount({ ...shared, on: 'platform', reply: wrappedList(item) }),
];

/** The reply is one record that names an address of its surface. */
export const bothLinked = <In, Out, P extends Schema, Q extends Schema, B extends Schema>(
  shared: Linked<In, Out, P, Q, B>,
  record: z.ZodType,
  presentAt: (prefix: Prefix) => Mount<In, Out>['present'],
): Mount<In, Out>[] => [
  mount<In, Out, P, Q, B>({ ...shared, on: 'v1', reply: record, present: presentAt('/v1') }),
  mount<In, Out, P, Q, B>({ ...shared, on: 'platform', reply: wrapped(record), present: presentAt('/api') }),
];

type PlacedMount<In, Out, P, Q, B> = Omit<SharedMount<In, Out, P, Q, B>, 'method' | 'path'>;

const record =
  (method: Method) =>
  <In, Out, P extends Schema, Q extends Schema, B extends Schema>(
    path: string,
    reply: z.ZodType,
    shared: PlacedMount<In, Out, P, Q, B>,
  ): Mount<In, Out>[] =>
    both<In, Out, P, Q, B>({ ...shared, method, path }, reply);

/** Both mounts of a record in one call: `onBoth.get(path, View, { … })`. */
export const onBoth = {
  get: record('get'),
  post: record('post'),
  put: record('put'),
  delete: record('delete'),
} as const;

const list =
  (method: Method) =>
  <In, Out, P extends Schema, Q extends Schema, B extends Schema>(
    path: string,
    item: z.ZodType,
    shared: PlacedMount<In, Out, P, Q, B>,
  ): Mount<In, Out>[] =>
    bothList<In, Out, P, Q, B>({ ...shared, method, path }, item);

export const onBothList = { get: list('get') } as const;

const linked =
  (method: Method) =>
  <In, Out, P extends Schema, Q extends Schema, B extends Schema>(
    path: string,
    reply: z.ZodType,
    shared: Omit<PlacedMount<In, Out, P, Q, B>, 'present'>,
    presentAt: (prefix: Prefix) => Mount<In, Out>['present'],
  ): Mount<In, Out>[] =>
    bothLinked<In, Out, P, Q, B>({ ...shared, method, path }, reply, presentAt);

export const onBothLinked = { get: linked('get'), post: linked('post') } as const;
