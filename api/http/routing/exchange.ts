import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Surface } from '#api/surfaces/surface.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Route } from './routes.ts';

/** One request and what is known of it so far; whoever replies, reads how from here. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Peer, or the client that a trusted proxy names. */
  readonly address: string;
  /** Without query, as sent. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  /** Epoch ms. */
  readonly receivedAt: number;
  /** Monotonic ms. */
  readonly startedAt: number;
  /** When a reply that lasts began, monotonic ms; else null. */
  beganAt: number | null;
  surface: Surface;
  route: Route | null;
  caller: Caller | null;
  tenant: string;
  /** Sent with whatever the reply will be. */
  readonly headers: Record<string, string>;
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** A header's value when it is 1–128 printable characters. */
export const printable = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && PRINTABLE.test(value) ? value : null;
