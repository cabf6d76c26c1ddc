import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { ulidTime } from '#domain/access/ulid-time.ts';
import { lastItem } from '#domain/assert.ts';
import { weekName } from './weeks.ts';

/** Families with one index per week of the event's id, so that old weeks can be dropped whole. */
export const WEEKLY = ['events', 'enriched', 'rearrivals', 'decisions'] as const;
export type Weekly = (typeof WEEKLY)[number];
/** Families with one index each. */
const SINGLE = ['groups', 'grouprows', 'recoveries', 'deliveries', 'records', 'search', 'journal'] as const;
export type Single = (typeof SINGLE)[number];
export type Family = Weekly | Single;
export const FAMILIES: readonly Family[] = [...WEEKLY, ...SINGLE];

const PREFIX = /^[a-z0-9][a-z0-9-]{0,60}$/;
/** Elasticsearch refuses longer ids. */
const MAX_ID_BYTES = 512;

/**
 * Index and alias names. Documents are written to aliases (`faultline-events-2026.11.16`, `faultline-groups`), each of
 * one index (`…-000001`): a write that requires an alias can create no index by accident.
 */
export class Names {
  readonly prefix: string;

  constructor(prefix: string) {
    if (!PREFIX.test(prefix)) throw new Error(`The prefix of the indices must match ${PREFIX.source}, not "${prefix}"`);
    this.prefix = prefix;
  }

  single(family: Single): string {
    return `${this.prefix}-${family}`;
  }

  /** Returns the index of all documents about an event; null when the id is no ULID, so that none can exist. */
  weekly(family: Weekly, eventId: string): string | null {
    const made = ulidTime(eventId);
    return made === null ? null : `${this.prefix}-${family}-${weekName(made)}`;
  }

  /** All indices of a family. */
  every(family: Family): string {
    return `${this.prefix}-${family}-*`;
  }

  template(family: Family): string {
    return `${this.prefix}-${family}`;
  }
}

/** Id of a document from its parts, of which only the last may hold a slash or be long. */
export function documentId(...parts: readonly string[]): string {
  const id = parts.join('/');
  if (id.length * 3 <= MAX_ID_BYTES || Buffer.byteLength(id) <= MAX_ID_BYTES) return id;
  return [...parts.slice(0, -1), createHash('sha256').update(lastItem(parts)).digest('base64url')].join('/');
}
