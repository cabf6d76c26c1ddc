import type { Paged, ReplyOf } from '#cli/client/replies.ts';
import { listText } from '#cli/commands/lists.ts';
import { clip, count, counted, moment } from '#cli/terminal/screen.ts';
import { labelText } from '#domain/event/silences/labels.ts';
import type { SilenceBody } from '#features/silences/schemas/silences.ts';
import type { ForeignSilence } from './foreign-silences.ts';

export type SilenceView = ReplyOf<typeof SilenceBody>;
export interface SilenceReply {
  readonly silence: SilenceView;
}
export interface SilencesReply extends Paged {
  readonly silences: readonly SilenceView[];
}
export interface PreviewReply {
  readonly matched: number;
  readonly truncated: boolean;
}

export const matcherText = ({ matcher }: SilenceView): string =>
  Object.entries(matcher)
    .map(([part, wanted]) => {
      const words = [wanted].flat().map((one) => (typeof one === 'object' ? labelText(one) : one));
      return part === 'labels' ? words.join(' ') : `${part}=${words.join(',')}`;
    })
    .join(' ');

export const silenceText = ({ silence }: SilenceReply): string =>
  `Silence ${silence.id} (${silence.state}) for ${matcherText(silence)}: ${moment(silence.startsAt)} to ${moment(silence.endsAt)} UTC.`;

export const endedText = (replies: readonly SilenceReply[]): string =>
  replies
    .map(
      ({ silence }) =>
        `Silence ${silence.id} ended ${moment(silence.endsAt)} UTC; suppressed ${counted(silence.caught, 'event')}.`,
    )
    .join('\n');

interface ImportedSilences {
  readonly found: readonly ForeignSilence[];
  readonly made: readonly SilenceReply[];
}
export const importedText = ({ found, made }: ImportedSilences): string => {
  const skipped = found.flatMap((one) => ('skipped' in one ? [`Skipped ${one.name}: ${one.skipped}`] : []));
  const first =
    made.length > 0 ? made.map(silenceText) : [`Would create ${counted(found.length - skipped.length, 'silence')}`];
  return [...first, ...skipped].join('\n');
};

export const previewText = ({ matched, truncated }: PreviewReply): string =>
  `Would match ${truncated ? 'at least ' : ''}${counted(matched, 'event')} from the last 24h.`;

/** A table has no room for more. */
const minute = (time: string): string => moment(time).slice(5, 16);

const listed = listText<SilenceView>({
  name: 'silences',
  columns: [
    'id',
    'state',
    { title: 'matches', width: 26 },
    'from (UTC)',
    'to (UTC)',
    { title: 'events', right: true },
    { title: 'by', width: 10 },
    { title: 'reason', width: 22 },
  ],
  row: (one) => [
    one.id,
    one.state,
    clip(matcherText(one), 200),
    minute(one.startsAt),
    minute(one.endsAt),
    count(one.caught),
    clip(one.createdBy.username, 40),
    clip(one.reason, 120),
  ],
});

export const silencesTable = ({ silences, pagination }: SilencesReply): string =>
  listed({ data: silences, pagination });
