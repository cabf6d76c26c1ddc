import { markupText } from '#domain/text.ts';
import type { StandardBody } from '#features/webhooks/rules/body.ts';
import { factsOf } from './facts.ts';
import { clipped } from './read.ts';

/** Limits of Block Kit, characters. */
const HEADER = 150;
const FIELD = 1_000;
const FIELDS = 10;

const MARKS: Readonly<Record<string, string>> = { open: '🔴', acknowledged: '🟡', resolved: '🟢' };

/** As Slack wants it, so that no title calls the channel or makes a link. */

/** Block Kit (incoming webhooks of Slack). */
export const slackBody = (body: StandardBody): object => {
  const { headline, state, fields } = factsOf(body);
  const title = state === null ? headline : `${MARKS[state]} ${headline}`;
  const told = fields.slice(0, FIELDS).map(([label, value]) => ({
    type: 'mrkdwn',
    text: `*${label}*\n${markupText(clipped(value, FIELD))}`,
  }));
  const footer = `${body.event} · ${body.timestamp} · ${body.delivery_id}`;
  return {
    text: markupText(clipped(title, FIELD)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: clipped(title, HEADER), emoji: true } },
      ...(told.length === 0 ? [] : [{ type: 'section', fields: told }]),
      { type: 'context', elements: [{ type: 'plain_text', text: footer, emoji: false }] },
    ],
  };
};
