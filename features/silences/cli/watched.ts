import { queryOf } from '#cli/client/connection.ts';
import type { WatchedKind, WatchedLine } from '#cli/commands/feature.ts';
import { moment } from '#cli/terminal/screen.ts';
import { matcherText, type SilencesReply, type SilenceView } from './silence-texts.ts';

/** Maximum of silences read, and of silences named in a table. */
const MOST = 100;
const SHOWN = 3;

const lineOf = (one: SilenceView): WatchedLine => {
  const { id, matcher, endsAt, reason, createdBy } = one;
  return {
    text: `${id}  silences ${matcherText(one)} until ${moment(endsAt)} UTC: ${reason} (${createdBy.username})`,
    facts: { silence: id, matcher, endsAt, reason, createdBy: createdBy.username },
  };
};

/** Returns the names of active ones; they may explain why nothing is active. */
const summaryOf = ({ silences, pagination }: SilencesReply): string => {
  if (silences.length === 0) return '';
  const shown = silences.slice(0, SHOWN).map((one) => `${matcherText(one)} until ${moment(one.endsAt)}`);
  const more = pagination.total - shown.length;
  return `silenced: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
};

/** Silences that hold. */
export const watchedSilences: WatchedKind = {
  topic: 'silences',
  words: 'active silences',
  read: async (client) => {
    const holding = queryOf({ state: 'active', limit: String(MOST) });
    const reply = await client.get<SilencesReply>(`/api/events/silences?${holding}`);
    return { lines: new Map(reply.silences.map((one) => [one.id, lineOf(one)])), summary: summaryOf(reply) };
  },
};
