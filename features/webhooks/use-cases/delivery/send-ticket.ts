import type { Ports } from '#domain/ports/ports.ts';
import type { TicketNews } from '#features/webhooks/rules/formats/ticket.ts';
import type { Tracker, TrackerRequest } from '#features/webhooks/rules/tickets/tracker.ts';
import type { Webhook } from '#features/webhooks/rules/webhook.ts';

/** Number of the ticket, by webhook and key. */
const KIND = 'webhook-ticket';
const KEPT_MS = 180 * 86_400_000;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1_024;
const [GONE, NOT_FOUND] = [410, 404];

interface TicketRecord {
  readonly ticket: string;
}
interface TrackerReply {
  readonly status: number;
  readonly json: unknown;
}
/** The tracker refused a request. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

interface TicketSending {
  readonly ports: Pick<Ports, 'records' | 'outbound' | 'clock'>;
  readonly tenant: string;
  readonly webhook: Webhook;
}

/** The requests by which one ticket learns of some news. */
class Ticket {
  readonly #sending: TicketSending;
  readonly #tracker: Tracker;
  readonly #news: TicketNews;
  readonly #url: URL;

  constructor(sending: TicketSending, tracker: Tracker, news: TicketNews) {
    this.#sending = sending;
    this.#tracker = tracker;
    this.#news = news;
    this.#url = new URL(sending.webhook.url);
  }

  /** Opens the ticket, or adds the news to it and closes or reopens it. Returns the last status. */
  async tell(): Promise<number> {
    const [tracker, news] = [this.#tracker, this.#news];
    const ticket = await this.#ticket();
    if (ticket === null) return news.isOver ? 200 : this.#create();
    const { status, json } = await this.#ask(tracker.look(this.#url, ticket), NOT_FOUND);
    // A user has deleted it.
    if (status === NOT_FOUND) return news.isOver ? 200 : this.#create();
    if (tracker.looked(json).isDone !== news.isOver) await this.#change(ticket);
    return (await this.#ask(tracker.comment(this.#url, ticket, news))).status;
  }

  async #change(ticket: string): Promise<void> {
    const { options, change } = this.#tracker;
    const known = options && (await this.#ask(options(this.#url, ticket))).json;
    const request = change(this.#url, ticket, this.#news, known);
    if (request !== null) await this.#ask(request);
  }

  async #create(): Promise<number> {
    const { status, json } = await this.#ask(this.#tracker.create(this.#url, this.#news));
    const ticket = this.#tracker.created(json);
    if (ticket !== null) await this.#keep(ticket);
    return status;
  }

  get #id(): string {
    return `${this.#sending.webhook.id} ${this.#news.key}`;
  }

  async #keep(ticket: string): Promise<void> {
    const { ports, tenant } = this.#sending;
    const expiresAt = ports.clock.now() + KEPT_MS;
    await ports.records.put<TicketRecord>(tenant, KIND, this.#id, { ticket }, { expiresAt });
  }

  /** The tracker alone knows the ticket after a crash. */
  async #ticket(): Promise<string | null> {
    const { ports, tenant } = this.#sending;
    const known = await ports.records.get<TicketRecord>(tenant, KIND, this.#id);
    if (known !== null) return known.body.ticket;
    const ticket = this.#tracker.found((await this.#ask(this.#tracker.find(this.#url, this.#news.key))).json);
    if (ticket !== null) await this.#keep(ticket);
    return ticket;
  }

  /** Throws for any other status than a success and the allowed one. */
  async #ask({ method, url, body }: TrackerRequest, allowed?: number): Promise<TrackerReply> {
    const { ports, webhook } = this.#sending;
    const reply = await ports.outbound.read(url, {
      method,
      headers: {
        'user-agent': 'Faultline',
        accept: 'application/json',
        ...webhook.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (!isSuccess(reply.status) && reply.status !== allowed) throw new Refused(reply.status);
    return { status: reply.status, json: jsonOf(reply.body) };
  }
}

/** Returns the last status; a refusal of any request is that of the delivery. Throws a PostFailure without a reply. */
export const sendTicket = async (sending: TicketSending, tracker: Tracker, body: string): Promise<number> => {
  try {
    return await new Ticket(sending, tracker, JSON.parse(body) as TicketNews).tell();
  } catch (error) {
    // 410 would switch the webhook off, and here it is about one ticket.
    if (error instanceof Refused) return error.status === GONE ? NOT_FOUND : error.status;
    throw error;
  }
};
