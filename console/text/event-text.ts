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

export const eventName = (event: NamedEvent): string => `${hostOf(event)}: ${event.title}`;
