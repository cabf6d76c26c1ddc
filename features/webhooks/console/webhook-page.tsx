import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { FactsList } from '#console/data/facts-list.tsx';
import { Age } from '#console/facts/age.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { When } from '#console/facts/when.tsx';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { AdminPage } from '#console/pages/admin/admin-page.tsx';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/words/counts.ts';
import { readWebhook, type WebhookDetails } from './api.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WEBHOOKS } from './webhook-dialog.tsx';
import { FORMAT_WORDS, filterWords, KIND_WORDS, standOf } from './webhook-words.ts';
import classes from './webhooks.module.css';

/** Soon, while something is on its way; else as often as a quiet page may. */
const SOON_MS = 2_000;
const LATER_MS = 20_000;

function Facts({ webhook }: { readonly webhook: WebhookDetails }) {
  const { clock } = useParts();
  const { url, format, events, filter, headers, receiver, earlier_secret_until: until } = webhook;
  const { kind, words } = standOf({ ...webhook, ...receiver }, clock.now());
  const names = Object.keys(headers);
  return (
    <FactsList
      facts={[
        [
          'State',
          <span key="state">
            <Mark kind={kind}>{words}</Mark>
            {receiver.rests_until !== null && Date.parse(receiver.rests_until) > clock.now() ? (
              <>
                {' '}
                until <When at={receiver.rests_until} />
              </>
            ) : null}
          </span>,
        ],
        ['Waiting', receiver.waiting === 0 ? 'nothing' : count(receiver.waiting, 'delivery', 'deliveries')],
        [
          'Last taken',
          receiver.last_success_at === null ? 'never' : <Age key="at" since={receiver.last_success_at} after=" ago" />,
        ],
        [
          'Last failure',
          receiver.last_failure_at === null ? 'none' : <Age key="at" since={receiver.last_failure_at} after=" ago" />,
        ],
        [
          'Address',
          <span key="url" className={classes.break}>
            {url}
          </span>,
        ],
        ['Body', FORMAT_WORDS[format]],
        ['Is told when', events.map((one) => KIND_WORDS[one]).join(', ')],
        ...(filter === null ? [] : [['Only', filterWords(filter)] as const]),
        ...(names.length === 0 ? [] : [['Headers', names.join(', ')] as const]),
        [
          'Secret',
          <span key="secret">
            {webhook.secret_hint}
            {until === null ? null : (
              <>
                ; the one before it signs too, until <When at={until} />
              </>
            )}
          </span>,
        ],
      ]}
    />
  );
}

/** One webhook, and what was sent to it. */
export function WebhookPage() {
  const { call } = useParts();
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [...WEBHOOKS, 'one', id],
    queryFn: ({ signal }) => readWebhook(call, id, signal),
    refetchInterval: ({ state }) => ((state.data?.webhook.receiver.waiting ?? 0) > 0 ? SOON_MS : LATER_MS),
  });
  return (
    <AdminPage
      title={query.data?.webhook.name ?? 'Webhook'}
      lead={<Link to="/admin/webhooks">All webhooks</Link>}
      actions={query.data === undefined ? null : <WebhookActions read={query.data} />}
    >
      <Region query={query} what="The webhook">
        {({ webhook }) => (
          <>
            <Section title="How it is">
              <Facts webhook={webhook} />
            </Section>
            <Deliveries id={id} />
          </>
        )}
      </Region>
    </AdminPage>
  );
}
