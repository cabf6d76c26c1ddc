import type { MonitorAction } from '#domain/event/draft.ts';
import type { AlertKind } from '#domain/event/identity/alert-kinds.ts';
import type { Problem } from '#domain/fault.ts';
import type { SourceCard } from './card.ts';

/** A request: the JSON body, and headers by lower-case name. `receivedAt` in ms. */
export interface Delivered {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly receivedAt: number;
}

/** Settings of the tenant that change how a source is read (`/api/admin/settings/inbound`). */
export interface InboundSettings {
  /** Source → severity word as sent (lower case) → ours. */
  readonly severities: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Allowed SNS topics; empty: any. */
  readonly snsTopics: readonly string[];
  /** Labels that distinguish the sender, and not the subject (`/api/admin/settings/lifecycle`). */
  readonly replicaLabels: readonly string[];
  /** Kinds of alerts by name, before the catalogue. */
  readonly alerts: readonly AlertKind[];
  /** Time for which alerts pend before they fire, by name; ms. */
  readonly durations: ReadonlyMap<string, number>;
}

export type Item =
  | {
      readonly ok: true;
      readonly action: MonitorAction;
      /** One more action of the entry before. */
      readonly also?: true;
    }
  | { readonly ok: false; readonly error: string; readonly problems: readonly Problem[] };

/** Signed envelope whose origin is to be checked before its actions are carried out. */
export interface SignedEnvelope {
  readonly scheme: 'sns';
  readonly signatureVersion: '1' | '2';
  readonly signature: string;
  readonly certificateUrl: string;
  readonly topic: string;
  readonly stringToSign: string;
}

export interface SourceReading {
  /** Items in the order of the body; one bad item never invalidates the others. */
  readonly items: readonly Item[];
  readonly signed?: SignedEnvelope;
  /** Alerts that the sender itself dropped. */
  readonly dropped?: number;
  /** Topic whose subscription was ended: it sends nothing more. */
  readonly ended?: string;
}

/**
 * One monitoring system: maps its webhook body to the actions of Faultline. Pure. A body that can never be valid throws
 * Fault `invalid` with the necessary change; one bad item is an item with an error.
 */
export interface Source {
  /** Canonical name, stored in `Event.source`. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly title: string;
  /** Fields of its bodies that hold credentials of the sender, in lower case: they are stored nowhere. */
  readonly credentials?: readonly string[];
  read(delivered: Delivered, settings: InboundSettings): SourceReading;
}

/** A monitoring system available to all tenants, with its display data. */
export interface MonitorSource extends Source {
  readonly card: SourceCard;
}
