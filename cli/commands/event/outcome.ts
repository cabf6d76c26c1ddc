import type { EventReply } from '#cli/client/replies.ts';
import { assigneeOf, titleOf } from '#cli/commands/event-texts.ts';
import { clip, tableOf } from '#cli/terminal/screen.ts';

export interface Failure {
  readonly id: string;
  readonly reason: string;
}
export interface ChangeOutcome {
  readonly changed: readonly EventReply[];
  readonly failed: readonly Failure[];
}

const isUnknown = (reason: string): boolean => reason.endsWith('was not found');

export const outcomeText = ({ changed, failed }: ChangeOutcome): string =>
  tableOf(
    ['event', 'status', { title: 'assigned', width: 20 }, { title: 'title', width: 44 }],
    [
      ...changed.map((event) => [event.eventId, event.status, assigneeOf(event), titleOf(event, 120)]),
      ...failed.map(({ id, reason }) => [
        clip(id, 30),
        isUnknown(reason) ? 'unknown' : 'unchanged',
        '',
        clip(reason, 240),
      ]),
    ],
  );
