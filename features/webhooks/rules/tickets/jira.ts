import { asRecord } from '#domain/record-of.ts';
import type { TicketNews } from '#features/webhooks/rules/formats/ticket.ts';
import type { Tracker } from './tracker.ts';

const PATH = '/rest/api/2/issue';

const rootOf = ({ origin, pathname }: URL): string => origin + pathname.slice(0, -'/issue'.length);
const issueOf = (url: URL, ticket: string): string => `${rootOf(url)}/issue/${encodeURIComponent(ticket)}`;
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Category of a status: `new`, `indeterminate` or `done`. */
const categoryOf = (status: unknown): string | null => text(asRecord(asRecord(status).statusCategory).key);

/** Jira Cloud has the search by JQL at a path of its own. */
const searchPath = ({ hostname }: URL): string => (hostname.endsWith('.atlassian.net') ? '/search/jql' : '/search');

const fieldsOf = ({ searchParams }: URL, { key, summary, text: description }: TicketNews) => ({
  project: { key: searchParams.get('project') },
  issuetype: { name: searchParams.get('issuetype') ?? 'Task' },
  summary,
  description,
  labels: [key],
});

/** Jira's REST API, version 2. The address names the project, and may name the type of issue. */
export const jira: Tracker = {
  refusal: (url) =>
    url.pathname.endsWith(PATH) && url.searchParams.has('project')
      ? null
      : `expected https://…${PATH}?project=KEY, with issuetype if it isn't Task`,
  find: (url, key) => {
    const query = new URLSearchParams({ jql: `labels = "${key}"`, fields: 'status', maxResults: '1' });
    return { method: 'GET', url: `${rootOf(url)}${searchPath(url)}?${query}` };
  },
  found: (reply) => text(asRecord(listOf(asRecord(reply).issues)[0]).key),
  create: (url, news) => ({ method: 'POST', url: `${rootOf(url)}/issue`, body: { fields: fieldsOf(url, news) } }),
  created: (reply) => text(asRecord(reply).key),
  look: (url, ticket) => ({ method: 'GET', url: `${issueOf(url, ticket)}?fields=status` }),
  looked: (reply) => ({ isDone: categoryOf(asRecord(asRecord(reply).fields).status) === 'done' }),
  comment: (url, ticket, news) => ({
    method: 'POST',
    url: `${issueOf(url, ticket)}/comment`,
    body: { body: news.text },
  }),
  options: (url, ticket) => ({ method: 'GET', url: `${issueOf(url, ticket)}/transitions` }),
  change: (url, ticket, { isOver }, options) => {
    const step = listOf(asRecord(options).transitions).find(
      (one) => (categoryOf(asRecord(one).to) === 'done') === isOver,
    );
    const id = text(asRecord(step).id);
    return id === null
      ? null
      : { method: 'POST', url: `${issueOf(url, ticket)}/transitions`, body: { transition: { id } } };
  },
};
