import type { UseCaseContext } from '#application/access/context.ts';
import type { Named } from '#domain/chat/reading.ts';
import type { Binding } from '#domain/topology/binding.ts';

type Asking = Pick<UseCaseContext, 'tenant' | 'ports'>;

/** The CIs that texts name, each by id, external key, name, host name or address. */
export const bindTexts = (
  { tenant, ports }: Asking,
  texts: readonly string[],
): Promise<readonly Binding[]> | readonly Binding[] =>
  texts.length === 0
    ? []
    : ports.matcher.bind(
        tenant,
        texts.map((text) => ({ ciId: text, hostname: text, ipAddress: text, hints: [text] })),
      );

/** The one CI that a text stands for; null when it is none, or several. */
export async function meantCi(asking: Asking, text: string): Promise<Named | null> {
  const [binding] = await bindTexts(asking, [text]);
  return binding?.ci ?? null;
}
