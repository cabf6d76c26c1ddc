import type { StandardBody } from '#features/webhooks/rules/body.ts';
import { type DeliveryFacts, factsOf } from './facts.ts';
import { clipped } from './read.ts';

const TITLE = 500;
const VALUE = 1_000;

const colorOf = ({ state }: DeliveryFacts): string =>
  state === null ? 'Default' : ({ open: 'Attention', acknowledged: 'Warning', resolved: 'Good' } as const)[state];

/** Cards read Markdown: no title makes a link, a heading or code. */
const markdownText = (text: string): string => text.replace(/[\\`*[\]]/g, '\\$&').replace(/\s+/g, ' ');

/** An Adaptive Card (workflow webhooks of Microsoft Teams). */
export const teamsBody = (body: StandardBody): object => {
  const facts = factsOf(body);
  const title = { type: 'TextBlock', text: markdownText(clipped(facts.headline, TITLE)), wrap: true };
  const told = facts.fields.map(([label, value]) => ({ title: label, value: markdownText(clipped(value, VALUE)) }));
  const footer = `${body.event} · ${body.timestamp} · ${body.delivery_id}`;
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { ...title, size: 'Medium', weight: 'Bolder', color: colorOf(facts) },
            ...(told.length === 0 ? [] : [{ type: 'FactSet', facts: told }]),
            { type: 'TextBlock', text: footer, wrap: true, isSubtle: true, size: 'Small' },
          ],
        },
      },
    ],
  };
};
