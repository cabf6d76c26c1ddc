import { CliError, type Client } from '#infra/cli/client/client.ts';

/** Messages of a stream of live changes. */
type LiveMessage = 'hello' | 'changes' | 'reset' | 'bye';

const MESSAGES: readonly string[] = ['hello', 'changes', 'reset', 'bye'] satisfies LiveMessage[];

const fieldIn = (block: string, name: string): string | undefined =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

const messageIn = (block: string): LiveMessage[] => {
  const event = fieldIn(block, 'event');
  return event !== undefined && MESSAGES.includes(event) ? [event as LiveMessage] : [];
};

/** That things of these topics change, over one connection. Ends where the connection ends or breaks; throws CliError when there is no stream. */
export async function* liveMessages(client: Client, topics: readonly string[]): AsyncGenerator<LiveMessage> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of client.download(`/sse/changes?topics=${topics.join(',')}`)) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.flatMap(messageIn);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
  }
}
