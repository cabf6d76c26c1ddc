import { CliError, type Client } from '#infra/cli/client/client.ts';
import { pause } from '#infra/wait.ts';

/** Messages of a progress stream. */
interface Told {
  readonly type: string;
  readonly step?: string;
  readonly message?: string;
  readonly current?: number;
  readonly total?: number;
  readonly error?: string;
}
interface Numbered {
  readonly id: number;
  readonly told: Told;
}

const ID = /^id: (\d+)$/m;
const DATA = /^data: (.*)$/m;
/** A connection that broke is opened again so often, and after so many ms. */
const TRIES = 20;
const REST_MS = 1_000;

const numberedIn = (block: string): Numbered[] => {
  const [id, data] = [ID.exec(block)?.[1], DATA.exec(block)?.[1]];
  return id === undefined || data === undefined ? [] : [{ id: Number(id), told: JSON.parse(data) as Told }];
};

/** Events of one connection, to where it ends or breaks. */
async function* eventsOf(client: Client, path: string): AsyncGenerator<Numbered> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of client.download(path)) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.flatMap(numberedIn);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
  }
}

/** All events of a stream once, over as many connections as it takes. Ends with the one that says how it ended. */
export async function* followed(client: Client, path: string): AsyncGenerator<Told> {
  let seen = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    for await (const { id, told } of eventsOf(client, path)) {
      if (id <= seen) continue;
      seen = id;
      tries = 0;
      yield told;
      if (told.type !== 'progress') return;
    }
    await pause(REST_MS);
  }
  throw new CliError('the progress cannot be followed; the analysis goes on, look at it later with --session');
}
