import { CliError, type Client } from '#infra/cli/client/client.ts';

/** What a stream of live changes says. */
export type LiveMessage =
  | { readonly event: 'hello' | 'reset' | 'bye' }
  | { readonly event: 'changes'; readonly groups: readonly string[]; readonly more: number };

interface Changes {
  readonly groups?: { readonly ids: readonly string[]; readonly more: number };
}

const fieldIn = (block: string, name: string): string | undefined =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

const messageIn = (block: string): LiveMessage[] => {
  const event = fieldIn(block, 'event');
  if (event === 'hello' || event === 'reset' || event === 'bye') return [{ event }];
  if (event !== 'changes') return [];
  const { groups } = JSON.parse(fieldIn(block, 'data') ?? '{}') as Changes;
  return [{ event, groups: groups?.ids ?? [], more: groups?.more ?? 0 }];
};

/** Which groups change, over one connection. Ends where the connection ends or breaks; throws CliError when there is no stream. */
export async function* liveGroups(client: Client): AsyncGenerator<LiveMessage> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of client.download('/sse/changes?topics=groups')) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      yield* blocks.flatMap(messageIn);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
  }
}
