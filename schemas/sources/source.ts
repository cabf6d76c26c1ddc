import type { MonitorAction } from '#domain/event/draft.ts';
import type { Problem } from '#domain/fault.ts';

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
  /** SNS topics that may post; empty = any. */
  readonly snsTopics: readonly string[];
  /** Labels that tell apart who says it, and not what is said (`/api/admin/settings/lifecycle`). */
  readonly replicaLabels: readonly string[];
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
  /** In the order of the body; one bad item never spoils the others. */
  readonly items: readonly Item[];
  readonly signed?: SignedEnvelope;
  /** Alerts that the sender itself dropped. */
  readonly dropped?: number;
  /** Topic whose subscription was ended: nothing more comes from there. */
  readonly ended?: string;
}

/**
 * One monitoring system: its webhook body → what Faultline should do. Pure. A body that can never be valid throws Fault `invalid` and
 * says what to change; one bad item is an item with an error.
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
