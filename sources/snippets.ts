/** The configuration of each monitor that makes it post here. */
import { type Carries, type Snippet, type SourceCard, sh, TOKEN_PLACE, withPassword } from './kit/card.ts';
import type { MonitorSource } from './kit/source.ts';

/** Time for which the text is unchanged, ms: a manual selection stays intact. */
const SAME_MS = 60_000;
const BY_HAND = 'Test event sent from a shell.';
const bodyByHand = (card: SourceCard, now: number): string => {
  const at = now - (now % SAME_MS);
  return JSON.stringify(card.test({ serial: `by-hand-${at / SAME_MS}`, at, what: BY_HAND }));
};

/** Command for a test before a configuration is changed. */
const fromShell = (card: SourceCard, address: string, now: number): Snippet => {
  const { carries } = card;
  const to = carries === 'query' ? `'${address}?token=${TOKEN_PLACE}'` : address;
  const header = carries === 'header' ? ` -H 'Authorization: Bearer ${TOKEN_PLACE}'` : '';
  return sh(
    'Test from a shell with a sample payload for a non-existent host',
    `curl -s ${carries === 'password' ? withPassword(address) : to}${header} -H 'Content-Type: application/json' -d '${bodyByHand(card, now)}'`,
  );
};

interface SetupContext {
  readonly address: string;
  /** The address of this server, without a path. */
  readonly base: string;
  /** ms. */
  readonly now: number;
}

/** The configuration that is pasted at a monitor. */
export const setupOf = ({ card }: MonitorSource, { address, base, now }: SetupContext) => ({
  carries: card.carries,
  snippets: [...card.snippets(address, base), ...(card.byHand ? [fromShell(card, address, now)] : [])],
});

/** Setup of a sender without a webhook of its own. */
export const plainSetup = (name: string, address: string): { carries: Carries; snippets: readonly Snippet[] } => ({
  carries: 'header',
  snippets: [
    sh(
      'An event',
      `curl -s ${address} -H "Authorization: Bearer ${TOKEN_PLACE}" -H 'Content-Type: application/json' -d '${JSON.stringify({ source: name, sourceId: 'backup/nightly', severity: 'major', title: 'Nightly backup failed', hostname: 'backup-1' }).replaceAll("'", "'\\''")}'`,
    ),
  ],
});

/** Setup of a source that the tenant has mapped: any body that its monitoring system can post. */
export const mappedSetup = (address: string): { carries: Carries; snippets: readonly Snippet[] } => ({
  carries: 'header',
  snippets: [
    sh(
      'Test from a shell with a payload saved to a file',
      `curl -s ${address} -H "Authorization: Bearer ${TOKEN_PLACE}" -H 'Content-Type: application/json' --data-binary @sample.json`,
    ),
  ],
});
