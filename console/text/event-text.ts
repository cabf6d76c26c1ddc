import { titledAt } from '#domain/event/event-words.ts';
import * as shared from './texts.ts';

interface NamedEvent {
  readonly title: string;
  readonly source: string;
  readonly ciId?: { readonly name: string } | undefined;
  readonly hostname?: string | undefined;
}

/** Problems of Faultline itself have no host. */
export const hostOf = ({ ciId, hostname, source }: Omit<NamedEvent, 'title'>): string =>
  ciId?.name ?? hostname ?? (source === 'faultline' ? 'Faultline' : shared.unknownHost);

/** `db-1: Disk full`. */
export const eventName = (event: NamedEvent): string => titledAt(event.title, hostOf(event));
