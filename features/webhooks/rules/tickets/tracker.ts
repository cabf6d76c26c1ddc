import type { TicketNews } from '#features/webhooks/rules/formats/ticket.ts';

/** A request to a tracker; without a body it is a GET. */
export interface TrackerRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly body?: object;
}

/** Reads a reply, as JSON. */
type ReplyReader<T> = (reply: unknown) => T;

interface TicketStanding {
  readonly isDone: boolean;
}

/** One kind of ticket system: its requests, and the reading of their replies. Pure. */
export interface Tracker {
  /** Reason why the address of a webhook is none of this system; null: it is one. */
  readonly refusal: (url: URL) => string | null;
  /** Finds the ticket of a key whose number was not stored. */
  readonly find: (url: URL, key: string) => TrackerRequest;
  readonly found: ReplyReader<string | null>;
  readonly create: (url: URL, news: TicketNews) => TrackerRequest;
  readonly created: ReplyReader<string | null>;
  readonly look: (url: URL, ticket: string) => TrackerRequest;
  readonly looked: ReplyReader<TicketStanding>;
  readonly comment: (url: URL, ticket: string, news: TicketNews) => TrackerRequest;
  /** Reads the possible steps for `change`; absent: it needs none. */
  readonly options?: (url: URL, ticket: string) => TrackerRequest;
  /** Closes or reopens the ticket; null: its workflow has no such step. */
  readonly change: (url: URL, ticket: string, news: TicketNews, options: unknown) => TrackerRequest | null;
}
